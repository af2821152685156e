/* Divides frames into steps. */
#include <math.h>

#include "core/require.h"
#include "sim/internal.h"

static const char *const MODES[] = {"fixed", "variable", "adaptive", NULL};

static const weft_param CLOCK[] = {
    {.name = "step",
     .type = WEFT_REAL,
     .offset = offsetof(weft_clock, step),
     .high = 1000,
     .fallback = "0.005",
     .unit = "s",
     .help = "time step; frames are divided into equal steps no longer than this",
     .flags = WEFT_OPEN_LOW},
    {.name = "frames",
     .type = WEFT_INT,
     .offset = offsetof(weft_clock, frames),
     .high = 10000000,
     .fallback = "120",
     .unit = "",
     .help = "number of frames after frame 0"},
    {.name = "rate",
     .type = WEFT_REAL,
     .offset = offsetof(weft_clock, rate),
     .high = 1e6,
     .fallback = "60",
     .unit = "1/s",
     .help = "frames per second of simulated time",
     .flags = WEFT_OPEN_LOW},
    {.name = "mode",
     .type = WEFT_CHOICE,
     .offset = offsetof(weft_clock, mode),
     .fallback = "fixed",
     .unit = "",
     .help = "fixed: equal steps; variable: random steps up to `step`, ending at frames; adaptive: steps up to `step`, "
             "as long as `accuracy` allows",
     .choices = MODES},
    {.name = "jitter",
     .type = WEFT_REAL,
     .offset = offsetof(weft_clock, jitter),
     .high = 0.95,
     .fallback = "0",
     .unit = "",
     .help = "variable mode: largest random fraction by which a step is shortened"},
    {.name = "halvings",
     .type = WEFT_INT,
     .offset = offsetof(weft_clock, halvings),
     .high = 20,
     .fallback = "6",
     .unit = "",
     .help = "how often a failed step may be halved"},
    {.name = "accuracy",
     .type = WEFT_REAL,
     .offset = offsetof(weft_clock, accuracy),
     .high = 1,
     .fallback = "1e-4",
     .unit = "m",
     .help = "adaptive mode: estimated error of a step, root mean square over the vertices",
     .flags = WEFT_OPEN_LOW},
    {0},
};

const weft_param *weft_clock_params(void) { return CLOCK; }

static void add_report(weft_report *sum, const weft_report *step) {
    sum->status = step->status;
    sum->dt = step->dt;
    sum->halvings += step->halvings;
    sum->asleep = step->asleep;
    sum->torn += step->torn;
    sim_add_solve(&sum->solve, &step->solve);
    sim_add_contact(&sum->contact, &step->contact);
    sim_add_adapt(&sum->adapt, &step->adapt);
    if (step->worst.seconds > sum->worst.seconds)
        sum->worst = step->worst;
    for (int i = 0; i < WEFT_PHASES; i++)
        sum->seconds[i] += step->seconds[i];
}

static double next_step(const weft_sim *sim) {
    const weft_clock *clock = &sim->clock;
    double end = sim->frame_end;
    if (sim->frame_steps > 0)
        return sim->frame_step;
    if (clock->mode == WEFT_TIME_ADAPTIVE)
        return sim_adaptive_step(sim, end - sim->time);
    double dt = clock->step * (1 - clock->jitter * weft_random((uint64_t)sim->air.seed, (uint64_t)sim->step_count));
    double left = end - sim->time;
    return dt < left * (1 - 1e-9) ? dt : left;
}

/* Fixed steps are counted back from the end of the frame, so that rounding does not add up. */
static double end_of_step(const weft_sim *sim, double dt) {
    double left = sim->frame_steps - (double)sim->frame_done - 1;
    double end = sim->frame_steps > 0 ? sim->frame_end - left * dt : sim->time + dt;
    return fmin(end, sim->frame_end);
}

/* Only rounding is forgiven: 1/600 s in single precision or with seven digits divides a 60th of a second into 10 steps,
 * not 11. */
