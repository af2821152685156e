/* The matrix of an implicit step, assembled as in the integrator, is positive definite on thousands of random states.
 * Most of these are crushed. The smallest Ritz value must be above zero. */
#include "cloth/model_kernels.h"
#include "support.h"

#include "cloth/builtin_models.h"
#include "core/memory.h"
#include "solve/ritz.h"
#include "solve/row_pairs.h"
#include "solve/slots.h"
#include "weft/vec.h"

enum { SIDE = 7, COUNT = (SIDE + 1) * (SIDE + 1), STATES = 2500 };

typedef struct assembly {
    const weft_model_functions *model;
    void *self;
    const weft_elements *list;
    weft_bsr *matrix;
    weft_slots *slots;
    weft_row_pairs *pairs;
    weft_vec3 x[COUNT], v[COUNT];
    double h;
} assembly;

static void add(assembly *a) {
    double place[COUNT][8];
    weft_pair_sum sum[COUNT];
    for (int32_t i = 0; i < COUNT; i++)
        memcpy(place[i], (const double[8]){a->x[i].x, a->x[i].y, a->x[i].z}, sizeof place[i]);
    const weft_pair_rows rows = {
        COUNT, 0, a->matrix->start, a->pairs->element, a->matrix->column, (const double(*)[8])place, a->h};
    a->model->kernels->pair_rows(a->self, &rows, a->matrix->value, sum);
}

/* From slightly disturbed to crushed to a tenth of its size, with some coinciding vertices. */
static void crush(assembly *a, const weft_mesh *mesh, uint64_t state) {
    double size = 0.1 + 1.1 * weft_random(state, 0), rough = 0.3 * weft_random(state, 1);
    for (int32_t i = 0; i < COUNT; i++) {
        uint64_t n = 2 + 6 * (uint64_t)i;
        weft_vec3 noise = {weft_random(state, n) - 0.5, weft_random(state, n + 1) - 0.5,
                           weft_random(state, n + 2) - 0.5};
        a->x[i] = weft_add_scaled(weft_scale(size, mesh->position[i]), rough, noise);
        a->v[i] = weft_scale(10, noise);
        if (i > 0 && weft_random(state, n + 3) < 0.05)
            a->x[i] = a->x[i - 1];
    }
}

/* Stiffnesses per element, as far as the model has them. */
static void give(const weft_param *params, void *settings) {
    static const char *const GIVEN[][2] = {{"structural_stiffness", "100"},
                                           {"shear_stiffness", "50"},
                                           {"flexion_stiffness", "10"},
                                           {"stretch", "100"},
                                           {"flexion", "1e-7"},
                                           {"flexion_triangles", "5e-6"}};
    for (size_t i = 0; i < sizeof GIVEN / sizeof GIVEN[0]; i++) {
        const weft_param *row = weft_params_find(params, GIVEN[i][0]);
        if (row && row->type == WEFT_REAL)
            must(weft_param_read_text(row, GIVEN[i][1], "model", settings));
    }
}

static double smallest(const weft_component *model, const char *stiffness) {
    test_sim made = make_sheet(SIDE, SIDE, 1, 1, "implicit-euler");
    must(weft_sim_prepare(made.sim));
    const weft_cloth *cloth = weft_sim_cloth(made.sim, 0);
    void *settings = calloc(1, model->settings_size);
    weft_params_default(model->params, settings);
    give(model->params, settings);
    must(weft_param_read_text(weft_params_find(model->params, "stiffness"), stiffness, "model", settings));
    assembly a = {.model = model->functions, .h = 1.0 / 30};
    must(a.model->create(settings, cloth, &a.self));
    assert_int_equal(a.model->element_lists(a.self, &a.list), 1);
    must(weft_bsr_create(COUNT, a.list, 1, &a.matrix));
    must(weft_bsr_set_form(a.matrix, WEFT_BSR_PAIRS));
    must(weft_slots_create(a.matrix, a.list, &a.slots));
    must(weft_row_pairs_create(a.matrix, 0, COUNT, a.list, a.slots, &a.pairs));
    weft_work work = {1, weft_arena_create()};
    double least = INFINITY;
    for (uint64_t state = 0; state < STATES; state++) {
        weft_arena_empty(work.arena);
        crush(&a, cloth->mesh, state);
        weft_bsr_clear(a.matrix, &work);
        for (int32_t i = 0; i < COUNT; i++)
            weft_bsr_add_scalar(a.matrix, i, cloth->mass[i]);
        add(&a);
        weft_bsr_finish(a.matrix, &work);
        weft_ritz ritz = weft_ritz_estimate(a.matrix, NULL, &work, 60, state);
        least = ritz.lowest < least || isnan(ritz.lowest) ? ritz.lowest : least;
    }
    weft_arena_destroy(work.arena);
    weft_row_pairs_destroy(a.pairs);
    weft_slots_destroy(a.slots);
    weft_bsr_destroy(a.matrix);
    a.model->destroy(a.self);
    free(settings);
    destroy(made);
    return least;
}

static void matrix_of_crushed_cloth_is_positive_definite(void **state) {
    (void)state;
    static const char *const SOURCES[] = {"given", "fabric"};
    for (int i = 0; i < 2; i++) {
        double springs = smallest(&weft_springs_model, SOURCES[i]);
        double buckling = smallest(&weft_buckling_model, SOURCES[i]);
        print_message("smallest Ritz value of %d states, stiffness %s: springs %.2e, buckling %.2e kg\n", STATES,
                      SOURCES[i], springs, buckling);
        assert_true(springs > 0);
        assert_true(buckling > 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(matrix_of_crushed_cloth_is_positive_definite)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
