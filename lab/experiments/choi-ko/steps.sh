#!/bin/sh
# Choi & Ko's stability test (animation 5) with steps from 0.01 to 100 s. Prints for each the lowest point, how far any
# vertex still moves in the last step, and how far the shape is from that of the shortest step, mean and largest over
# the vertices, in centimetres: the height of the drape does not depend on the step, where its folds fall does.
# usage: lab/experiments/choi-ko/steps.sh [WEFT] [OUT]
set -eu
here=$(dirname "$0")
weft=${1:-build/release/weft}
out=${2:-out/choi-ko}

# vertices FILE: x y z of each
vertices() { awk '/^v / { print $2, $3, $4 }' "$1"; }
# apart A B: mean and largest distance of vertices in centimetres
apart() {
    vertices "$1" >"$out/a.txt"
    vertices "$2" | paste -d ' ' "$out/a.txt" - | awk '{ d = 100 * sqrt(($1-$4)^2 + ($2-$5)^2 + ($3-$6)^2); sum += d
        if (d > most) most = d } END { printf "%.2f %.2f", sum / NR, most }'
}

echo 'step s   lowest m   moves cm   from the shortest step, cm: mean largest'
first=
for step in 0.01 0.05 0.2 1 10 100; do
    # long enough to settle: 20 s, or 300 steps
    frames=$(awk "BEGIN { n = 20 / $step; print (n > 300 ? n : 300) }")
    rate=$(awk "BEGIN { print 1 / $step }")
    "$weft" run "$here/animation5.yaml" --out "$out/step-$step" --set time.step="$step" --set time.rate="$rate" \
        --frames "$frames" --write obj --quiet
    last=$(printf '%s/step-%s/obj/animation5_%04d.obj' "$out" "$step" "$frames")
    before=$(printf '%s/step-%s/obj/animation5_%04d.obj' "$out" "$step" $((frames - 1)))
    first=${first:-$last}
    lowest=$(vertices "$last" | awk 'NR == 1 || $2 < low { low = $2 } END { printf "%.4f", low }')
    moves=$(apart "$last" "$before")
    distance=$(apart "$last" "$first")
    printf '%-8s %8s %10s   %s\n' "$step" "$lowest" "${moves#* }" "$distance"
done
