/* Operations that move, break and tune springs: relaxation, strain limit, tearing, saved states. */
#include "unit/springs_fixture.h"

static double *inverse_masses(const fixture *s) {
    double *inverse = doubles(s->mesh->vertex_count);
    for (int32_t i = 0; i < s->mesh->vertex_count; i++)
        inverse[i] = 1 / s->mass[i];
    return inverse;
}

/* The largest strain, length / rest - 1, of unbroken links up to a type, and the smallest. */
static void extremes(const fixture *s, int last_type, double *longest, double *shortest) {
    *longest = -1, *shortest = 1;
    for (int32_t i = 0; i < model()->link_count(s->self); i++) {
        weft_link link = model()->link_at(s->self, i);
        double strain = weft_distance(s->x[link.a], s->x[link.b]) / link.rest_length - 1;
        if (link.type > last_type || link.stiffness == 0)
            continue;
        *longest = fmax(*longest, strain);
        *shortest = fmin(*shortest, strain);
    }
}

static void relaxation_restores_rest_lengths(void **state) {
    (void)state;
    fixture s = on_grid(36, 30, 0.02);
    start(&s);
    assert_true(s.springs->layout.colour_count > 1);
    double *inverse = inverse_masses(&s), longest, shortest;
    for (int32_t i = 0; i < s.mesh->vertex_count; i++)
        s.x[i] = (weft_vec3){1.1 * s.x[i].x, 0.9 * s.x[i].y, 0};
    inverse[0] = 0;
    weft_vec3 held = s.x[0];
    model()->relax(s.self, &s.work, inverse, 7000, s.x); /* Gauss-Seidel needs a number of passes proportional to the
                                                          * square of the cells across */
    extremes(&s, WEFT_FLEXION, &longest, &shortest);
    assert_true(longest < 1e-3 && shortest > -1e-3);
    assert_memory_equal(&held, &s.x[0], sizeof held);
    free(inverse);
    stop(&s);
}

/* The held vertex does not move. Among free vertices, relaxation keeps the centre. */
static void relaxation_keeps_held_vertices_and_centre(void **state) {
    (void)state;
    fixture s = on_grid(1, 1, 1);
    s.settings.on[WEFT_SHEAR] = s.settings.on[WEFT_FLEXION] = 0;
    start(&s);
    double inverse[4] = {1, 0, 1, 1};
    /* Vertices 0, 1 are above 2, 3. Only the upper edge is stretched, and vertex 1 is held. */
    s.x[0].x -= 0.5;
    s.x[2].x -= 0.5, s.x[3].x -= 0.5;
    s.x[2].y = s.x[3].y = s.x[0].y - 1;
    weft_vec3 before = s.x[1];
    model()->relax(s.self, &s.work, inverse, 2000, s.x);
    assert_true(fabs(weft_distance(s.x[0], s.x[1]) - 1) < 1e-9);
    assert_memory_equal(&before, &s.x[1], sizeof before);
    stop(&s);
    fixture t = on_mesh(make_fan(3));
    t.settings.on[WEFT_FLEXION] = 0;
    start(&t);
    double all[4] = {1, 1, 1, 1};
    shake(&t, 0.2);
    weft_vec3 sum = {0, 0, 0}, after = {0, 0, 0};
    for (int i = 0; i < 4; i++)
        sum = weft_add(sum, t.x[i]);
    model()->relax(t.self, &t.work, all, 7, t.x);
    for (int i = 0; i < 4; i++)
        after = weft_add(after, t.x[i]);
    assert_true(weft_distance(sum, after) < 1e-14);
    stop(&t);
}

static void strain_limit_moves_vertices_consistently(void **state) {
    (void)state;
    fixture s = on_grid(25, 24, 0.02);
    s.settings.limit = 0.1;
    s.settings.limit_passes = 3000;
    start(&s);
    double *inverse = inverse_masses(&s), longest, shortest;
    assert_int_equal(model()->limit(s.self, &s.work, inverse, 0.01, s.x, s.v), 0);
    for (int32_t i = 0; i < s.mesh->vertex_count; i++)
        s.x[i] = weft_scale(1.15, s.x[i]);
    weft_vec3 x = s.x[300], v = s.v[300];
    assert_int_equal(model()->limit(s.self, &s.work, inverse, 0.01, s.x, s.v), 1);
    weft_vec3 moved = weft_sub(s.x[300], x), kicked = weft_sub(s.v[300], v);
    assert_true(weft_length(moved) > 0 && weft_distance(weft_scale(100, moved), kicked) < 1e-9);
    extremes(&s, WEFT_SHEAR, &longest, &shortest);
    assert_true(longest <= 0.1 + 1e-3);
    assert_true(shortest > 0); /* not shortened more than necessary */
    free(inverse);
    stop(&s);
}

