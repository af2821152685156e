#!/bin/sh
# What a scene gets that says nothing: the fabric that it names is used, and what a model cannot use is said once.
. "$WEFT_SOURCE_DIR/tests/cli/common.sh"

cat >sheet.yaml <<SCENE
time: {frames: 2}
integrator: implicit-euler
cloth:
  - name: sheet
    grid: {cells: [8, 8], size: [1, 1], axes: [x, z]}
    fabric: {preset: wool}
    model: springs
    pins: [{corner: top-left}, {corner: top-right}]
forces: [gravity]
SCENE
hash_with() {
    "$WEFT" run sheet.yaml --quiet --write none --out with --set "$1" || fail "run with $1"
    hash_of with
}

# Springs take their stiffness from the fabric.
plain=$(hash_with time.frames=2)
for change in bend_weft=1 bend_warp=1e-9 shear=1e5 stretch_weft=5000 damping=1ms; do
    [ "$(hash_with "cloth.fabric.$change")" != "$plain" ] || fail "springs ignore fabric.$change"
done

# What the model does not use is said, once, by check and by run, and kept in the report.
given='{name: springs, structural_stiffness: 43, shear_stiffness: 43, flexion_stiffness: 43}'
for command in check 'run --quiet --out told'; do
    # shellcheck disable=SC2086 # a list of words
    "$WEFT" $command sheet.yaml --set cloth.model="$given" --set cloth.fabric.bend_weft=1 >told.out 2>told.err ||
        fail "$command: $(cat told.err)"
    case $command in run*) continue ;; esac # --quiet prints errors only
    [ "$(cat told.err)" = "weft: notice: cloth 'sheet': model springs does not use fabric.bend_weft:\
 model.flexion_stiffness is given" ] || fail "$command: $(cat told.err)"
done
grep -q 'does not use fabric.bend_weft' told/report.json || fail 'the notice is not in report.json'
"$WEFT" run sheet.yaml --out told --set cloth.model="$given" --set cloth.fabric.bend_weft=1 >told.out 2>told.err
[ "$(grep -c 'does not use fabric.bend_weft' told.err)" = 1 ] || fail "run: $(cat told.err)"
says 'cloth' "$WEFT" check sheet.yaml
says 'cloth' "$WEFT" check sheet.yaml --set cloth.model="$given"
says 'cloth' "$WEFT" check sheet.yaml --set cloth.model=corotational --set cloth.fabric.poisson_weft=0.1

exit 0
