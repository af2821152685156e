/* After random mesh changes, reused data must equal data made from scratch, bit for bit. */
#include "cloth/corotational/corotational.h"
#include "contact/internal.h"
#include "sim/internal.h"
#include "solve/bsr.h"
#include "solve/slots.h"
#include "support.h"

typedef struct setting {
    const char *model, *integrator;
    int cloths, bodies;
} setting;

static test_sim make(const setting *s, int32_t cells) {
    test_sim made = {NULL, NULL};
    must(weft_registry_create(&made.registry));
    must(weft_sim_create(made.registry, &made.sim));
    plain_sim(made.sim);
    weft_sim_set_threads(made.sim, 1);
    for (int i = 0; i < s->cloths; i++) {
        weft_grid grid = weft_grid_default();
        grid.cells[0] = cells;
        grid.cells[1] = cells - i;
        grid.axis[1] = weft_vec3_make(0, 0, 1);
        grid.origin = weft_vec3_make(0, 0.1 * i, 0);
        weft_mesh *mesh;
        must(weft_mesh_create_grid(&grid, &mesh));
        must(weft_sim_add_cloth(made.sim, i ? "b" : "a", mesh, &weft_fabric_preset_find("cotton")->fabric, s->model,
                                NULL));
        plain_model(made.sim);
    }
    if (strcmp(s->model, "buckling") == 0)
        must(weft_sim_set(made.sim, "cloth.0.model.stiffness", "fabric"));
    must(weft_sim_add_force(made.sim, "gravity", NULL));
    must(weft_sim_set_integrator(made.sim, s->integrator));
    must(weft_sim_set_adapt(made.sim, "sqrt3"));
    must(weft_sim_set(made.sim, "adapt.every", "1000000"));
    if (s->bodies) {
        must(weft_sim_add_body(made.sim, "sphere", NULL, NULL));
        must(weft_sim_set(made.sim, "bodies.sphere.segments", "24"));
        must(weft_sim_set(made.sim, "bodies.sphere.radius", "0.3"));
        must(weft_sim_set(made.sim, "bodies.sphere.at", "[0.5, -0.31, 0.5]"));
        must(weft_sim_add_body(made.sim, "box", NULL, NULL));
        must(weft_sim_set(made.sim, "bodies.box.at", "[3, -1, 0]"));
        must(weft_sim_set(made.sim, "contact.self", "true"));
    }
    weft_pin pin = weft_pin_default();
    must(weft_sim_add_pin(made.sim, 0, &pin, (int32_t[]){0, cells}, 2));
    must(weft_sim_prepare(made.sim));
    return made;
}

static void close_sim(test_sim *made) {
    weft_sim_destroy(made->sim);
    weft_registry_destroy(made->registry);
}

/* Randomly splits triangles, joins vertices and opens edges of one cloth. */
static void change(weft_sim *sim, int32_t index, uint64_t *seed) {
    sim_cloth *cloth = &sim->cloth[index];
    weft_refined *r = cloth->refined;
    must(sim_reshape_begin(sim, cloth));
    int32_t count = (int32_t)(12 * weft_random(11, (*seed)++));
    for (int32_t i = 0; i < count; i++) {
        double what = weft_random(11, (*seed)++), where = weft_random(11, (*seed)++);
        int32_t v = (int32_t)(where * r->vertex_count), t = (int32_t)(where * r->triangle_count);
        if (what < 0.5 && r->lineage[t].generation < 6)
            weft_refined_split(r, t);
        else if (what < 0.97 && r->birth[v] > 0)
            weft_refined_join(r, v);
        else if (what >= 0.97)
            weft_refined_open(r, 3 * t);
    }
    sim_reshape_end(sim, cloth);
    assert_null(weft_refined_flaw(r));
}

static void assert_same(const void *a, const void *b, size_t count, size_t size) {
    if (count > 0)
        assert_memory_equal(a, b, count * size);
}

/* -- masses and elements -- */

static void assert_areas(weft_sim *sim, const sim_cloth *cloth) {
    size_t n = (size_t)cloth->mesh->vertex_count;
    double *area = malloc(n * sizeof *area), *mass = malloc(n * sizeof *mass);
    memcpy(area, sim->area + cloth->first, n * sizeof *area);
    memcpy(mass, sim->mass + cloth->first, n * sizeof *mass);
    sim_set_areas(sim, cloth, cloth->mesh, NULL);
    sim_set_masses(sim, cloth, sim_vertex_count(cloth), cloth->map[WEFT_MAP_DENSITY]);
    assert_same(area, sim->area + cloth->first, n, sizeof *area);
    assert_same(mass, sim->mass + cloth->first, n, sizeof *mass);
    free(mass);
    free(area);
}

