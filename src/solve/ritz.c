/* Ritz values by the Lanczos method: G. Golub, C. Van Loan, Matrix Computations, 4th ed., sections 8.4 (bisection),
 * 10.1 and 11.3.7 (the tridiagonal matrix of conjugate gradients). Loss of orthogonality only duplicates converged Ritz
 * values. The extreme ones are therefore accurate without reorthogonalisation. */
#include "solve/ritz.h"

#include <math.h>

/* The number of eigenvalues below x: the negative pivots of T - x (Sturm sequence). */
static int32_t count_below(int32_t count, const double *diagonal, const double *off_diagonal, double x) {
    int32_t below = 0;
    double pivot = 1;
    for (int32_t k = 0; k < count; k++) {
        double coupling = k > 0 ? off_diagonal[k - 1] * off_diagonal[k - 1] : 0;
        pivot = diagonal[k] - x - (coupling != 0 ? coupling / pivot : 0);
        if (pivot == 0)
            pivot = 1e-300;
        below += pivot < 0;
    }
    return below;
}

/* The point at which count_below first exceeds `rank`, by bisection. */
static double bisect(int32_t count, const double *diagonal, const double *off_diagonal, double low, double high,
                     int32_t rank) {
    for (int k = 0; k < 100; k++) {
        double middle = 0.5 * (low + high);
        if (count_below(count, diagonal, off_diagonal, middle) > rank)
            high = middle;
        else
            low = middle;
    }
    return 0.5 * (low + high);
}

void weft_ritz_tridiagonal(int32_t count, const double *diagonal, const double *off_diagonal, double *lowest,
                           double *highest) {
    double low = INFINITY, high = -INFINITY;
    for (int32_t k = 0; k < count; k++) { /* Gershgorin bounds */
        double reach = (k > 0 ? fabs(off_diagonal[k - 1]) : 0) + (k + 1 < count ? fabs(off_diagonal[k]) : 0);
        if (!isfinite(diagonal[k]) || !isfinite(reach)) {
            *lowest = *highest = NAN;
            return;
        }
        low = fmin(low, diagonal[k] - reach);
        high = fmax(high, diagonal[k] + reach);
    }
    *lowest = bisect(count, diagonal, off_diagonal, low, high, 0);
    *highest = bisect(count, diagonal, off_diagonal, low, high, count - 1);
}

void weft_ritz_of_pcg(int32_t count, double *alpha, double *beta, double *lowest, double *highest) {
    double carried = 0; /* beta / alpha of the previous step */
    for (int32_t k = 0; k < count; k++) {
        double inverse = 1 / alpha[k];
        alpha[k] = inverse + carried;
        carried = beta[k] * inverse;
        beta[k] = sqrt(fmax(beta[k], 0)) * inverse;
    }
    weft_ritz_tridiagonal(count, alpha, beta, lowest, highest);
}

typedef struct lanczos {
    const weft_bsr *matrix;
    const weft_filter *filter;
    const weft_work *work;
    weft_vec3 *v, *previous, *w;
    double *partial;
    double alpha, beta, scale;
    uint64_t seed;
} lanczos;

static double pass(lanczos *l, weft_loop loop) {
    weft_parallel_for(l->work, l->matrix->rows, WEFT_BLOCK, loop, l);
    double total = 0;
    for (int64_t k = 0; k * WEFT_BLOCK < l->matrix->rows; k++)
        total += l->partial[k];
    return total;
}

/* w = random, filtered; sums |w|^2. */
static void start_rows(void *context, int64_t begin, int64_t end) {
    lanczos *l = context;
    double sum = 0;
    for (int64_t i = begin; i < end; i++) {
        uint64_t counter = 3 * (uint64_t)i;
        weft_vec3 w = weft_vec3_make(weft_random(l->seed, counter) - 0.5, weft_random(l->seed, counter + 1) - 0.5,
                                     weft_random(l->seed, counter + 2) - 0.5);
        l->w[i] = l->filter ? weft_filter_apply(l->filter, i, w) : w;
        l->v[i] = weft_vec3_make(0, 0, 0);
        sum += weft_dot(l->w[i], l->w[i]);
    }
    l->partial[begin / WEFT_BLOCK] = sum;
}

