/* Springs on quads that are cut or torn: the mesh comes apart along edges, and no face is lost. */
#include "support.h"
#include "weft/vec.h"

enum { CELLS = 16, COLUMNS = CELLS + 1 };

/* A stroke straight at the sheet, which hangs in the plane z = 0, x and -y from 0 to 1. */
static int32_t cut_along(test_sim made, weft_vec3 from, weft_vec3 to) {
    weft_vec3 eye = {0.5, -0.5, 50}, rays[2] = {weft_sub(from, eye), weft_sub(to, eye)};
    int32_t cut;
    must(weft_sim_cut(made.sim, 0, eye, rays, 2, &cut));
    return cut;
}

static int32_t pieces(test_sim made) {
    int32_t count;
    must(weft_sim_pieces(made.sim, 0, &count));
    return count;
}

static const weft_mesh *mesh_of(test_sim made) { return weft_sim_cloth(made.sim, 0)->mesh; }

/* Labels each vertex by the lowest vertex that a path of edges leads to. */
static int32_t *label_vertices(const weft_mesh *mesh) {
    int32_t *label = malloc((size_t)mesh->vertex_count * sizeof *label);
    for (int32_t v = 0; v < mesh->vertex_count; v++)
        label[v] = v;
    for (int grew = 1; grew;) {
        grew = 0;
        for (int32_t h = 0; h < mesh->halfedge_count; h++) {
            int32_t a = mesh->origin[h], b = mesh->origin[mesh->next[h]];
            if (label[a] < label[b])
                label[b] = label[a], grew = 1;
        }
    }
    return label;
}

static void assert_links_stay_on_their_side(test_sim made) {
    int32_t *label = label_vertices(mesh_of(made));
    for (int32_t i = 0; i < weft_sim_link_count(made.sim, 0); i++) {
        weft_link link = weft_sim_link(made.sim, 0, i);
        assert_true(label[link.a] == label[link.b] && link.stiffness > 0);
    }
    free(label);
}

/* `gap`: how much area the gap between the sides of a cut may take, m2. */
static void assert_no_face_is_lost(test_sim made, double gap) {
    const weft_mesh *mesh = mesh_of(made);
    assert_int_equal(mesh->face_count, CELLS * CELLS);
    for (int32_t f = 0; f < mesh->face_count; f++)
        assert_int_equal(weft_sim_open_faces(made.sim, 0)[f], 0);
    assert_null(weft_mesh_flaw(mesh));
    assert_near(weft_mesh_area(mesh, mesh->position), 1, 1e-9);
    assert_near(weft_mesh_area(mesh, weft_sim_positions(made.sim, 0)), 1, 1e-9 + gap);
}

/* Across the cells, along a grid line, and slanted: two pieces, all quads, and no spring from one to the other. The
 * lower piece falls; the upper one stays on its pins. */
static void straight_cut_keeps_all_faces(void **state) {
    (void)state;
    static const double ENDS[][2] = {{0.47, 0.47}, {0.5, 0.5}, {0.2, 0.7}};
    static const char *const INTEGRATORS[] = {"symplectic-euler", "implicit-euler", "bdf2", "projective", "xpbd"};
    for (int i = 0; i < 15; i++) {
        int self = i % 2; /* contact separates the sides by a hundredth of the thickness of 2 mm */
        test_sim made = make_sheet(CELLS, CELLS, 1, 1, INTEGRATORS[i / 3]);
        set(made, "contact.self", self ? "true" : "false");
        pin(made, &(weft_select){.kind = WEFT_SELECT_SIDE, .name = "top"});
        must(weft_sim_add_force(made.sim, "gravity", NULL));
        must(weft_sim_prepare(made.sim));
        double mass = measure(made).mass;
        const double *y = ENDS[i % 3];
        assert_int_equal(pieces(made), 1);
        assert_true(cut_along(made, weft_vec3_make(-0.2, -y[0], 0), weft_vec3_make(1.2, -y[1], 0)) >= CELLS);
        assert_int_equal(pieces(made), 2);
        assert_no_face_is_lost(made, self ? 4e-5 : 0);
        assert_links_stay_on_their_side(made);
        assert_int_equal(cut_along(made, weft_vec3_make(-0.2, -y[0], 0), weft_vec3_make(1.2, -y[1], 0)), 0);
        for (int k = 0; k < 300; k++)
            step(made, 1e-3);
        assert_near(measure(made).mass, mass, 1e-12);
        assert_true(weft_sim_positions(made.sim, 0)[COLUMNS * CELLS].y < -1.3); /* 0.44 m of free fall */
        assert_true(weft_sim_positions(made.sim, 0)[COLUMNS].y > -0.3);
        destroy(made);
    }
}