static void assert_elements(const sim_cloth *cloth) {
    void *made;
    must(sim_model(cloth)->create(cloth->settings, &cloth->cloth, &made));
    const weft_corotational *a = cloth->self, *b = made;
    size_t n = (size_t)cloth->mesh->vertex_count, t = (size_t)cloth->mesh->triangle_count, e = (size_t)b->bending.count,
           forces = 3 * t + 4 * e;
    assert_int_equal(a->rest, b->rest);
    assert_int_equal(a->bending.count, b->bending.count);
    assert_same(a->corner, b->corner, t, sizeof *a->corner);
    assert_same(a->triangle, b->triangle, t, sizeof *a->triangle);
    assert_same(a->bending.vertex, b->bending.vertex, 4 * e, sizeof(int32_t));
    assert_same(a->bending.corner, b->bending.corner, e, sizeof *a->bending.corner);
    assert_same(a->bending.bend, b->bending.bend, e, sizeof *a->bending.bend);
    assert_same(a->force_start, b->force_start, n + 1, sizeof(int32_t));
    assert_same(a->force_index, b->force_index, forces, sizeof(int32_t));
    assert_same(a->bound, b->bound, n, sizeof(double));
    sim_model(cloth)->destroy(made);
}

/* Returns how many elements were reused, and adds the number of all elements to *all. */
static int64_t count_kept(const sim_cloth *cloth, int64_t *all) {
    const weft_elements *lists;
    int64_t kept = 0;
    int32_t count = sim_model(cloth)->element_lists(cloth->self, &lists);
    for (int32_t l = 0; l < count; l++)
        for (int32_t e = 0; e < lists[l].count; e++, ++*all)
            kept += lists[l].from && lists[l].from[e] != WEFT_NONE;
    return kept;
}

/* -- the matrix -- */

enum { MOST_LISTS = 4 };

/* The element lists of all cloths, with global vertex numbers. The caller frees them. */
static int32_t list_elements(const weft_sim *sim, weft_elements *list) {
    weft_system system = sim_system(sim);
    int32_t count = weft_system_list_count(&system);
    assert_true(count <= MOST_LISTS);
    for (int32_t i = 0; i < count; i++) {
        int32_t first;
        list[i] = weft_system_list(&system, i, &first);
        size_t all = (size_t)list[i].count * (size_t)list[i].arity;
        int32_t *vertex = malloc((all + 1) * sizeof *vertex);
        for (size_t k = 0; k < all; k++)
            vertex[k] = first + list[i].vertex[k];
        list[i].vertex = vertex;
    }
    return count;
}

typedef struct structure {
    weft_bsr *matrix;
    weft_slots *slots[MOST_LISTS];
    int32_t list_count, first[2], vertices[2]; /* of the cloths */
} structure;

static structure make_structure(const weft_sim *sim) {
    structure s = {0};
    weft_elements list[MOST_LISTS];
    s.list_count = list_elements(sim, list);
    must(weft_bsr_create(sim->count, list, s.list_count, &s.matrix));
    for (int32_t i = 0; i < s.list_count; i++) {
        must(weft_slots_create(s.matrix, &list[i], &s.slots[i]));
        must(weft_slots_colour(s.slots[i], s.matrix, &list[i]));
        free((void *)list[i].vertex);
    }
    for (int32_t i = 0; i < sim->cloth_count; i++) {
        s.first[i] = sim->cloth[i].first;
        s.vertices[i] = sim->cloth[i].mesh->vertex_count;
    }
    return s;
}

static void free_structure(structure *s) {
    for (int32_t i = 0; i < s->list_count; i++)
        weft_slots_destroy(s->slots[i]);
    weft_bsr_destroy(s->matrix);
}

static void assert_matrix(const weft_sim *sim, structure *s) {
    weft_elements list[MOST_LISTS];
    int32_t count = list_elements(sim, list), *from = malloc((size_t)sim->count * sizeof *from),
            *moved = malloc((size_t)sim->count * sizeof *moved);
    assert_int_equal(count, s->list_count);
    for (int32_t i = 0; i < sim->cloth_count; i++) {
        const sim_cloth *cloth = &sim->cloth[i];
        for (int32_t v = 0; v < cloth->mesh->vertex_count; v++)
            from[cloth->first + v] =
                v < s->vertices[i] && !(cloth->reshapes && cloth->touched[v]) ? s->first[i] + v : WEFT_NONE;
    }
    must(weft_bsr_update(s->matrix, sim->count, from, list, count, moved));
    structure whole = make_structure(sim);
    const weft_bsr *a = s->matrix, *b = whole.matrix;
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->blocks, b->blocks);
    assert_same(a->start, b->start, (size_t)b->rows + 1, sizeof(int32_t));
    assert_same(a->column, b->column, (size_t)b->blocks, sizeof(int32_t));
    for (int32_t i = 0; i < count; i++) {
        must(weft_slots_update(s->slots[i], s->matrix, &list[i], moved));
        must(weft_slots_colour(s->slots[i], s->matrix, &list[i]));
        const weft_slots *p = s->slots[i], *q = whole.slots[i];
        assert_int_equal(p->count, q->count);
        assert_int_equal(p->pairs, q->pairs);
        assert_int_equal(p->chunk, q->chunk);
        assert_int_equal(p->colours, q->colours);
        assert_int_equal(p->serial, q->serial);
        assert_same(p->slot, q->slot, (size_t)q->count * (size_t)q->pairs, sizeof *q->slot);
        assert_same(p->order, q->order, (size_t)q->count, sizeof(int32_t));
        assert_same(p->colour_start, q->colour_start, (size_t)q->colours + 1, sizeof(int32_t));
        free((void *)list[i].vertex);
    }
    for (int32_t i = 0; i < sim->cloth_count; i++) {
        s->first[i] = whole.first[i];
        s->vertices[i] = whole.vertices[i];
    }
    free_structure(&whole);
    free(moved);
    free(from);
}

