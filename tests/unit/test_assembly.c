/* The matrix of an implicit step, assembled row by row or by gathering, against the plain sum of the blocks of all
 * elements. */
#include <stdio.h>
#include <string.h>

#include "cloth/springs/springs.h"
#include "core/memory.h"
#include "sim/internal.h"
#include "solve/assemble.h"
#include "solve/slots.h"
#include "support.h"
#include "weft/vec.h"

static const double H = 0.01;

/* Several cloths, stored one after the other in the matrix. */
static weft_sim *make_cloths(weft_registry *registry, const char *const *model, int count, int64_t cells, int64_t down,
                             int diagonals, const char *const set[2]) {
    weft_sim *sim;
    must(weft_sim_create(registry, &sim));
    plain_sim(sim);
    for (int i = 0; i < count; i++) {
        weft_grid grid = weft_grid_default();
        char name[] = "sheet0";
        name[5] = (char)('0' + i);
        grid.cells[0] = cells;
        grid.cells[1] = down + i;
        grid.diagonals = diagonals;
        weft_mesh *mesh;
        must(weft_mesh_create_grid(&grid, &mesh));
        must(weft_sim_add_cloth(sim, name, mesh, &weft_fabric_preset_find("cotton")->fabric, model[i], NULL));
        plain_model(sim);
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
    double *air;
} moment;

static double noise(uint64_t *counter) { return 2 * weft_random(7, ++*counter) - 1; }

static weft_vec3 noise3(uint64_t *counter) {
    double x = noise(counter), y = noise(counter);
    return weft_vec3_make(x, y, noise(counter));
}

static moment make_state(const weft_system *system, double rough, double far) {
    moment s;
    uint64_t counter = 0;
    weft_vec3 **all[] = {&s.x, &s.v, &s.X, &s.V, &s.f, &s.b, &s.u};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
        *all[k] = calloc((size_t)system->count, sizeof(weft_vec3));
        for (int32_t i = 0; i < system->count; i++)
            (*all[k])[i] = noise3(&counter);
    }
    s.air = calloc((size_t)system->count, 6 * sizeof *s.air);
    for (int32_t i = 0; i < system->count; i++) {
        s.x[i] = weft_add_scaled(system->x[i], rough, s.x[i]);
        s.x[i] = weft_add(s.x[i], weft_vec3_make(far, -2 * far, far));
        s.X[i] = weft_add_scaled(s.x[i], 0.01, s.X[i]);
        for (int k = 0; k < 6; k++)
            s.air[6 * i + k] = 0.1 * (k == 0 || k == 3 || k == 5);
    }
    return s;
}

static void free_state(moment *s) {
    void *all[] = {s->x, s->v, s->X, s->V, s->f, s->b, s->u, s->air};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
        free(all[k]);
}

/* Sums in double precision: blocks, the sum of the blocks of each row, and b. */
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

