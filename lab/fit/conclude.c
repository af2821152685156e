/* What a fit says about its parameters: uncertainty, correlation, and which of them the data determine. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "lab/fit/fit.h"
#include "lab/textile/workers.h"
#include "weft/text.h"

enum { MOST = WEFT_FIT_PARAMETERS };
static const double STEP = 0.01; /* of ln p for central differences: large against the noise of simulations */
static const double VAGUE = 0.5; /* relative standard deviation of a parameter that is not determined */
static const double NULL_EIGEN = 1e-10, NULL_SHARE = 0.1;
static const double CORRELATED = 0.95;

/* -- values around the best point -- */

typedef struct around {
    const weft_fit *fit;
    const double *z;
    double from[MOST];
} around;

/* Tasks: 0: the best point, 1: the first start, 2 + 2 i and 3 + 2 i: parameter i moved down and up. A failed one is
 * all NAN. */
static void run_point(void *context, int index, double *out) {
    const around *a = context;
    double z[MOST];
    weft_fabric fabric;
    memcpy(z, index == 1 ? a->from : a->z, sizeof z);
    if (index > 1)
        z[(index - 2) / 2] += index % 2 ? STEP : -STEP;
    if (weft_fit_fabric(a->fit, z, &fabric).code == WEFT_OK && weft_fit_predict(a->fit, &fabric, out).code == WEFT_OK)
        return;
    for (int64_t i = 0; i < a->fit->residual_count; i++)
        out[i] = NAN;
}

/* -- linear algebra of small symmetric matrices -- */

/* Eigenvalues (the diagonal of `a` afterwards) and eigenvectors (columns of `v`) by Jacobi's rotations. */
static void diagonalise(int n, double a[MOST][MOST], double v[MOST][MOST]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            v[i][j] = i == j;
    for (int sweep = 0; sweep < 60; sweep++)
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++) {
                if (a[p][q] == 0)
                    continue;
                double theta = 0.5 * atan2(2 * a[p][q], a[q][q] - a[p][p]), c = cos(theta), s = sin(theta);
                for (int k = 0; k < n; k++) {
                    double x = a[k][p], y = a[k][q];
                    a[k][p] = c * x - s * y;
                    a[k][q] = s * x + c * y;
                }
                for (int k = 0; k < n; k++) {
                    double x = a[p][k], y = a[q][k];
                    a[p][k] = c * x - s * y;
                    a[q][k] = s * x + c * y;
                }
                for (int k = 0; k < n; k++) {
                    double x = v[k][p], y = v[k][q];
                    v[k][p] = c * x - s * y;
                    v[k][q] = s * x + c * y;
                }
            }
}

/* The covariance of ln p for residuals of unit variance. A parameter with a share in a direction that no residual feels
 * gets an infinite variance. */
static void invert(int n, double hessian[MOST][MOST], double covariance[MOST][MOST]) {
    double v[MOST][MOST], largest = 0;
    int is_lost[MOST] = {0};
    diagonalise(n, hessian, v);
    for (int i = 0; i < n; i++)
        largest = fmax(largest, hessian[i][i]);
    memset(covariance, 0, sizeof(double[MOST][MOST]));
    for (int e = 0; e < n; e++)
        for (int i = 0; i < n; i++) {
            int empty = !(hessian[e][e] > NULL_EIGEN * largest) || largest == 0;
            is_lost[i] |= empty && fabs(v[i][e]) > NULL_SHARE;
            for (int j = 0; j < n && !empty; j++)
                covariance[i][j] += v[i][e] * v[j][e] / hessian[e][e];
        }
    for (int i = 0; i < n; i++)
        if (is_lost[i])
            covariance[i][i] = HUGE_VAL;
}

/* -- */

static void warn(weft_fit_result *r, const char *format, ...) WEFT_PRINTF(2, 3);
static void warn(weft_fit_result *r, const char *format, ...) {
    if (r->warning_count == (int)(sizeof r->warning / sizeof r->warning[0]))
        return;
    va_list arguments;
    va_start(arguments, format);
    weft_format_list(r->warning[r->warning_count++], sizeof r->warning[0], format, arguments);
    va_end(arguments);
}

