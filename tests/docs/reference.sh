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

# The JSON has the same rows, one object per row, and the values of the fabrics.
"$WEFT" help --json >reference.json || fail "help --json: exit status $?"
rows=$(grep -cE '^\| [a-z_.\\]+ \| (real|int|bool|pair|vector|choice|text|map) \|' reference.md)
[ "$rows" -gt 100 ] && [ "$(grep -c '^ *"default": ' reference.json)" -eq "$rows" ] || fail "help --json: not $rows rows"
grep -q "^  \"version\": \"$("$WEFT" --version | cut -d' ' -f2)\"" reference.json || fail 'help --json: no version'
grep -A 20 '"name": "denim"' reference.json | grep -q '"density": 0.4,' || fail 'help --json: the density of denim'
refused 2 '--json prints everything' "$WEFT" help --json gravity
refused 2 'prints everything' "$WEFT" help --json --man
exit 0
