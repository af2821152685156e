#!/bin/sh
# The studio as a person uses it, in Debian's Chromium (see studio.test.mjs). The packages are installed once per build folder.
. "$WEFT_SOURCE_DIR/tests/cli/common.sh"

CHROMIUM=${CHROMIUM:-$(command -v chromium || command -v chromium-browser || true)}
export CHROMIUM
for program in node npm; do
    if ! command -v $program >/dev/null; then
        echo "skipped: $program is not installed"
        exit 77
    fi
done
if [ -z "$CHROMIUM" ]; then
    echo 'skipped: Chromium is not installed'
    exit 77
fi
if "$WEFT" studio --help 2>&1 | grep -q 'built without its page'; then
    echo 'skipped: this weft was built without the page'
    exit 77
fi

tests=$WEFT_SOURCE_DIR/tests/studio
packages=$(cd .. && pwd)/node
if ! cmp -s "$tests/package-lock.json" "$packages/installed"; then
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
fi
cp "$tests"/*.mjs "$packages"
# The page is drawn without a graphics card, and lags behind the engine when others use the processor: what is wrong
# fails twice.
look() { node --test --test-reporter=spec "$packages/studio.test.mjs"; }
look || { echo 'once more:' && mkdir again && cd again && look; } || fail 'the studio'