/* A cut that ends inside leaves a slit, whose last vertex is shared. One edge alone separates nothing until the cut
 * goes on. */
static void slit_ends_at_shared_vertex(void **state) {
    (void)state;
    test_sim made = make_sheet(CELLS, CELLS, 1, 1, "implicit-euler");
    must(weft_sim_prepare(made.sim));
    weft_vec3 middle = {0.53, -0.5, 0};
    assert_int_equal(cut_along(made, weft_vec3_make(0.45, -0.5, 0), middle), 1);
    assert_int_equal(mesh_of(made)->vertex_count, COLUMNS * COLUMNS);
    assert_int_equal(cut_along(made, middle, weft_vec3_make(1.2, -0.5, 0)), 8);
    assert_int_equal(mesh_of(made)->vertex_count, COLUMNS * COLUMNS + 9);
    assert_int_equal(pieces(made), 1);
    assert_no_face_is_lost(made, 0);
    for (int k = 0; k < 20; k++)
        step(made, 1e-2);
    destroy(made);
}

/* A sheet of wool with that model, one meter square. */
static test_sim sheet_of(const char *model) {
    test_sim made = make_sheet(CELLS, CELLS, 1, 1, "implicit-euler");
    must(weft_sim_remove_cloth(made.sim, 0));
    weft_grid grid = weft_grid_default();
    weft_mesh *mesh;
    grid.cells[0] = grid.cells[1] = CELLS;
    must(weft_mesh_create_grid(&grid, &mesh));
    must(weft_sim_add_cloth(made.sim, "sheet", mesh, &weft_fabric_preset_find("wool")->fabric, model, NULL));
    return made;
}

/* In a running simulation all stiffnesses may be 0 for a while. A cut then works as well. */
static void cloth_without_stiffness_is_cut(void **state) {
    (void)state;
    static const char *const STIFFNESS[][5] = {
        {"springs", "cloth.model.structural_stiffness", "cloth.model.shear_stiffness", "cloth.model.flexion_stiffness"},
        {"buckling", "cloth.model.flexion", "cloth.model.flexion_triangles", "cloth.model.stretch",
         "cloth.model.shear"}};
    for (int i = 0; i < 2; i++) {
        test_sim made = sheet_of(STIFFNESS[i][0]);
        plain_model(made.sim);
        must(weft_sim_prepare(made.sim));
        for (int k = 1; k < 5 && STIFFNESS[i][k]; k++)
            set(made, STIFFNESS[i][k], "0");
        assert_true(cut_along(made, weft_vec3_make(-0.2, -0.47, 0), weft_vec3_make(1.2, -0.47, 0)) > 0);
        assert_int_equal(pieces(made), 2);
        step(made, 1e-3);
        destroy(made);
    }
}

