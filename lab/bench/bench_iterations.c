/* Iterations of the linear solver from 10^4 to 10^6 unknowns, with the default solver of `bdf2` and finite elements. */
#include "lab/bench/sheet.h"

static const double STEP = 0.004; /* s */

typedef struct iterations_case {
    const char *name;
    int steps;
    weft_result (*make)(const weft_registry *registry, int side, weft_sim **sim);
} iterations_case;

static const weft_sheet_method METHOD = {"bdf2", 1, {"integrator.newton=1", "cloth.model.bending=isometric", NULL}};

/* Held at two corners, it swings down. */
static weft_result make_falling(const weft_registry *registry, int side, weft_sim **sim) {
    return weft_sheet_flat(registry, side, "corotational", 0, &METHOD, sim);
}

static weft_result make_flag(const weft_registry *registry, int side, weft_sim **sim) {
    WEFT_TRY(weft_sheet_flat(registry, side, "corotational", 0, &METHOD, sim));
    return weft_sheet_add_wind(*sim);
}

/* A free sheet 2 mm above a ball of radius 0.25 m. The barrier of contact is as thick as the edges are long, but at
 * most 2 mm. */
static weft_result make_sphere(const weft_registry *registry, int side, weft_sim **sim) {
    char height[40], thickness[40];
    snprintf(height, sizeof height, "[0.5, %.17g, 0.5]", -0.252);
    snprintf(thickness, sizeof thickness, "%.17g", side > 250 ? 0.5 / side : 0.002);
    WEFT_TRY(weft_sheet_free(registry, side, "corotational", 0, &METHOD, sim));
    WEFT_TRY(weft_sim_add_body(*sim, "sphere", NULL, NULL));
    WEFT_TRY(weft_sim_set(*sim, "bodies.sphere.radius", "0.25"));
    WEFT_TRY(weft_sim_set(*sim, "bodies.sphere.at", height));
    return weft_sim_set(*sim, "contact.thickness", thickness);
}

static weft_result measure(weft_sim *sim, int steps, weft_solve *sum) {
    *sum = (weft_solve){0};
    for (int i = 0; i < steps; i++) {
        weft_report report;
        WEFT_TRY(weft_sim_step(sim, STEP, &report));
        sum->newton += report.solve.newton;
        sum->iterations += report.solve.iterations;
        sum->not_converged += report.solve.not_converged;
    }
    return weft_ok();
}

static weft_result print_case(FILE *out, const weft_registry *registry, const iterations_case *kind) {
    static const int SIDES[] = {58, 183, 577};
    double first = 0;
    fprintf(out, "%s, %d steps of 4 ms\n unknowns   solves  iterations per solve  growth  not converged  seconds\n",
            kind->name, kind->steps);
    for (size_t i = 0; i < sizeof SIDES / sizeof SIDES[0]; i++) {
        weft_sim *sim = NULL;
        weft_solve sum = {0};
        double unknowns = 3.0 * SIDES[i] * SIDES[i], start = weft_bench_now();
        weft_result result = kind->make(registry, SIDES[i], &sim);
        if (result.code == WEFT_OK)
            result = measure(sim, kind->steps, &sum);
        weft_sim_destroy(sim);
        WEFT_TRY(result);
        double each = sum.newton > 0 ? (double)sum.iterations / sum.newton : 0;
        first = i == 0 ? each : first;
        fprintf(out, "%9.0f %8d %21.1f %7.2f %14d %8.1f\n", unknowns, sum.newton, each, each / first, sum.not_converged,
                weft_bench_now() - start);
        fflush(out);
        weft_bench_record("iterations", "scene,unknowns,steps,solves,iterations_per_solve,not_converged",
                          "%s,%.0f,%d,%d,%.2f,%d", kind->name, unknowns, kind->steps, sum.newton, each,
                          sum.not_converged);
    }
    return weft_ok();
}

static weft_result print_all(FILE *out, const weft_registry *registry) {
    static const iterations_case CASES[] = {
        {"falling-sheet", 20, make_falling}, {"flag", 20, make_flag}, {"sheet-on-sphere", 16, make_sphere}};
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++)
        WEFT_TRY(print_case(out, registry, &CASES[i]));
    return weft_ok();
}

weft_result weft_bench_iterations(FILE *out) { return weft_bench_print(out, print_all); }
