/* The case runner: outcomes of good, bad, diverging, slow and crashing cases. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lab/study/case_message.h"
#include "lab/study/case_runner.h"
#include "lab/study/positions.h"
#include "support.h"

static const char SCENE[] = "time: {step: 2 ms, frames: 5, rate: 50}\n"
                            "integrator: symplectic-euler\n"
                            "cloth:\n"
                            "  - name: sheet\n"
                            "    grid: {cells: [4, 4], size: [1, 1], axes: [x, z]}\n"
                            "    fabric: {density: 200 g/m2}\n"
                            "    model: {name: springs, structural_stiffness: 20, shear_stiffness: 10}\n"
                            "    pins: [{corner: top-left}, {corner: top-right}]\n";

static const weft_figure FIGURES[] = {
    {.kind = WEFT_FIGURE_REPORT, .name = "steps", .path = "steps"},
    {.kind = WEFT_FIGURE_REPORT, .name = "density", .path = "settings.cloth.sheet.fabric.density"},
    {.kind = WEFT_FIGURE_FRAMES, .name = "kinetic", .path = "kinetic", .reduce = WEFT_REDUCE_MAX},
    {.kind = WEFT_FIGURE_POINT, .name = "corner", .vertex = 24, .measure = WEFT_POINT_Y},
    {.kind = WEFT_FIGURE_POINT,
     .name = "half",
     .vertex = 24,
     .measure = WEFT_POINT_Y,
     .reduce = WEFT_REDUCE_AT,
     .time = 0.05},
    {.kind = WEFT_FIGURE_POINT, .name = "pin", .vertex = -1, .near = {0, 0, 0}, .measure = WEFT_POINT_DISTANCE},
};
enum { STEPS, DENSITY, KINETIC, CORNER, HALF, PIN, FIGURES_COUNT };

static char scene_path[64];

static weft_case_setup setup_of(weft_keep keep) {
    return (weft_case_setup){
        .scene = scene_path,
        .recording = {.figure = FIGURES, .figure_count = FIGURES_COUNT, .positions = keep, .every = 1}};
}

static int write_scene(void **state) {
    (void)state;
    snprintf(scene_path, sizeof scene_path, "/tmp/test_study_cases.%d.yaml", (int)getpid());
    FILE *file = fopen(scene_path, "w");
    assert_non_null(file);
    fputs(SCENE, file);
    return fclose(file);
}

static int remove_scene(void **state) {
    (void)state;
    return unlink(scene_path);
}

static void outcomes_have_figures_and_reasons(void **state) {
    (void)state;
    static const char *const DENSE[] = {"cloth.fabric.density=0.4"}, *const BAD[] = {"cloth.fabric.density=-1"},
                             *const FAST[] = {"cloth.model.structural_stiffness=1e8", "time.halvings=0"};
    const weft_case cases[] = {
        {0}, {.set = DENSE, .set_count = 1}, {.set = BAD, .set_count = 1}, {.set = FAST, .set_count = 2}};
    weft_case_setup setup = setup_of(WEFT_KEEP_NONE);
    weft_case_settings settings = {.jobs = 2};
    weft_case_outcome out[4];
    must(weft_cases_evaluate(&setup, 1, cases, 4, &settings, out));
    assert_int_equal(out[0].status, WEFT_CASE_OK);
    assert_int_equal(out[0].value_count, FIGURES_COUNT);
    assert_float_equal(out[0].value[STEPS], 50, 0);
    assert_float_equal(out[0].value[DENSITY], 0.2, 0);
    assert_float_equal(out[1].value[DENSITY], 0.4, 0);
    assert_true(out[0].value[KINETIC] > 0);
    assert_true(out[0].value[CORNER] < out[0].value[HALF] && out[0].value[HALF] < 0);
    assert_float_equal(out[0].value[PIN], 0, 0);
    assert_true(out[0].state_hash != out[1].state_hash);
    assert_int_equal(out[2].status, WEFT_CASE_BAD_INPUT);
    assert_non_null(strstr(out[2].reason, "fabric.density: -1 is"));
    assert_int_equal(out[3].status, WEFT_CASE_DIVERGED);
    assert_true(out[3].reason[0] && isnan(out[3].value[STEPS]));
    for (int i = 0; i < 4; i++)
        weft_case_outcome_free(&out[i]);
}

static void slow_cases_are_stopped(void **state) {
    (void)state;
    static const char *const LONG[] = {"time.frames=1000000"};
    const weft_case cases[] = {{.set = LONG, .set_count = 1}, {0}, {0}};
    weft_case_setup setup = setup_of(WEFT_KEEP_NONE);
    weft_case_settings settings = {.jobs = 1, .seconds = 0.5};
    weft_case_outcome out[3];
    must(weft_cases_evaluate(&setup, 1, cases, 3, &settings, out));
    assert_int_equal(out[0].status, WEFT_CASE_TIME_LIMIT);
    assert_string_equal(out[0].reason, "longer than the limit of 0.5 s");
    assert_int_equal(out[1].status, WEFT_CASE_OK);
    assert_int_equal(out[2].status, WEFT_CASE_OK);
    for (int i = 0; i < 3; i++)
        weft_case_outcome_free(&out[i]);
}

/* Kills the only worker while it simulates the first case. */
static int kill_worker(void *context) {
    int *left = context, child = 0;
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    FILE *file = fopen(path, "r");
    if (*left > 0 && file && fscanf(file, "%d", &child) == 1) {
        kill(child, SIGABRT);
        (*left)--;
    }
    if (file)
        fclose(file);
    return 0;
}

