#!/bin/sh
# The WebAssembly module in Node: the state hashes of `weft run`, and the fuzz corpora. Skipped unless `make wasm` has
# built the module.
. "$WEFT_SOURCE_DIR/tests/cli/common.sh"
. "$WEFT_SOURCE_DIR/tests/wasm/common.sh"

# Each model, integrator family, contact method, a moving mesh, adaptation, tearing and sewing; few frames: a test must
# be short.
scenes='hanging-sheet:30 flag:4 sheet-on-sphere:4 twisted-tube:3 moving-character:3 adaptive-sheet:3 rip:8 tear:30
    cylinder:10 box-corner:3 mannequin-walk:2 tshirt-walk:1 projective:8'
gallery=$(cd ../../cli/test_scenes && pwd) || fail 'tests/cli/test_scenes.sh has not run'
for pair in $scenes; do
    name=${pair%:*} frames=${pair#*:}
    from=$gallery/$name
    if [ -e "$tests/$name.yaml" ]; then
        from=$PWD/out/$name
        "$WEFT" run "$tests/$name.yaml" --frames "$frames" --out "$from" --quiet || fail "weft run $name"
    fi
    hash=$(awk -F, -v frame="$frames" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "state_hash") at = i }
        at && $1 == frame { print $at }' "$from/frames.csv")
    [ -n "$hash" ] || fail "$name: no state hash of frame $frames in $from"
    echo "$name $frames $hash"
done >native
# shellcheck disable=SC2086 # a list of words
node "$tests/hash.mjs" $scenes >browser || fail 'the module'
diff native browser || fail 'the module gives other bits than weft run'

node "$tests/corpora.mjs" || fail 'the fuzz corpora'
