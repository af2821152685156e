/* Modified preconditioned conjugate gradients: D. Baraff, A. Witkin, Large steps in cloth simulation, SIGGRAPH 1998,
 * section 5.3. Initial guess and stopping rule follow U. Ascher, E. Boxerman, On the modified conjugate gradient method
 * in cloth simulation, 2003.
 *
 * x, r, the direction p and q = A p are double; z = M^-1 r is float, which halves the memory traffic of the product.
 * p = z + beta p and q = A z + beta q read the same float vector, so the recurrence r -= alpha q tracks the true
 * residual to double precision. Rounding affects only the conjugacy of the directions. Because the product is with z,
 * it needs no pass of its own for p. An iteration is two passes over the rows. A coarse level is solved between them:
 * its residual follows from sums of q, which the first pass forms. */
#include "solve/pcg.h"

#include <math.h>
#include <string.h>

#include "core/simd.h"
#include "solve/coupling.h"
#include "solve/pcg_advance.h"
#include "solve/ritz.h"

typedef struct solve {
    const weft_bsr *matrix;
    const weft_filter *filter;
    const weft_precond *precond;
    const weft_work *work;
    const weft_vec3 *b;
    weft_vec3 *x;
    weft_vec3 *r, *p, *q;   /* (rows) */
    weft_vec3 *q_last;      /* of the iteration before (rows) */
    float *z4;              /* (rows x 4) */
    double (*partial)[2];   /* per block of rows */
    double *alphas, *betas; /* (iterations) */
    double alpha, beta;
    double scale;          /* |S(b - A z)| */
    double rz;             /* r.M^-1 r of the prescribed values */
    double least_energy;   /* r.M^-1 r at which the solve stops, or -1 */
    int is_preconditioned; /* z and rz are those of the present r */
} solve;

/* ---- reductions over blocks of rows ---- */

typedef struct dots {
    double first, second;
} dots;

static dots reduce(solve *s, weft_loop loop) {
    weft_parallel_for(s->work, s->matrix->rows, WEFT_BLOCK, loop, s);
    dots total = {0, 0};
    for (int64_t k = 0; k * WEFT_BLOCK < s->matrix->rows; k++) {
        total.first += s->partial[k][0];
        total.second += s->partial[k][1];
    }
    return total;
}

/* Three independent sums hide the latency of the additions. */
static void sum_product(weft_vec3 *sum, weft_vec3 a, weft_vec3 b) {
    sum->x += a.x * b.x;
    sum->y += a.y * b.y;
    sum->z += a.z * b.z;
}

static double sum_total(weft_vec3 sum) { return (sum.x + sum.y) + sum.z; }

static weft_vec3 filtered(const solve *s, int64_t i, weft_vec3 v) {
    return s->filter ? weft_filter_apply(s->filter, i, v) : v;
}

/* ---- passes over the rows; each stores its partial sums in `partial` ---- */

static weft_vec3 prescribed(const solve *s, int64_t i) {
    return s->filter && s->filter->state[i] ? s->filter->change[i] : weft_vec3_make(0, 0, 0);
}

/* Enforces the prescribed values of x. */
static void enforce_rows(void *context, int64_t begin, int64_t end) {
    solve *s = context;
    for (int64_t i = begin; i < end; i++)
        s->x[i] = weft_filter_enforce(s->filter, i, s->x[i]);
}

/* Enforces the prescribed values z of x; sums |x - z|^2. */
static void guess_rows(void *context, int64_t begin, int64_t end) {
    solve *s = context;
    weft_vec3 sum = {0, 0, 0};
    for (int64_t i = begin; i < end; i++) {
        if (s->filter)
            s->x[i] = weft_filter_enforce(s->filter, i, s->x[i]);
        weft_vec3 g = weft_sub(s->x[i], prescribed(s, i));
        sum_product(&sum, g, g);
    }
    s->partial[begin / WEFT_BLOCK][0] = sum_total(sum);
    s->partial[begin / WEFT_BLOCK][1] = 0;
}

/* With the residuals of z in q_last and of x in r: sums g.q_last and g.(q_last - r), where g = x - z. */
static void fit_rows(void *context, int64_t begin, int64_t end) {
    solve *s = context;
    weft_vec3 along = {0, 0, 0}, bend = {0, 0, 0};
    for (int64_t i = begin; i < end; i++) {
        weft_vec3 g = weft_sub(s->x[i], prescribed(s, i));
        sum_product(&along, g, s->q_last[i]);
        sum_product(&bend, g, weft_sub(s->q_last[i], s->r[i]));
    }
    s->partial[begin / WEFT_BLOCK][0] = sum_total(along);
    s->partial[begin / WEFT_BLOCK][1] = sum_total(bend);
}