static weft_result long_first(void *context, int64_t index, weft_case *one) {
    (void)context;
    static const char *const LONG[] = {"time.frames=1000000"};
    *one = index == 0 ? (weft_case){.set = LONG, .set_count = 1} : (weft_case){0};
    return weft_ok();
}

static weft_case_outcome seen[3];
static weft_result note(void *context, int64_t index, const weft_case_outcome *outcome) {
    (void)context;
    seen[index] = *outcome; /* status and reason only */
    return weft_ok();
}

static void crashes_are_outcomes(void **state) {
    (void)state;
    int crashes = 1;
    weft_case_setup setup = setup_of(WEFT_KEEP_NONE);
    weft_case_settings settings = {.jobs = 1};
    weft_case_list list = {.context = &crashes, .count = 3, .get = long_first, .done = note, .stop = kill_worker};
    must(weft_cases_run(&setup, 1, &list, &settings));
    assert_int_equal(seen[0].status, WEFT_CASE_CRASHED);
    assert_non_null(strstr(seen[0].reason, "signal 6"));
    assert_int_equal(seen[1].status, WEFT_CASE_OK);
    assert_int_equal(seen[2].status, WEFT_CASE_OK);
}

static void positions_are_kept(void **state) {
    (void)state;
    weft_case_setup setup = setup_of(WEFT_KEEP_ALL);
    weft_case_settings settings = {.jobs = 1};
    const weft_case one = {0};
    weft_case_outcome out;
    must(weft_cases_evaluate(&setup, 1, &one, 1, &settings, &out));
    size_t at = 0;
    weft_positions entry;
    int frames = 0;
    for (; weft_positions_next(out.block, out.block_size, &at, &entry); frames++) {
        assert_int_equal(entry.frame, frames);
        assert_string_equal(entry.name, "sheet");
        assert_int_equal(entry.vertex_count, 25);
        assert_int_equal(entry.triangle_count, frames == 0 ? 32 : 0);
    }
    assert_int_equal(frames, 6);
    assert_int_equal(at, out.block_size);
    assert_float_equal((double)entry.position[3 * 24 + 1], out.value[CORNER], 1e-7);
    weft_case_outcome_free(&out);
}

/* A sheet that covers the whole square about the support, of side 2.1 radius. */
static void drape_coefficient_of_a_flat_sheet(void **state) {
    (void)state;
    static const weft_figure DRAPE = {
        .kind = WEFT_FIGURE_DRAPE, .name = "drape", .support = 0.09, .radius = 0.15, .centre = {0.5, 0, 0.5}};
    static const char *const STILL[] = {"forces=[{gravity: {acceleration: [0, 0, 0]}}]", "time.frames=1"};
    weft_case_setup setup = {
        .scene = scene_path, .set = STILL, .set_count = 2, .recording = {.figure = &DRAPE, .figure_count = 1}};
    const weft_case one = {0};
    weft_case_outcome out;
    weft_case_simulate(&setup, &one, 1, &out);
    assert_int_equal(out.status, WEFT_CASE_OK);
    double square = 4 * 1.05 * 1.05 * 0.15 * 0.15 / acos(-1);
    assert_near(out.value[0], 100 * (square - 0.0081) / (0.0225 - 0.0081), 0.01);
    weft_case_outcome_free(&out);
}

static void damaged_messages_are_refused(void **state) {
    (void)state;
    double value[2] = {1, NAN};
    weft_case_outcome outcome = {.status = WEFT_CASE_DIVERGED, .reason = "why", .value_count = 2, .value = value}, back;
    char *bytes;
    size_t size;
    int64_t index;
    must(weft_outcome_pack(7, &outcome, &bytes, &size));
    assert_int_equal(weft_outcome_unpack(bytes, size, &index, &back), size);
    assert_int_equal(index, 7);
    assert_true(back.value[0] == 1 && isnan(back.value[1]));
    weft_case_outcome_free(&back);
    for (size_t cut = 0; cut < size; cut++)
        assert_int_equal(weft_outcome_unpack(bytes, cut, &index, NULL), 0);
    for (size_t i = 0; i < size; i++) {
        bytes[i] ^= 4;
        assert_int_equal(weft_outcome_unpack(bytes, size, &index, NULL), 0);
        bytes[i] ^= 4;
    }
    free(bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outcomes_have_figures_and_reasons),
        cmocka_unit_test(slow_cases_are_stopped),
        cmocka_unit_test(crashes_are_outcomes),
        cmocka_unit_test(positions_are_kept),
        cmocka_unit_test(damaged_messages_are_refused),
        cmocka_unit_test(drape_coefficient_of_a_flat_sheet),
    };
    return cmocka_run_group_tests(tests, write_scene, remove_scene);
}
