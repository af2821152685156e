#!/bin/sh
# Meshes that are probably not meant as they are: notices of `weft check`, once in a run and in its report.
. "$WEFT_SOURCE_DIR/tests/cli/common.sh"

# notice TEXT: scene.yaml draws it in check, once in a run, and in the report
notice() {
    "$WEFT" check scene.yaml >check.out 2>check.err || fail "weft check: $(cat check.err)"
    grep -qF -e "$1" check.err || fail "weft check: no '$1' in: $(cat check.err)"
    rm -rf out
    "$WEFT" run scene.yaml --frames 1 >run.out 2>run.err || fail "weft run: $(cat run.err)"
    [ "$(grep -cF -e "$1" run.err)" -eq 1 ] || fail "weft run: not once '$1' in: $(cat run.err)"
    grep -qF -e "$1" out/scene/report.json || fail "no '$1' in the report"
}

# no_notice: scene.yaml draws none
no_notice() {
    "$WEFT" check scene.yaml >check.out 2>check.err || fail "weft check: $(cat check.err)"
    [ ! -s check.err ] || fail "a notice without reason: $(cat check.err)"
}

# sheet SIZE PATTERN: an OBJ of 4 x 4 quads of SIZE units, and texture coordinates of PATTERN units
sheet() {
    awk -v size="$1" -v pattern="$2" 'BEGIN { n = 4
        for (j = 0; j <= n; j++) for (i = 0; i <= n; i++) printf "v %g %g 0\nvt %g %g\n", size * i / n, size * j / n, pattern * i / n, pattern * j / n
        for (j = 0; j < n; j++) for (i = 1; i <= n; i++) { a = j * (n + 1) + i; b = a + n + 1
            printf "f %d/%d %d/%d %d/%d %d/%d\n", a, a, a + 1, a + 1, b + 1, b + 1, b, b } }'
}

# scene [MODEL [MORE]]
scene() {
    cat <<SCENE
time: {step: 0.1 ms, rate: 100}
cloth:
  mesh: sheet.obj
  fabric: {density: 200 g/m2}
  model: {name: ${1:-springs}${2:-}}
forces: [gravity]
SCENE
}

# A mesh in centimetres.
sheet 88 88 >sheet.obj
scene >scene.yaml
notice "is 88 m long and weighs 1549 kg; meshes are read in metres: is this one in centimetres (scale: 0.01)?"
sed -i 's/  mesh: sheet.obj/&\n  scale: 0.01/' scene.yaml
no_notice

# Texture coordinates of another scale, and the masses that follow from them.
sheet 1 0.79 >sheet.obj
scene corotational ', rest: pattern' >scene.yaml
notice 'the pattern has 0.6241 m2 and the shape 1 m2, so the cloth begins stretched by 26.6 %'
notice 'model.pattern_scale: 1.266 would give both the same area'
grep -q ' 0.1248 kg' check.out || fail "the mass is not that of the pattern: $(grep kg check.out)"
scene corotational ', rest: pattern, pattern_scale: 1.2658227848' >scene.yaml
no_notice
grep -q ' 0.2 kg' check.out || fail "the mass is not that of the scaled pattern: $(grep kg check.out)"
scene corotational >scene.yaml
no_notice
grep -q ' 0.2 kg' check.out || fail "the mass is not that of the shape: $(grep kg check.out)"

# A pattern in centimetres makes the cloth heavy. The mesh is not at fault, so only one remedy is named.
sheet 1 100 >sheet.obj
scene corotational ', rest: pattern' >scene.yaml
notice 'model.pattern_scale: 0.01 would give both the same area'
! grep -q 'scale: 0.01)' check.err || fail "a wrong remedy: $(cat check.err)"

