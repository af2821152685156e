#!/bin/sh
# Called by tools/bench-browser, in an empty folder.
. "$WEFT_SOURCE_DIR/tests/cli/common.sh"
. "$WEFT_SOURCE_DIR/tests/wasm/common.sh"
find_chromium
find_site
install_packages
node "$packages/bench.mjs" "$@" || fail 'bench-browser'
