#!/bin/sh
# The command `weft mannequin`, and a mannequin in a scene: checked, run, resumed, with pins that it carries.
. "$WEFT_SOURCE_DIR/tests/cli/common.sh"

says 'chest       92.0 cm' "$WEFT" mannequin --height 170 --chest 92 --edge 3 --out body.obj
grep -q 'mannequin   170.0 cm tall' says.out || fail "height: $(cat says.out)"
[ "$(grep -c '^v ' body.obj)" -gt 2000 ] || fail 'body.obj has too few vertices'
says 'hip         105' "$WEFT" mannequin --hip 1.05m --edge 3 --pose sitting --out body.glb
[ "$(head -c 4 body.glb)" = glTF ] || fail 'body.glb is not glTF'
says 'upper-arm' "$WEFT" mannequin --help

refused 1 'mannequin.chest: 1000 cm is above 2 (m)' "$WEFT" mannequin --chest 1000 --out none.obj
refused 1 'mannequin.waist: 1.6 m is not possible here; 0.544 to 1.445 m are' "$WEFT" mannequin --waist 160 --out none.obj
refused 1 'mannequin.height' "$WEFT" mannequin --height -170
refused 1 'mannequin.height' "$WEFT" mannequin --height nan
refused 1 'mannequin.pose' "$WEFT" mannequin --pose lying
refused 2 'must end with .obj or .glb' "$WEFT" mannequin --out body.stl
refused 2 '' "$WEFT" mannequin --chest
[ -e none.obj ] && fail 'a refused body was written'

cat >walk.yaml <<'SCENE'
time: {step: 10 ms, frames: 6, rate: 25}
integrator: implicit-euler
cloth:
  - name: cape
    grid: {cells: [10, 8], size: [0.5, 0.4], axes: [x, [0, -1, 0]], origin: [-0.25, 1.4, -0.2]}
    pins: [{side: top, attach: mannequin}]
bodies:
  - mannequin: {edge: 3 cm, motion: walk, travel: true, blend: 0.2 s}
contact: {self: true, audit: true}
SCENE
says 'bodies      mannequin' "$WEFT" check walk.yaml
"$WEFT" run walk.yaml --quiet --out whole --checkpoint 3 || fail 'a walk'
grep -q '"events": \[\]' whole/report.json || fail 'a walk: cloth and body intersect'
"$WEFT" run walk.yaml --quiet --threads 2 --out two || fail 'a walk on two threads'
[ "$(hash_of whole)" = "$(hash_of two)" ] || fail 'a walk: other bits on two threads'
"$WEFT" run walk.yaml --quiet --out part --checkpoint 2 &
pid=$!
while [ ! -e part/checkpoint ] && kill -0 $pid 2>/dev/null; do sleep 0.02; done
kill -KILL $pid 2>/dev/null
wait $pid 2>/dev/null
"$WEFT" run walk.yaml --quiet --out part --checkpoint 2 --resume || fail 'resuming a walk'
[ "$(hash_of whole)" = "$(hash_of part)" ] || fail 'a resumed walk ends elsewhere'
refused 1 '--set: mannequin.waist: 1.6 m is not possible here' "$WEFT" check walk.yaml --set bodies.mannequin.waist=1.6
refused 1 'pins.attach' "$WEFT" check walk.yaml --set cloth.cape.pins.0.attach=nobody
exit 0
