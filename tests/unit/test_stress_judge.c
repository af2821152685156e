/* The classes of failures of the fuzzer of scenes, each fired by a state, times or an end that is made up. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support.h"

#include "tests/stress/stress_judge.h"

/* Checks that a class was found once, at that frame and step, and no other class. */
static void assert_only(const stress_result *result, stress_class kind, int64_t frame, int64_t step) {
    for (int i = 0; i < STRESS_CLASSES; i++)
        assert_int_equal(result->finding[i].count, i == (int)kind);
    assert_int_equal(result->finding[kind].frame, frame);
    assert_int_equal(result->finding[kind].step, step);
}

static void assert_none(const stress_result *result) {
    for (int i = 0; i < STRESS_CLASSES; i++)
        assert_int_equal(result->finding[i].count, 0);
}

static void first_failure_of_a_class_is_kept(void **state) {
    (void)state;
    stress_result result = {.frame = 2, .steps = 5};
    stress_found(&result, STRESS_UNRESOLVED, "%d left", 3);
    result.frame = 4;
    stress_found(&result, STRESS_UNRESOLVED, "%d left", 9);
    assert_int_equal(result.finding[STRESS_UNRESOLVED].count, 2);
    assert_int_equal(result.finding[STRESS_UNRESOLVED].frame, 2);
    assert_string_equal(result.finding[STRESS_UNRESOLVED].text, "3 left");
    assert_string_equal(stress_class_name(STRESS_UNSTABLE), "unstable");
}

static void failed_calls_are_told_apart(void **state) {
    (void)state;
    stress_result result[5] = {[4] = {.steps = 1}};
    stress_judge_failure(&result[0], weft_fail(WEFT_DIVERGED, "a"), 0);
    stress_judge_failure(&result[1], weft_fail(WEFT_DIVERGED, "b"), 1);
    stress_judge_failure(&result[2], weft_fail(WEFT_NO_MEMORY, "c"), 1);
    assert_only(&result[0], STRESS_DIVERGED, 0, 0);
    assert_only(&result[1], STRESS_UNSTABLE, 0, 0);
    stress_judge_failure(&result[3], weft_fail(WEFT_BAD_INPUT, "d"), 0);
    stress_judge_failure(&result[4], weft_fail(WEFT_BAD_INPUT, "e"), 0);
    assert_only(&result[2], STRESS_CRASH, 0, 0);
    assert_only(&result[3], STRESS_BAD_START, 0, 0);
    assert_only(&result[4], STRESS_CRASH, 0, 1);
}

/* The library hands out views of its state. The test writes to them, because no call accepts such values. */
static void states_must_be_finite(void **state) {
    (void)state;
    test_sim made = make_sheet(2, 2, 1, 1, "bdf2");
    must(weft_sim_prepare(made.sim));
    weft_vec3 *x = (weft_vec3 *)weft_sim_positions(made.sim, 0), *v = (weft_vec3 *)weft_sim_velocities(made.sim, 0);
    stress_result sound = {0}, at = {.frame = 3, .steps = 7}, fast = at;
    double fastest;
    v[4] = weft_vec3_make(0, 3, 4);
    assert_true(stress_judge_state(&sound, made.sim, &fastest));
    assert_near(fastest, 5, 1e-12);
    assert_none(&sound);
    v[8].z = INFINITY;
    assert_false(stress_judge_state(&fast, made.sim, &fastest));
    assert_only(&fast, STRESS_NOT_FINITE, 3, 7);
    v[8].z = 0;
    x[8].x = NAN;
    assert_false(stress_judge_state(&at, made.sim, &fastest));
    assert_only(&at, STRESS_NOT_FINITE, 3, 7);
    destroy(made);
}

