#!/bin/sh
# Blender reads runs of two cloths: the OBJ sequence, PC2 and MDD played on their base meshes, and GLB as imported.
# The cloths are a grid, an imported mesh and a proxy.
. "$WEFT_SOURCE_DIR/tests/clients/clients.sh"
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
"$WEFT" run drape.yaml --quiet --out out/drape --write obj,ply,pc2,mdd,glb || fail "weft run"
write_run

# The glTF importer of Debian needs numpy, but its package does not depend on it.
numpy=1
"${BLENDER:-blender}" -b --factory-startup --python-exit-code 1 --python-expr 'import numpy' >numpy.log 2>&1 || {
    numpy=0
    rm out/drape/drape.glb out/sheet/sheet.glb
}

# shown SCENE CLOTH
shown() {
    "$WEFT_SOURCE_DIR/tests/clients/blender.sh" "out/$1" "$1" "$2" >blender.log 2>&1
    status=$?
    grep ', frame ' blender.log
    [ $status -eq 0 ] || fail "Blender shows wrong positions of $2: $(tail -5 blender.log)"
    [ $numpy -eq 0 ] || [ "$(grep -c '^glb, frame ' blender.log)" -eq 3 ] || fail "the GLB of $2 was not opened"
}
shown drape sheet
shown drape flap
shown sheet fine
[ $numpy -eq 1 ] || {
    echo 'skipped: GLB was not opened because python3-numpy is not installed; the other formats passed'
    exit 77
}
exit 0