static void judge_bounds(const weft_fit *fit, weft_fit_result *r, int i) {
    const weft_fit_parameter *p = &fit->parameter[i];
    double z = r->start[r->best].z[i], range = log(p->high) - log(p->low);
    r->is_at_bound[i] = z - log(p->low) < 1e-4 * range ? -1 : log(p->high) - z < 1e-4 * range ? 1 : 0;
    if (r->is_at_bound[i])
        warn(r, "%s ends at its %s bound, %g %s: the data ask for a value beyond it", p->name,
             r->is_at_bound[i] < 0 ? "lower" : "upper", r->is_at_bound[i] < 0 ? p->low : p->high, p->unit);
}

/* Another start that fits as well and has other values says that the data do not decide. */
static void judge_starts(const weft_fit *fit, weft_fit_result *r) {
    const weft_fit_start *best = &r->start[r->best];
    for (int k = 0; k < fit->starts; k++) {
        const weft_fit_start *other = &r->start[k];
        if (k == r->best || !other->done || other->cost > best->cost + 0.5)
            continue;
        for (int i = 0; i < fit->parameter_count; i++)
            if (fabs(other->z[i] - best->z[i]) > 0.1 && r->is_identified[i]) {
                warn(r, "%s: start %d fits as well with %.4g %s instead of %.4g", fit->parameter[i].name, k + 1,
                     exp(other->z[i]), fit->parameter[i].unit, exp(best->z[i]));
                r->is_identified[i] = 0;
            }
    }
}

