#!/bin/sh
# The website in Debian's Chromium, against static files (site.test.mjs). Skipped unless `make site` has built it.
. "$WEFT_SOURCE_DIR/tests/cli/common.sh"
. "$WEFT_SOURCE_DIR/tests/wasm/common.sh"
CHROMIUM=${CHROMIUM:-$(command -v chromium || command -v chromium-browser || true)}
export CHROMIUM
[ -n "$CHROMIUM" ] || { echo 'skipped: Chromium is not installed'; exit 77; }
WEFT_SITE=${WEFT_SITE:-$WEFT_SOURCE_DIR/build/site}
export WEFT_SITE
[ -e "$WEFT_SITE/index.html" ] || { echo 'skipped: the website is not built; make test-wasm builds it'; exit 77; }
install_packages
cp "$tests"/*.mjs "$WEFT_SOURCE_DIR/tests/studio/fixture.mjs" "$WEFT_SOURCE_DIR/tests/studio/engine.mjs" "$packages"
node --test --test-reporter=spec "$packages/site.test.mjs" || fail 'the website'