/* -- contact -- */

static void assert_contact(weft_sim *sim) {
    weft_contact *kept = sim->contact;
    sim->contact = NULL;
    must(sim_prepare_contact(sim));
    const weft_contact *a = kept, *b = sim->contact;
    assert_true(a != NULL && b != NULL);
    size_t n = (size_t)b->count, t = (size_t)b->triangle_count;
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->triangle_count, b->triangle_count);
    assert_int_equal(a->cloth_vertices, b->cloth_vertices);
    assert_int_equal(a->shape_bin_count, b->shape_bin_count);
    assert_same(a->triangle, b->triangle, t, sizeof *a->triangle);
    assert_same(a->marks, b->marks, t, sizeof *a->marks);
    assert_same(a->object_of, b->object_of, n, sizeof *a->object_of);
    assert_same(a->rest, b->rest, n, sizeof *a->rest);
    for (int32_t o = 0; o < b->object_count; o++) {
        const contact_object *p = &a->object[o], *q = &b->object[o];
        assert_int_equal(p->first, q->first);
        assert_int_equal(p->first_triangle, q->first_triangle);
        assert_int_equal(p->tree.leaves, q->tree.leaves);
        assert_int_equal(p->tree.count, q->tree.count);
        assert_same(p->tree.order, q->tree.order, (size_t)q->tree.count, sizeof(int32_t));
        assert_int_equal(p->surface.vertex_count, q->surface.vertex_count);
        assert_same(p->surface.position, q->surface.position, (size_t)q->surface.vertex_count, sizeof(weft_vec3));
        if (p->body)
            assert_same(p->crease, q->crease, 3 * (size_t)q->triangle_count, sizeof *q->crease);
    }
    weft_contact_destroy(sim->contact);
    sim->contact = kept;
}

/* -- tests -- */

static void reused_structures_equal_new_ones(void **state) {
    (void)state;
    enum { ROUNDS = 400 };
    static const setting SETTING = {"corotational", "implicit-euler", 2, 1};
    test_sim made = make(&SETTING, 9);
    structure s = make_structure(made.sim);
    uint64_t seed = 0;
    int64_t kept = 0, all = 0;
    for (int round = 0; round < ROUNDS; round++) {
        int32_t index = weft_random(11, seed++) < 0.5;
        change(made.sim, index, &seed);
        if (weft_random(11, seed++) < 0.3) /* both at once */
            change(made.sim, !index, &seed);
        must(sim_rebuild(made.sim));
        for (int32_t i = 0; i < 2; i++) {
            assert_areas(made.sim, &made.sim->cloth[i]);
            assert_elements(&made.sim->cloth[i]);
        }
        kept += count_kept(&made.sim->cloth[index], &all);
        assert_matrix(made.sim, &s);
        must(weft_sim_prepare(made.sim));
        assert_contact(made.sim);
    }
    print_message("%.0f %% of the elements of a changed mesh were reused\n", 100.0 * (double)kept / (double)all);
    assert_true(2 * kept > all);
    free_structure(&s);
    close_sim(&made);
}

/* Steps between changes, with reused data and with all data made from scratch, are bit-identical. */
static void steps_with_reused_data_are_bit_identical(void **state) {
    (void)state;
    static const setting SETTINGS[] = {{"corotational", "implicit-euler", 2, 1},
                                       {"corotational", "bdf2", 1, 0},
                                       {"buckling", "implicit-euler", 1, 1},
                                       {"buckling", "bdf2", 1, 0}};
    for (size_t k = 0; k < sizeof SETTINGS / sizeof SETTINGS[0]; k++) {
        test_sim made[2] = {make(&SETTINGS[k], 8), make(&SETTINGS[k], 8)};
        uint64_t seed[2] = {100 * k, 100 * k};
        for (int round = 0; round < 20; round++) {
            for (int i = 0; i < 2; i++) {
                weft_sim *sim = made[i].sim;
                change(sim, round % SETTINGS[k].cloths, &seed[i]);
                if (i == 1) {
                    sim_cloth *cloth = &sim->cloth[round % SETTINGS[k].cloths];
                    sim_forget_integrator(sim);
                    sim_forget_contact(sim);
                    cloth->stale = SIM_REPLACED;
                }
                for (int step = 0; step < 3; step++) {
                    weft_report report;
                    must(weft_sim_step(sim, 0.004, &report));
                    assert_int_equal(report.status, WEFT_STATUS_OK);
                }
            }
            assert_true(weft_sim_hash(made[0].sim) == weft_sim_hash(made[1].sim));
        }
        close_sim(&made[0]);
        close_sim(&made[1]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(reused_structures_equal_new_ones),
                                       cmocka_unit_test(steps_with_reused_data_are_bit_identical)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
