#!/bin/sh
# Defaults: a scene of four lines drapes well, the fabric that it names is used, and a property that the model does not
# use is reported once.
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

# The same for what the integrator, contact and tearing do not use.
# unused NOTICE OPTION...: the check prints exactly this notice
unused() {
    text=$1
    shift
    "$WEFT" check sheet.yaml "$@" >told.out 2>told.err || fail "check $*: $(cat told.err)"
    [ "$(cat told.err)" = "weft: notice: cloth 'sheet': $text" ] || fail "check $*: $(cat told.err)"
}
for value in fabric.damping=1ms model.damping=0.1 model.damping_time=1ms model.damping_kind=isotropic; do
    unused "integrator xpbd does not use ${value%=*}: its constraints have no damping; the force air-damping slows the\
 motion" --set integrator=xpbd --set "cloth.$value"
    unused "integrator verlet-constraints does not use ${value%=*}: integrator.damping_ratio damps the motion" \
        --set integrator=verlet-constraints --set "cloth.$value"
done
for value in fabric.stretch_weft=900 fabric.shear=1 fabric.bend_warp=1e-5 model.shear_stiffness=3 model.stiffness=auto; do
    unused "integrator verlet-constraints does not use ${value%=*}: its constraints are rigid; more or fewer\
 integrator.iterations make the cloth stiffer or softer" --set integrator=verlet-constraints --set "cloth.$value"
    says 'cloth' "$WEFT" check sheet.yaml --set integrator=xpbd --set "cloth.$value"
done
says 'cloth' "$WEFT" check sheet.yaml --set integrator=verlet-constraints --set cloth.model.shear=false
unused 'model springs does not use model.shear_stiffness: model.stiffness is fabric' \
    --set cloth.model='{name: springs, stiffness: fabric, shear_stiffness: 3}'
unused 'model springs does not use model.flexion_stiffness: springs of this kind are switched off' \
    --set cloth.model='{name: springs, flexion: false, flexion_stiffness: 3}'
unused 'model springs does not use model.limit_passes: model.limit is 0, which means none' \
    --set cloth.model='{name: springs, limit_passes: 3}'
unused 'contact does not use fabric.thickness: contact.thickness is given' \
    --set cloth.fabric.thickness=1mm --set contact.thickness=2mm --set contact.self=true
says 'cloth' "$WEFT" check sheet.yaml --set cloth.fabric.thickness=1mm --set contact.thickness=0 --set contact.self=true
for model in springs '{name: springs, tear: 1.5}' corotational; do
    unused 'tearing does not use fabric.tear_zone: tear_weft and tear_warp are 0' \
        --set cloth.model="$model" --set cloth.fabric.tear_zone=5cm
    says 'cloth' "$WEFT" check sheet.yaml --set cloth.model="$model" --set cloth.fabric.tear_zone=5cm \
        --set cloth.fabric.tear_warp=0.5
done

# The same for contact that cannot happen, air at rest, and parts of the scene that are missing.
NOTHING='nothing can touch: the scene has no bodies, and contact.self is off'
BALL='bodies=[sphere]'
unused "contact does not use fabric.thickness: $NOTHING" --set cloth.fabric.thickness=1mm
unused "contact does not use fabric.friction: $NOTHING" --set cloth.fabric.friction=1
unused "contact does not use fabric.friction: it acts between layers of cloth, and contact.self is off; bodies have their\
 own friction" --set "$BALL" --set contact.self=false --set cloth.fabric.friction=1
says 'cloth' "$WEFT" check sheet.yaml --set "$BALL" --set cloth.fabric.friction=1
for value in drag lift; do
    unused "aerodynamics does not use fabric.$value: the scene has no wind" --set "cloth.fabric.$value=1"
    says 'cloth' "$WEFT" check sheet.yaml --set 'forces=[gravity, wind-vortex]' --set "cloth.fabric.$value=1"
done
unused 'model corotational does not use model.pattern_scale: model.rest is not pattern' \
    --set cloth.model='{name: corotational, pattern_scale: 2}'
unused 'model buckling does not use model.flexion_triangles: the mesh has no triangles; model.flexion bends other faces' \
    --set integrator=implicit-euler --set cloth.model='{name: buckling, flexion_triangles: 1e-5}'
for bend in '{name: corotational, bending: none}' '{name: springs, flexion: false}'; do
    "$WEFT" check sheet.yaml --set cloth.model="$bend" --set 'cloth.maps={bend: 2}' >told.out 2>told.err || fail "$bend"
    grep -q 'does not use maps.bend: model.' told.err || fail "$bend: $(cat told.err)"
done
unused 'tearing does not use maps.tear: tear_weft and tear_warp are 0' --set 'cloth.maps={tear: 2}'
unused 'adaptation does not use maps.refine: the scene has no adapt' --set cloth.model=corotational \
    --set 'cloth.maps={refine: 2}'
for map in stretch bend; do
    unused "integrator verlet-constraints does not use maps.$map: its constraints are rigid; more or fewer\
 integrator.iterations make the cloth stiffer or softer" --set integrator=verlet-constraints --set "cloth.maps={$map: 2}"
done
says 'cloth' "$WEFT" check sheet.yaml --set 'cloth.maps={bend: 2, stretch: 2, density: 2}'

