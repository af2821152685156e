#!/bin/sh
# Every relative link and picture of the documentation leads to a file, and docs/README.md lists all pages.
. "$WEFT_SOURCE_DIR/tests/cli/common.sh"

cd "$WEFT_SOURCE_DIR" || exit 1
for document in README.md docs/*.md; do
    grep -o '](\([^)]*\))' "$document" | sed 's/^](//; s/)$//; s/#.*//' | grep -v '^https\{0,1\}:' | while read -r link; do
        [ -z "$link" ] || [ -e "$(dirname "$document")/$link" ] || fail "$document: there is no $link"
    done || exit 1
done
for document in docs/*.md; do
    name=$(basename "$document")
    [ "$name" = README.md ] || grep -q "($name)" docs/README.md || fail "docs/README.md does not name $name"
done