static double steps_in(const weft_clock *clock, double duration) {
    static const double ROUNDING = 1e-6;
    return fmax(1, ceil(duration / clock->step * (1 - ROUNDING)));
}

double weft_clock_steps(const weft_clock *clock) { return steps_in(clock, 1 / clock->rate); }

/* A frame of that many steps would never end, and in the extreme the clock would stand still. */
static weft_result check_duration(const weft_clock *clock, double duration) {
    static const double MOST = 1e7;
    double shortest = clock->step * (clock->mode == WEFT_TIME_ADAPTIVE ? SIM_SHORTEST / 2 : 1 - clock->jitter);
    double count = duration / shortest;
    if (count <= MOST)
        return weft_ok();
    return weft_fail(WEFT_BAD_INPUT, "time.step: %g s cuts a frame of %g s into %.3g steps, at most %g are allowed",
                     clock->step, duration, count, MOST);
}

weft_result weft_clock_check(const weft_clock *clock) {
    WEFT_REQUIRE(clock);
    return check_duration(clock, 1 / clock->rate);
}

/* The difference of two times is rounded, and so differs from frame to frame. Whole frames therefore use the length
 * itself: all their steps have the same bits, which two-step schemes need. */
static weft_result begin_frame(weft_sim *sim) {
    const weft_clock *clock = &sim->clock;
    double end = (double)(sim->frame + 1) / clock->rate, duration = 1 / clock->rate;
    if (end <= sim->time) /* the frame rate changed during the run, or steps were made directly */
        end = sim->time + duration;
    else if (sim->time != (double)sim->frame / clock->rate)
        duration = end - sim->time;
    WEFT_TRY(check_duration(clock, duration));
    sim->frame_end = end;
    sim->frame_steps = clock->mode == WEFT_TIME_FIXED ? steps_in(clock, duration) : 0;
    sim->frame_step = sim->frame_steps > 0 ? duration / sim->frame_steps : 0;
    sim->frame_report = (weft_report){0};
    return weft_ok();
}

static weft_result prepare_step(weft_sim *sim) {
    WEFT_TRY(sim_prepare_step(sim));
    return sim->frame_done == 0 ? begin_frame(sim) : weft_ok();
}

weft_result weft_sim_advance_step(weft_sim *sim, weft_report *report, int32_t *done) {
    WEFT_REQUIRE(sim);
    WEFT_REQUIRE(done);
    *done = 0;
    if (report)
        *report = (weft_report){0};
    weft_result prepared = prepare_step(sim);
    if (prepared.code != WEFT_OK) {
        sim_log(sim, WEFT_LOG_WARNING, "%s", prepared.message); /* a step logs its own failures */
        return prepared;
    }
    weft_report one;
    double dt = next_step(sim), end = end_of_step(sim, dt);
    int last = end >= sim->frame_end;
    weft_result result = sim_step_until(sim, dt, end, &one);
    int good = result.code == WEFT_OK;
    add_report(&sim->frame_report, &one);
    if (report)
        *report = sim->frame_report;
    sim->frame_done = good && !last ? sim->frame_done + 1 : 0;
    if (good && last && !sim->device.still) /* a still fetches the frame while the next one is computed */
        result = sim_fetch(sim);
    if (result.code == WEFT_OK && last) {
        sim->frame++;
        *done = 1;
    }
    return result;
}

weft_result weft_sim_advance_frame(weft_sim *sim, weft_report *report, int32_t *steps) {
    WEFT_REQUIRE(sim);
    weft_report sum = {0};
    int32_t count = 0, done = 0;
    weft_result result = weft_ok();
    while (result.code == WEFT_OK && !done) {
        result = weft_sim_advance_step(sim, &sum, &done);
        count += result.code == WEFT_OK;
    }
    if (report)
        *report = sum;
    if (steps)
        *steps = count;
    return result;
}
