#!/bin/sh
# Choi & Ko's stability test (animation 5) with steps from 0.01 to 100 s: all end in the same drape. Prints the lowest
# point of each and the spread between them in centimetres.
# usage: experiments/choi-ko/steps.sh [WEFT] [OUT]
set -eu
here=$(dirname "$0")
weft=${1:-build/release/weft}
out=${2:-out/choi-ko}

for step in 0.01 0.05 0.2 1 10 100; do
    # long enough to settle: 20 s, or 120 steps
    frames=$(awk "BEGIN { n = 20 / $step; print (n > 120 ? n : 120) }")
    rate=$(awk "BEGIN { print 1 / $step }")
    "$weft" run "$here/animation5.yaml" --out "$out/step-$step" --set time.step="$step" --set time.rate="$rate" \
        --frames "$frames" --write obj --quiet
    last=$(find "$out/step-$step/obj" -name '*.obj' | sort | tail -n 1)
    awk -v step="$step" '/^v / && (n++ == 0 || $3 < low) { low = $3 } END { print step, low }' "$last"
done | awk '{ printf "step %6s s: lowest point %.4f m\n", $1, $2
              if (NR == 1 || $2 < least) least = $2
              if (NR == 1 || $2 > most) most = $2 }
            END { printf "spread %.2f cm\n", 100 * (most - least) }'
