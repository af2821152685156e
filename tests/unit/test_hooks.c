/* Hooks of the host program: its allocator and its log. Also the lifetime of error messages. */
#include <stdatomic.h>

#include "support.h"

typedef struct counts {
    atomic_llong held, made;
    int wrong; /* 1: a wrong alignment or context */
} counts;

enum { BEFORE = 64 };

/* Stores the block's own start before the memory that it returns. */
static void *allocate(void *context, size_t alignment, size_t size) {
    counts *c = context;
    size_t room = alignment > BEFORE ? alignment : BEFORE;
    char *block = malloc(size + 2 * room);
    if (!block)
        return NULL;
    char *memory = (char *)(((uintptr_t)block + room + alignment - 1) / alignment * alignment);
    memcpy(memory - 2 * sizeof(void *), &block, sizeof block);
    memcpy(memory - sizeof(void *), &size, sizeof size);
    memset(memory, 0xa5, size); /* the library must not rely on zeros */
    c->wrong |= alignment == 0 || (alignment & (alignment - 1)) != 0 || size == 0;
    c->held++;
    c->made++;
    return memory;
}

static void release(void *context, void *memory) {
    counts *c = context;
    char *block;
    memcpy(&block, (char *)memory - 2 * sizeof(void *), sizeof block);
    free(block);
    c->held--;
}

static void *resize(void *context, void *memory, size_t size) {
    size_t old = 0;
    if (memory)
        memcpy(&old, (char *)memory - sizeof(void *), sizeof old);
    void *grown = allocate(context, 16, size);
    if (grown && memory) {
        memcpy(grown, memory, old < size ? old : size);
        release(context, memory);
    }
    return grown;
}

/* A scene that uses most of the library. Returns the hash of its state. */
static uint64_t run_scene(const char *model, const char *integrator) {
    test_sim made = start_with(integrator);
    weft_grid grid = weft_grid_default();
    weft_mesh *mesh;
    grid.cells[0] = grid.cells[1] = 60; /* above 1 MB for some arrays */
    grid.axis[1] = weft_vec3_make(0, 0, 1);
    must(weft_mesh_create_grid(&grid, &mesh));
    must(weft_sim_add_cloth(made.sim, "sheet", mesh, &weft_fabric_preset_find("wool")->fabric, model, NULL));
    must(weft_sim_add_force(made.sim, "gravity", NULL));
    must(weft_sim_add_body(made.sim, "sphere", NULL, NULL));
    set(made, "bodies.sphere.radius", "0.2");
    set(made, "bodies.sphere.at", "[0.5, -0.21, 0.5]");
    set(made, "contact.self", "true");
    pin(made, &(weft_select){.kind = WEFT_SELECT_CORNER, .name = "top-left"});
    for (int i = 0; i < 5; i++)
        step(made, 0.005);
    size_t size = weft_sim_snapshot_size(made.sim);
    char *snapshot = malloc(size);
    weft_sim_snapshot(made.sim, snapshot);
    step(made, 0.005);
    must(weft_sim_restore(made.sim, snapshot, size));
    step(made, 0.005);
    free(snapshot);
    weft_body_surface surface;
    must(weft_sim_body_surface(made.sim, 0, &surface));
    weft_memory_free(surface.triangle);
    weft_memory_free(surface.position);
    weft_memory_free(NULL);
    uint64_t hash = weft_sim_hash(made.sim);
    destroy(made);
    return hash;
}

static void all_memory_comes_from_the_allocator(void **state) {
    (void)state;
    static const char *const CASE[][2] = {
        {"springs", "projective"}, {"corotational", "implicit-euler"}, {"springs", "xpbd"}};
    counts count = {.wrong = 0};
    weft_allocator allocator = {&count, allocate, resize, release};
    for (int c = 0; c < 3; c++) {
        uint64_t plain = run_scene(CASE[c][0], CASE[c][1]);
        weft_allocator_set(&allocator);
        uint64_t hooked = run_scene(CASE[c][0], CASE[c][1]);
        void *memory = weft_memory_allocate(0);
        weft_memory_free(memory);
        weft_allocator_set(NULL);
        assert_int_equal(plain, hooked);
        assert_true(count.made > 100);
        assert_int_equal(count.held, 0);
        assert_int_equal(count.wrong, 0);
    }
}