# unused_in_scene NOTICE OPTION...: a value that belongs to no cloth
unused_in_scene() {
    text=$1
    shift
    "$WEFT" check sheet.yaml "$@" >told.out 2>told.err || fail "check $*: $(cat told.err)"
    [ "$(cat told.err)" = "weft: notice: $text" ] || fail "check $*: $(cat told.err)"
}
unused_in_scene 'the clock does not use time.jitter: time.mode is not variable' --set time.jitter=0.1
unused_in_scene 'the clock does not use time.accuracy: time.mode is not adaptive' --set time.accuracy=0.1
says 'cloth' "$WEFT" check sheet.yaml --set time.jitter=0.1 --set time.mode=variable
for value in thickness friction; do
    unused_in_scene "contact does not use contact.$value: $NOTHING" --set "contact.$value=0.1"
    says 'cloth' "$WEFT" check sheet.yaml --set "contact.$value=0.001" --set contact.self=true
done
for value in constraints.bodies constraints.layers; do
    unused_in_scene "integrator symplectic-euler does not use contact.$value: only implicit integrators with solver pcg\
 or auto solve for contact; this one uses impulses" --set "$BALL" --set integrator=symplectic-euler --set "contact.$value=true"
    says 'cloth' "$WEFT" check sheet.yaml --set "$BALL" --set integrator=bdf2 --set contact.method=constraints --set "contact.$value=true"
done
unused_in_scene "integrator bdf2 does not use integrator.warm_start: with contact constraints its linear solver always\
 starts from the previous step" --set "$BALL" --set contact.method=constraints --set integrator='{name: bdf2, warm_start: false}'
says 'cloth' "$WEFT" check sheet.yaml --set integrator='{name: bdf2, warm_start: true}'

# A stiffness that is to be given must be given.
refused 1 'model.stiffness: given, but all springs have stiffness 0; give structural_stiffness, shear_stiffness or' \
    "$WEFT" check sheet.yaml --set cloth.model.stiffness=given
refused 1 'model.stiffness: given, but stretch, shear, flexion and flexion_triangles are all 0; give stretch' \
    "$WEFT" check sheet.yaml --set 'cloth.model={name: buckling, stiffness: given}'
says 'cloth' "$WEFT" check sheet.yaml --set cloth.model.stiffness=given --set cloth.model.structural_stiffness=9

# Four lines are a good simulation: finite elements, an implicit integrator, gravity, contact of the fabric's thickness.
cat >four.yaml <<SCENE
cloth:
  grid: {cells: [20, 20], size: [1, 1], axes: [x, z], origin: [-0.5, 0.75, -0.5]}
  fabric: cotton
bodies: [sphere: {radius: 0.25, at: [0, 0.4, 0]}]
SCENE
says 'integrator  bdf2, no limit on the step' "$WEFT" check four.yaml
grep -q warning says.out && fail "warnings: $(cat says.out)"
grep -q '^ *model corotational' says.out || fail "not finite elements: $(cat says.out)"
grep -q '^forces      gravity' says.out || fail "no gravity: $(cat says.out)"
"$WEFT" run four.yaml --write none --frames 60 --set contact.audit=true >four.out 2>four.err ||
    fail "four lines: $(cat four.err)"
# column NAME: the largest value of a column of frames.csv
column() {
    awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next }
        $c > most { most = $c } END { print most + 0 }' out/four/frames.csv
}
for name in intersections unresolved not_converged; do
    [ "$(column $name)" = 0 ] || fail "four lines: $name: $(column $name)"
done
[ "$(column contacts)" -gt 100 ] || fail "four lines: the cloth is not on the ball: $(column contacts) contacts"
awk -v most="$(column stretch_max)" 'BEGIN { exit !(most < 0.03) }' || fail "stretch: $(column stretch_max)"

# A cloth and gravity alone: no divergence, little stretch, and the fabric matters with the default model as well.
cat >alone.yaml <<SCENE
time: {frames: 60}
cloth: {grid: {cells: [20, 20], size: [1, 1], axes: [x, z]}, fabric: {preset: wool}, pins: [{side: top}]}
forces: [gravity]
SCENE
"$WEFT" run alone.yaml --write none --out alone >alone.out 2>alone.err || fail "a cloth alone: $(cat alone.err)"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "stretch_max") c = i; next } $c > 0.03 { exit 1 }' \
    alone/frames.csv || fail 'a cloth alone stretches by more than 3 %'
alone_with() {
    "$WEFT" run alone.yaml --quiet --write none --frames 8 --out with --set "cloth.fabric.$1" || fail "alone with $1"
    hash_of with
}
plain=$(alone_with density=0.26)
for change in bend_weft=1e-3 shear=900 stretch_warp=5000 poisson_weft=0.01 damping=1ms; do
    [ "$(alone_with "$change")" != "$plain" ] || fail "the default model ignores fabric.$change"
done

# The thickness of the fabric is that of contact, unless contact has one of its own.
four_with() {
    "$WEFT" run four.yaml --quiet --write none --frames 14 --out with "$@" || fail "four lines with $*"
    hash_of with
}
plain=$(four_with)
[ "$(four_with --set cloth.fabric='{preset: cotton, thickness: 2 mm}')" != "$plain" ] || fail 'thickness has no effect'
one=$(four_with --set contact.thickness=1mm)
[ "$one" != "$plain" ] || fail 'contact.thickness has no effect'
[ "$(four_with --set contact.thickness=1mm --set cloth.fabric='{preset: cotton, thickness: 2 mm}')" = "$one" ] ||
    fail 'contact.thickness does not override the thickness of the fabric'
[ "$(four_with --set contact.self=true)" = "$plain" ] || fail 'self-collision is not on by itself'
[ "$(four_with --set 'forces=[gravity]')" = "$plain" ] || fail 'gravity is not on by itself'
[ "$(four_with --set 'forces=[]')" != "$plain" ] || fail 'an empty list of forces does not switch gravity off'
[ "$(four_with --set integrator=bdf2 --set time.step=5ms)" = "$plain" ] || fail 'another integrator or step'

exit 0
