#include "tests/stress/stress_judge.h"

#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "weft/sort.h"
#include "weft/text.h"
#include "weft/vec.h"
#include "weft/weft.h"

const char *stress_class_name(stress_class kind) {
    static const char *const NAMES[] = {"intersection", "unresolved", "not-finite", "diverged", "crash",   "bad-start",
                                        "stall",        "slow",       "energy",     "stretch",  "unstable"};
    return NAMES[kind];
}

void stress_found(stress_result *result, stress_class kind, const char *format, ...) {
    stress_finding *finding = &result->finding[kind];
    if (finding->count++ > 0)
        return;
    finding->frame = result->frame;
    finding->step = result->steps;
    va_list arguments;
    va_start(arguments, format);
    weft_format_list(finding->text, sizeof finding->text, format, arguments);
    va_end(arguments);
}

/* -- one step -- */

void stress_judge_failure(stress_result *result, weft_result failure, int is_explicit) {
    stress_class kind = is_explicit ? STRESS_UNSTABLE : STRESS_DIVERGED;
    if (failure.code == WEFT_BAD_INPUT && result->steps == 0) /* as a fabric that does not bear its weight */
        kind = STRESS_BAD_START;
    else if (failure.code != WEFT_DIVERGED)
        kind = STRESS_CRASH;
    stress_found(result, kind, "%s", failure.message);
}

int stress_judge_state(stress_result *result, const weft_sim *sim, double *fastest) {
    *fastest = 0;
    for (int32_t k = 0; k < weft_sim_cloth_count(sim); k++) {
        const weft_vec3 *x = weft_sim_positions(sim, k), *v = weft_sim_velocities(sim, k);
        for (int32_t i = 0; i < weft_sim_cloth(sim, k)->mesh->vertex_count; i++) {
            if (!weft_vec3_is_finite(x[i]) || !weft_vec3_is_finite(v[i])) {
                stress_found(result, STRESS_NOT_FINITE, "a position or velocity is not finite");
                return 0;
            }
            *fastest = fmax(*fastest, weft_length(v[i]));
        }
    }
    return 1;
}

/* The strain of an impact is its speed over that of sound in the cloth. Twice that is for reflections, and 1 for what
 * bodies and pins pull. Speeds above 40 m/s are no excuse: no scene starts with more than 20 m/s. */
static double sane_stretch(const weft_sim *sim, double fastest) {
    double slowest_sound = INFINITY;
    for (int32_t k = 0; k < weft_sim_cloth_count(sim); k++) {
        const weft_fabric *fabric = weft_sim_cloth(sim, k)->fabric;
        double modulus = fmin(fabric->stretch_weft, fabric->stretch_warp);
        slowest_sound = fmin(slowest_sound, sqrt(modulus / fabric->density));
    }
    return 1 + 2 * fmin(fastest, 40) / slowest_sound;
}

void stress_judge_stretch(stress_result *result, const weft_sim *sim, double stretch, double fastest) {
    double most = sane_stretch(sim, fastest);
    if (stretch > most)
        stress_found(result, STRESS_STRETCH, "an edge is %.0f %% longer, at most %.0f %% are sane at %.3g m/s",
                     100 * stretch, 100 * most, fastest);
}

/* -- the whole run -- */

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int compare_counts(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

void stress_judge_work(stress_result *result, int64_t *newton) {
    if (result->steps == 0)
        return;
    weft_sort(newton, (size_t)result->steps, sizeof *newton, compare_counts);
    result->worst_newton = newton[result->steps - 1];
    result->median_newton = newton[result->steps / 2];
}

/* A median below 0.2 ms counts as that, so steps below 20 ms are never stalls. */
void stress_judge_times(stress_result *result, double *seconds, const int64_t *frame) {
    int64_t slowest = 0;
    if (result->steps == 0)
        return;
    for (int64_t i = 1; i < result->steps; i++)
        slowest = seconds[i] > seconds[slowest] ? i : slowest;
    double longest = result->longest = seconds[slowest];
    result->worst_frame = frame[slowest];
    weft_sort(seconds, (size_t)result->steps, sizeof *seconds, compare);
    result->median = seconds[result->steps / 2];
    result->worst_ratio = longest / fmax(result->median, 0.0002);
    if (result->worst_ratio > 100) {
        stress_found(result, STRESS_STALL,
                     "a step takes %.3g s, %.0f times the median of %.3g ms, in %d parts with %d updates: %s", longest,
                     result->worst_ratio, 1000 * result->median, result->worst.parts, result->worst.newton,
                     weft_step_cost_reason(&result->worst));
        result->finding[STRESS_STALL].frame = result->worst_frame;
        result->finding[STRESS_STALL].step = slowest + 1;
    }
}

/* The step in progress stalls if it took 100 times the mean of those before. */
static stress_class judge_limit(const stress_result *result, int limit) {
    double mean = result->steps > 0 ? result->seconds / (double)result->steps : 0;
    return limit - result->seconds > 100 * mean ? STRESS_STALL : STRESS_SLOW;
}

void stress_judge_end(stress_result *result, int status, int limit) {
    stress_class kind = STRESS_CRASH;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) {
        kind = judge_limit(result, limit);
        stress_found(result, kind, "not done after %d s, with %.3g s in the steps before", limit, result->seconds);
    } else if (WIFSIGNALED(status)) {
        stress_found(result, kind, "the process ended by signal %d", WTERMSIG(status));
    } else {
        stress_found(result, kind, "the process ended with status %d", WEXITSTATUS(status));
    }
    if (result->finding[kind].count == 1)
        result->finding[kind].step = result->steps + 1; /* the step in progress */
}
