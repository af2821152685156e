/* The linear solver on M / dt^2 + K of a hanging square sheet: 1 m, 0.2 kg/m2, dt = 1/90 s, springs to 12 neighbours
 * (structural 1000 N/m, shear 500 N/m, flexion 50 N/m), two corners held. */
#include "bench/inside/bench_linear.h"

#include <math.h>
#include <stdlib.h>

#include "bench/bench.h"
#include "core/memory.h"
#include "linear/pcg.h"
#include "weft/vec.h"

static const double TIME_STEP = 1.0 / 90;

typedef struct sheet {
    int32_t side, springs;
    int32_t (*spring)[2];
    double *stiffness, *rest;
    weft_vec3 *x, *b, *solution;
    weft_bsr *matrix;
    weft_slots *slots;
    weft_filter *filter;
} sheet;

/* ---- the sheet ---- */

static void make_springs(sheet *s) {
    static const int reach[6][2] = {{1, 0}, {0, 1}, {1, 1}, {-1, 1}, {2, 0}, {0, 2}};
    double h = 1.0 / (s->side - 1);
    for (int32_t v = 0; v < s->side; v++)
        for (int32_t u = 0; u < s->side; u++)
            for (int k = 0; k < 6; k++) {
                int32_t a = u + reach[k][0], b = v + reach[k][1];
                if (a < 0 || a >= s->side || b >= s->side)
                    continue;
                s->spring[s->springs][0] = v * s->side + u;
                s->spring[s->springs][1] = b * s->side + a;
                s->stiffness[s->springs] = k < 2 ? 1000 : k < 4 ? 500 : 50;
                s->rest[s->springs] = h * sqrt(reach[k][0] * reach[k][0] + reach[k][1] * reach[k][1]);
                s->springs++;
            }
}

/* Stretched by its weight, waved, and a little rough. */
static void make_shape(sheet *s) {
    double h = 1.0 / (s->side - 1);
    for (int32_t i = 0; i < s->side * s->side; i++) {
        int32_t row = i / s->side;
        double u = i % s->side * h, v = row * h;
        double rough = 1e-3 * h * (2 * weft_random(1, (uint64_t)i) - 1);
        s->x[i] = weft_vec3_make(u * (1 - 0.02 * v), -v * (1.02 - 0.01 * v), 0.03 * sin(9 * u + 3 * v) * v + rough);
    }
}

static void add_springs(void *context, const int32_t *elements, int32_t count) {
    sheet *s = context;
    for (int32_t k = 0; k < count; k++) {
        int32_t e = elements[k], i = s->spring[e][0], j = s->spring[e][1];
        weft_vec3 d = weft_sub(s->x[j], s->x[i]);
        double length = weft_length(d), inverse = 1 / length, taut = fmax(0, 1 - s->rest[e] * inverse);
        double unit[3] = {d.x * inverse, d.y * inverse, d.z * inverse}, block[9];
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++)
                block[3 * r + c] = -s->stiffness[e] * ((1 - taut) * unit[r] * unit[c] + (r == c ? taut : 0));
        weft_bsr_add_pair(s->matrix, s->slots->slot[e], block);
    }
}

static void assemble(sheet *s, const weft_work *work) {
    weft_bsr_clear(s->matrix, work);
    double mass = 0.2 / ((double)s->side * s->side);
    for (int32_t i = 0; i < s->side * s->side; i++)
        weft_bsr_add_scalar(s->matrix, i, mass / (TIME_STEP * TIME_STEP));
    weft_slots_run(s->slots, work, add_springs, s);
    weft_bsr_finish(s->matrix, work);
}

/* Weight and spring forces. */
static void make_right_side(sheet *s) {
    double mass = 0.2 / ((double)s->side * s->side);
    for (int32_t i = 0; i < s->side * s->side; i++)
        s->b[i] = weft_vec3_make(0.01 * mass / TIME_STEP, -9.81 * mass, 0);
    for (int32_t e = 0; e < s->springs; e++) {
        int32_t i = s->spring[e][0], j = s->spring[e][1];
        weft_vec3 d = weft_sub(s->x[j], s->x[i]);
        double pull = s->stiffness[e] * (1 - s->rest[e] / weft_length(d));
        s->b[i] = weft_add_scaled(s->b[i], pull, d);
        s->b[j] = weft_add_scaled(s->b[j], -pull, d);
    }
}

