#!/bin/sh
# Garment files from other programs, as docs/garments.md shows them.
. "$WEFT_SOURCE_DIR/tests/cli/common.sh"

garments=$WEFT_SOURCE_DIR/examples/garments
for name in tshirt skirt trousers dress; do
    "$WEFT" garment check "$garments/$name.yaml" --out $name.svg >$name.out || fail "$name"
    sed 's/^edge: 2$/edge: 4/' "$garments/$name.yaml" >coarse.yaml # a quarter of the vertices
    "$WEFT" garment sew coarse.yaml --out $name.obj >sew.out || fail "sew $name"
    cat >scene.yaml <<END
time: {frames: 1}
cloth: {mesh: $name.obj, fabric: cotton, model: {name: corotational, rest: pattern}}
integrator: {name: implicit-euler}
contact: {self: true}
END
    "$WEFT" check scene.yaml >check.out 2>&1 || fail "check the scene of $name"
    grep -q 'intersects' check.out && fail "the panels of $name cross: $(cat check.out)"
done
grep -q '2 open borders' skirt.out || fail "waist and hem: $(cat skirt.out)"
grep -q '3 open borders' trousers.out || fail "waist and two hems: $(cat trousers.out)"
grep -q '4 open borders' tshirt.out || fail "neck, hem and two sleeves: $(cat tshirt.out)"
grep -q '4 open borders' dress.out || fail "neck, hem and two armholes: $(cat dress.out)"

# Each starts around the mannequin of a size without crossing it or itself.
for name in tshirt skirt trousers dress; do
    sed 's/^edge: 2$/edge: 4/' "$garments/$name.yaml" >coarse.yaml
    says 'weft run worn.yaml' "$WEFT" garment wear coarse.yaml --measurements "$garments/size-40.yaml" --out worn.yaml
    "$WEFT" check worn.yaml >check.out 2>&1 || fail "$name does not start: $(cat check.out)"
    if [ "$name" = tshirt ] || [ "${WEFT_TEST_FULL:-}" = 1 ]; then # the others are alike, with fine meshes
        "$WEFT" check "$garments/$name-walk.yaml" >check.out 2>&1 || fail "$name-walk: $(cat check.out)"
    fi
done
grep -q 'hip: 100 cm' worn.yaml || fail "the hip is the seat: $(cat worn.yaml)"
"$WEFT" run worn.yaml --quiet --frames 2 --set contact.audit=true --set contact.on_intersection=stop || fail 'wear'
refused 1 'write the scene into the folder of the garment' "$WEFT" garment wear coarse.yaml --measurements "$garments/size-40.yaml" --out /tmp/worn.yaml
grep -v seat "$garments/size-40.yaml" >short.yaml
refused 1 "measurement 'seat': it is missing" "$WEFT" garment wear coarse.yaml --measurements short.yaml --out no.yaml
refused 2 'wear needs --measurements FILE' "$WEFT" garment wear coarse.yaml --out no.yaml

# GarmentCode: the shipped dress is what its specification gives.
says '4 panels, 8 seams' "$WEFT" garment import "$garments/dress_specification.json" --out dress.yaml
cmp dress.yaml "$garments/dress.yaml" || fail 'the dress differs from its specification'
cp "$garments/dress_specification.json" dress # the kind is seen without an ending
says '4 panels, 8 seams' "$WEFT" garment import dress --out dress.yaml

# SVG: the picture of a pattern has no ids, so nothing is a panel; a path with an id is.
refused 1 'tshirt.svg: no closed path with an id' "$WEFT" garment import tshirt.svg --out no.yaml
[ ! -e no.yaml ] || fail 'a garment of nothing'
cat >bib.svg <<END
<svg xmlns="http://www.w3.org/2000/svg" width="30cm" viewBox="0 0 300 300">
<path id="bib" d="M0 0 H200 V250 C150 300 50 300 0 250 Z"/></svg>
END
says '1 panels, 0 seams' "$WEFT" garment import bib.svg --out bib.yaml
says 'panel       bib: 4 edges, outline 91.9 cm' "$WEFT" garment check bib.yaml
sed 's/ Z"/"/' bib.svg >open.svg
refused 1 "open.svg:2: path 'bib': the outline is open" "$WEFT" garment import open.svg --out no.yaml
sed 's/H200 V250/L200 250 L0 250 L200 0/' bib.svg >crossing.svg
refused 1 'its outline crosses or touches itself' "$WEFT" garment import crossing.svg --out no.yaml
awk 'BEGIN { printf "<svg><path id=\"a\" d=\"M0 0"; for (i = 1; i < 1000000; i++) printf "L%d %d", i, i * i % 7; print "Z\"/></svg>" }' >many.svg
refused 1 "many.svg:1: path 'a': an outline has more than 100000 curves" "$WEFT" garment import many.svg --out no.yaml

