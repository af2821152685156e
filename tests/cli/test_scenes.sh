#!/bin/sh
# The shipped scenes behave like cloth. Simulates the first frames of each; with WEFT_TEST_FULL=1 so many that the cloth
# has met what it will meet. The runs stay in this folder: tests/wasm/test_wasm.sh compares its bits with theirs.
. "$WEFT_SOURCE_DIR/tests/cli/common.sh"

# The largest value of column $2 in the frames.csv of run $1.
largest() {
    awk -F, -v column="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) at = i }
        NR > 1 && $at + 0 > most { most = $at + 0 } END { print most + 0 }' "$1/frames.csv"
}
below() {
    awk -v a="$1" -v b="$2" 'BEGIN { exit !(a + 0 < b + 0) }'
}

for path in "$WEFT_SOURCE_DIR"/data/scenes/*.yaml; do
    scene=$(basename "$path" .yaml)
    says 'vertices' "$WEFT" check "$scene"
    grep '^warning' says.out && fail "$scene: the step is too long"
    full=${WEFT_TEST_FULL:-}
    case $full$scene in
    hanging-sheet | tear) frames=30 ;;
    cylinder | rip) frames=10 ;;
    1tear) frames=150 ;; # until it has torn
    1adaptive-dress | 1flag | 1mannequin-walk | 1rip | 1ten-sheets | 1tshirt-walk) frames=15 ;; # a frame takes a second
    1closing-boxes) frames=50 ;; # until the cloth is released
    1*) frames=40 ;;
    *) frames=4 ;;
    esac
    "$WEFT" run "$scene" --quiet --threads 1 --frames $frames --write none --out "$scene" || fail "$scene"
    # contact.stretch halves steps that would stretch the cloth: here at most once per step on average. Any other halved
    # step has failed.
    most=0
    grep -qE '^contact:|garment:' "$path" && most=$(largest "$scene" steps)
    [ "$(largest "$scene" halvings)" -le $most ] || fail "$scene: steps failed and were halved"
    below 0.00001 "$(largest "$scene" kinetic)" || fail "$scene: nothing moves"
    if [ "$scene" = tear ]; then
        [ "$full" != 1 ] || below 50 "$(largest tear links_broken)" || fail "tear: only $(largest tear links_broken) links broke"
    else
        most=0.1
        grep -q '^bodies' "$path" && most=0.3 # falls hard onto something
        below "$(largest "$scene" stretch_max)" $most || fail "$scene: stretches by $(largest "$scene" stretch_max)"
        [ "$(largest "$scene" links_broken)" = 0 ] || fail "$scene: tears"
    fi
done
exit 0
