#!/bin/sh
# A run of two cloths, read by Blender: the OBJ sequence, and PC2 and MDD played on their base meshes.
. "$WEFT_SOURCE_DIR/tests/cli/common.sh"
command -v "${BLENDER:-blender}" >/dev/null || {
    echo "skipped: Blender is not installed"
    exit 77
}
cat >drape.yaml <<SCENE
time: {step: 1 ms, frames: 20, rate: 50}
integrator: symplectic-euler
cloth:
  - name: sheet
    grid: {cells: [8, 6], size: [1, 1], axes: [x, z]}
    pins: [{corner: top-left}, {corner: top-right}]
  - name: flap
    mesh: flap.obj
    pins: [{vertices: [0]}]
forces:
  - gravity
  - wind: {speed: 2, direction: [0, 0.3, 1]}
SCENE
cat >flap.obj <<OBJ
v 2 0 0
v 2.5 0 0
v 2.5 0.5 0
v 2 0.5 0
v 2.2 0.8 0.1
f 1 2 3 4
f 4 3 5
OBJ
"$WEFT" run drape.yaml --quiet --out run --write obj,ply,pc2,mdd || fail "weft run"
for cloth in sheet flap; do
    "$WEFT_SOURCE_DIR/tests/clients/blender.sh" run drape "$cloth" || fail "Blender shows other positions of $cloth"
done
