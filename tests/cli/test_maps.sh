#!/bin/sh
# Maps of a cloth: numbers for each vertex, from files and selections.
. "$WEFT_SOURCE_DIR/tests/cli/common.sh"

refined_scene 16 >plain.yaml
cat >maps <<MAPS
    maps:
      density: {file: heavy.txt}
      bend: {side: bottom, value: 4}
      refine: {box: [[0.6, -1, -1], [2, 1, 2]], value: 1, else: 0.2}
MAPS
sed '/model: corotational/r maps' plain.yaml >sheet.yaml
awk 'BEGIN { print "# 7 x 7"; for (i = 0; i < 49; i++) printf "%g%s", i % 7 < 3 ? 2.5 : 1, i % 7 == 6 ? "\n" : ", " }' >heavy.txt

"$WEFT" run sheet.yaml --quiet --write none --out mapped || fail 'the run'
"$WEFT" run plain.yaml --quiet --write none --out plain || fail 'the run without maps'
[ "$(hash_of mapped)" != "$(hash_of plain)" ] || fail 'maps change nothing'
[ "$(json inserted mapped/report.json)" -gt 20 ] || fail 'nothing was refined'
"$WEFT" run sheet.yaml --quiet --threads 3 --write none --out three || fail 'three threads'
[ "$(hash_of mapped)" = "$(hash_of three)" ] || fail 'threads change the motion'

# A map of ones changes nothing.
"$WEFT" run plain.yaml --quiet --write none --set cloth.maps.density=1 --set cloth.maps.stretch=1 --out ones || fail 'ones'
[ "$(hash_of ones)" = "$(hash_of plain)" ] || fail 'a map of ones changes the motion'

# A killed run resumes to the same result; with other numbers it is a different scene.
"$WEFT" run sheet.yaml --quiet --write obj --checkpoint 4 --out killed &
id=$!
until [ -e killed/obj/sheet_0006.obj ]; do
    kill -0 $id 2>/dev/null || fail 'ended before frame 6'
    sleep 0.01
done
kill -9 $id
wait $id 2>/dev/null
cp heavy.txt kept.txt
sed 's/2\.5/2.4/' kept.txt >heavy.txt
refused 1 'belongs to another scene' "$WEFT" run sheet.yaml --quiet --write obj --checkpoint 4 --out killed --resume
cp kept.txt heavy.txt
"$WEFT" run sheet.yaml --quiet --write obj --checkpoint 4 --out killed --resume || fail 'resuming'
[ "$(hash_of killed)" = "$(hash_of mapped)" ] || fail 'another state_hash after resuming'

# Errors name their place, and nothing is written.
bad() { refused 1 "$1" "$WEFT" run sheet.yaml --quiet --write none --out bad; }
sed '$d' kept.txt >heavy.txt
bad 'sheet.yaml:9: maps.density: heavy.txt has 42 numbers, the cloth has 49 vertices'
sed '3s/1/nan/' kept.txt >heavy.txt
bad "heavy.txt:3: 'nan' is not a finite number"
sed '4s/2.5/2,5x/' kept.txt >heavy.txt
bad "heavy.txt:4: '5x' is not a finite number"
sed '2s/1/-3/' kept.txt >heavy.txt
bad 'vertex 3: maps.density: -3 is below 0'
echo '# nothing' >heavy.txt
bad 'heavy.txt: no numbers'
rm heavy.txt
bad 'heavy.txt: No such file'
mkdir heavy.txt
bad 'heavy.txt'
rmdir heavy.txt
cp kept.txt heavy.txt
set_bad() { refused 1 "$2" "$WEFT" check sheet.yaml --set "$1"; }
set_bad cloth.maps.bend=-1 'maps.bend: -1 is below 0'
set_bad cloth.maps.bend=x "'x' is not a number"
set_bad cloth.maps.bend=nan 'maps.bend'
set_bad cloth.maps.density=0 'maps.density: 0 is not above 0'
set_bad cloth.maps.stretch=1e9 'maps.stretch: 1e9 is above 1000'
set_bad cloth.maps.strech=2 "maps: unknown key 'strech'; did you mean 'stretch'?"
set_bad cloth.maps.bend.side=middle "maps.bend.side: 'middle' is not one of left, right, top, bottom"
set_bad cloth.maps.bend.group=hem "maps.bend: 'side' and 'group' at once; give one"
set_bad cloth.maps.bend.file=heavy.txt "maps.bend: 'file' gives a number for each vertex, 'side' beside it has no use"
set_bad cloth.maps.refine.value=-2 'maps.refine: -2 is below 0'
set_bad cloth.maps=3 'maps: needs named values'
set_bad cloth.maps.density.file= 'maps.density.file: needs the name of a file'
sed 's/, value: 4//' sheet.yaml >short.yaml
refused 1 'short.yaml:10: maps.bend: needs a value for the vertices selected' "$WEFT" check short.yaml
sed 's/model: corotational/model: springs/; /^adapt/d' sheet.yaml >springs.yaml
refused 1 "maps.refine: model 'springs' needs the mesh that it was given" "$WEFT" check springs.yaml
[ ! -e bad ] || fail 'a refused run made a folder'
exit 0