static void relaxation_does_not_depend_on_thread_count(void **state) {
    (void)state;
    weft_vec3 *kept = NULL;
    for (int threads = 1; threads <= 4; threads *= 2) {
        fixture s = on_grid(120, 90, 0.01);
        s.settings.limit = 0.05;
        s.work.threads = threads;
        start(&s);
        shake(&s, 0.003);
        double *inverse = inverse_masses(&s);
        size_t bytes = (size_t)s.mesh->vertex_count * sizeof *s.x;
        model()->relax(s.self, &s.work, inverse, 3, s.x);
        shake(&s, 0.003);
        model()->limit(s.self, &s.work, inverse, 0.01, s.x, s.v);
        if (!kept)
            kept = memcpy(calloc(1, bytes), s.x, bytes);
        assert_memory_equal(kept, s.x, bytes);
        free(inverse);
        stop(&s);
    }
    free(kept);
}

static int32_t root_of(const int32_t *parent, int32_t v) {
    while (parent[v] != v)
        v = parent[v];
    return v;
}

/* The number of pieces that are connected by unbroken links. */
static int count_pieces(const fixture *s) {
    int32_t count = s->mesh->vertex_count, pieces = 0, *parent = calloc((size_t)count, sizeof *parent);
    for (int32_t i = 0; i < count; i++)
        parent[i] = i;
    for (int32_t i = 0; i < model()->link_count(s->self); i++) {
        weft_link link = model()->link_at(s->self, i);
        if (link.stiffness > 0)
            parent[root_of(parent, link.a)] = root_of(parent, link.b);
    }
    for (int32_t i = 0; i < count; i++)
        pieces += parent[i] == i;
    free(parent);
    return pieces;
}

/* Moves all vertices from column `column` on to the right. */
static void pull_apart(fixture *s, int columns, int column, double by) {
    for (int32_t i = 0; i < s->mesh->vertex_count; i++)
        s->x[i].x += i % columns >= column ? by : 0;
}

static void pulled_grid_tears_along_gap(void **state) {
    (void)state;
    int m = 9, n = 6; /* vertices */
    fixture s = on_grid(m - 1, n - 1, 0.1);
    s.settings.tear = 1.5;
    start(&s);
    uint8_t *open = calloc((size_t)s.mesh->face_count, 1);
    assert_int_equal(model()->tear(s.self, &s.work, s.x, open), 0);
    pull_apart(&s, m, 4, 0.3);
    int broken = model()->tear(s.self, &s.work, s.x, open);
    /* Across the gap: an edge and two flexion springs in each row, two diagonals in each cell. */
    assert_int_equal(broken, n + 2 * n + 2 * (n - 1));
    assert_int_equal(count_links(&s, WEFT_STRUCTURAL, 1), n);
    assert_int_equal(count_links(&s, WEFT_SHEAR, 1), 2 * (n - 1));
    assert_int_equal(count_links(&s, WEFT_FLEXION, 1), 2 * n);
    assert_int_equal(count_pieces(&s), 2);
    int opened = 0;
    for (int32_t i = 0; i < s.mesh->face_count; i++) {
        int32_t v = s.mesh->origin[s.mesh->face_halfedge[i]];
        double low = 1e9, high = -1e9;
        for (int32_t h = s.mesh->face_halfedge[i], k = 0; k < 4; h = s.mesh->next[h], k++) {
            v = s.mesh->origin[h];
            low = fmin(low, s.mesh->position[v].x), high = fmax(high, s.mesh->position[v].x);
        }
        assert_int_equal(open[i], low < 0.35 && high > 0.35);
        opened += open[i];
    }
    assert_int_equal(opened, n - 1);
    /* Broken springs have no force and do not break again. */
    forces(&s);
    for (int32_t i = 0; i < s.mesh->vertex_count; i++)
        assert_true(weft_length(s.f[i]) < 1e-9);
    assert_true(energy(&s) < 1e-20);
    assert_int_equal(model()->tear(s.self, &s.work, s.x, open), 0);
    free(open);
    stop(&s);
}

/* On triangles a broken edge opens its faces and breaks the flexion springs across them. */
static void pulled_triangles_tear_along_gap(void **state) {
    (void)state;
    weft_grid grid = weft_grid_default();
    weft_mesh *mesh;
    grid.diagonals = WEFT_CRISS_CROSS;
    ok(weft_mesh_create_grid(&grid, &mesh));
    fixture s = on_mesh(mesh);
    s.settings.tear = 2;
    start(&s);
    uint8_t *open = calloc((size_t)s.mesh->face_count, 1);
    for (int32_t i = 0; i < s.mesh->vertex_count; i++)
        s.x[i].x += s.mesh->position[i].x > 0.52 ? 2 : 0;
    assert_true(model()->tear(s.self, &s.work, s.x, open) > 0);
    assert_int_equal(count_pieces(&s), 2);
    for (int32_t i = 0; i < s.mesh->face_count; i++) {
        double low = 1e9, high = -1e9;
        for (int32_t h = s.mesh->face_halfedge[i], k = 0; k < 3; h = s.mesh->next[h], k++) {
            low = fmin(low, s.mesh->position[s.mesh->origin[h]].x);
            high = fmax(high, s.mesh->position[s.mesh->origin[h]].x);
        }
        assert_int_equal(open[i], low < 0.52 && high > 0.52);
    }
    free(open);
    stop(&s);
}