/* Faces that springs tore open stay open after a cut, and broken springs stay broken. */
static void torn_faces_outlast_cut(void **state) {
    (void)state;
    test_sim made = make_sheet(CELLS, CELLS, 1, 1, "symplectic-euler");
    set(made, "cloth.model.tear", "1.5");
    must(weft_sim_prepare(made.sim));
    const int32_t torn = 4 * COLUMNS + 4;
    for (int32_t v = 0; v < torn + 3; v++) /* moved up by half an edge and more */
        must(weft_sim_place(made.sim, 0, v, weft_add(weft_sim_positions(made.sim, 0)[v], weft_vec3_make(0, 0.04, 0)),
                            weft_vec3_make(0, 0, 0)));
    step(made, 1e-4);
    uint8_t open[CELLS * CELLS];
    memcpy(open, weft_sim_open_faces(made.sim, 0), sizeof open);
    int64_t broken = 0, after = 0;
    for (int32_t i = 0; i < weft_sim_link_count(made.sim, 0); i++)
        broken += weft_sim_link(made.sim, 0, i).stiffness == 0;
    assert_true(broken > 0);
    assert_true(cut_along(made, weft_vec3_make(-0.2, -0.78, 0), weft_vec3_make(1.2, -0.78, 0)) > 0);
    assert_memory_equal(open, weft_sim_open_faces(made.sim, 0), sizeof open);
    for (int32_t i = 0; i < weft_sim_link_count(made.sim, 0); i++)
        after += weft_sim_link(made.sim, 0, i).stiffness == 0;
    assert_int_equal(after, broken);
    step(made, 1e-4);
    destroy(made);
}

static char *snapshot_of(test_sim made, size_t *size) {
    *size = weft_sim_snapshot_size(made.sim);
    char *bytes = malloc(*size);
    weft_sim_snapshot(made.sim, bytes);
    return bytes;
}

/* States from before and after the first cut can be restored in turn, by the same simulation and by a fresh one. */
static void states_around_first_cut_are_restored(void **state) {
    (void)state;
    static const char *const MODELS[] = {"springs", "corotational", "buckling"};
    for (int i = 0; i < 3; i++) {
        test_sim made[2];
        for (int k = 0; k < 2; k++) {
            made[k] = sheet_of(MODELS[i]);
            must(weft_sim_add_force(made[k].sim, "gravity", NULL));
            step(made[k], 1e-3);
        }
        size_t size[2];
        char *bytes[2] = {snapshot_of(made[0], &size[0]), NULL};
        uint64_t hash[2] = {weft_sim_hash(made[0].sim), 0};
        assert_true(cut_along(made[0], weft_vec3_make(-0.2, -0.47, 0), weft_vec3_make(1.2, -0.47, 0)) > 0);
        step(made[0], 1e-3);
        bytes[1] = snapshot_of(made[0], &size[1]);
        hash[1] = weft_sim_hash(made[0].sim);
        for (int k = 0; k < 8; k++) {
            must(weft_sim_restore(made[k / 4].sim, bytes[k % 2], size[k % 2]));
            assert_true(weft_sim_hash(made[k / 4].sim) == hash[k % 2]);
            assert_int_equal(pieces(made[k / 4]), 1 + k % 2);
            step(made[k / 4], 1e-3);
        }
        for (int k = 0; k < 2; k++) {
            free(bytes[k]);
            destroy(made[k]);
        }
    }
}

/* A damaged surface is refused or makes no difference to the mesh's validity. */
static void damaged_snapshot_is_refused_or_sound(void **state) {
    (void)state;
    test_sim made = make_sheet(4, 4, 1, 1, "symplectic-euler");
    must(weft_sim_prepare(made.sim));
    assert_true(cut_along(made, weft_vec3_make(-0.2, -0.47, 0), weft_vec3_make(1.2, -0.47, 0)) > 0);
    size_t size;
    char *bytes = snapshot_of(made, &size);
    int refused = 0;
    for (size_t at = 0; at < size; at++) {
        char was = bytes[at];
        bytes[at] = (char)(was ^ 1);
        refused += weft_sim_restore(made.sim, bytes, size).code != WEFT_OK;
        assert_null(weft_mesh_flaw(mesh_of(made)));
        bytes[at] = was;
    }
    assert_true(refused > 100);
    must(weft_sim_restore(made.sim, bytes, size));
    step(made, 1e-4);
    free(bytes);
    destroy(made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(straight_cut_keeps_all_faces),         cmocka_unit_test(slit_ends_at_shared_vertex),
        cmocka_unit_test(cloth_without_stiffness_is_cut),       cmocka_unit_test(torn_faces_outlast_cut),
        cmocka_unit_test(states_around_first_cut_are_restored), cmocka_unit_test(damaged_snapshot_is_refused_or_sound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
