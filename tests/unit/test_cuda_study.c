/* Cases of a study that share a worker process, as on a GPU: the same outcomes as from processes of their own, whatever
 * happens to one of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend.h"
#include "lab/study/case_runner.h"
#include "support.h"

static const char SCENE[] = "time: {step: 5 ms, frames: 4, rate: 50}\n"
                            "device: cuda-host\n"
                            "cloth:\n"
                            "  - name: sheet\n"
                            "    grid: {cells: [6, 6], size: [1, 1], axes: [x, z]}\n"
                            "    fabric: {density: 200 g/m2}\n"
                            "    pins: [{corner: top-left}, {corner: top-right}]\n";

static const weft_figure FIGURES[] = {
    {.kind = WEFT_FIGURE_FRAMES, .name = "kinetic", .path = "kinetic", .reduce = WEFT_REDUCE_MAX},
    {.kind = WEFT_FIGURE_POINT, .name = "corner", .vertex = 48, .measure = WEFT_POINT_Y},
};

static char scene_path[64];

static int write_scene(void **state) {
    (void)state;
    snprintf(scene_path, sizeof scene_path, "/tmp/test_cuda_study.%d.yaml", (int)getpid());
    FILE *file = fopen(scene_path, "w");
    if (!file)
        return -1;
    fputs(SCENE, file);
    return fclose(file);
}

static int remove_scene(void **state) {
    (void)state;
    return unlink(scene_path);
}

/* Seeds that stand for accidents. */
static const char *const CRASHES[] = {"air.seed=13"}, *const EXHAUSTS[] = {"air.seed=14"},
                         *const LASTS[] = {"time.frames=1000000"}, *const REFUSED[] = {"cloth.fabric.density=-1"},
                         *const DENSE[] = {"cloth.fabric.density=0.4"};

static int has_seed(const weft_tree *scene, const char *number) {
    const weft_value *air = weft_value_find(weft_tree_root((weft_tree *)scene), "air");
    const weft_value *seed = air ? weft_value_find(air, "seed") : NULL;
    return seed && strcmp(seed->text, number) == 0;
}

static weft_result load(weft_registry *registry, const weft_tree *scene) {
    if (has_seed(scene, "13"))
        abort();
    if (has_seed(scene, "14"))
        return weft_fail_memory("a test", 1);
    return weft_registry_find(registry, WEFT_DEVICE, "cuda-host") ? weft_ok()
                                                                  : weft_registry_add(registry, &gpu_host_device);
}

static weft_case_setup setup_of(void) {
    return (weft_case_setup){.scene = scene_path,
                             .load_device = load,
                             .recording = {.figure = FIGURES, .figure_count = 2, .positions = WEFT_KEEP_NONE}};
}

enum { CASES = 6 };

static void run(const weft_case *cases, int jobs, double seconds, weft_case_outcome out[CASES]) {
    weft_case_setup setup = setup_of();
    weft_case_settings settings = {.jobs = jobs, .seconds = seconds};
    assert_true(weft_case_setups_on_device(&setup, 1));
    must(weft_cases_evaluate(&setup, 1, cases, CASES, &settings, out));
}

static void free_all(weft_case_outcome out[CASES]) {
    for (int i = 0; i < CASES; i++)
        weft_case_outcome_free(&out[i]);
}

static void check_same(const weft_case_outcome *a, const weft_case_outcome *b) {
    assert_int_equal(a->status, b->status);
    assert_string_equal(a->reason, b->reason);
    assert_true(a->state_hash == b->state_hash && a->frames == b->frames && a->value_count == b->value_count);
    assert_memory_equal(a->value, b->value, (size_t)a->value_count * sizeof *a->value);
}

/* Case 2 of six is special. With one job, every case has a process of its own. */
static void outcomes_are_those_of_processes(void **state) {
    (void)state;
    static const struct {
        const char *const *set;
        weft_case_status status;
    } SPECIAL[] = {{DENSE, WEFT_CASE_OK},
                   {REFUSED, WEFT_CASE_BAD_INPUT},
                   {CRASHES, WEFT_CASE_CRASHED},
                   {EXHAUSTS, WEFT_CASE_NO_MEMORY}};
    for (size_t k = 0; k < sizeof SPECIAL / sizeof SPECIAL[0]; k++) {
        weft_case cases[CASES] = {{.set = DENSE, .set_count = 1}};
        weft_case_outcome alone[CASES], together[CASES];
        cases[2] = (weft_case){.set = SPECIAL[k].set, .set_count = 1};
        run(cases, 1, 0, alone);
        run(cases, 4, 0, together);
        assert_int_equal(together[2].status, SPECIAL[k].status);
        for (int i = 0; i < CASES; i++)
            check_same(&together[i], &alone[i]);
        assert_int_equal(together[1].status, WEFT_CASE_OK);
        free_all(together);
        free_all(alone);
    }
}

/* The time limit ends the process of all. */
static void slow_cases_do_not_stop_others(void **state) {
    (void)state;
    weft_case cases[CASES] = {{0}};
    weft_case_outcome out[CASES];
    cases[1] = (weft_case){.set = LASTS, .set_count = 1};
    run(cases, 3, 2, out);
    for (int i = 0; i < CASES; i++)
        assert_int_equal(out[i].status, i == 1 ? WEFT_CASE_TIME_LIMIT : WEFT_CASE_OK);
    assert_string_equal(out[1].reason, "longer than the limit of 2 s");
    free_all(out);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(outcomes_are_those_of_processes),
                                       cmocka_unit_test(slow_cases_do_not_stop_others)};
    return cmocka_run_group_tests(tests, write_scene, remove_scene);
}
