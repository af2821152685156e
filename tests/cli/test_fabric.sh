#!/bin/sh
# weft fabric: list, show, test and import; fabric files in scenes.
. "$WEFT_SOURCE_DIR/tests/cli/common.sh"
XDG_DATA_HOME=$PWD/data
export XDG_DATA_HOME

says 'petrak-m3-wool-twill' "$WEFT" fabric list
says 'chiffon' "$WEFT" fabric list
says 'wang-royal-target' "$WEFT" list fabrics
says 'Wang, Ramamoorthi' "$WEFT" fabric show wang-gray-interlock
says 'drape_coefficient    34.9' "$WEFT" fabric show petrak-m3-wool-twill
says 'Wang, Ramamoorthi' "$WEFT" help wang-gray-interlock
says 'Etzmuss' "$WEFT" help viscose

# A sheet becomes a fabric of the user, which a scene can name.
cat >suit.csv <<SHEET
Sample,worsted suiting
Property,Unit,Warp,Weft
EMT,%,4.0,5.0
G,gf/cm.deg,0.70,0.60
B,gf.cm2/cm,0.12,0.08
2HB,gf.cm/cm,0.04,0.03
T,mm,0.55,
W,mg/cm2,21.5,
SHEET
says 'written: '"$PWD"'/data/weft/fabrics/suit.yaml' "$WEFT" fabric import suit.csv
grep -q 'imported_from: "suit.csv"' data/weft/fabrics/suit.yaml || fail 'no provenance'
says 'worsted suiting' "$WEFT" fabric list
printf 'time: {frames: 2}\ncloth:\n  grid: {cells: [4, 4]}\n  fabric: suit\n  pins: [{corner: top-left}]\n' >scene.yaml
says '0.215 kg' "$WEFT" check scene.yaml
"$WEFT" run scene.yaml --quiet --write none --out a || fail 'a run with a fabric file'
"$WEFT" run scene.yaml --quiet --write none --out b --set cloth.fabric=denim || fail 'a run with a preset'
[ "$(hash_of a)" != "$(hash_of b)" ] || fail 'the fabric file changes nothing'

# A changed fabric file is another scene to a checkpoint.
"$WEFT" run scene.yaml --quiet --write none --checkpoint 1 --out c || fail 'a run with checkpoints'
sed -i 's/^density: .*/density: 0.3/' data/weft/fabrics/suit.yaml
refused 1 'another scene' "$WEFT" run scene.yaml --quiet --write none --checkpoint 1 --out c --resume

# The tests of a laboratory.
"$WEFT" fabric test viscose --quick --out lab >lab.txt 2>lab.err || fail "$(cat lab.err)"
grep -q 'B, rigidity  *0.05.* 0.07' lab.txt || fail "no bending rigidity: $(cat lab.txt)"
grep -q 'DC, drape coefficient  *[23][0-9]' lab.txt || fail "no drape coefficient: $(cat lab.txt)"
for file in index.html report.csv tensile-weft.csv shear.csv bending-warp.csv tensile.svg drape.png shadow.png; do
    [ -s "lab/$file" ] || fail "no $file"
done

# Mistakes
refused 2 'needs list, show NAME' "$WEFT" fabric explain wool
refused 2 'needs list, show NAME' "$WEFT" fabric test
refused 1 "no such fabric; did you mean 'wool'" "$WEFT" fabric show wolo
refused 1 'neither a KES-F sheet' "$WEFT" fabric import scene.yaml
sed 's/0.70,0.60/0.70,abc/' suit.csv >bad.csv
refused 1 "bad.csv:4: G: 'abc' is not a number" "$WEFT" fabric import bad.csv
printf 'EMT,%%,4..2,5\nW,20\n' >bad.csv
refused 1 "bad.csv:1: EMT: '4..2' is not a number" "$WEFT" fabric import bad.csv
printf 'EMT,4\nW,20\nW,21\n' >bad.csv
refused 1 'bad.csv:3: w: was given before' "$WEFT" fabric import bad.csv
[ ! -e data/weft/fabrics/bad.yaml ] || fail 'a refused sheet was written'
refused 1 'missing.csv' "$WEFT" fabric import missing.csv
refused 2 'at least 1' "$WEFT" fabric test wool --starts 0
printf 'density: -3\n' >bad.yaml
refused 1 'bad.yaml:1: fabric.density: -3' "$WEFT" fabric show bad.yaml

refused 1 "unknown preset 'suitt'" "$WEFT" run scene.yaml --quiet --write none --out d --set cloth.fabric=suitt