static void judge(const weft_fit *fit, weft_fit_result *r, double covariance[MOST][MOST]) {
    int n = fit->parameter_count, assumed = 0;
    for (int i = 0; i < fit->observation_count; i++)
        assumed |= !fit->observation[i].sigma_is_given;
    int64_t freedom = fit->residual_count - n;
    double scale = assumed && freedom > 0 ? sqrt(2 * r->start[r->best].cost / (double)freedom) : 1;
    for (int i = 0; i < n; i++) {
        double deviation = sqrt(covariance[i][i]);
        r->is_identified[i] = deviation < VAGUE;
        r->deviation[i] = deviation * (isinf(deviation) ? 1 : scale);
        for (int j = 0; j < n; j++)
            r->correlation[i][j] = i == j ? 1 : covariance[i][j] / sqrt(covariance[i][i] * covariance[j][j]);
        if (!r->has_effect[i])
            warn(r, "%s is not determined by these observations: they do not change with it, and it keeps its start",
                 fit->parameter[i].name);
        else if (isinf(deviation))
            warn(r, "%s is not determined by these observations: other parameters can make up for it",
                 fit->parameter[i].name);
        else if (!r->is_identified[i])
            warn(r, "%s is not determined by these observations: its standard deviation is %.0f %%",
                 fit->parameter[i].name, 100 * deviation);
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            if (r->is_identified[i] && r->is_identified[j] && fabs(r->correlation[i][j]) > CORRELATED)
                warn(r, "%s and %s cannot be told apart: their correlation is %.3f", fit->parameter[j].name,
                     fit->parameter[i].name, r->correlation[i][j]);
    for (int i = 0; i < n; i++)
        if (r->has_effect[i])
            judge_bounds(fit, r, i);
    judge_starts(fit, r);
}

static weft_result choose(const weft_fit *fit, weft_fit_result *r) {
    r->best = -1;
    for (int i = 0; i < fit->starts; i++)
        if (r->start[i].done && (r->best < 0 || r->start[i].cost < r->start[r->best].cost))
            r->best = i;
    if (r->best < 0)
        return weft_fail(WEFT_DIVERGED, "%.300s: no start could be simulated", fit->path);
    for (int i = 0; i < fit->parameter_count; i++)
        r->value[i] = exp(r->start[r->best].z[i]);
    r->misfit = sqrt(2 * r->start[r->best].cost / (double)fit->residual_count);
    return weft_fit_fabric(fit, r->start[r->best].z, &r->fabric);
}

/* J^T J from the values of the moved parameters. */
static void make_hessian(const weft_fit *fit, const double *point, double hessian[MOST][MOST]) {
    size_t m = (size_t)fit->residual_count;
    memset(hessian, 0, sizeof(double[MOST][MOST]));
    for (int i = 0; i < fit->parameter_count; i++)
        for (int j = 0; j <= i; j++) {
            const double *low_i = point + (size_t)(2 + 2 * i) * m, *low_j = point + (size_t)(2 + 2 * j) * m;
            size_t at = 0;
            double sum = 0;
            for (int k = 0; k < fit->observation_count; k++)
                for (int64_t q = 0; q < fit->observation[k].count; q++, at++) {
                    double sigma = 2 * STEP * fit->observation[k].sigma;
                    double one = (low_i[m + at] - low_i[at]) / sigma, two = (low_j[m + at] - low_j[at]) / sigma;
                    sum += isfinite(one * two) ? one * two : 0;
                }
            hessian[i][j] = hessian[j][i] = sum;
        }
}

static void judge_effect(const weft_fit *fit, weft_fit_result *r, double hessian[MOST][MOST]) {
    double largest = 0;
    for (int i = 0; i < fit->parameter_count; i++)
        largest = fmax(largest, hessian[i][i]);
    for (int i = 0; i < fit->parameter_count; i++)
        r->has_effect[i] = hessian[i][i] > NULL_EIGEN * NULL_EIGEN * largest;
}

/* What nothing depends on ends anywhere within its bounds. Such parameters return to their start. */
static weft_result keep_starts(const weft_fit *fit, weft_fit_result *r) {
    double z[MOST];
    memcpy(z, r->start[r->best].z, sizeof z);
    for (int i = 0; i < fit->parameter_count; i++)
        if (!r->has_effect[i]) {
            r->value[i] = fit->parameter[i].start;
            z[i] = log(r->value[i]);
        }
    return weft_fit_fabric(fit, z, &r->fabric);
}

weft_result weft_fit_conclude(const weft_fit *fit, int jobs, weft_fit_result *r) {
    WEFT_TRY(choose(fit, r));
    size_t m = (size_t)fit->residual_count;
    int tasks = 2 + 2 * fit->parameter_count, done[2 + 2 * MOST];
    double *point = calloc((size_t)tasks * m, sizeof *point), hessian[MOST][MOST], covariance[MOST][MOST];
    around a = {.fit = fit, .z = r->start[r->best].z};
    r->simulated = calloc(m, sizeof *r->simulated);
    r->at_start = calloc(m, sizeof *r->at_start);
    weft_result result =
        point && r->simulated && r->at_start ? weft_ok() : weft_fail_memory("values", m * sizeof *point);
    for (int i = 0; i < fit->parameter_count; i++)
        a.from[i] = log(fit->parameter[i].start);
    weft_workers workers = {&a, tasks, m, run_point, point, done};
    if (result.code == WEFT_OK)
        result = weft_workers_run(&workers, jobs);
    for (int i = 0; i < tasks && result.code == WEFT_OK; i++)
        if (!done[i])
            result = weft_fail(WEFT_DIVERGED, "%.300s: a simulation near the best values crashed", fit->path);
    if (result.code == WEFT_OK) {
        memcpy(r->simulated, point, m * sizeof *point);
        memcpy(r->at_start, point + m, m * sizeof *point);
        make_hessian(fit, point, hessian);
        judge_effect(fit, r, hessian);
        invert(fit->parameter_count, hessian, covariance);
        judge(fit, r, covariance);
        result = keep_starts(fit, r);
    }
    free(point);
    return result;
}

void weft_fit_result_clear(weft_fit_result *result) {
    free(result->simulated);
    free(result->at_start);
    *result = (weft_fit_result){0};
}