# Vertices that no face uses: files are numbered without them, pins are not.
{ echo 'v 5 5 5'; sheet 1 1; } | sed 's/^f .*/# &/' >loose.obj
sheet 1 1 | sed -n 's/^f //p' | awk '{ printf "f"; for (i = 1; i <= NF; i++) { split($i, c, "/"); printf " %d/%d", c[1] + 1, c[2] } print "" }' >>loose.obj
mv loose.obj sheet.obj
scene >scene.yaml
sed -i 's/^  fabric/  pins: [{vertices: [1]}]\n&/' scene.yaml
notice 'sheet.obj: 1 of 26 vertices are left out'
grep -q '25 vertices (1 held)' check.out || fail "$(grep vertices check.out)"
# Contact: former names, and settings that the chosen method does not use.
cat >scene.yaml <<'SCENE'
time: {step: 10 ms, rate: 100}
cloth: {grid: {cells: [4, 4], axes: [x, z]}}
bodies: [sphere: {radius: 0.1, at: [0, -0.2, 0]}]
SCENE
no_notice
hash() { sed -n 's/.*"state_hash": *"\(.*\)".*/\1/p' out/scene/report.json; }
for pair in sleep:barrier.sleep bodies:constraints.bodies layers:constraints.layers solves:constraints.solves \
    sweeps:impulses.sweeps iterations:impulses.iterations zones:impulses.zones halvings:impulses.halvings \
    stretch:impulses.stretch; do
    old=${pair%%:*}
    new=${pair#*:}
    method=constraints
    [ "$old" != sleep ] || method=barrier
    sed -i '/^contact:/d' scene.yaml
    echo "contact: {method: $method, $old: 1}" >>scene.yaml
    notice "scene.yaml:4: contact.$old is now contact.$new, as in contact: {${new%.*}: {$old: ...}}"
    before=$(hash)
    sed -i '/^contact:/s/'"$old"': 1/'"${new%.*}"': {'"$old"': 1}/' scene.yaml
    "$WEFT" run scene.yaml --frames 1 >run.out 2>run.err || fail "contact.$new: $(cat run.err)"
    [ "$(hash)" = "$before" ] || fail "contact.$old and contact.$new differ"
    "$WEFT" check scene.yaml --set "contact.$old=1" >check.out 2>check.err || fail "--set contact.$old: $(cat check.err)"
    grep -qF "notice: --set: contact.$old is now contact.$new" check.err || fail "--set contact.$old: $(cat check.err)"
done

# idle METHOD SETTING REASON, with the integrator $integrator
idle() {
    sed -i '/^contact:/d; /^integrator:/d' scene.yaml
    printf 'contact: {method: %s, %s}\nintegrator: %s\n' "$1" "$2" "$integrator" >>scene.yaml
    if [ -n "$3" ]; then notice "$3"; else no_notice; fi
}
integrator=bdf2
idle barrier 'barrier: {sleep: 0}' ''
idle barrier 'constraints: {solves: 3}' 'does not use contact.constraints.solves: with the barrier it acts only in a step'
idle barrier 'impulses: {zones: 3}' 'does not use contact.impulses.zones: with the barrier it acts only in a step'
idle constraints 'barrier: {sleep: 0}' 'does not use contact.barrier.sleep: the steps have no barrier (contact.method)'
idle constraints 'constraints: {solves: 3}' ''
idle constraints 'impulses: {zones: 3}' ''
idle impulses 'constraints: {bodies: false}' 'does not use contact.constraints.bodies: contact.method is impulses'
idle impulses 'impulses: {zones: 3}' ''
idle barrier 'mode: fast' 'does not use contact.method: contact.mode is fast, which uses constraints'
integrator='{name: bdf2, solver: direct}'
idle constraints 'impulses: {zones: 3}' 'does not use contact.method: only implicit integrators with solver pcg or auto solve for contact'
integrator=symplectic-euler
sed -i 's/step: 10 ms/step: 0.1 ms/' scene.yaml
idle impulses 'impulses: {zones: 3}' ''
idle barrier 'impulses: {zones: 3}' 'does not use contact.method: only implicit integrators with solver pcg or auto solve for contact'
idle impulses 'constraints: {solves: 3}' 'contact does not use contact.constraints.solves: contact.method is impulses'
idle barrier 'barrier: {sleep: 0}' 'integrator symplectic-euler does not use contact.barrier.sleep: only implicit'
exit 0
