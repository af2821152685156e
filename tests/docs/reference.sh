#!/bin/sh
# docs/scene-reference.md equals what the program prints from its tables.
. "$WEFT_SOURCE_DIR/tests/cli/common.sh"

"$WEFT" help --markdown >reference.md || fail "exit status $?"
diff "$WEFT_SOURCE_DIR/docs/scene-reference.md" reference.md >difference ||
    fail "docs/scene-reference.md is out of date; weft help --markdown >docs/scene-reference.md: $(head -n 5 difference)"
for name in $("$WEFT" list models | cut -d' ' -f1) $("$WEFT" list integrators | cut -d' ' -f1) \
    $("$WEFT" list writers | cut -d' ' -f1); do
    grep -q "^### $name\$" reference.md || fail "nothing about $name"
done
refused 2 'prints everything' "$WEFT" help --markdown gravity
exit 0
