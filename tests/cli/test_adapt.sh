#!/bin/sh
# Adaptive meshes: sequences, pictures, resuming, and formats that cannot store them.
. "$WEFT_SOURCE_DIR/tests/cli/common.sh"

refined_scene 24 >sheet.yaml
echo 'view: {width: 64, height: 64, samples: 1, occlusion_samples: 1}' >>sheet.yaml
options='--quiet --threads 1 --write obj,ply --checkpoint 5'
# shellcheck disable=SC2086 # a list of words
"$WEFT" run sheet.yaml $options --out whole || fail 'the run'
triangles() { grep -c '^f ' "whole/obj/sheet_00$1.obj"; }
[ "$(triangles 00)" = 72 ] || fail "frame 0 has $(triangles 00) triangles, not those of the scene"
[ "$(triangles 24)" -gt 100 ] || fail "frame 24 has $(triangles 24) triangles: nothing was refined"
[ "$(json inserted whole/report.json)" -gt 20 ] || fail 'inserted in report.json'
[ "$(json turned whole/report.json)" -gt 20 ] || fail 'turned in report.json'

# A killed run resumes to the same files.
# shellcheck disable=SC2086
"$WEFT" run sheet.yaml $options --out killed &
id=$!
wait_for killed/obj/sheet_0013.obj $id
kill -9 $id 2>/dev/null
wait $id 2>/dev/null
# shellcheck disable=SC2086
"$WEFT" run sheet.yaml $options --out killed --resume || fail 'resuming'
[ "$(hash_of killed)" = "$(hash_of whole)" ] || fail 'another state_hash after resuming'
diff -r killed/obj whole/obj >/dev/null || fail 'other OBJ files after resuming'
diff -r killed/ply whole/ply >/dev/null || fail 'other PLY files after resuming'
cmp killed/frames.weft whole/frames.weft || fail 'another take after resuming'
same_columns killed/frames.csv >a.csv
same_columns whole/frames.csv >b.csv
cmp a.csv b.csv || fail 'another frames.csv after resuming'

"$WEFT" render whole --quiet --out pictures --set view.color=generation --set view.wireframe=true --sheet 4 ||
    fail 'pictures of generations'
refused 1 'so that frames cannot be compared' "$WEFT" render whole --set view.color=speed --out speed
for writer in pc2 mdd glb usda; do
    refused 1 "$writer: the mesh of cloth 'sheet' changes from frame to frame" "$WEFT" run sheet.yaml --quiet \
        --write $writer --out "$writer"
done
refused 1 "unknown adaptation 'sqrt4'; did you mean 'sqrt3'?" "$WEFT" check sheet.yaml --set adapt.name=sqrt4
refused 1 'adapt.every: 0 is below 1' "$WEFT" check sheet.yaml --set adapt.every=0
cat >fine.yaml <<END
cloth: {grid: {cells: [10, 10]}, model: corotational}
integrator: implicit-euler
adapt:
  refine: [0, 0]
  max_generation: 20
  max_triangles: 3000
time: {frames: 2}
END
for command in check 'run --quiet --out fine'; do # what the run would say, with the place of the setting
    # shellcheck disable=SC2086 # a list of words
    refused 1 "fine.yaml:6: cloth 'cloth': adapt.max_triangles: 3000 are not enough" "$WEFT" $command fine.yaml
    sed 's/3000/150/' fine.yaml >few.yaml
    # shellcheck disable=SC2086
    refused 1 "few.yaml:6: cloth 'cloth': adapt.max_triangles: 150 is below the 200 triangles" "$WEFT" $command few.yaml
done
refused 1 'corotational and buckling allow' "$WEFT" check sheet.yaml --set cloth.model=springs
says 'max_generation' "$WEFT" help sqrt3
says 'sqrt3' "$WEFT" list adaptations