/* x = z + alpha g and its residual r; sums |r|^2. */
static void scale_rows(void *context, int64_t begin, int64_t end) {
    solve *s = context;
    weft_vec3 sum = {0, 0, 0};
    for (int64_t i = begin; i < end; i++) {
        weft_vec3 z = prescribed(s, i);
        s->x[i] = weft_add_scaled(z, s->alpha, weft_sub(s->x[i], z));
        s->r[i] = weft_add_scaled(s->q_last[i], s->alpha, weft_sub(s->r[i], s->q_last[i]));
        sum_product(&sum, s->r[i], s->r[i]);
    }
    s->partial[begin / WEFT_BLOCK][0] = sum_total(sum);
    s->partial[begin / WEFT_BLOCK][1] = 0;
}

/* q = z, the prescribed values; sums |q|^2. */
static void prescribe_rows(void *context, int64_t begin, int64_t end) {
    solve *s = context;
    weft_vec3 sum = {0, 0, 0};
    for (int64_t i = begin; i < end; i++) {
        s->q[i] = prescribed(s, i);
        sum_product(&sum, s->q[i], s->q[i]);
    }
    s->partial[begin / WEFT_BLOCK][0] = sum_total(sum);
    s->partial[begin / WEFT_BLOCK][1] = 0;
}

/* r = S(b - A x), or S b if x is null; sums |r|^2. */
static void residual(solve *s, const weft_vec3 *x, int64_t begin, int64_t end) {
    weft_vec3 sum = {0, 0, 0};
    if (x)
        weft_bsr_rows(s->matrix, x, s->r, begin, end);
    if (x && s->matrix->coupling)
        weft_coupling_add(s->matrix->coupling, s->r, begin, end);
    for (int64_t i = begin; i < end; i++) {
        s->r[i] = filtered(s, i, x ? weft_sub(s->b[i], s->r[i]) : s->b[i]);
        sum_product(&sum, s->r[i], s->r[i]);
    }
    s->partial[begin / WEFT_BLOCK][0] = sum_total(sum);
    s->partial[begin / WEFT_BLOCK][1] = 0;
}

static void residual_of_guess(void *context, int64_t begin, int64_t end) {
    residual(context, ((solve *)context)->x, begin, end);
}

static void residual_of_prescribed(void *context, int64_t begin, int64_t end) {
    residual(context, ((solve *)context)->q, begin, end);
}

static void residual_of_zero(void *context, int64_t begin, int64_t end) { residual(context, NULL, begin, end); }

/* z = S M^-1 r; sums r.z. */
static void precondition_rows(void *context, int64_t begin, int64_t end) {
    solve *s = context;
    const weft_advance advance = {.filter = s->filter, .precond = s->precond, .r = s->r, .z4 = s->z4};
    s->partial[begin / WEFT_BLOCK][0] = weft_pcg_precondition(&advance, s->matrix->isa, begin, end);
    s->partial[begin / WEFT_BLOCK][1] = 0;
}

/* p = z + beta p and q = S A p; sums p.q. */
static void product_rows(void *context, int64_t begin, int64_t end) {
    solve *s = context;
    const weft_turn turn = {s->filter, s->beta, s->z4, s->q_last, s->q, s->p};
    weft_bsr_rows_float(s->matrix, s->z4, s->q, begin, end);
    if (s->matrix->coupling)
        weft_coupling_add(s->matrix->coupling, s->q, begin, end);
    s->partial[begin / WEFT_BLOCK][0] = weft_pcg_turn(&turn, s->matrix->isa, begin, end);
    weft_precond_restrict(s->precond, s->q, begin, end);
    s->partial[begin / WEFT_BLOCK][1] = 0;
}

/* Advances x and r, and z if weft_precond_can_follow; sums |r|^2 and r.z. */
static void advance_rows(void *context, int64_t begin, int64_t end) {
    solve *s = context;
    const weft_advance advance = {s->filter, s->precond, s->alpha, s->q, s->p, s->x, s->r, s->z4};
    weft_pcg_advance(&advance, s->matrix->isa, begin, end, s->partial[begin / WEFT_BLOCK]);
}

/* ---- the method ---- */

