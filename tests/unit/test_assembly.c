/* The matrix of an implicit step as the integrator makes it, row by row or gathered, beside the plain sum of all
 * elements' blocks. */
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "integrate/assemble.h"
#include "sim/internal.h"
#include "support.h"
#include "weft/vec.h"

static const double H = 0.01;

/* Several cloths, one after the other in the matrix. */
static weft_sim *make_cloths(weft_registry *registry, const char *const *model, int count, int64_t cells, int diagonals,
                             const char *const set[2]) {
    weft_sim *sim;
    must(weft_sim_create(registry, &sim));
    for (int i = 0; i < count; i++) {
        weft_grid grid = weft_grid_default();
        char name[] = "sheet0";
        name[5] = (char)('0' + i);
        grid.cells[0] = cells;
        grid.cells[1] = cells + i;
        grid.diagonals = diagonals;
        weft_mesh *mesh;
        must(weft_mesh_create_grid(&grid, &mesh));
        must(weft_sim_add_cloth(sim, name, mesh, &weft_fabric_preset_find("cotton")->fabric, model[i], NULL));
        char path[64];
        snprintf(path, sizeof path, "cloth.%d.model.%s", i, set ? set[0] : "");
        if (set && strcmp(model[i], "corotational") == 0)
            must(weft_sim_set(sim, path, set[1]));
    }
    must(weft_sim_set_integrator(sim, "implicit-euler"));
    must(weft_sim_prepare(sim));
    return sim;
}

typedef struct moment {
    weft_vec3 *x, *v, *X, *V, *f, *b, *u;
    double (*place)[8], *air;
} moment;

static double noise(uint64_t *counter) { return 2 * weft_random(7, ++*counter) - 1; }

static weft_vec3 noise3(uint64_t *counter) {
    double x = noise(counter), y = noise(counter);
    return weft_vec3_make(x, y, noise(counter));
}

static moment make_state(const weft_system *system, double rough) {
    moment s;
    uint64_t counter = 0;
    weft_vec3 **all[] = {&s.x, &s.v, &s.X, &s.V, &s.f, &s.b, &s.u};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
        *all[k] = calloc((size_t)system->count, sizeof(weft_vec3));
        for (int32_t i = 0; i < system->count; i++)
            (*all[k])[i] = noise3(&counter);
    }
    s.place = calloc((size_t)system->count, sizeof *s.place);
    s.air = calloc((size_t)system->count, 6 * sizeof *s.air);
    for (int32_t i = 0; i < system->count; i++) {
        s.x[i] = weft_add_scaled(system->x[i], rough, s.x[i]);
        s.X[i] = weft_add_scaled(s.x[i], 0.01, s.X[i]);
        for (int k = 0; k < 6; k++)
            s.air[6 * i + k] = 0.1 * (k == 0 || k == 3 || k == 5);
    }
    return s;
}

static void free_state(moment *s) {
    void *all[] = {s->x, s->v, s->X, s->V, s->f, s->b, s->u, s->place, s->air};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
        free(all[k]);
}

/* Sums in double: blocks, what they add up to in each row, and b. */
typedef struct expected {
    double *block, *row;
    weft_vec3 *b;
} expected;

static void add_pair(const weft_bsr *matrix, expected *e, const moment *s, int32_t i, int32_t j, const double *k,
                     const double *d, int turned) {
    int32_t slot = weft_bsr_slot(matrix, i, j);
    weft_vec3 ui = weft_sub(weft_add_scaled(s->X[i], H, s->v[i]), s->x[i]);
    weft_vec3 uj = weft_sub(weft_add_scaled(s->X[j], H, s->v[j]), s->x[j]), u = weft_sub(uj, ui);
    const double apart[3] = {u.x, u.y, u.z};
    double product[3] = {0};
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            int m = turned ? 3 * c + r : 3 * r + c;
            e->block[9 * (size_t)slot + 3 * r + c] += H * (H * k[m] + d[m]);
            e->row[9 * (size_t)i + 3 * r + c] += H * (H * k[m] + d[m]);
            product[r] += k[m] * apart[c];
        }
    e->b[i] = weft_add_scaled(e->b[i], -H, weft_vec3_make(product[0], product[1], product[2]));
}