static void sheet_destroy(sheet *s) {
    weft_filter_destroy(s->filter);
    weft_slots_destroy(s->slots);
    weft_bsr_destroy(s->matrix);
    free(s->solution);
    free(s->b);
    free(s->x);
    free(s->rest);
    free(s->stiffness);
    free(s->spring);
}

static weft_result sheet_create(sheet *s, int32_t side) {
    size_t n = (size_t)side * (size_t)side;
    *s = (sheet){.side = side};
    s->spring = weft_allocate(6 * n, sizeof *s->spring);
    s->stiffness = weft_allocate(6 * n, sizeof *s->stiffness);
    s->rest = weft_allocate(6 * n, sizeof *s->rest);
    s->x = weft_allocate(n, sizeof *s->x);
    s->b = weft_allocate(n, sizeof *s->b);
    s->solution = weft_allocate(n, sizeof *s->solution);
    if (!s->spring || !s->stiffness || !s->rest || !s->x || !s->b || !s->solution)
        return weft_fail_memory("benchmark sheet", n * 216);
    make_springs(s);
    make_shape(s);
    make_right_side(s);
    weft_elements list = {s->springs, 2, s->spring[0]};
    WEFT_TRY(weft_bsr_create((int32_t)n, &list, 1, &s->matrix));
    WEFT_TRY(weft_slots_create(s->matrix, &list, &s->slots));
    WEFT_TRY(weft_filter_create((int32_t)n, &s->filter));
    weft_filter_hold(s->filter, 0, weft_vec3_make(0, 0, 0));
    weft_filter_hold(s->filter, side - 1, weft_vec3_make(0, 0, 0));
    return weft_ok();
}

/* ---- measurements ---- */

/* Read once: blocks, columns, row starts, excess, x; written (and fetched first): y. */
static double product_bytes(const weft_bsr *m, double vector_bytes) {
    return 40.0 * m->blocks + (4 + 36 + vector_bytes + 2 * 24.0) * m->rows;
}

/* Besides the product: filter state; p again, x, r read and written, q, inverse, z (fetched and written); p = z + beta
 * p. */
static double iteration_bytes(const weft_bsr *m) {
    return product_bytes(m, 16) + (1 + 16 + 48 + 48 + 24 + 24 + 32 + 48.0) * m->rows;
}

static double time_product(sheet *s, const weft_work *work, int rounds) {
    double best = INFINITY;
    for (int k = 0; k < rounds; k++) {
        double begin = weft_bench_now();
        weft_bsr_multiply(s->matrix, work, s->x, s->solution);
        best = fmin(best, weft_bench_now() - begin);
    }
    return best;
}

static double time_assembly(sheet *s, const weft_work *work, int rounds) {
    double best = INFINITY;
    for (int k = 0; k < rounds; k++) {
        double begin = weft_bench_now();
        assemble(s, work);
        best = fmin(best, weft_bench_now() - begin);
    }
    return best;
}

static weft_pcg_report run_solver(sheet *s, const weft_precond *precond, const weft_work *work, double tolerance,
                                  int32_t iterations, double *seconds) {
    weft_pcg_settings settings = {tolerance, iterations};
    for (int32_t i = 0; i < s->matrix->rows; i++)
        s->solution[i] = weft_vec3_make(0, 0, 0);
    weft_arena_empty(work->arena);
    double begin = weft_bench_now();
    weft_pcg_report report = weft_pcg_solve(s->matrix, s->filter, precond, work, &settings, s->b, s->solution);
    *seconds = weft_bench_now() - begin;
    return report;
}

/* Per iteration: the difference of a longer and a shorter run, so that start and end drop out; the best of each. */
static weft_result time_iteration(sheet *s, const weft_work *work, int rounds, double *seconds) {
    enum { BRIEF = 3, LONG = 13 };
    weft_precond *precond = NULL;
    WEFT_TRY(weft_precond_create(s->matrix, WEFT_PRECOND_BLOCK, &precond));
    weft_precond_update(precond, s->matrix, s->filter, work);
    double least_brief = INFINITY, least_long = INFINITY;
    for (int round = 0; round < rounds; round++) {
        double taken = 0;
        run_solver(s, precond, work, 0, BRIEF, &taken);
        least_brief = fmin(least_brief, taken);
        run_solver(s, precond, work, 0, LONG, &taken);
        least_long = fmin(least_long, taken);
    }
    *seconds = (least_long - least_brief) / (LONG - BRIEF);
    weft_precond_destroy(precond);
    return weft_ok();
}

