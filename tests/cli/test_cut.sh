#!/bin/sh
# A scheduled cut divides a hanging sheet; the report counts both parts. Bad cuts are refused in one line.
. "$WEFT_SOURCE_DIR/tests/cli/common.sh"

scene() {
    cat <<END
time: {step: 5 ms, frames: ${2:-20}, rate: 50}
integrator: implicit-euler
cloth:
  grid: {cells: [10, 10], size: [1, 1], axes: [x, -y], origin: [0, 2, 0]}
  fabric: {preset: cotton}
  model: ${model:-corotational}
  pins: [{side: top}]
  cuts: [$1]
forces: [gravity]
END
}

pieces() { sed -n 's/.*"pieces": *\([0-9]*\).*/\1/p' "out/$1/report.json"; }

path='path: [[-0.1, 1.44, 0], [0.5, 1.64, 0], [1.1, 1.44, 0]]'
scene "{at: 0.2 s, $path}" 9 >early.yaml
scene "{at: 0.2 s, $path}" >late.yaml
for name in early late; do
    "$WEFT" run $name.yaml --write none >summary 2>progress || fail "run: $(cat progress)"
done
[ "$(pieces early)" = 1 ] || fail "before the cut: $(pieces early) pieces"
[ "$(pieces late)" = 2 ] || fail "after the cut: $(pieces late) pieces"
[ "$(grep -c '"first_triangle"' out/late/report.json)" -eq 2 ] || fail 'parts in the report'

# Springs keep their quads. Frames, pictures and a resumed run follow the new vertices.
model=springs
scene "{at: 0.2 s, path: [[-0.1, 1.44, 0], [1.1, 1.44, 0]]}" >quads.yaml
"$WEFT" run quads.yaml --write obj >summary 2>progress || fail "springs: $(cat progress)"
[ "$(pieces quads)" = 2 ] || fail "springs: $(pieces quads) pieces"
for frame in 0000 0020; do
    [ "$(grep -c '^f [^ ]* [^ ]* [^ ]* [^ ]*$' out/quads/obj/quads_$frame.obj)" -eq 100 ] || fail "quads in frame $frame"
done
[ "$(grep -c '^v ' out/quads/obj/quads_0000.obj)" -eq 121 ] || fail 'vertices before the cut'
[ "$(grep -c '^v ' out/quads/obj/quads_0020.obj)" -eq 132 ] || fail 'vertices after the cut'
refused 1 'changes from frame to frame' "$WEFT" run quads.yaml --write pc2
cat >scissors.txt <<END
weft inputs 1
40 cut 0 0.5 1.44 50 -0.6 0 -50 0.6 0 -50
END
for model in springs buckling corotational; do
    { scene '' && echo 'inputs: scissors.txt'; } >live.yaml
    "$WEFT" run live.yaml --write none >summary 2>progress || fail "live cut, $model: $(cat progress)"
    [ "$(pieces live)" = 2 ] || fail "live cut, $model: $(pieces live) pieces"
done
model=corotational

# `check` refuses recorded cuts that the run would refuse.
sed -i 's/cut 0/cut 1/' scissors.txt
for command in check 'run --write none'; do
    # shellcheck disable=SC2086 # a list of words
    refused 1 'scissors.txt:2: cloth 1: there are 1 cloths' "$WEFT" $command live.yaml
done

# The same by --set.
scene '' >set.yaml
"$WEFT" run set.yaml --write none --set "cloth.cuts=[{at: 0.2 s, $path}]" >summary 2>progress || fail "--set: $(cat progress)"
[ "$(hash_of out/set)" = "$(hash_of out/late)" ] || fail 'cuts by --set: another state_hash'
refused 1 "--set cloth.cuts: did not find expected ',' or '}' at ']'" "$WEFT" check set.yaml --set "cloth.cuts=[{at: 0.2 s]"

scene "{at: 0.2 s}" >bad.yaml
refused 1 'cuts.path: needs at least two points' "$WEFT" check bad.yaml
scene "{path: [[0, 1, 0], [1, 1]]}" >bad.yaml
refused 1 'cuts.path' "$WEFT" check bad.yaml
scene "{when: 1, $path}" >bad.yaml
refused 1 "unknown key 'when'" "$WEFT" check bad.yaml
scene "{at: -1, $path}" >bad.yaml
refused 1 'below 0' "$WEFT" check bad.yaml
scene "{at: 0.2, along: [1, 0, 0], $path}" >bad.yaml
refused 1 'cuts.along: [1, 0, 0] lies in the cloth' "$WEFT" check bad.yaml

# Cuts without effect draw a notice and are not an error.
scene "{at: 0.2, path: [[5, 2, 0], [6, 2, 0]]}" >idle.yaml
"$WEFT" check idle.yaml >summary 2>notices || fail "check: $(cat notices)"
grep -q 'notice: cloth .*: the cut at 0.2 s meets nothing of it' notices || fail "idle cut: $(cat notices)"
scene "{at: 0.5, $path}" >idle.yaml
"$WEFT" check idle.yaml >summary 2>notices || fail "check: $(cat notices)"
grep -q 'the cut at 0.5 s comes after the end of the scene, at 0.4 s' notices || fail "late cut: $(cat notices)"
"$WEFT" check late.yaml >summary 2>notices || fail "check: $(cat notices)"
[ ! -s notices ] || fail "a cut that is well: $(cat notices)"

# The edges of a cut nearly coincide. Their barriers must hold them apart without much work: the cloth moves on.
cat >ball.yaml <<END
time: {frames: 36, rate: 60}
cloth:
  grid: {cells: [24, 24], size: [0.5, 0.5], axes: [x, z], origin: [-0.25, 0.54, -0.25]}
bodies:
  - sphere: {radius: 0.12, at: [0, 0.4, 0]}
contact: {audit: true}
inputs: stroke.txt
END
cat >stroke.txt <<END
weft inputs 1
120 cut 0 0.1 0.4 3 0 -0.2 -1 0 -0.1 -1 0 0 -1 0 0.1 -1 0 0.2 -1
END
"$WEFT" run ball.yaml --write none >summary 2>progress || fail "a cut on a ball: $(cat progress)"
# columns: 1 frame, 4 halvings, 6 Newton updates, 14 intersections, 15 kinetic energy
awk -F, '$1 > 30 { halvings += $4; updates += $6; found += $14; still += $15 == 0 }
    END { print updates, halvings, found, still; exit !(updates > 0 && updates <= 400 && halvings <= 2 && !found && !still) }' \
    out/ball/frames.csv >work || fail "a cut on a ball: $(cat work) updates, halvings, intersections, frames at rest"