static expected sum_up(const weft_system *system, const weft_parts *parts, const moment *s) {
    size_t n = (size_t)system->count;
    expected e = {calloc(9 * (size_t)parts->matrix->blocks, sizeof(double)), calloc(9 * n, sizeof(double)),
                  calloc(n, sizeof(weft_vec3))};
    for (size_t i = 0; i < n; i++)
        e.b[i] = weft_add(weft_scale(system->mass[i], weft_sub(s->V[i], s->v[i])), weft_scale(H, s->f[i]));
    for (int32_t l = 0; l < parts->list_count; l++) {
        const weft_elements *list = &parts->list[l];
        for (int32_t element = 0; element < list->count; element++) {
            const int32_t *vertex = list->vertex + (size_t)element * (size_t)list->arity;
            double k[90], d[90];
            weft_system_blocks(system, l, &element, 1, s->x, s->v, k, d);
            for (int p = 0, at = 0; p < list->arity; p++)
                for (int q = p + 1; q < list->arity; q++, at += 9) {
                    add_pair(parts->matrix, &e, s, vertex[p], vertex[q], k + at, d + at, 0);
                    add_pair(parts->matrix, &e, s, vertex[q], vertex[p], k + at, d + at, 1);
                }
        }
    }
    return e;
}

static double most(const double *a, size_t count) {
    double m = 0;
    for (size_t i = 0; i < count; i++)
        m = fmax(m, fabs(a[i]));
    return m;
}

/* Each to the precision of floats, by the greatest entry of its row. */
static void compare(const weft_system *system, const weft_parts *parts, const moment *s, const expected *e) {
    const weft_bsr *m = parts->matrix;
    for (int32_t i = 0; i < system->count; i++) {
        size_t first = 9 * (size_t)m->start[i], count = 9 * (size_t)m->start[i + 1] - first;
        double scale = most(e->block + first, count), mass = system->mass[i];
        for (size_t k = first; k < first + count; k++)
            assert_true(fabs((double)m->value[k] - e->block[k]) <= 2e-6 * scale);
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++) {
                double own = r == c ? mass + H * 0.1 : 0, row = e->row[9 * (size_t)i + 3 * r + c];
                assert_true(fabs((double)m->diagonal[9 * (size_t)i + 3 * r + c] - (own - row)) <= 2e-5 * scale);
                assert_true(fabs((double)m->excess[9 * (size_t)i + 3 * r + c] - own) <= 1e-5 * scale + 1e-7 * own);
            }
        assert_true(weft_distance(s->b[i], e->b[i]) <= 1e-5 * scale / H);
    }
}

typedef enum how { AT_ONCE, BY_ELEMENTS, BY_COLOURS } how;