static expected sum_up(const weft_system *system, const weft_assembly_plan *plan, const moment *s) {
    size_t n = (size_t)system->count;
    expected e = {calloc(9 * (size_t)plan->matrix->blocks, sizeof(double)), calloc(9 * n, sizeof(double)),
                  calloc(n, sizeof(weft_vec3))};
    for (size_t i = 0; i < n; i++)
        e.b[i] = weft_add(weft_scale(system->mass[i], weft_sub(s->V[i], s->v[i])), weft_scale(H, s->f[i]));
    for (int32_t l = 0; l < plan->list_count; l++) {
        const weft_elements *list = &plan->list[l];
        for (int32_t element = 0; element < list->count; element++) {
            const int32_t *vertex = list->vertex + (size_t)element * (size_t)list->arity;
            double k[90], d[90];
            weft_system_element_blocks(system, l, &element, 1, s->x, s->v, k, d);
            for (int p = 0, at = 0; p < list->arity; p++)
                for (int q = p + 1; q < list->arity; q++, at += 9) {
                    add_pair(plan->matrix, &e, s, vertex[p], vertex[q], k + at, d + at, 0);
                    add_pair(plan->matrix, &e, s, vertex[q], vertex[p], k + at, d + at, 1);
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

/* Entries agree to float precision, relative to the largest entry of their row. */
static void compare(const weft_system *system, const weft_assembly_plan *plan, const moment *s, const expected *e) {
    const weft_bsr *m = plan->matrix;
    for (int32_t i = 0; i < system->count; i++) {
        size_t first = 9 * (size_t)m->start[i], count = 9 * (size_t)m->start[i + 1] - first;
        double scale = most(e->block + first, count), mass = system->mass[i];
        for (int32_t k = m->start[i]; k < m->start[i + 1]; k++) {
            double block[9];
            weft_bsr_block(m, k, block);
            for (size_t c = 0; c < 9; c++)
                assert_true(fabs(block[c] - e->block[9 * (size_t)k + c]) <= 2e-6 * scale);
        }
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++) {
                double own = r == c ? mass + H * 0.1 : 0, row = e->row[9 * (size_t)i + 3 * r + c];
                assert_true(fabs((double)m->diagonal[9 * (size_t)i + 3 * r + c] - (own - row)) <= 2e-5 * scale);
                assert_true(fabs((double)m->excess[9 * (size_t)i + 3 * r + c] - own) <= 1e-5 * scale + 1e-7 * own);
            }
        assert_true(weft_distance(s->b[i], e->b[i]) <= 1e-5 * scale / H);
    }
}

typedef enum how { AT_ONCE, BY_ELEMENTS, BY_COLOURS, ANYHOW } how;

/* Grids of cells x down. Each further cloth has one more row of cells. */
typedef struct setup {
    const char *const *model;
    int count;
    int64_t cells, down;
    int diagonals;
    double rough, far; /* m by which vertices are moved: each one randomly, and all together */
    how by;
    const char *const *set; /* name and value of a setting of the finite-element cloths, or null */
} setup;

static void assemble_by_elements(how by, const weft_assembly_plan *plan, weft_cloth_rows *rows) {
    if (by == BY_COLOURS) {
        weft_row_gather_destroy(rows->gather);
        rows->gather = NULL;
        for (int32_t l = 0; l < rows->list_count; l++)
            must(weft_slots_colour(rows->slots[l], plan->matrix, &rows->list[l]));
    } else if (!rows->gather) {
        must(weft_row_gather_create(plan->matrix, rows->begin, rows->end, rows->list, rows->slots, rows->list_count,
                                    &rows->gather));
        assert_non_null(rows->gather);
    }
}

static void choose(const setup *given, weft_assembly_plan *plan) {
    int others = 0;
    assert_int_equal(plan->count, given->count);
    for (int32_t i = 0; i < plan->count; i++) {
        int elements = strcmp(given->model[i], "corotational") == 0;
        weft_row_pairs *pairs = plan->cloth_rows[i].pairs;
        others += elements;
        assert_int_equal(pairs == NULL, elements);
        if (given->by != BY_ELEMENTS && given->by != BY_COLOURS)
            continue;
        weft_row_pairs_destroy(pairs);
        plan->cloth_rows[i].pairs = NULL;
        assemble_by_elements(given->by, plan, &plan->cloth_rows[i]);
    }
    assert_int_equal(plan->matrix->form, others ? WEFT_BSR_FULL : WEFT_BSR_PAIRS);
    if (given->by == BY_ELEMENTS || given->by == BY_COLOURS)
        must(weft_bsr_set_form(plan->matrix, WEFT_BSR_FULL));
}

static void assemble_all(weft_system *system, const weft_assembly_plan *plan, const moment *s, int threads) {
    weft_work work = {threads, weft_arena_create()};
    system->work = &work;
    weft_assembly a = {system, plan->matrix, H, s->x, s->v, s->X, s->V, s->f, s->air, 1, s->b, s->u, NULL};
    for (int32_t i = 0; i < plan->count; i++) {
        a.scratch = malloc(weft_assemble_scratch(&plan->cloth_rows[i]));
        weft_assemble(&a, &plan->cloth_rows[i]);
        free(a.scratch);
    }
    weft_arena_destroy(work.arena);
    system->work = NULL;
}

static void compare_with_sums(weft_system *system, const weft_assembly_plan *plan, const moment *s) {
    expected e = sum_up(system, plan, s);
    compare(system, plan, s, &e);
    free(e.block);
    free(e.row);
    free(e.b);
}

static void check_cloths(const setup *given) {
    weft_registry *registry;
    must(weft_registry_create(&registry));
    weft_sim *sim =
        make_cloths(registry, given->model, given->count, given->cells, given->down, given->diagonals, given->set);
    weft_system system = sim_system(sim);
    weft_assembly_plan plan = {0};
    must(weft_assembly_plan_create(&system, &plan));
    choose(given, &plan);
    moment s = make_state(&system, given->rough, given->far);
    const weft_bsr *m = plan.matrix;
    size_t rows = (size_t)m->rows, bytes = (size_t)m->form * (size_t)m->blocks * sizeof *m->value;
    size_t nine = 9 * rows * sizeof(float), three = rows * sizeof(weft_vec3);
    char *first = calloc(1, bytes + 2 * nine + three);
    for (int threads = 1; threads <= 3; threads++) {
        assemble_all(&system, &plan, &s, threads);
        if (threads == 1) {
            compare_with_sums(&system, &plan, &s);
            memcpy(first, m->value, bytes);
            memcpy(first + bytes, m->diagonal, nine);
            memcpy(first + bytes + nine, m->excess, nine);
            memcpy(first + bytes + 2 * nine, s.b, three);
        }
        assert_memory_equal(first, m->value, bytes);
        assert_memory_equal(first + bytes, m->diagonal, nine);
        assert_memory_equal(first + bytes + nine, m->excess, nine);
        assert_memory_equal(first + bytes + 2 * nine, s.b, three);
    }
    free(first);
    free_state(&s);
    weft_assembly_plan_free(&plan);
    weft_sim_destroy(sim);
    weft_registry_destroy(registry);
}

static void check(const char *const *model, int count, int64_t cells, int diagonals, double rough, how by) {
    const setup given = {model, count, cells, cells, diagonals, rough, 0, by, NULL};
    check_cloths(&given);
}

static void rows_match_sums_of_element_blocks(void **state) {
    (void)state;
    static const char *const MODELS[] = {"springs", "buckling", "springs"};
    check(MODELS, 3, 7, WEFT_ALTERNATING, 0.01, AT_ONCE);
    check(MODELS, 3, 11, WEFT_CRISS_CROSS, 0.01, AT_ONCE);
    check(MODELS, 3, 25, WEFT_CRISS_CROSS, 0.001, AT_ONCE); /* centres of cells are far from their corners in memory */
    check(MODELS, 3, 9, WEFT_ALTERNATING, 0.01, BY_ELEMENTS);
    check(MODELS, 3, 9, WEFT_ALTERNATING, 0.01, BY_COLOURS);
}

static void rows_of_large_and_narrow_sheets_match_sums(void **state) {
    (void)state;
    static const char *const MODELS[] = {"springs", "buckling", "springs"};
    check(MODELS, 3, 20, WEFT_ALTERNATING, 0.05, AT_ONCE);
    check(MODELS, 1, 60, WEFT_ALTERNATING, 0.001, AT_ONCE);
    check(MODELS, 3, 151, WEFT_ALTERNATING, 0.0001, AT_ONCE); /* large enough for streaming stores */
    const setup away = {MODELS, 3, 40, 40, WEFT_ALTERNATING, 0.0002, 100, AT_ONCE, NULL};
    check_cloths(&away);
    /* Edges of 1e-4 of the sheet. Sheets are narrow or wide. Only springs: the stiffness of a `buckling` interaction
     * jumps where it begins to resist. Among so many interactions, some jump in single precision but not in double. */
    static const char *const SPRINGS[] = {"springs", "springs"};
    const setup fine = {SPRINGS, 2, 19, 10000, WEFT_ALTERNATING, 1e-5, 0, AT_ONCE, NULL};
    check_cloths(&fine);
    const setup wide = {SPRINGS, 2, 1100, 15, WEFT_ALTERNATING, 1e-4, 0, AT_ONCE, NULL};
    check_cloths(&wide);
}

static void compare_both_ends(const weft_bsr *m) {
    for (int32_t i = 0; i < m->rows; i++)
        for (int32_t at = m->start[i]; at < m->start[i + 1]; at++) {
            int32_t across = weft_bsr_slot(m, m->column[at], i);
            double here[9], there[9];
            weft_bsr_block(m, at, here);
            weft_bsr_block(m, across, there);
            for (int c = 0; c < 9; c++)
                assert_true(fabs(here[c] - there[3 * (c % 3) + c / 3]) <= 1e-5 * most(here, 9));
            for (int c = 0; c < 4 && m->form == WEFT_BSR_PAIRS; c++)
                assert_true(m->value[4 * at + c] == (c < 3 ? -1.0F : 1.0F) * m->value[4 * across + c]);
        }
}

/* A sheet at rest except for rounding errors, where an interaction may or may not resist. Both ends must agree whether
 * it does. In the pair form they must be bit-identical up to sign. */
static void matrices_are_symmetric(void **state) {
    (void)state;
    static const char *const MODELS[] = {"springs", "buckling", "corotational"};
    for (int k = 0; k < 3; k++) {
        weft_registry *registry;
        must(weft_registry_create(&registry));
        weft_sim *sim = make_cloths(registry, MODELS + k, 1, 40, 30, WEFT_ALTERNATING, NULL);
        weft_system system = sim_system(sim);
        weft_assembly_plan plan = {0};
        must(weft_assembly_plan_create(&system, &plan));
        const setup given = {MODELS + k, 1, 40, 30, WEFT_ALTERNATING, 1e-9, 0, k < 2 ? AT_ONCE : ANYHOW, NULL};
        choose(&given, &plan);
        moment s = make_state(&system, given.rough, 0);
        assemble_all(&system, &plan, &s, 1);
        compare_both_ends(plan.matrix);
        free_state(&s);
        weft_assembly_plan_free(&plan);
        weft_sim_destroy(sim);
        weft_registry_destroy(registry);
    }
}

/* Springs that break or change their stiffness. */
static void assembly_follows_changed_and_broken_springs(void **state) {
    (void)state;
    static const char *const MODELS[] = {"springs"};
    weft_registry *registry;
    must(weft_registry_create(&registry));
    weft_sim *sim = make_cloths(registry, MODELS, 1, 40, 30, WEFT_ALTERNATING, NULL);
    weft_system system = sim_system(sim);
    weft_springs *springs = sim->cloth[0].self;
    weft_assembly_plan plan = {0};
    must(weft_assembly_plan_create(&system, &plan));
    moment s = make_state(&system, 0.001, 0);
    for (int change = 0; change < 3; change++) {
        assemble_all(&system, &plan, &s, 1);
        compare_with_sums(&system, &plan, &s);
        for (int32_t i = change; i < springs->list.count; i += 7) {
            if (change == 0)
                springs->stiffness[i] *= 1 + (float)(i % 5);
            else
                springs->broken[i >> 3] |= (uint8_t)(1 << (i & 7));
        }
        weft_springs_refresh(springs);
    }
    free_state(&s);
    weft_assembly_plan_free(&plan);
    weft_sim_destroy(sim);
    weft_registry_destroy(registry);
}

static void duplicate_pairs_are_refused(void **state) {
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

/* The sizes give one segment, several segments, and rows in a permuted order. */
static void gathered_elements_match_sums_of_element_blocks(void **state) {
    (void)state;
    static const char *const MODELS[] = {"corotational", "springs", "corotational"};
    check(MODELS, 3, 5, WEFT_ALTERNATING, 0.001, ANYHOW);
    check(MODELS, 3, 60, WEFT_ALTERNATING, 0.0002, ANYHOW);
    check(MODELS, 1, 120, WEFT_ALTERNATING, 0.0002, ANYHOW);
    check(MODELS, 3, 40, WEFT_CRISS_CROSS, 0.0002, ANYHOW);
    check(MODELS, 1, 90, WEFT_CRISS_CROSS, 0.0001, ANYHOW);
    check(MODELS, 3, 9, WEFT_ALTERNATING, 0.001, BY_COLOURS);
}

/* Covers tensors of ten pairs, and lists in which all or some elements provide only blocks. */
static void all_element_settings_match_sums_of_element_blocks(void **state) {
    (void)state;
    static const char *const MODELS[] = {"corotational", "springs", "corotational"};
    static const char *const SETTINGS[][2] = {{"angle", "0.3"},    {"bending", "hinge"}, {"bending", "springs"},
                                              {"bending", "none"}, {"bending", "edges"}, {"strain", "corotated"},
                                              {"strain", "green"}, {"hessian", "frozen"}};
    for (size_t k = 0; k < sizeof SETTINGS / sizeof SETTINGS[0]; k++) {
        const setup small = {MODELS, 3, 12, 12, WEFT_ALTERNATING, 0.001, 0, ANYHOW, SETTINGS[k]};
        const setup large = {MODELS, 1, 70, 70, WEFT_ALTERNATING, 0.0002, 0, ANYHOW, SETTINGS[k]};
        check_cloths(&small);
        check_cloths(&large);
    }
}

/* A model without elements: its vertices fall freely. */
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
static const weft_param NO_PARAMS[] = {{0}};
static const weft_component DUST = {.abi = WEFT_ABI,
                                    .kind = WEFT_MODEL,
                                    .name = "dust",
                                    .help = "nothing holds it together",
                                    .settings_size = 1,
                                    .params = NO_PARAMS,
                                    .functions = &DUST_FUNCTIONS,
                                    .paper = ""};

static void rows_without_elements_contain_mass(void **state) {
    (void)state;
    static const char *const MODELS[][3] = {
        {"dust"}, {"dust", "springs"}, {"springs", "dust"}, {"dust", "corotational", "dust"}};
    static const int COUNT[] = {1, 2, 2, 3};
    static const int64_t CELLS[] = {3, 40};
    for (int k = 0; k < 8; k++) {
        weft_registry *registry;
        must(weft_registry_create(&registry));
        must(weft_registry_add(registry, &DUST));
        weft_sim *sim =
            make_cloths(registry, MODELS[k / 2], COUNT[k / 2], CELLS[k % 2], CELLS[k % 2], WEFT_ALTERNATING, NULL);
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_match_sums_of_element_blocks),
                                       cmocka_unit_test(rows_of_large_and_narrow_sheets_match_sums),
                                       cmocka_unit_test(assembly_follows_changed_and_broken_springs),
                                       cmocka_unit_test(matrices_are_symmetric),
                                       cmocka_unit_test(rows_without_elements_contain_mass),
                                       cmocka_unit_test(duplicate_pairs_are_refused),
                                       cmocka_unit_test(gathered_elements_match_sums_of_element_blocks),
                                       cmocka_unit_test(all_element_settings_match_sums_of_element_blocks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
