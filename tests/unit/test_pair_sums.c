/* The four-lane kernels of springs and of `buckling` beside their scalar blocks, and the instruction sets beside each
 * other. */
#include "buckling_support.h"
#include "model/lanes.h"
#include "model/pair_sums.h"
#include "model/springs.h"

enum { COUNT = 30 }; /* not a multiple of the lanes */

static const double H = 0.02;

static double noise(double by, uint64_t counter) { return by * (2 * weft_random(3, counter) - 1); }

static void shake(const weft_mesh *mesh, double by, weft_vec3 *x, weft_vec3 *u) {
    for (int32_t i = 0; i < mesh->vertex_count; i++) {
        uint64_t n = 6 * (uint64_t)i;
        x[i] = weft_add(mesh->position[i], (weft_vec3){noise(by, n), noise(by, n + 1), noise(by, n + 2)});
        u[i] = (weft_vec3){noise(1, n + 3), noise(1, n + 4), noise(1, n + 5)};
    }
    x[7] = x[8]; /* a spring of no length */
}

static void compare(const weft_model_functions *model, const void *self, const weft_vec3 *x, const weft_vec3 *v,
                    const weft_vec3 *u, const int32_t *element) {
    static const int AT[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
    const weft_elements *lists;
    float sum[WEFT_SUMS_MAX * 6];
    double product[WEFT_SUMS_MAX * 6];
    model->element_lists(self, &lists);
    assert_int_equal(model->element_sums(self, 0, element, COUNT, 0, x, H, sum, u, product), 6);
    for (int i = 0; i < COUNT; i++) {
        double k[9], d[9], scale = 0;
        const int32_t *end = lists[0].vertex + 2 * (size_t)element[i];
        const weft_vec3 apart = weft_sub(u[end[1]], u[end[0]]);
        model->element_blocks(self, 0, &element[i], 1, x, v, k, d);
        for (int m = 0; m < 9; m++)
            scale = fmax(scale, fabs(H * (H * k[m] + d[m])));
        for (int m = 0; m < 9; m++) {
            double found = (double)sum[(i / WEFT_LANES * 6 + AT[m]) * WEFT_LANES + i % WEFT_LANES];
            assert_true(fabs(found - H * (H * k[m] + d[m])) <= 1e-6 * scale);
        }
        for (int r = 0; r < 3; r++) {
            double expected = k[3 * r] * apart.x + k[3 * r + 1] * apart.y + k[3 * r + 2] * apart.z;
            const double *own = product + (i / WEFT_LANES * 6 + r) * WEFT_LANES + i % WEFT_LANES;
            assert_true(fabs(own[0] - expected) <= 1e-11 * scale / H / H);
            assert_true(own[0] == -own[3 * WEFT_LANES]);
        }
    }
}

static void lanes_give_what_blocks_give(void **state) {
    (void)state;
    const weft_component *const MODELS[] = {&weft_springs_model, &weft_buckling_model};
    for (int k = 0; k < 8; k++) {
        const weft_component *component = MODELS[k % 2];
        const weft_model_functions *model = component->functions;
        weft_mesh *mesh = grid_mesh(6, 5, 0.6, 0.5);
        weft_fabric fabric;
        weft_springs_settings springs;
        weft_buckling_settings buckling;
        weft_vec3 x[42], u[42], v[42] = {{0, 0, 0}};
        double mass[42];
        int32_t element[COUNT];
        weft_params_default(weft_fabric_params(), &fabric);
        weft_params_default(weft_springs_model.params, &springs);
        weft_params_default(weft_buckling_model.params, &buckling);
        springs.damping = buckling.damping = 0.01;
        springs.damping_kind = buckling.damping_kind = k / 2 % 2;
        for (int i = 0; i < 42; i++)
            mass[i] = 0.01;
        weft_cloth cloth = {.name = "sheet", .mesh = mesh, .fabric = &fabric, .mass = mass};
        void *self;
        must(model->create(k % 2 ? (const void *)&buckling : &springs, &cloth, &self));
        shake(mesh, k < 4 ? 0.01 : 0.1, x, u);
        const weft_elements *lists;
        model->element_lists(self, &lists);
        for (int round = 0; round < 4; round++) {
            for (int32_t i = 0; i < COUNT; i++)
                element[i] = (COUNT * round + i) % lists[0].count;
            compare(model, self, x, v, u, element);
        }
        model->destroy(self);
        weft_mesh_destroy(mesh);
    }
}

static void instruction_sets_give_the_same_bits(void **state) {
    (void)state;
    weft_mesh *mesh = grid_mesh(6, 5, 0.6, 0.5);
    weft_vec3 x[42], u[42];
    int32_t end[COUNT][2], element[COUNT];
    float sum[3][WEFT_SUMS_MAX * 6];
    double product[3][WEFT_SUMS_MAX * 6];
    shake(mesh, 0.05, x, u);
    for (int32_t i = 0; i < COUNT; i++) {
        element[i] = i;
        end[i][0] = i;
        end[i][1] = (i + 1 + i % 3) % 42;
    }
    for (int isa = 0; isa <= weft_lanes_isa(); isa++) {
        weft_pairs pairs;
        memset(sum[isa], 0, sizeof sum[isa]);
        memset(product[isa], 0, sizeof product[isa]);
        weft_pairs_measure(isa, (const int32_t(*)[2])end, element, COUNT, x, &pairs);
        for (int32_t i = 0; i < COUNT; i++) {
            pairs.along[i] = 100 + i;
            pairs.across[i] = pairs.length[i];
            pairs.damping_along[i] = 0.1;
            pairs.damping_across[i] = 0.01 * i;
        }
        weft_pairs_sums(isa, &pairs, H, sum[isa], u, product[isa]);
        assert_memory_equal(sum[isa], sum[0], sizeof sum[0]);
        assert_memory_equal(product[isa], product[0], sizeof product[0]);
    }
    assert_true(sum[0][0] < 0);
    weft_mesh_destroy(mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(lanes_give_what_blocks_give),
                                       cmocka_unit_test(instruction_sets_give_the_same_bits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
