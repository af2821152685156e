/* What a step cost, and why. */
#include <assert.h>

#include "sim/internal.h"

void sim_note_trouble(weft_report *report, weft_trouble trouble) {
    if (report->worst.trouble == WEFT_TROUBLE_NONE)
        report->worst.trouble = trouble;
}

void sim_note_cost(weft_report *report, double begin, double seconds) {
    weft_step_cost *cost = &report->worst;
    cost->time = begin;
    cost->detection_seconds = report->contact.detection_seconds;
    cost->solve_seconds = report->solve.solve_seconds;
    cost->remesh_seconds = report->seconds[WEFT_PHASE_TEAR] + report->seconds[WEFT_PHASE_ADAPT];
    cost->halvings = report->halvings;
    cost->newton = report->solve.newton;
    cost->iterations = report->solve.iterations;
    cost->contacts = report->contact.contacts;
    cost->seconds = seconds;
}

const char *weft_step_cost_reason(const weft_step_cost *cost) {
    assert(cost);
    static const char *const TROUBLES[] = {
        [WEFT_TROUBLE_FAR] = "a body or a pin goes farther than an edge is long",
        [WEFT_TROUBLE_WAITING] = "contact keeps pins or bodies from their places",
        [WEFT_TROUBLE_UPDATES] = "Newton's method needs too many updates",
        [WEFT_TROUBLE_ENERGY] = "the step would gain energy",
        [WEFT_TROUBLE_BLOCKED] = "the barrier finds no way, and constraints take over",
        [WEFT_TROUBLE_COLLISIONS] = "impulses leave collisions or stretch edges too far",
        [WEFT_TROUBLE_DIVERGED] = "a solve or the state diverges",
    };
    if (cost->trouble > WEFT_TROUBLE_NONE && cost->trouble <= WEFT_TROUBLE_DIVERGED)
        return TROUBLES[cost->trouble];
    double rest = cost->seconds - cost->detection_seconds - cost->solve_seconds - cost->remesh_seconds;
    if (cost->remesh_seconds >= cost->detection_seconds && cost->remesh_seconds >= cost->solve_seconds)
        return cost->remesh_seconds >= rest ? "tearing, cuts or adaptation" : "forces and assembly";
    if (cost->detection_seconds >= cost->solve_seconds)
        return cost->detection_seconds >= rest ? "collision detection" : "forces and assembly";
    return cost->solve_seconds >= rest ? "linear solves" : "forces and assembly";
}
