#!/bin/sh
# A scene's cut parts a hanging sheet at its time; the report tells of both parts. Bad ones are refused in one line.
. "$WEFT_SOURCE_DIR/tests/cli/common.sh"

scene() {
    cat <<END
time: {step: 5 ms, frames: ${2:-20}, rate: 50}
integrator: implicit-euler
cloth:
  grid: {cells: [10, 10], size: [1, 1], axes: [x, -y], origin: [0, 2, 0]}
  fabric: {preset: cotton}
  model: corotational
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

scene "{at: 0.2 s}" >bad.yaml
refused 1 'cuts.path: needs at least two points' "$WEFT" check bad.yaml
scene "{path: [[0, 1, 0], [1, 1]]}" >bad.yaml
refused 1 'cuts.path' "$WEFT" check bad.yaml
scene "{when: 1, $path}" >bad.yaml
refused 1 "unknown key 'when'" "$WEFT" check bad.yaml
scene "{at: -1, $path}" >bad.yaml
refused 1 'below 0' "$WEFT" check bad.yaml
