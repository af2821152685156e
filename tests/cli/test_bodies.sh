#!/bin/sh
# Bodies from files: sequences, polygon soups, resuming; an intersecting start, and a body that appears inside cloth.
. "$WEFT_SOURCE_DIR/tests/cli/common.sh"

# bodies_scene BODIES [CONTACT [THICKNESS]]
bodies_scene() {
    cat <<SCENE
time: {step: 5 ms, frames: 12, rate: 50}
integrator: implicit-euler
cloth:
  - name: sheet
    grid: {cells: [10, 10], size: [0.4, 0.4], axes: [x, z], origin: [-0.2, 0, -0.2]}
    fabric: {preset: cotton}
    model: {name: springs, stiffness: fabric}
forces: [gravity]
bodies:
  - $1
contact: {self: true, thickness: ${3:-2 mm}$2}
SCENE
}

# A tetrahedron that rises: ramp_01.obj to ramp_05.obj.
for i in 1 2 3 4 5; do
    printf 'v -0.3 -0.6 -0.3\nv 0.4 -0.6 -0.2\nv 0 -0.6 0.5\nv 0.02 -0.0%s 0.01\nf 1 2 3\nf 1 4 2\nf 2 4 3\nf 3 4 1\n' \
        $((7 - i)) >ramp_0$i.obj
done
bodies_scene 'mesh: {file: ramp_%02d.obj, rate: 20, start: 20 ms}' ', audit: true' >ramp.yaml
says 'bodies      mesh' "$WEFT" check ramp.yaml
"$WEFT" run ramp.yaml --quiet --out whole --checkpoint 4 || fail 'a sequence'
grep -q '"events": \[\]' whole/report.json || fail 'a sequence: cloth and body intersect'
"$WEFT" run ramp.yaml --quiet --threads 2 --out two || fail 'a sequence on two threads'
[ "$(hash_of whole)" = "$(hash_of two)" ] || fail 'a sequence: other bits on two threads'
"$WEFT" render whole --quiet --frame 12 --size 80x60 || fail 'a picture of a sequence'

# Killed while the body moves and resumed: the same final state.
"$WEFT" run ramp.yaml --quiet --out part --checkpoint 2 &
pid=$!
while [ ! -e part/checkpoint ] && kill -0 $pid 2>/dev/null; do sleep 0.02; done
kill -KILL $pid 2>/dev/null
wait $pid 2>/dev/null
"$WEFT" run ramp.yaml --quiet --out part --checkpoint 2 --resume || fail 'resuming a sequence'
[ "$(hash_of whole)" = "$(hash_of part)" ] || fail 'a resumed sequence ends elsewhere'

printf 'v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n' >ramp_03.obj
refused 1 'ramp_03.obj: 3 vertices and 1 faces, but the first of the sequence has 4 and 4' "$WEFT" run ramp.yaml --out none
bodies_scene 'mesh: {file: no_%02d.obj}' '' >none.yaml
refused 1 'no_%02d.obj: no file of that sequence' "$WEFT" check none.yaml
bodies_scene 'mesh: {file: ramp_01.obj, cache: ramp_02.obj}' '' >none.yaml
refused 1 'neither a sequence' "$WEFT" check none.yaml

# A non-manifold mesh works, with a notice.
printf 'v -1 -0.2 0\nv 1 -0.2 0\nv 0 -0.2 1\nv 0 -0.2 -1\nv 0 -1 0\nf 1 3 2\nf 1 2 4\nf 1 2 5\n' >fins.obj
bodies_scene 'mesh: {file: fins.obj}' ', audit: true' >fins.yaml
"$WEFT" run fins.yaml --out fins >/dev/null 2>fins.err || fail 'a soup'
grep -q '^weft: notice: fins.obj: not a manifold surface' fins.err || fail "no notice: $(cat fins.err)"
grep -q 'fins.obj: not a manifold surface' fins/report.json || fail 'no notice in the report'
grep -q '"events": \[\]' fins/report.json || fail 'a soup: cloth and body intersect'

# Faces without area are left out, which does not make the mesh a soup. If none is left, the message is that of a cloth.
printf 'v -1 -0.2 0\nv 1 -0.2 0\nv 0 -0.2 1\nv 0 -0.2 0\nf 1 3 2\nf 1 4 2\n' >thin.obj
bodies_scene 'mesh: {file: thin.obj}' '' >thin.yaml
"$WEFT" check thin.yaml >/dev/null 2>thin.err || fail "faces without area: $(cat thin.err)"
[ "$(cat thin.err)" = 'weft: notice: thin.obj: 1 of its faces have no area and are left out' ] || fail "$(cat thin.err)"
sed -i '/f 1 3 2/d' thin.obj
refused 1 'thin.obj: face 0: no area: 0 m2 with a longest edge of 2 m (counting from 0)' "$WEFT" check thin.yaml