static void tearing_does_not_depend_on_thread_count(void **state) {
    (void)state;
    int broken[3], n = 0;
    for (int threads = 1; threads <= 4; threads *= 2) {
        fixture s = on_grid(100, 90, 0.01);
        s.settings.tear = 1.3;
        s.work.threads = threads;
        start(&s);
        shake(&s, 0.0015);
        uint8_t *open = calloc((size_t)s.mesh->face_count, 1);
        broken[n++] = model()->tear(s.self, &s.work, s.x, open);
        free(open);
        stop(&s);
    }
    assert_true(broken[0] > 0);
    assert_int_equal(broken[0], broken[1]);
    assert_int_equal(broken[0], broken[2]);
}

static void saved_state_restores_broken_springs(void **state) {
    (void)state;
    fixture s = on_grid(8, 5, 0.1);
    s.settings.tear = 1.5;
    start(&s);
    size_t size = model()->state_size(s.self), faces = (size_t)s.mesh->face_count;
    uint8_t *whole = calloc(1, size), *torn = calloc(1, size + 1), *open = calloc(faces, 1), *again = calloc(1, size);
    model()->state_save(s.self, whole);
    pull_apart(&s, 9, 4, 0.3);
    int broken = model()->tear(s.self, &s.work, s.x, open);
    model()->state_save(s.self, torn);
    double torn_energy = energy(&s);

    ok(model()->state_load(s.self, whole, size));
    assert_true(energy(&s) > 0.01);
    assert_int_equal(model()->tear(s.self, &s.work, s.x, open), broken);
    ok(model()->state_load(s.self, whole, size));
    ok(model()->state_load(s.self, torn, size));
    model()->state_save(s.self, again);
    assert_memory_equal(torn, again, size);
    assert_true(energy(&s) == torn_energy);

    /* Retuned springs stay broken. */
    s.settings.stiffness[WEFT_STRUCTURAL] = 500;
    ok(model()->retune(s.self, &s.settings, &s.cloth));
    assert_int_equal(count_links(&s, WEFT_STRUCTURAL, 1), 6);
    forces(&s);
    for (int32_t i = 0; i < s.mesh->vertex_count; i++)
        assert_true(weft_length(s.f[i]) < 1e-9);

    /* Refused without effect. */
    assert_int_equal(model()->state_load(s.self, torn, size + 1).code, WEFT_BAD_INPUT);
    assert_int_equal(model()->state_load(s.self, torn, 3).code, WEFT_BAD_INPUT);
    memcpy(whole, torn, size);
    whole[0] ^= 1;
    assert_int_equal(model()->state_load(s.self, whole, size).code, WEFT_BAD_INPUT);
    memcpy(whole, torn, size);
    assert_true(s.springs->list.count % 8 != 0);
    whole[size - 1] |= 0x80;
    assert_int_equal(model()->state_load(s.self, whole, size).code, WEFT_BAD_INPUT);
    model()->state_save(s.self, again);
    assert_memory_equal(torn, again, size);
    free(again);
    free(open);
    free(torn);
    free(whole);
    stop(&s);
}

static void bad_settings_are_refused(void **state) {
    (void)state;
    fixture s = on_grid(2, 2, 0.1);
    s.cloth = (weft_cloth){.name = "flag", .mesh = s.mesh, .fabric = &s.fabric, .mass = s.mass, .area = s.area};
    s.settings.tear = 0.8;
    weft_result result = model()->create(&s.settings, &s.cloth, &s.self);
    assert_int_equal(result.code, WEFT_BAD_INPUT);
    assert_null(s.self);
    assert_non_null(strstr(result.message, "0.8"));
    assert_non_null(strstr(result.message, "flag"));
    for (const weft_param *row = weft_springs_model.params; row->name; row++) {
        weft_springs_settings settings;
        assert_true(row->help[0] != '\0');
        ok(weft_param_read_text(row, row->fallback, "springs", &settings));
    }
    stop(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(relaxation_restores_rest_lengths),
        cmocka_unit_test(relaxation_keeps_held_vertices_and_centre),
        cmocka_unit_test(strain_limit_moves_vertices_consistently),
        cmocka_unit_test(relaxation_does_not_depend_on_thread_count),
        cmocka_unit_test(pulled_grid_tears_along_gap),
        cmocka_unit_test(pulled_triangles_tear_along_gap),
        cmocka_unit_test(tearing_does_not_depend_on_thread_count),
        cmocka_unit_test(saved_state_restores_broken_springs),
        cmocka_unit_test(bad_settings_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