/* z = S M^-1 r; returns r.z. */
static double precondition(solve *s) {
    weft_precond_prepare(s->precond, s->work, s->r);
    return reduce(s, precondition_rows).first;
}

static int take_memory(solve *s, int32_t iterations) {
    weft_arena *arena = s->work->arena;
    size_t rows = (size_t)s->matrix->rows, blocks = (rows + WEFT_BLOCK - 1) / WEFT_BLOCK;
    s->partial = weft_arena_take(arena, blocks * sizeof *s->partial, "conjugate gradient sums");
    s->r = weft_arena_take(arena, rows * sizeof *s->r, "conjugate gradient residual");
    s->q = weft_arena_take(arena, rows * sizeof *s->q, "conjugate gradient product");
    s->q_last = weft_arena_take(arena, rows * sizeof *s->q_last, "conjugate gradient product");
    s->p = weft_arena_take(arena, rows * sizeof *s->p, "conjugate gradient direction");
    s->z4 = weft_arena_take(arena, 4 * rows * sizeof *s->z4, "conjugate gradient step");
    s->alphas = weft_arena_take(arena, ((size_t)iterations + 1) * sizeof *s->alphas, "conjugate gradient factors");
    s->betas = weft_arena_take(arena, ((size_t)iterations + 1) * sizeof *s->betas, "conjugate gradient factors");
    return s->partial && s->r && s->q && s->q_last && s->p && s->z4 && s->alphas && s->betas;
}

/* Fallback result: 0, and the prescribed values where they are finite. */
static void reset(solve *s) {
    for (int32_t i = 0; i < s->matrix->rows; i++) {
        int keep = s->filter && s->filter->state[i] && weft_vec3_is_finite(s->filter->change[i]);
        s->x[i] = keep ? s->filter->change[i] : weft_vec3_make(0, 0, 0);
    }
}

/* The coupling terms need the whole of x before rows are processed. */
static void load_coupling(const solve *s, const weft_vec3 *x) {
    if (s->matrix->coupling)
        weft_coupling_load(s->matrix->coupling, s->work, x);
}

static void load_coupling_step(const solve *s) {
    if (s->matrix->coupling)
        weft_coupling_load_float(s->matrix->coupling, s->work, s->z4);
}

static void clear_direction(void *context, int64_t begin, int64_t end) {
    solve *s = context;
    memset(s->p + begin, 0, (size_t)(end - begin) * sizeof *s->p);
    memset(s->q + begin, 0, (size_t)(end - begin) * sizeof *s->q);
}

/* The reference norm |S(b - A z)|. r becomes this residual. */
static double reference_norm(solve *s) {
    double size = reduce(s, prescribe_rows).first;
    load_coupling(s, s->q);
    return sqrt(reduce(s, size != 0 ? residual_of_prescribed : residual_of_zero).first);
}

/* A float direction deviates slightly from a forbidden direction that is not axis-aligned. Enforcing the constraint at
 * the end then increases the residual if the matrix is stiff. In that case the method restarts from the corrected x. */
static int has_oblique(const weft_filter *filter) {
    for (int32_t i = 0; filter && i < filter->count; i++)
        if (filter->state[i] == 1 || filter->state[i] == 2)
            return 1;
    return 0;
}

/* Sets the energy at which the solve stops. r must be that of the prescribed values, as reference_norm leaves it. */
static void set_least_energy(solve *s, const weft_pcg_settings *settings) {
    s->least_energy = -1;
    if (settings->energy > 0 && isfinite(s->scale) && !has_oblique(s->filter)) {
        s->rz = precondition(s);
        s->is_preconditioned = 1;
        s->least_energy = settings->energy * settings->energy * s->rz;
    }
}

