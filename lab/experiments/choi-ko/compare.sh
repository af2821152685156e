#!/bin/sh
# Choi & Ko's comparison in kind (their slides: 4 hours with fictitious damping, 19 minutes without): the same sheet of
# Hookean springs and of immediate buckling, at their step of 1/90 s. The springs' matrix is indefinite where they are
# compressed; ours leaves that part out, so that they run, and `damped` adds what such codes add to get rid of jitter.
# usage: lab/experiments/choi-ko/compare.sh [WEFT] [OUT]
set -eu
here=$(dirname "$0")
weft=${1:-build/release/weft}
out=${2:-out/choi-ko}

figure() { sed -n "s/.*\"$2\": \([0-9.e+-]*\).*/\1/p" "$1" | head -n 1; }

run() { # NAME OPTION...
    name=$1
    shift
    "$weft" run "$here/sheet.yaml" --out "$out/$name" --threads 1 --write pc2 --quiet "$@"
    report=$out/$name/report.json
    printf '%-10s %6s %10s %10s %12s\n' "$name" "$(figure "$report" steps)" "$(figure "$report" iterations)" \
        "$(figure "$report" wall_seconds)" "$(figure "$report" kinetic)"
    "$weft" render "$out/$name" --sheet 6 --quiet
}

printf '%-10s %6s %10s %10s %12s\n' model steps iterations 'wall s' 'kinetic J'
run buckling
run springs --set cloth.model.name=springs
run damped --set cloth.model.name=springs --set cloth.fabric.damping=0.01
echo "contact sheets: $out/*/sheet_sheet.png"