# An intersecting start is reported, and untangled on request.
bodies_scene 'sphere: {radius: 0.1, at: [0.01, -0.05, 0.02]}' '' >inside.yaml
"$WEFT" check inside.yaml >check.out || fail 'a start that intersects'
grep -q "^warning     the start intersects" check.out || fail "not told: $(cat check.out)"
grep -Eq "edge [0-9]+-[0-9]+ of cloth 'sheet' passes through triangle [0-9]+-[0-9]+-[0-9]+ of body 'sphere'" check.out ||
    fail "pairs are not named: $(cat check.out)"
grep -Eq "and [0-9]+ more" check.out || fail 'no count of the rest'
says 'the start was untangled' "$WEFT" check inside.yaml --set contact.repair=true
grep -q 'the start intersects' says.out && fail 'it was not untangled'
"$WEFT" run inside.yaml --out repaired --set contact.repair=true --set contact.audit=true >/dev/null 2>repair.err ||
    fail 'an untangled start'
grep -q 'notice: the start was untangled' repair.err || fail 'untangling is not told'
grep -q '"events": \[\]' repaired/report.json || fail 'it was not untangled'

# A thickness larger than the edges draws a warning that names both.
"$WEFT" check inside.yaml --set contact.thickness=0.3 >check.out || fail 'a large thickness'
grep -Eq "^warning     contact.thickness 300 mm is more than the edges of cloth sheet, [0-9.]+ mm in the mean" check.out ||
    fail "not told: $(cat check.out)"
"$WEFT" check inside.yaml >check.out && grep -q 'contact.thickness' check.out && fail 'a warning without a reason'

# Layers at distance 0 are separated slightly, with a notice, or reported if they have no side.
printf 'v -1 0 -1\nv 1 0 -1\nv 1 0 1\nv -1 0 1\nf 1 2 3 4\n' >floor.obj
bodies_scene 'mesh: {file: floor.obj}' ', audit: true' >touching.yaml
says '121 vertices were moved off by up to 0.02 mm' "$WEFT" check touching.yaml
"$WEFT" run touching.yaml --out touching >/dev/null 2>touching.err || fail 'a start that touches'
grep -q 'notice: the start touches at distance 0' touching.err || fail "not told: $(cat touching.err)"
grep -q '"events": \[\]' touching/report.json || fail 'a sheet on a floor: they intersect'
bodies_scene 'box: {size: [1, 1, 1], at: [0, -0.5, 0]}
  - box: {size: [1, 1, 1], at: [0, 0.5, 0]}' '' >between.yaml
says 'places touch at distance 0' "$WEFT" check between.yaml
refused 1 "cloth 'sheet' touches body 'box'" "$WEFT" run between.yaml --quiet --out between \
    --set contact.on_intersection=stop

# More intersections than are described.
ball='sphere: {radius: 0.1, at: [0.01, -0.05, 0.02]}'
balls=$ball
for _ in $(seq 65); do
    balls="$balls
  - $ball"
done
bodies_scene "$balls" '' >many.yaml
"$WEFT" run many.yaml --frames 1 --out many >/dev/null 2>many.err || fail "many intersections: $(cat many.err)"
[ "$(grep -c 'intersects body' many.err)" -eq 64 ] || fail "many intersections: $(cat many.err)"
[ "$(grep -c 'notice: more than 64 intersections began: the others are not reported' many.err)" -eq 1 ] ||
    fail "the full list is not told once: $(tail -n 3 many.err)"
[ "$(json event_count many/report.json)" -eq 66 ] || fail 'the number of events in the report'

# A body that appears inside cloth: the run continues or stops.
bodies_scene 'sphere: {radius: 0.1, at: [0.01, -0.05, 0.02], appears: 60 ms}' '' >late.yaml
says 'sphere' "$WEFT" check late.yaml
"$WEFT" run late.yaml --out late >/dev/null 2>late.err || fail 'a body that appears'
grep -q "notice: at 0.06 s cloth 'sheet' intersects body 'sphere': [0-9]* edges pass" late.err || fail "$(cat late.err)"
grep -q "cloth 'sheet' intersects body 'sphere'" late/report.json || fail 'not in the report'
refused 1 "at 0.06 s cloth 'sheet' intersects body 'sphere'" "$WEFT" run late.yaml --quiet --out late \
    --set contact.on_intersection=stop
[ "$(json status late/report.json)" = intersects ] || fail 'the status of a run that was stopped'
refused 1 'is not one of go-on' "$WEFT" check late.yaml --set contact.on_intersection=halt
exit 0
