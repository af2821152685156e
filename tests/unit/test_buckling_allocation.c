/* Every allocation of the model `buckling` is made to fail once. The linker sends the engine's allocations here. */
#include "buckling_support.h"
#include "failing_malloc.h"

/* Making lists smaller may fail without harm; all else is reported. */
static void every_allocation_may_fail(void **state) {
    (void)state;
    cloth_of c = make_cloth(grid_mesh(6, 5, 0.1, 0.1));
    c.cloth = (weft_cloth){.name = "sheet", .mesh = c.mesh, .fabric = &c.fabric};
    int refused = 0, made = 0;
    do {
        allocations = 0;
        weft_result result = functions()->create(&c.settings, &c.cloth, &c.self);
        refused += result.code == WEFT_NO_MEMORY;
        made += result.code == WEFT_OK;
        assert_int_equal(result.code == WEFT_OK, c.self != NULL);
        functions()->destroy(c.self);
        c.self = NULL;
    } while (failing++ < allocations);
    failing = -1;
    assert_true(refused > 35);
    assert_int_equal(refused + made, allocations + 2);
    weft_mesh_destroy(c.mesh);
}

/* A retune, a force and an energy allocate nothing. */
static void steady_calls_allocate_nothing(void **state) {
    (void)state;
    cloth_of c = make_cloth(grid_mesh(6, 5, 0.1, 0.1));
    create(&c);
    weft_vec3 v[42] = {{0, 0, 0}}, f[42];
    allocations = 0;
    must(functions()->retune(c.self, &c.settings, &c.cloth));
    force(&c, c.mesh->position, v, f);
    energy(&c, c.mesh->position);
    assert_int_equal(allocations, 0);
    destroy_cloth(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(steady_calls_allocate_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
