#!/bin/sh
# Strain and stress of triangles: in PLY files, in the take, in false colour, and refused where there are none.
. "$WEFT_SOURCE_DIR/tests/cli/common.sh"

cat >strip.yaml <<SCENE
time: {step: 1, frames: 20, rate: 1}
integrator: {name: implicit-euler, solver: direct, newton: 10}
cloth:
  - name: strip
    grid: {cells: [2, 20], size: [0.1, 1]}
    fabric: {density: 0.2, stretch_weft: 100, stretch_warp: 100, poisson_weft: 0, poisson_warp: 0, shear: 50}
    model: {name: corotational}
    pins: [{side: top}]
forces: [gravity]
view: {width: 64, height: 64, samples: 1, occlusion_samples: 1}
SCENE

# Implicit schemes have no limit on the step.
says 'implicit-euler, no limit on the step' "$WEFT" check strip.yaml
grep -q warning says.out && fail "check warns of an implicit step: $(cat says.out)"
says 'stable up to a step' "$WEFT" check strip.yaml --set integrator=symplectic-euler
grep -q 'warning.*diverge' says.out || fail "check does not warn of an explicit step: $(cat says.out)"

# With corotated strain, tension above four times the shear stiffness shears the cloth (Bender and Deul 2013). The
# weight here is 0.2 kg/m2 * 9.81 m/s2 * 1 m.
says 'warning     cloth strip: hung by one side it carries 1.96 N/m' "$WEFT" check strip.yaml \
    --set cloth.model.strain=corotated --set cloth.fabric.shear=0.4
says 'cloth' "$WEFT" check strip.yaml --set cloth.model.strain=corotated --set cloth.fabric.shear=0.5
grep -q warning says.out && fail "check warns of a weight below four times the shear: $(cat says.out)"
says 'cloth' "$WEFT" check strip.yaml --set cloth.fabric.shear=0.1
grep -q warning says.out && fail "check warns of the strain of yarns: $(cat says.out)"
refused 1 'model.force: frozen needs model.strain: yarns or corotated' "$WEFT" check strip.yaml \
    --set cloth.model.strain=green --set cloth.model.force=frozen

# The former name of the strain still works.
says 'cloth' "$WEFT" check strip.yaml --set cloth.model.strain=threads

# Poisson ratios that follow from the other values are named.
says 'fabric: poisson_warp 0.25 follows from the other values' "$WEFT" check strip.yaml \
    --set cloth.fabric='{preset: wool, stretch_weft: 901.368}'
says 'fabric: poisson_weft 0.08 follows from the other values' "$WEFT" check strip.yaml \
    --set cloth.fabric='{stretch_weft: 1000, stretch_warp: 2000, poisson_warp: 0.16}'
says 'fabric: poisson_weft 0.006974 and poisson_warp 6.063 follow' "$WEFT" check strip.yaml \
    --set cloth.fabric='{preset: wool, stretch_weft: 1.6}'
grep -q 'follow' <<END && fail 'a preset has ratios of its own'
$("$WEFT" check strip.yaml --set cloth.fabric=wool)
END

# Steps in which Newton does not converge are counted and reported at the end.
"$WEFT" run strip.yaml --out unfinished --set time.frames=3 --set integrator.newton=4 \
    --set integrator.newton_tolerance=1e-14 >told.out 2>told.err || fail "the unfinished run: $(cat told.err)"
grep -q '^3 steps ended above integrator.newton_tolerance' told.out || fail "nothing of Newton in: $(cat told.out)"
[ "$(json newton_not_converged unfinished/report.json)" = 3 ] || fail 'newton_not_converged in report.json'
[ "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "newton_not_converged") c = i } NR > 1 { n += $c }
    END { print n }' unfinished/frames.csv)" = 3 ] || fail 'newton_not_converged in frames.csv'

"$WEFT" run strip.yaml --quiet --write ply:ascii=true --set output.strain=true || fail 'the run'
# In the middle of each cell below the top rho g (1 m - y) / E: 0.2 * 9.81 * 0.975 / 100 in the first row.
# The first vertex of a face of the first row is one of the first three; the columns after the corners are strains.
awk '/^end_header/ { body = 1; next } body && $1 == 4 && NF == 11 { if (!n++) { weft = $6; warp = $7; stress = $10 } }
    END { if (!(n == 40 && warp > 0.0190 && warp < 0.0193 && stress > 1.90 && stress < 1.93 && weft < 1e-4 && weft > -1e-4)) {
        print n, weft, warp, stress; exit 1 } }' out/strip/ply/strip_0020.ply || fail 'strains in the PLY file'

for color in strain-weft strain-warp strain-shear stress-weft stress-warp stress-shear; do
    "$WEFT" render out/strip --quiet --set view.color=$color --out $color || fail "render $color"
done
cmp -s strain-warp/strip.png strain-shear/strip.png && fail 'warp looks like shear'
"$WEFT" run strip.yaml --quiet --write ply --out plain || fail 'the run without strain'
grep -q strain_weft plain/ply/strip_0020.ply && fail 'strains that nobody asked for'
refused 1 'run it with --set output.strain=true' "$WEFT" render plain --set view.color=stress-warp
refused 1 "output.strain: cloth 'strip': model 'springs' has no strains" "$WEFT" run strip.yaml --out springs \
    --set integrator=verlet --set cloth.model=springs --set output.strain=true --quiet

exit 0
