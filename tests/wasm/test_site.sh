#!/bin/sh
# The website in Debian's Chromium, against static files (site.test.mjs). Skipped unless `make site` has built it.
. "$WEFT_SOURCE_DIR/tests/cli/common.sh"
. "$WEFT_SOURCE_DIR/tests/wasm/common.sh"
find_chromium
find_site
install_packages
node --test --test-reporter=spec "$packages/site.test.mjs" || fail 'the website'
