#!/bin/sh
# Characters that Blender exports as glTF and FBX move in Weft as they do in Blender: by bones and by a shape key. Bones
# are groups that pins can name.
. "$WEFT_SOURCE_DIR/tests/cli/common.sh"
blender=${BLENDER:-blender}
script=$WEFT_SOURCE_DIR/tests/clients/blender_character.py
command -v "$blender" >/dev/null || {
    echo "skipped: Blender is not installed"
    exit 77
}
"$blender" -b --factory-startup --python-exit-code 1 --python-expr 'import numpy' >numpy.log 2>&1 || {
    echo "skipped: python3-numpy is not installed"
    exit 77
}
"$blender" -b --factory-startup --python "$script" -- make . >make.log 2>&1 || fail "$(tail -5 make.log)"

# scene FILE FRAMES [SETTINGS]
scene() {
    cat <<SCENE
time: {step: 2 ms, frames: $2, rate: 24}
cloth: {name: c, grid: {cells: [1, 1], size: [0.1, 0.1]}, at: [5, 0, 0], pins: [{all: true}]}
bodies: [mesh: {file: $1$3}]
SCENE
}
# Assimp 5.2 leaks the shape keys of FBX files (shared pointers in a cycle). test_io_assimp checks that we release scenes.
echo 'leak:libassimp.so' >assimp.supp
export LSAN_OPTIONS="suppressions=$PWD/assimp.supp:print_suppressions=0"
for file in tube.glb tube.fbx pillow.glb pillow.fbx; do
    for frames in 23 24; do
        scene $file $frames '' >scene.yaml
        "$WEFT" run scene.yaml --quiet --out $file.$frames || fail "weft run with $file"
    done
    "$blender" -b --factory-startup --python "$script" -- check . ${file%.*} $file.24/frames.weft $file.23/frames.weft \
        >check.log 2>&1
    status=$?
    grep '^frame' check.log | sed "s/^/$file, /"
    [ $status -eq 0 ] || fail "$file moves otherwise than in Blender: $(tail -5 check.log)"
done

# `animation: none` keeps it still; another name is refused and the names are listed.
scene tube.glb 2 ', animation: none' >scene.yaml
"$WEFT" run scene.yaml --quiet --out still || fail 'animation: none'
[ "$(wc -c <still/frames.weft)" -lt "$(wc -c <tube.glb.24/frames.weft)" ] || fail 'animation: none moves the body'
scene tube.glb 2 ', animation: walk' >scene.yaml
refused 1 "no animation 'walk'; there is: ArmatureAction" "$WEFT" check scene.yaml

# As cloth, with pins by the name of a bone.
for ending in glb fbx; do
    printf 'cloth: {mesh: tube.%s, pins: [{group: upper}]}\nforces: [gravity]\n' $ending >cloth.yaml
    "$WEFT" check cloth.yaml >check.out 2>check.err || fail "the bones of tube.$ending: $(cat check.err)"
    grep -q '([1-9][0-9]* held)' check.out || fail "no vertex of tube.$ending is held: $(cat check.out)"
done
exit 0