/* previous = v, v = scale w. */
static void shift_rows(void *context, int64_t begin, int64_t end) {
    lanczos *l = context;
    for (int64_t i = begin; i < end; i++) {
        l->previous[i] = l->v[i];
        l->v[i] = weft_scale(l->scale, l->w[i]);
    }
    l->partial[begin / WEFT_BLOCK] = 0;
}

/* w = S A v - beta previous; sums v.w. */
static void product_rows(void *context, int64_t begin, int64_t end) {
    lanczos *l = context;
    double sum = 0;
    weft_bsr_rows(l->matrix, l->v, l->w, begin, end);
    for (int64_t i = begin; i < end; i++) {
        weft_vec3 w = l->filter ? weft_filter_apply(l->filter, i, l->w[i]) : l->w[i];
        l->w[i] = weft_add_scaled(w, -l->beta, l->previous[i]);
        sum += weft_dot(l->v[i], l->w[i]);
    }
    l->partial[begin / WEFT_BLOCK] = sum;
}

/* w -= alpha v; sums |w|^2. */
static void subtract_rows(void *context, int64_t begin, int64_t end) {
    lanczos *l = context;
    double sum = 0;
    for (int64_t i = begin; i < end; i++) {
        l->w[i] = weft_add_scaled(l->w[i], -l->alpha, l->v[i]);
        sum += weft_dot(l->w[i], l->w[i]);
    }
    l->partial[begin / WEFT_BLOCK] = sum;
}

weft_ritz weft_ritz_estimate(const weft_bsr *matrix, const weft_filter *filter, const weft_work *work, int32_t steps,
                             uint64_t seed) {
    size_t rows = (size_t)matrix->rows, blocks = (rows + WEFT_BLOCK - 1) / WEFT_BLOCK;
    lanczos l = {.matrix = matrix, .filter = filter, .work = work, .seed = seed};
    l.v = weft_arena_take(work->arena, rows * sizeof *l.v, "Lanczos vectors");
    l.previous = weft_arena_take(work->arena, rows * sizeof *l.previous, "Lanczos vectors");
    l.w = weft_arena_take(work->arena, rows * sizeof *l.w, "Lanczos vectors");
    l.partial = weft_arena_take(work->arena, blocks * sizeof *l.partial, "Lanczos sums");
    double *diagonal = weft_arena_take(work->arena, (size_t)steps * sizeof *diagonal, "Lanczos values");
    double *off_diagonal = weft_arena_take(work->arena, (size_t)steps * sizeof *off_diagonal, "Lanczos values");
    weft_ritz ritz = {0, 0, -1};
    if (!l.v || !l.previous || !l.w || !l.partial || !diagonal || !off_diagonal)
        return ritz;
    double size = sqrt(pass(&l, start_rows)), largest = 0;
    ritz.steps = 0;
    while (ritz.steps < steps && size > 1e-14 * largest) {
        l.beta = ritz.steps > 0 ? size : 0;
        l.scale = 1 / size;
        pass(&l, shift_rows);
        l.alpha = pass(&l, product_rows);
        size = sqrt(pass(&l, subtract_rows));
        largest = fmax(largest, fmax(fabs(l.alpha), size));
        diagonal[ritz.steps] = l.alpha;
        off_diagonal[ritz.steps] = size;
        ritz.steps++;
    }
    if (ritz.steps > 0)
        weft_ritz_tridiagonal(ritz.steps, diagonal, off_diagonal, &ritz.lowest, &ritz.highest);
    else if (isnan(size))
        ritz.lowest = ritz.highest = NAN;
    return ritz;
}