static weft_pcg_status iterate(solve *s, const weft_pcg_settings *settings, weft_pcg_report *report) {
    double rz = s->is_preconditioned ? s->rz : precondition(s);
    s->is_preconditioned = 0;
    s->beta = 0;
    weft_parallel_for(s->work, s->matrix->rows, WEFT_BLOCK, clear_direction, s);
    while (report->residual > settings->tolerance && !(rz <= s->least_energy)) {
        if (report->iterations == settings->iterations)
            return WEFT_PCG_CAP;
        weft_vec3 *last = s->q;
        s->q = s->q_last;
        s->q_last = last;
        load_coupling_step(s);
        double pq = reduce(s, product_rows).first;
        if (!isfinite(pq) || !isfinite(rz))
            return WEFT_PCG_NOT_FINITE;
        if (rz == 0 && pq == 0) /* r underflows in float */
            return WEFT_PCG_CAP;
        s->alpha = rz / pq;
        if (!(pq > 0) || !(rz > 0) || !isfinite(s->alpha))
            return WEFT_PCG_NOT_POSITIVE;
        weft_precond_follow(s->precond, s->work, s->alpha);
        dots sums = reduce(s, advance_rows);
        double before = rz;
        rz = weft_precond_can_follow(s->precond) ? sums.second : precondition(s);
        s->beta = rz / before;
        s->alphas[report->iterations] = s->alpha;
        s->betas[report->iterations] = s->beta;
        report->iterations++;
        report->residual = sqrt(sums.first) / s->scale;
        if (!isfinite(report->residual))
            return WEFT_PCG_NOT_FINITE;
    }
    return WEFT_PCG_CONVERGED;
}

static double initial_residual(solve *s) {
    if (s->filter)
        weft_parallel_for(s->work, s->matrix->rows, WEFT_BLOCK, enforce_rows, s);
    load_coupling(s, s->x);
    return sqrt(reduce(s, residual_of_guess).first) / s->scale;
}

/* Scales the guess g = x - z so that the energy of its error is least: alpha = g.r(z) / g.A g. The change of velocity
 * of the last step has the right direction in slow motion, but stiff motion changes its sign from step to step. Without
 * a scale the guess is then worse than none. r must be the residual of z, whose norm is `norm`. */
static double residual_of_fitted_guess(solve *s, double norm, double tolerance) {
    if (reduce(s, guess_rows).first == 0)
        return norm / s->scale;
    s->is_preconditioned = 0;
    weft_vec3 *of_prescribed = s->r;
    s->r = s->q_last;
    s->q_last = of_prescribed;
    load_coupling(s, s->x);
    double residual = sqrt(reduce(s, residual_of_guess).first) / s->scale;
    if (!(residual > tolerance) || !isfinite(residual))
        return residual;
    dots fit = reduce(s, fit_rows);
    s->alpha = fit.first / fit.second;
    if (!(fit.second > 0) || !isfinite(s->alpha))
        s->alpha = 0;
    return sqrt(reduce(s, scale_rows).first) / s->scale;
}

static void solve_with_restarts(solve *s, const weft_pcg_settings *settings, weft_pcg_report *report) {
    int oblique = has_oblique(s->filter);
    int32_t first_round = 0;
    for (;;) {
        double before = report->residual;
        report->status = iterate(s, settings, report);
        if (first_round == 0)
            first_round = report->iterations;
        if (!oblique || report->status != WEFT_PCG_CONVERGED)
            break;
        report->residual = initial_residual(s);
        if (!(report->residual > settings->tolerance))
            break;
        report->status = WEFT_PCG_CAP;
        if (report->residual > 0.5 * before)
            break;
    }
    if (first_round > 0)
        weft_ritz_of_pcg(first_round, s->alphas, s->betas, &report->smallest, &report->largest);
}

weft_pcg_report weft_pcg_solve(const weft_bsr *matrix, const weft_filter *filter, const weft_precond *precond,
                               const weft_work *work, const weft_pcg_settings *settings, const weft_vec3 *b,
                               weft_vec3 *x) {
    solve s = {.matrix = matrix, .filter = filter, .precond = precond, .work = work, .b = b, .x = x};
    weft_pcg_report report = {WEFT_PCG_NO_MEMORY, 0, 0, 0, 0};
    if (!take_memory(&s, settings->iterations)) {
        reset(&s);
        return report;
    }
    double norm = reference_norm(&s);
    s.scale = norm;
    set_least_energy(&s, settings);
    if (s.scale > 0 && s.scale < settings->scale)
        s.scale = settings->scale;
    report.residual = s.scale == 0 ? 0 : residual_of_fitted_guess(&s, norm, settings->tolerance);
    if (s.scale == 0) /* z is the solution */
        report.status = WEFT_PCG_CONVERGED;
    else if (isfinite(s.scale) && isfinite(report.residual))
        solve_with_restarts(&s, settings, &report);
    else
        report.status = WEFT_PCG_NOT_FINITE;
    if (s.scale == 0 || report.status == WEFT_PCG_NOT_FINITE)
        reset(&s);
    else if (filter)
        weft_parallel_for(work, matrix->rows, WEFT_BLOCK, enforce_rows, &s);
    return report;
}
