# For the tests of the WebAssembly module: skips them where something is missing.
tests=$WEFT_SOURCE_DIR/tests/wasm

skip() {
    echo "skipped: $*"
    exit 77
}

for program in node npm; do
    command -v $program >/dev/null || skip "$program is not installed"
done
module=$WEFT_SOURCE_DIR/build/wasm/weft.wasm
[ -e "$module" ] ||
    skip 'the WebAssembly module is not built; make test-wasm installs emscripten, builds and tests it'
newer=$(cd "$WEFT_SOURCE_DIR" && find src io load garment mannequin include apps/studio/server wasm -name '*.[ch]' \
    -newer "$module" | head -n 1)
[ -z "$newer" ] || skip "the WebAssembly module is older than $newer; make test-wasm builds it again"

find_chromium() {
    CHROMIUM=${CHROMIUM:-$(command -v chromium || command -v chromium-browser || true)}
    export CHROMIUM
    [ -n "$CHROMIUM" ] || skip 'Chromium is not installed'
}

find_site() {
    WEFT_SITE=${WEFT_SITE:-$WEFT_SOURCE_DIR/build/site}
    export WEFT_SITE
    [ -e "$WEFT_SITE/index.html" ] || skip 'the website is not built; make test-wasm builds it'
}

# npm_or_skip COMMAND...: skips the test if the registry cannot be reached.
npm_or_skip() {
    "$@" >npm.log 2>&1 && return
    cat npm.log
    grep -qE 'ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH' npm.log || fail "$*"
    skip 'the npm registry cannot be reached'
}

# Installs the packages of the lock file once per build folder, beside the test's own folder, and copies the scripts
# there.
install_packages() {
    packages=$(cd .. && pwd)/node
    if ! cmp -s "$tests/package-lock.json" "$packages/installed"; then
        rm -rf "$packages"
        mkdir -p "$packages"
        cp "$tests/package.json" "$tests/package-lock.json" "$packages"
        npm_or_skip npm ci --prefix "$packages" --ignore-scripts --no-audit --no-fund
        cp "$tests/package-lock.json" "$packages/installed"
    fi
    cp "$tests"/*.mjs "$WEFT_SOURCE_DIR/tests/studio/fixture.mjs" "$WEFT_SOURCE_DIR/tests/studio/engine.mjs" "$packages"
}
