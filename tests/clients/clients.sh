# Sourced by the tests that open our files with other programs. Makes a run "sheet" with every writer and two cloths.
# One of the cloths is written as its proxy.
. "$WEFT_SOURCE_DIR/tests/cli/common.sh"

# A sheet of 24 x 24 quads, 5 mm above the cloth of 8 x 8 quads.
fine_mesh() {
    awk 'BEGIN { n = 24
        for (j = 0; j <= n; j++) for (i = 0; i <= n; i++) printf "v %g 0.005 %g\n", i / n, j / n
        for (j = 0; j < n; j++) for (i = 1; i <= n; i++) { a = j * (n + 1) + i; print "f", a, a + 1, a + n + 2, a + n + 1 } }'
}

two_cloths() {
    small_scene 20 8 | sed '/^forces/,$d'
    cat <<'SCENE'
  - name: fine
    grid: {cells: [8, 8], size: [1, 1], axes: [x, z]}
    at: [1.5, 0, 0]
    fabric: {density: 200 g/m2}
    model: {name: springs, structural_stiffness: 20, shear_stiffness: 10, flexion_stiffness: 1, damping: 0.0005}
    pins: [{side: left}]
    proxy: fine.obj
forces: [gravity]
SCENE
}

write_run() {
    fine_mesh >fine.obj
    two_cloths >sheet.yaml
    "$WEFT" run sheet.yaml --quiet --write obj,ply,pc2,mdd,glb,usda || fail 'weft run'
    [ "$(grep -c '^v ' out/sheet/fine.obj)" -eq 625 ] || fail 'the proxy was not written'
}
