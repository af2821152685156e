#!/bin/sh
# Checks types, ESLint and formatting of the studio's page and of its tests.
. "$WEFT_SOURCE_DIR/tests/cli/common.sh"

if ! command -v npm >/dev/null || [ ! -e "$WEFT_SOURCE_DIR/apps/studio/web/node_modules/.bin/eslint" ]; then
    echo 'skipped: the packages of apps/studio/web are not installed'
    exit 77
fi
cd "$WEFT_SOURCE_DIR/apps/studio/web" && npm run --silent lint || fail 'npm run lint'