# Garment files that are wrong: a line with file and place each.
bad() { # bad EXPRESSION MESSAGE
    sed "$1" "$garments/tank-top.yaml" >bad.yaml
    refused 1 "$2" "$WEFT" garment check bad.yaml
}
bad 's/- side_left: \[-25, 0\]/- side_left: [-25, 1]/' 'bad.yaml:9: panel front: the outline is open'
bad 's/- hem: \[25, 0\]/- hem: {path: [[25, 50], [-30, 20], [25, 0]]}/' 'bad.yaml:7: panel front: its outline crosses or touches itself'
bad 's/back.side_left/collar.side_left/' "bad.yaml:32: seam: there is no panel 'collar'"
bad '/^  front:/,/^  back:/s/\[25, 40\]/[25, 56]/' 'bad.yaml:32: seam: front.side_right is 56.0 cm long and back.side_left 40.0 cm'
bad 's/start: \[-25, 0\]/start: [.nan, 0]/' 'bad.yaml:8: start: '
bad 's/around: torso/around: tail/' "bad.yaml:18: panel front: place.around: 'tail' is no part of the body"
awk 'BEGIN { print "garment: many\npanels:\n  a:\n    start: [0, 0]\n    edges:"
     for (i = 1; i < 1000000; i++) print "    - [" i % 7 ",1]" }' >bad.yaml
refused 1 'bad.yaml:33' "$WEFT" garment check bad.yaml

refused 2 'import needs --out FILE.yaml' "$WEFT" garment import bib.svg
refused 2 'draft needs --measurements FILE' "$WEFT" garment draft tshirt --out t.yaml
refused 2 'belongs to draft' "$WEFT" garment check bib.yaml --set a=1
refused 1 'kilt: no such design' "$WEFT" garment draft kilt --measurements "$garments/size-40.yaml" --out t.yaml

# What node says is one line, and not the first one of its stack trace.
mkdir failing
cat >failing/node <<'END'
#!/bin/sh
printf 'file:///a.mjs:44\n  .sort()\n   ^\n\nTypeError: that is not iterable\n    at file:///a.mjs:44:4\n' >&2
exit 1
END
chmod +x failing/node
refused 1 'node, which drafts designs, failed: TypeError: that is not iterable' env PATH="$PWD/failing:$PATH" "$WEFT" \
    garment draft tshirt --measurements "$garments/size-40.yaml" --out no.yaml

# Node.js 18 lacks methods of arrays that FreeSewing calls. What we add in their place gives the same.
cat >methods.mjs <<'END'
import assert from 'node:assert/strict'
const check = () => {
  const list = [3, , 1, 2]
  assert.deepEqual(list.toSorted(), [1, 2, 3, undefined])
  assert.deepEqual(list.toSorted((a, b) => b - a), [3, 2, 1, undefined])
  assert.deepEqual(list.toReversed(), [2, 1, undefined, 3])
  assert.deepEqual(list.toSpliced(1, 2, 7, 8, 9), [3, 7, 8, 9, 2])
  assert.deepEqual(list.toSpliced(-1), [3, undefined, 1])
  assert.deepEqual(list.toSpliced(), [3, undefined, 1, 2])
  assert.deepEqual(list.with(-1, 5), [3, undefined, 1, 5])
  for (const index of [4, -5]) assert.throws(() => list.with(index, 5), RangeError)
  assert.equal(list.length, 4)
}
if ([].toSorted) check() // those of Node.js itself
for (const name of ['toSorted', 'toReversed', 'toSpliced', 'with']) delete Array.prototype[name]
await import(process.argv[2])
check()
END
if command -v node >/dev/null; then
    node methods.mjs "$WEFT_SOURCE_DIR/wear/garment/draft/es2023.mjs" || fail 'methods of arrays'
fi

# FreeSewing: the shipped garments are what the designs give.
[ -e "$WEFT_SOURCE_DIR/wear/garment/draft/node_modules/@freesewing/core" ] || { echo 'FreeSewing is not installed'; exit 0; }
for pair in tshirt:tshirt pencil-skirt:skirt trousers:trousers; do
    "$WEFT" garment draft "${pair%:*}" --measurements "$garments/size-40.yaml" --out drafted.yaml >draft.out || fail "$pair"
    cmp drafted.yaml "$garments/${pair#*:}.yaml" || fail "$pair differs from what is drafted"
done
says '2 panels, 2 seams' "$WEFT" garment draft circle-skirt --measurements "$garments/size-36.yaml" --out drafted.yaml
says '2 panels, 4 seams' "$WEFT" garment draft tank-top --measurements "$garments/size-44.yaml" --out drafted.yaml --set lengthBonus=0.2
refused 1 "option 'lengthBonus': 9 is not between" "$WEFT" garment draft tank-top --measurements "$garments/size-44.yaml" --out no.yaml --set lengthBonus=9
grep -v knee "$garments/size-40.yaml" >short.yaml
refused 1 "short.yaml:5: measurement 'knee': it is missing" "$WEFT" garment draft trousers --measurements short.yaml --out no.yaml
sed 's/^knee: .*/knee: long/' "$garments/size-40.yaml" >short.yaml
refused 1 "knee: 'long' is not a number" "$WEFT" garment draft trousers --measurements short.yaml --out no.yaml
[ ! -e no.yaml ] || fail 'a file of a garment that was refused'
