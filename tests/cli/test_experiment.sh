#!/bin/sh
# Experiments: figures within their bounds, output files, and wrong names.
. "$WEFT_SOURCE_DIR/tests/cli/common.sh"

refused 2 "did you mean 'kawabata'?" "$WEFT" experiment kawabat
refused 2 "there is no experiment 'nothing'" "$WEFT" experiment nothing
refused 2 "there is no experiment 'nothing'" "$WEFT" experiment kawabata nothing
refused 2 '--page runs nothing' "$WEFT" experiment --page kawabata
refused 2 "--out '' names no folder" "$WEFT" experiment catenary --quick --out ''
refused 1 'holds no finished experiment' "$WEFT" experiment --page --out nowhere
refused 1 'not of the form PATH=VALUE' "$WEFT" experiment adaptive --set adapt.refine
refused 1 "did you mean 'max_generation'?" "$WEFT" experiment adaptive --set adapt.max_generatio=3
refused 1 "did you mean 'integrator'?" "$WEFT" experiment tearing --set integrater=bdf2
refused 1 "the experiment 'kawabata' runs none" "$WEFT" experiment kawabata --set time.step=0.001
refused 1 'the experiments decide this themselves' "$WEFT" experiment adaptive --set time.frames=3
refused 1 '--set needs the names' "$WEFT" experiment --set time.step=0.001
[ ! -e out ] || fail 'a refused command wrote something'
says 'kawabata' "$WEFT" list experiments

# A full test has all fabrics; otherwise every fourth.
quick=--quick fabrics='viscose cotton silk jersey' pictures=1
if [ "${WEFT_TEST_FULL:-}" = 1 ]; then
    quick='' fabrics='viscose wool polyacrylics polyester cotton wool-plain wool-lycra polyester-plain silk chiffon
        cotton-sheeting wool-suiting jersey denim canvas'
    pictures='1 4'
fi
# shellcheck disable=SC2086 # an option or none
says 'B_warp' "$WEFT" experiment kawabata $quick --out here
for fabric in $fabrics; do
    [ "$(grep -c "^$fabric .* ok\$" says.out)" -eq 9 ] || fail "kawabata: not nine figures for $fabric: $(cat says.out)"
done
grep -q '^viscose,bending warp,-250,-' here/kawabata/curves.csv || fail 'kawabata: no curve of bending'
for number in $pictures; do
    for plot in tensile shear bending; do
        grep -q '</svg>' "here/kawabata/$plot-$number.svg" || fail "kawabata: no $plot-$number.svg"
    done
done
grep -q '<svg' here/kawabata/index.html || fail 'kawabata: no plots on its page'
[ "$(grep -c "class='ok'" here/kawabata/index.html)" -eq "$(grep -c ' ok$' says.out)" ] ||
    fail 'kawabata: other figures on its page'

# The page collects the results of earlier runs, in the order of the list.
says 'page: here/index.html' "$WEFT" experiment catenary --quick --out here
[ "$(grep -o "<h2 id='[a-z]*'" here/index.html | tr -d '\n')" = "<h2 id='catenary'<h2 id='kawabata'" ] ||
    fail 'the page does not hold both'
cp here/index.html before.html
rm here/index.html
says 'page: here/index.html' "$WEFT" experiment --page --out here
cmp here/index.html before.html || fail 'the page made anew differs'
# A changed scene has other figures, and the page says what was changed. The sheet starts with 800 triangles.
"$WEFT" experiment adaptive --quick --set adapt.max_generation=1 --out changed >changed.out 2>&1
grep -q 'sheet: mean triangles of 800 ' changed.out || fail "adaptive: --set had no effect: $(cat changed.out)"
grep -q 'Changed by --set: adapt.max_generation = 1' changed/adaptive/index.html || fail 'the page does not say so'

echo nonsense >here/catenary/chapter.html
refused 1 'catenary/chapter.html: not a chapter' "$WEFT" experiment --page --out here
exit 0