static weft_result report_preconditioners(sheet *s, int first, const weft_work *work, FILE *out) {
    static const char *const names[] = {"none", "diagonal", "block", "two-level"};
    for (int kind = first; kind <= WEFT_PRECOND_TWO_LEVEL; kind++) {
        weft_precond *precond = NULL;
        double begin = weft_bench_now();
        WEFT_TRY(weft_precond_create(s->matrix, (weft_precond_kind)kind, &precond));
        double create = weft_bench_now() - begin, seconds = 0;
        begin = weft_bench_now();
        weft_precond_update(precond, s->matrix, s->filter, work);
        double update = weft_bench_now() - begin;
        weft_pcg_report report = run_solver(s, precond, work, 1e-4, 20000, &seconds);
        fprintf(out, "    %-9s  %5d iterations  update %8.2f ms  solve %9.2f ms  total %9.2f ms  (once: %.0f ms)  %s\n",
                names[kind], (int)report.iterations, 1e3 * update, 1e3 * seconds, 1e3 * (update + seconds),
                1e3 * create, weft_pcg_status_name(report.status));
        weft_precond_destroy(precond);
    }
    return weft_ok();
}

static weft_result report_sheet(sheet *s, int32_t side, const weft_work *work, double bandwidth, FILE *out) {
    weft_result made = sheet_create(s, side);
    if (made.code != WEFT_OK || !s->matrix)
        return made;
    int rounds = side > 300 ? 10 : 100;
    double assembly = time_assembly(s, work, rounds), iteration = 0;
    double product = time_product(s, work, rounds);
    WEFT_TRY(time_iteration(s, work, rounds, &iteration));
    double bytes = product_bytes(s->matrix, 24), all = iteration_bytes(s->matrix);
    fprintf(out, "  %7d unknowns, %.1f blocks a row, %d thread%s\n", 3 * (int)s->matrix->rows,
            1 + (double)s->matrix->blocks / s->matrix->rows, work->threads, work->threads > 1 ? "s" : "");
    fprintf(out, "    assembly   %8.3f ms, %d colours\n", 1e3 * assembly, (int)s->slots->colours);
    fprintf(out, "    product    %8.3f ms  %7.2f MB  %5.1f GB/s  %.2f x bound\n", 1e3 * product, 1e-6 * bytes,
            1e-9 * bytes / product, product * bandwidth / bytes);
    fprintf(out, "    iteration  %8.3f ms  %7.2f MB  %5.1f GB/s  %.2f x bound\n", 1e3 * iteration, 1e-6 * all,
            1e-9 * all / iteration, iteration * bandwidth / all);
    int slow = side > 300 && work->threads == 1; /* thousands of iterations without the coarse level */
    return report_preconditioners(s, slow ? WEFT_PRECOND_TWO_LEVEL : WEFT_PRECOND_DIAGONAL, work, out);
}

weft_result weft_bench_linear(FILE *out) {
    static const int32_t sides[] = {58, 183, 577};
    weft_arena *arena = weft_arena_create();
    if (!arena)
        return weft_fail_memory("benchmark", 64);
    weft_result result = weft_ok();
    for (int threads = 1; threads <= 2 && result.code == WEFT_OK; threads++) {
        weft_work work = {threads, arena};
        double bandwidth = weft_bench_bandwidth(threads);
        fprintf(out, "linear: %d thread%s, streaming bandwidth %.1f GB/s\n", threads, threads > 1 ? "s" : "",
                1e-9 * bandwidth);
        for (int k = 0; k < 3 && result.code == WEFT_OK; k++) {
            sheet s;
            result = report_sheet(&s, sides[k], &work, bandwidth, out);
            sheet_destroy(&s);
        }
    }
    weft_arena_destroy(arena);
    return result;
}