/* `set`: the name and value of a setting of finite elements, or null. */
static void check_set(const char *const *model, int count, int64_t cells, int diagonals, double rough, how by,
                      const char *const set[2]) {
    weft_registry *registry;
    must(weft_registry_create(&registry));
    weft_sim *sim = make_cloths(registry, model, count, cells, diagonals, set);
    weft_system system = sim_system(sim);
    weft_parts parts = {0};
    must(weft_parts_create(&system, &parts));
    assert_int_equal(parts.count, count);
    for (int32_t i = 0; i < parts.count; i++) {
        assert_true(!parts.part[i].pairs == (strcmp(model[i], "corotational") == 0));
        if (by != AT_ONCE) {
            weft_row_pairs_destroy(parts.part[i].pairs);
            parts.part[i].pairs = NULL;
        }
        if (by == BY_COLOURS) {
            weft_row_gather_destroy(parts.part[i].gather);
            parts.part[i].gather = NULL;
        } else if (!parts.part[i].pairs && !parts.part[i].gather) {
            must(weft_row_gather_create(parts.matrix, parts.part[i].begin, parts.part[i].end, parts.part[i].list,
                                        parts.part[i].slots, parts.part[i].list_count, &parts.part[i].gather));
            assert_non_null(parts.part[i].gather);
        }
    }
    moment s = make_state(&system, rough);
    const weft_bsr *m = parts.matrix;
    float *first = calloc(9 * (size_t)m->blocks, sizeof *first);
    for (int threads = 1; threads <= 3; threads++) {
        weft_work work = {threads, weft_arena_create()};
        system.work = &work;
        weft_assembly a = {&system, parts.matrix, H, s.x, s.v, s.X, s.V, s.f, s.air, 1, s.b, s.u, s.place};
        for (int32_t i = 0; i < parts.count; i++)
            weft_assemble(&a, &parts.part[i]);
        if (threads == 1) {
            expected e = sum_up(&system, &parts, &s);
            compare(&system, &parts, &s, &e);
            memcpy(first, m->value, 9 * (size_t)m->blocks * sizeof *first);
            free(e.block);
            free(e.row);
            free(e.b);
        }
        assert_memory_equal(first, m->value, 9 * (size_t)m->blocks * sizeof *first);
        weft_arena_destroy(work.arena);
    }
    free(first);
    free_state(&s);
    weft_parts_free(&parts);
    weft_sim_destroy(sim);
    weft_registry_destroy(registry);
}

static void check(const char *const *model, int count, int64_t cells, int diagonals, double rough, how by) {
    check_set(model, count, cells, diagonals, rough, by, NULL);
}

static void rows_are_made_at_once(void **state) {
    (void)state;
    static const char *const MODELS[] = {"springs", "buckling", "springs"};
    check(MODELS, 3, 7, WEFT_ALTERNATING, 0.01, AT_ONCE);
    check(MODELS, 3, 20, WEFT_ALTERNATING, 0.05, AT_ONCE);
    check(MODELS, 1, 60, WEFT_ALTERNATING, 0.001, AT_ONCE);
    check(MODELS, 3, 11, WEFT_CRISS_CROSS, 0.01, AT_ONCE);
    check(MODELS, 3, 9, WEFT_ALTERNATING, 0.01, BY_ELEMENTS);
    check(MODELS, 3, 9, WEFT_ALTERNATING, 0.01, BY_COLOURS);
    check(MODELS, 3, 151, WEFT_ALTERNATING, 0.0001, AT_ONCE); /* written past the cache */
}

static void pairs_between_the_same_vertices_are_refused(void **state) {
    (void)state;
    static const int32_t spring[3][2] = {{0, 1}, {1, 2}, {1, 0}};
    for (int count = 2; count <= 3; count++) {
        weft_elements list = {.count = count, .arity = 2, .vertex = spring[0]};
        weft_bsr *matrix;
        weft_slots *slots;
        weft_row_pairs *pairs;
        must(weft_bsr_create(3, &list, 1, &matrix));
        must(weft_slots_create(matrix, &list, &slots));
        must(weft_row_pairs_create(matrix, 0, 3, &list, slots, &pairs));
        assert_true((pairs != NULL) == (count == 2));
        weft_row_pairs_destroy(pairs);
        weft_slots_destroy(slots);
        weft_bsr_destroy(matrix);
    }
}

/* In one segment, in several, and in an order of rows that is not theirs. */
static void elements_are_gathered(void **state) {
    (void)state;
    static const char *const MODELS[] = {"corotational", "springs", "corotational"};
    check(MODELS, 3, 5, WEFT_ALTERNATING, 0.001, AT_ONCE);
    check(MODELS, 3, 60, WEFT_ALTERNATING, 0.0002, AT_ONCE);
    check(MODELS, 1, 120, WEFT_ALTERNATING, 0.0002, AT_ONCE);
    check(MODELS, 3, 40, WEFT_CRISS_CROSS, 0.0002, AT_ONCE);
    check(MODELS, 1, 90, WEFT_CRISS_CROSS, 0.0001, AT_ONCE);
    check(MODELS, 3, 9, WEFT_ALTERNATING, 0.001, BY_COLOURS);
}

