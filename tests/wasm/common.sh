# For the tests of the WebAssembly module: skips them where something is missing.
tests=$WEFT_SOURCE_DIR/tests/wasm
for program in node npm; do
    command -v $program >/dev/null || { echo "skipped: $program is not installed"; exit 77; }
done
if [ ! -e "$WEFT_SOURCE_DIR/build/wasm/weft.mjs" ]; then
    echo 'skipped: the WebAssembly module is not built; make test-wasm installs emscripten, builds and tests it'
    exit 77
fi

# Installs the packages of a folder's lock file once per build folder, beside the test's own folder.
install_packages() {
    packages=$(cd .. && pwd)/node
    cmp -s "$tests/package-lock.json" "$packages/installed" && return
    rm -rf "$packages"
    mkdir -p "$packages"
    cp "$tests/package.json" "$tests/package-lock.json" "$packages"
    if ! (cd "$packages" && npm ci --ignore-scripts --no-audit --no-fund) >npm.log 2>&1; then
        cat npm.log
        grep -qE 'ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH' npm.log || fail 'npm ci'
        echo 'skipped: the npm registry cannot be reached'
        exit 77
    fi
    cp "$tests/package-lock.json" "$packages/installed"
}
