#!/bin/sh
# A band with an elastic on a cylinder: sewn by the run, then its fit, as docs/fit.md shows it.
. "$WEFT_SOURCE_DIR/tests/cli/common.sh"

cat >band.yaml <<'EOF'
garment: band
edge: 2.5
fabric: {preset: cotton, density: 0.2}
body:
  axis: {from: [0, 0, 0], to: [0, 20, 0], radius: 12, front: [0, 0, 10]}
panels:
  front:
    start: [0, 0]
    edges: [hem: {to: [34, 0], hem: 2}, right: [34, 12], top: [0, 12], left: [0, 0]]
    place: {around: axis, angle: 0 deg, height: 4}
  back:
    start: [0, 0]
    edges: [hem: [34, 0], right: [34, 12], top: [0, 12], left: [0, 0]]
    place: {around: axis, angle: 180 deg, height: 4}
seams:
  - {join: [front.right, back.left], bend: 5}
  - [back.right, front.left]
elastics:
  - {along: [front.top, back.top], ratio: 0.8, stiffness: 20 N}
EOF
cat >worn.yaml <<'EOF'
time: {frames: 30, rate: 25, step: 10 ms}
cloth: {name: band, garment: band.yaml, on: cylinder}
integrator: implicit-euler
bodies: [cylinder: {radius: 10 cm, length: 40 cm, at: [0, 0.1, 0], segments: 96}]
EOF
"$WEFT" run worn.yaml --quiet --set contact.audit=true --set contact.on_intersection=stop || fail 'weft run'
cmp -s band.yaml out/worn/band.garment.yaml || fail 'the run keeps the garment file'
says 'page        out/worn/fit/index.html' "$WEFT" garment fit out/worn --level waist=0.1
for file in index.html fit.csv panels.csv seams.csv girths.csv pressure.png strain-pattern.png tension.png; do
    [ -s "out/worn/fit/$file" ] || fail "$file is missing"
done
# The elastic, 54.4 cm long, holds the band on the cylinder of 62.8 cm; below it the pattern has a girth of 68 cm.
awk -F, '$1 == "body girth at waist" { exit !($2 > 0.626 && $2 < 0.6284) }' out/worn/fit/fit.csv || fail "body girth: $(cat out/worn/fit/fit.csv)"
awk -F, '$1 == "garment girth at waist" { exit !($2 > 0.62 && $2 < 0.69) }' out/worn/fit/fit.csv || fail "garment girth: $(cat out/worn/fit/fit.csv)"
# 2 x 34 x 12 cm and a hem of 34 x 2 cm at 0.2 kg/m2
awk -F, '$1 == "fabric mass" { d = $2 - 0.2 * (0.0816 + 0.0068); exit !(d < 1e-9 && d > -1e-9) }' out/worn/fit/fit.csv || fail "mass: $(cat out/worn/fit/fit.csv)"
[ "$(wc -l <out/worn/fit/seams.csv)" -eq 3 ] || fail 'one row per seam'
grep -q 'data:image/png;base64' out/worn/fit/index.html || fail 'the page holds its pictures'
"$WEFT" render out/worn --set view.color=pressure --set view.legend=true --size 160x120 --out p.png --quiet || fail 'a picture of the pressure'

refused 2 'belong to fit' "$WEFT" garment check band.yaml --frame 3
refused 1 'not of the form NAME=HEIGHT' "$WEFT" garment fit out/worn --level waist
refused 1 'there is no frame 99' "$WEFT" garment fit out/worn --frame 99
refused 1 'nowhere' "$WEFT" garment fit nowhere
rm out/worn/band.garment.yaml
refused 1 'the run has no garment' "$WEFT" garment fit out/worn
sed 's/radius: 12/radius: 9/' band.yaml >inside.yaml
sed 's/band.yaml/inside.yaml/' worn.yaml >bad.yaml
refused 1 'panel front begins inside of body 0 (cylinder)' "$WEFT" run bad.yaml
[ ! -e out/bad ] || fail 'a folder of a run that was refused'

# Without its elastic the band, 68 cm around, slides down the cylinder of 62.8 cm, which rises by 5 cm after it is sewn.
# Attached at the top it goes with the cylinder: its weight is lifted.
sed '/^elastics/,$d' band.yaml >loose.yaml
{ cat loose.yaml && echo 'attach: [front.top, back.top, {panel: front, at: [17, 11]}]'; } >held.yaml
says '3 edges and points on the body' "$WEFT" garment check held.yaml
for name in loose held; do
    sed "s/band.yaml/$name.yaml/; s/segments: 96/segments: 96, keys: [{time: 1}, {time: 1.2, offset: [0, 0.05, 0]}]/" worn.yaml >"$name-worn.yaml"
    "$WEFT" run "$name-worn.yaml" --quiet --write none || fail "$name"
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "potential") c = i } END { print $c }' "out/$name-worn/frames.csv" >"$name.joule"
done
# 0.0177 kg by 5 cm are 0.0087 J
awk 'NR == 1 { loose = $1 } NR == 2 { exit !($1 - loose > 0.0087) }' loose.joule held.joule || fail "attached: $(cat loose.joule held.joule)"
sed 's/on: cylinder/settle: 1 s/' held-worn.yaml >lost.yaml
refused 1 'lost.yaml:2: cloth.garment: it is attached to a body' "$WEFT" run lost.yaml

