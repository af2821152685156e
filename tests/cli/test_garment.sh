#!/bin/sh
# Garments, as docs/garments.md shows them.
. "$WEFT_SOURCE_DIR/tests/cli/common.sh"

cp "$WEFT_SOURCE_DIR"/examples/garments/*.yaml .
says 'seam 1      front.side_right 40.0 cm to back.side_left 40.0 cm' "$WEFT" garment check tank-top.yaml --out tank-top.svg
grep -q '4 open borders' says.out || fail "hem, neck and two armholes: $(cat says.out)"
grep -q 'front.hem 50.0 cm' says.out || fail 'the hem is open'
[ "$(grep -c '<circle' tank-top.svg)" -eq 8 ] || fail 'two marks for each of four seams'
says 'vertices' "$WEFT" garment sew tank-top.yaml --out tank-top.obj
[ "$(grep -c '^g ' tank-top.obj)" -eq 2 ] || fail 'one group for each panel'
sed 's/^edge: 2$/edge: 4/' tank-top.yaml >coarse.yaml # a quarter of the vertices
sed 's/tank-top.yaml/coarse.yaml/' dressed.yaml >coarse-dressed.yaml
mv coarse-dressed.yaml dressed.yaml
"$WEFT" check dressed.yaml >check.out || fail 'weft check'
grep -q 'intersects' check.out && fail "the start intersects: $(cat check.out)"
# Two frames: seams that are open by centimetres close without passing through the body.
"$WEFT" run dressed.yaml --frames 2 --set contact.audit=true --set contact.on_intersection=stop --quiet || fail 'weft run'

says 'padding     front 100 Pa, outwards' "$WEFT" garment check cushion.yaml
grep -q ' 0 open borders' says.out || fail "a cushion is closed: $(cat says.out)"
sed 's/^edge: 2$/edge: 5/' cushion.yaml >coarse.yaml && mv coarse.yaml cushion.yaml
"$WEFT" run cushion-drop.yaml --frames 5 --set contact.audit=true --set contact.on_intersection=stop --quiet || fail 'a cushion'
sed 's/100 Pa/1 MPa/' cushion.yaml >bad.yaml
refused 1 'bad.yaml:17: padding: ' "$WEFT" garment check bad.yaml
# panels of two triangles each, sewn all around
sed 's/^edge: 5$/edge: 60/' cushion.yaml >coarse.yaml
says '4 vertices, 4 triangles, 0 open borders' "$WEFT" garment check coarse.yaml
sed 's/^fabric: .*/fabric: wooool/' cushion.yaml >bad.yaml
refused 1 "bad.yaml:5: fabric: unknown preset 'wooool'" "$WEFT" garment check bad.yaml

refused 2 "unknown action 'iron'" "$WEFT" garment iron tank-top.yaml
refused 2 'needs --out FILE.obj' "$WEFT" garment sew tank-top.yaml
refused 1 'nothing.yaml' "$WEFT" garment check nothing.yaml
sed 's/back.side_left/back.sleeve/' tank-top.yaml >bad.yaml
refused 1 "panel back has no edge 'sleeve'" "$WEFT" garment sew bad.yaml --out bad.obj
[ ! -e bad.obj ] || fail 'a file of a garment that was refused'
