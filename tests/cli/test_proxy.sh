#!/bin/sh
# A finer mesh that follows the cloth is written in its place.
. "$WEFT_SOURCE_DIR/tests/cli/common.sh"

# fine_mesh N HEIGHT: a unit sheet of N x N quads above the cloth
fine_mesh() {
    awk -v n="$1" -v y="$2" 'BEGIN {
        for (j = 0; j <= n; j++) for (i = 0; i <= n; i++) printf "v %.9g %g %.9g\n", i / n, y, j / n
        for (j = 0; j < n; j++) for (i = 1; i <= n; i++) { a = j * (n + 1) + i; print "f", a, a + 1, a + n + 2, a + n + 1 } }'
}

mkdir meshes
fine_mesh 24 0 >meshes/fine.obj
small_scene 20 6 >plain.yaml
small_scene 20 6 | sed 's|^    pins:|    proxy: {mesh: meshes/fine.obj, keep: true}\n&|' >sheet.yaml

"$WEFT" run plain.yaml --quiet --write obj --out plain || fail 'the plain run'
"$WEFT" run sheet.yaml --quiet --write obj,ply,pc2,mdd,glb,usda --out kept || fail 'the run with a proxy'
[ "$(hash_of plain)" = "$(hash_of kept)" ] || fail 'a proxy changes the motion'
[ "$(wc -c <kept/sheet.pc2)" -eq $((32 + 12 * 625 * 21)) ] || fail 'the PC2 is not of the proxy'
[ "$(wc -c <kept/sheet_coarse.pc2)" -eq $((32 + 12 * 49 * 21)) ] || fail 'the PC2 of the cloth'

# Proxy vertices that coincide with cloth vertices follow them: every fourth in both directions.
vertices() { awk -v name="$2" '$1 == "o" { on = $2 == name } on && $1 == "v"' "$1"; }
vertices kept/obj/sheet_0020.obj sheet | awk '(NR - 1) % 25 % 4 == 0 && int((NR - 1) / 25) % 4 == 0' >fine.txt
vertices plain/obj/plain_0020.obj sheet >coarse.txt
[ "$(wc -l <coarse.txt)" -eq 49 ] && [ "$(wc -l <fine.txt)" -eq 49 ] || fail 'vertices'
paste -d' ' fine.txt coarse.txt | awk '{ for (k = 2; k <= 4; k++) { d = $k - $(k + 4); if (d * d > 1e-16) exit 1 } }' ||
    fail 'the proxy is not where the cloth is'

# Without `keep` the cloth itself is not written; the placement of the cloth is that of the proxy.
"$WEFT" run sheet.yaml --quiet --frames 2 --write pc2 --set cloth.proxy=meshes/fine.obj --out only || fail 'proxy: FILE'
[ ! -e only/sheet_coarse.pc2 ] || fail 'the cloth is written too'
says 'proxy: 625 vertices, 576 faces' "$WEFT" check sheet.yaml --set 'cloth.at=[1, 2, 3]' --set 'cloth.rotate=[0, 1, 0]'
grep -q '^warning' says.out && fail "a fitting proxy is warned of: $(cat says.out)"
fine_mesh 5 0.4 >meshes/far.obj
says '36 vertices of the proxy are farther than' "$WEFT" check sheet.yaml --set cloth.proxy.mesh=meshes/far.obj

# It resumes, but not with another mesh. The output does not depend on the number of threads.
"$WEFT" run sheet.yaml --quiet --threads 1 --write pc2,glb --out one || fail 'one thread'
"$WEFT" run sheet.yaml --quiet --threads 4 --write pc2,glb --out four || fail 'four threads'
cmp one/sheet.pc2 four/sheet.pc2 && cmp one/sheet.glb four/sheet.glb || fail 'threads change the proxy'
rm one/report.json
cp meshes/far.obj meshes/fine.obj
refused 1 'belongs to another scene' "$WEFT" run sheet.yaml --write pc2,glb --out one --resume

# It follows a refined mesh: vertices that coincide at rest move together, inserted ones too. The proxy has one mesh for
# all frames, so that caches can store it.
fine_mesh 24 0 >meshes/fine.obj
sed -e 's/^integrator:.*/integrator: implicit-euler/' -e 's/step: 0.5 ms/step: 5 ms/' -e 's/^    model: {.*/    model: corotational/' \
    -e '/^            damping/d' sheet.yaml >refined.yaml
echo 'adapt: {name: sqrt3, every: 2, max_generation: 4, refine: [0.3, 2]}' >>refined.yaml
"$WEFT" run refined.yaml --quiet --write obj,pc2 --set cloth.proxy.keep=false --out refined || fail 'a proxy on a refined cloth'
"$WEFT" run refined.yaml --quiet --write obj --out refined_both || fail 'both'
[ "$(wc -c <refined/sheet.pc2)" -eq $((32 + 12 * 625 * 21)) ] || fail 'the PC2 of a proxy on a refined cloth'
vertices refined_both/obj/refined_0020.obj sheet >fine.txt
vertices refined_both/obj/refined_0020.obj sheet_coarse >coarse.txt
[ "$(wc -l <coarse.txt)" -gt 60 ] || fail "only $(wc -l <coarse.txt) vertices: nothing was refined"
awk 'NR == FNR { x[NR] = $2; y[NR] = $3; z[NR] = $4; n = NR; next }
    { best = 1; for (i = 1; i <= n; i++) { d = ($2 - x[i])^2 + ($3 - y[i])^2 + ($4 - z[i])^2; if (d < best) best = d }
      if (best < 1e-16) same++ } END { if (same < 49) { print same " of 49 in place"; exit 1 } }' coarse.txt fine.txt ||
    fail 'the proxy is not where the refined cloth is'

refused 1 "cloth.proxy: unknown key 'mseh'; did you mean 'mesh'?" "$WEFT" check sheet.yaml --set cloth.proxy.mseh=x
refused 1 'none.obj: No such file' "$WEFT" run sheet.yaml --set cloth.proxy.mesh=none.obj --out bad
sed 's/mesh: [^,]*, //' sheet.yaml >nameless.yaml
refused 1 'nameless.yaml:9: cloth.proxy.mesh: needs the name of a file' "$WEFT" check nameless.yaml
[ ! -e bad ] || fail 'a refused run made a folder'
exit 0