# A second band of the same girth whose axis lies 7 mm aside crosses the first one.
sed 's/from: \[0, /from: [0.7, /; s/to: \[0, 20/to: [0.7, 20/' band.yaml >aside.yaml
sed '/^cloth:/d; s/frames: 30/frames: 1/' worn.yaml >two.yaml
cat >>two.yaml <<'EOS'
cloth:
  - {name: inner, garment: band.yaml, on: cylinder}
  - {name: outer, garment: aside.yaml, on: cylinder}
EOS
refused 1 "two.yaml:5: cloth.garment: cloths 'inner' (panel front) and 'outer' (panel front) cross" "$WEFT" run two.yaml
refused 1 'edges pass through triangles); move one by `place`, or set contact.repair: true' "$WEFT" run two.yaml
[ ! -e out/two ] || fail 'a folder of a run that was refused'
# A flap of 6 cm pokes 5 mm through the band, and repair pulls it out.
sed '/^cloth:/,$d' two.yaml >flap.yaml
cat >>flap.yaml <<'EOS'
cloth:
  - {name: inner, garment: band.yaml, on: cylinder}
  - {name: flap, fabric: cotton,
     grid: {cells: [3, 3], size: [6 cm, 6 cm], origin: [0.001, 0.08, 0.115], axes: [z, y]}}
EOS
refused 1 "flap.yaml:5: cloth.garment: cloths 'inner' (panel front) and 'flap' cross at the start, at [" "$WEFT" run flap.yaml
"$WEFT" run flap.yaml --quiet --write none --set contact.repair=true || fail 'a start that repair untangles'
tr -d ' \n' <out/flap/report.json | grep -q '"intersections":{"self":0,"cloths":0,"bodies":0}' ||
    fail "untangled cloths intersect: $(grep -A4 '"intersections"' out/flap/report.json)"
refused 1 'contact.repair could not part them' "$WEFT" run two.yaml --set contact.repair=true
"$WEFT" run two.yaml --quiet --write none --set contact.self=false || fail 'cloths that do not collide may cross'

# A band of 58 cm on the cylinder of 62.8 cm. The front is ten times as stiff as the back, so that the back stretches by
# about (62.8 - 58) / 29 cm, which is 16 %, and the front by a tenth of that.
sed 's/\[34, /[29, /g' loose.yaml >tight.yaml
sed 's/band.yaml, on: cylinder/tight.yaml, on: cylinder, panels: {front: {stretch: 10}}/; s/frames: 30/frames: 26/' worn.yaml >tight-worn.yaml
"$WEFT" run tight-worn.yaml --write none --set contact.friction=0 >run.out 2>run.err || fail 'a tight band'
grep "weft: warning: cloth 'band', panel back: the yarns are stretched by more than 5 % in 2 of 2 frames" run.err |
    grep -q 'along the weft at \[.*\] m, .* cm from the left and .* cm from the bottom' || fail "no warning: $(cat run.err)"
grep -q 'panel front: the yarns' run.err && fail "the front is hardly stretched: $(cat run.err)"
tr -d ' \n' <out/tight-worn/report.json >report.flat
grep -q '"yarns":{"limit":0.05,"frames":2,"frames_over":2,"panels":\[{"cloth":"band","panel":"back","frames_over":2,' report.flat ||
    fail "report.json: $(grep -A20 '"yarns"' out/tight-worn/report.json)"
stretch=$(sed 's/.*"yarns":{[^}]*"stretch":\([0-9.]*\).*/\1/' report.flat)
awk "BEGIN { exit !($stretch > 0.14 && $stretch < 0.22) }" || fail "the back is stretched by $stretch"
tr -d ' \n' <out/worn/report.json | grep -q '"yarns":{"limit":0.05,"frames":6,"frames_over":0,"panels":\[\]}' || fail 'a band that is not tight'
"$WEFT" run tight-worn.yaml --write none --set contact.friction=0 --quiet 2>run.err || fail 'a quiet run'
[ ! -s run.err ] || fail "--quiet prints $(cat run.err)"