/* At rest edges may double. With sound at 20 m/s, an impact at 5 m/s adds 2 * 5 / 20. */
static void impacts_excuse_some_stretch(void **state) {
    (void)state;
    test_sim made = make_sheet(2, 2, 1, 1, "bdf2");
    set(made, "cloth.fabric.density", "1");
    set(made, "cloth.fabric.stretch_weft", "400");
    set(made, "cloth.fabric.stretch_warp", "900");
    must(weft_sim_prepare(made.sim));
    static const struct {
        double stretch, fastest;
        int is_too_much;
    } CASES[] = {{0.99, 0, 0}, {1.01, 0, 1}, {1.49, 5, 0}, {1.51, 5, 1}, {4.99, 1000, 0}, {5.01, 1000, 1}};
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        stress_result result = {.frame = 1, .steps = 2};
        stress_judge_stretch(&result, made.sim, CASES[i].stretch, CASES[i].fastest);
        if (CASES[i].is_too_much)
            assert_only(&result, STRESS_STRETCH, 1, 2);
        else
            assert_none(&result);
    }
    destroy(made);
}

enum { STEPS = 9 };

/* Nine steps of `usual` seconds; the fifth, in frame 3, takes `longest`. */
static stress_result judge_steps(double usual, double longest) {
    stress_result result = {.steps = STEPS, .frame = 5};
    double seconds[STEPS];
    int64_t frame[STEPS];
    for (int i = 0; i < STEPS; i++) {
        seconds[i] = i == 4 ? longest : usual;
        frame[i] = 1 + i / 2;
    }
    stress_judge_times(&result, seconds, frame);
    return result;
}

static void steps_of_100_times_the_median_stall(void **state) {
    (void)state;
    stress_result stall = judge_steps(1e-3, 0.101), usual = judge_steps(1e-3, 0.099), tiny = judge_steps(1e-6, 0.019);
    assert_only(&stall, STRESS_STALL, 3, 5);
    assert_near(stall.worst_ratio, 101, 1e-9);
    assert_near(stall.median, 1e-3, 0);
    assert_none(&usual);
    assert_none(&tiny); /* steps below 20 ms never stall */
    stress_result nothing = {0};
    stress_judge_times(&nothing, NULL, NULL);
    assert_none(&nothing);
}

static void updates_are_counted_by_step(void **state) {
    (void)state;
    stress_result result = {.steps = 5}, nothing = {0};
    stress_judge_work(&result, (int64_t[]){2, 90, 3, 1, 2});
    assert_int_equal(result.worst_newton, 90);
    assert_int_equal(result.median_newton, 2);
    stress_judge_work(&nothing, NULL);
    assert_int_equal(nothing.worst_newton, 0);
}

/* The status of a child process that ends by this signal, or with this exit status. */
static int status_of(int signal, int exit_status) {
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        if (signal)
            raise(signal);
        _exit(exit_status);
    }
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    return status;
}

static void ends_of_processes_are_told_apart(void **state) {
    (void)state;
    const stress_result before = {.frame = 2, .steps = 10, .seconds = 0.1};
    stress_result fine = before, failed = before, killed = before, stalled = before, slow = before;
    stress_judge_end(&fine, status_of(0, 0), 30);
    assert_none(&fine);
    stress_judge_end(&failed, status_of(0, 3), 30);
    assert_only(&failed, STRESS_CRASH, 2, 11);
    assert_string_equal(failed.finding[STRESS_CRASH].text, "the process ended with status 3");
    stress_judge_end(&killed, status_of(SIGKILL, 0), 30);
    assert_only(&killed, STRESS_CRASH, 2, 11);
    stress_judge_end(&stalled, status_of(SIGXCPU, 0), 30); /* ten steps in 0.1 s, then 29.9 s */
    assert_only(&stalled, STRESS_STALL, 2, 11);
    slow.seconds = 29.5; /* the last step takes no longer than the others */
    stress_judge_end(&slow, status_of(SIGXCPU, 0), 30);
    assert_only(&slow, STRESS_SLOW, 2, 11);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_failure_of_a_class_is_kept),
        cmocka_unit_test(failed_calls_are_told_apart),
        cmocka_unit_test(states_must_be_finite),
        cmocka_unit_test(impacts_excuse_some_stretch),
        cmocka_unit_test(steps_of_100_times_the_median_stall),
        cmocka_unit_test(updates_are_counted_by_step),
        cmocka_unit_test(ends_of_processes_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