typedef struct lines {
    int notices, warnings;
    char last[600];
} lines;

static void take_line(void *context, weft_log_level level, const char *text) {
    lines *l = context;
    l->notices += level == WEFT_LOG_NOTICE;
    l->warnings += level == WEFT_LOG_WARNING;
    snprintf(l->last, sizeof l->last, "%s", text);
}

/* A ball that goes much farther in a step than an edge is long. */
static void log_tells_of_halved_steps(void **state) {
    (void)state;
    static const weft_body_key KEYS[] = {{.time = 0, .scale = 1}, {.time = 0.05, .scale = 1, .offset = {0, 0, 1}}};
    lines heard = {0};
    test_sim made = make_sheet(6, 6, 0.4, 0.4, "implicit-euler");
    weft_registry_set_log(made.registry, take_line, &heard);
    must(weft_sim_add_body(made.sim, "sphere", NULL, NULL));
    set(made, "bodies.sphere.radius", "0.05");
    set(made, "bodies.sphere.at", "[0.2, -0.2, -0.1]");
    must(weft_sim_set_body_keys(made.sim, 0, KEYS, 2));
    step(made, 1.0 / 60);
    assert_true(heard.notices > 0 && heard.warnings == 0);
    assert_non_null(strstr(heard.last, "was halved"));
    weft_registry_set_log(made.registry, NULL, NULL);
    destroy(made);
}

static void log_tells_of_failed_steps(void **state) {
    (void)state;
    lines heard = {0};
    test_sim made = make_sheet(6, 6, 1, 1, "symplectic-euler");
    weft_registry_set_log(made.registry, take_line, &heard);
    set(made, "cloth.model.structural_stiffness", "1e7");
    must(weft_sim_add_force(made.sim, "gravity", NULL));
    pin(made, &(weft_select){.kind = WEFT_SELECT_SIDE, .name = "top"});
    step(made, 1e-6);
    assert_true(heard.notices == 0 && heard.warnings == 0);
    weft_result result = weft_ok();
    for (int i = 0; i < 1000 && result.code == WEFT_OK; i++)
        result = weft_sim_step(made.sim, 0.05, NULL);
    assert_true(heard.warnings > 0);
    assert_string_equal(heard.last, result.message);
    set(made, "time.step", "1e-300"); /* refused before a step begins */
    result = weft_sim_advance_frame(made.sim, NULL, NULL);
    assert_true(result.code != WEFT_OK);
    assert_string_equal(heard.last, result.message);
    weft_registry_set_log(made.registry, NULL, NULL);
    int before = heard.warnings;
    (void)weft_sim_step(made.sim, 0.05, NULL);
    assert_int_equal(heard.warnings, before);
    destroy(made);
}

static void results_are_small_and_messages_last(void **state) {
    (void)state;
    assert_true(sizeof(weft_result) <= 2 * sizeof(void *));
    assert_string_equal(weft_ok().message, "");
    weft_result first = weft_fail(WEFT_BAD_INPUT, "the first %d", 1);
    for (int i = 0; i < 16; i++)
        (void)weft_fail(WEFT_BAD_FILE, "another %d", i);
    assert_string_equal(first.message, "the first 1");
    weft_result around = weft_fail(first.code, "around: %s", first.message);
    assert_string_equal(around.message, "around: the first 1");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_memory_comes_from_the_allocator),
        cmocka_unit_test(log_tells_of_halved_steps),
        cmocka_unit_test(log_tells_of_failed_steps),
        cmocka_unit_test(results_are_small_and_messages_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