/* Tensors of ten pairs; elements of which only blocks are known, all of them or some. */
static void all_kinds_of_elements_are_gathered(void **state) {
    (void)state;
    static const char *const MODELS[] = {"corotational", "springs", "corotational"};
    static const char *const SETTINGS[][2] = {{"angle", "0.3"},    {"bending", "hinge"}, {"bending", "springs"},
                                              {"bending", "none"}, {"bending", "edges"}, {"strain", "corotated"},
                                              {"strain", "green"}, {"hessian", "frozen"}};
    for (size_t k = 0; k < sizeof SETTINGS / sizeof SETTINGS[0]; k++) {
        check_set(MODELS, 3, 12, WEFT_ALTERNATING, 0.001, AT_ONCE, SETTINGS[k]);
        check_set(MODELS, 1, 70, WEFT_ALTERNATING, 0.0002, AT_ONCE, SETTINGS[k]);
    }
}

/* A model without any elements: its vertices fall freely. */
static weft_result create_dust(const void *settings, const weft_cloth *cloth, void **self) {
    (void)settings;
    (void)cloth;
    *self = calloc(1, 1);
    return weft_ok();
}

static void no_force(const void *self, const weft_work *work, const weft_vec3 *x, const weft_vec3 *v, weft_vec3 *f) {
    (void)self;
    (void)work;
    (void)x;
    (void)v;
    (void)f;
}

static int32_t no_lists(const void *self, const weft_elements **lists) {
    (void)self;
    *lists = NULL;
    return 0;
}

static void no_blocks(const void *self, int32_t list, const int32_t *element, int32_t count, const weft_vec3 *x,
                      const weft_vec3 *v, double *stiffness, double *damping) {
    (void)self;
    (void)list;
    (void)element;
    (void)count;
    (void)x;
    (void)v;
    (void)stiffness;
    (void)damping;
}

static const weft_model_functions DUST_FUNCTIONS = {.gives = WEFT_FORCES | WEFT_HESSIANS,
                                                    .create = create_dust,
                                                    .destroy = free,
                                                    .force = no_force,
                                                    .element_lists = no_lists,
                                                    .element_blocks = no_blocks};
static const weft_param NO_PARAMS[] = {{NULL, WEFT_REAL, 0, 0, 0, NULL, NULL, NULL, NULL, 0}};
static const weft_component DUST = {.abi = WEFT_ABI,
                                    .kind = WEFT_MODEL,
                                    .name = "dust",
                                    .help = "nothing holds it together",
                                    .settings_size = 1,
                                    .params = NO_PARAMS,
                                    .functions = &DUST_FUNCTIONS,
                                    .paper = ""};

static void rows_without_elements_have_their_mass(void **state) {
    (void)state;
    static const char *const MODELS[][3] = {
        {"dust"}, {"dust", "springs"}, {"springs", "dust"}, {"dust", "corotational", "dust"}};
    static const int COUNT[] = {1, 2, 2, 3};
    static const int64_t CELLS[] = {3, 40};
    for (int k = 0; k < 8; k++) {
        weft_registry *registry;
        must(weft_registry_create(&registry));
        must(weft_registry_add(registry, &DUST));
        weft_sim *sim = make_cloths(registry, MODELS[k / 2], COUNT[k / 2], CELLS[k % 2], WEFT_ALTERNATING, NULL);
        must(weft_sim_add_force(sim, "gravity", NULL));
        for (int step = 0; step < 3; step++)
            must(weft_sim_step(sim, H, NULL));
        weft_system system = sim_system(sim);
        for (int32_t i = 0; i < system.count; i++)
            assert_true(fabs(system.v[i].y + 3 * H * 9.81) < 1e-3);
        weft_sim_destroy(sim);
        weft_registry_destroy(registry);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_made_at_once), cmocka_unit_test(rows_without_elements_have_their_mass),
        cmocka_unit_test(pairs_between_the_same_vertices_are_refused), cmocka_unit_test(elements_are_gathered),
        cmocka_unit_test(all_kinds_of_elements_are_gathered)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
