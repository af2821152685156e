#include "lab/study/sensitivity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "weft/work.h"

/* -- Sobol indices -- */

typedef struct estimate {
    double first, total;
} estimate;

/* First order: Saltelli et al. (2010), table 2 (b). Total: Jansen (1999), table 2 (f). Values are centred first, which
 * lowers the error of the first. `row` numbers the samples to use. */
static int estimate_one(const double *value, int k, int d, const int64_t *row, int64_t count, estimate *out) {
    double mean = 0, variance = 0, first = 0, total = 0;
    for (int64_t i = 0; i < count; i++) {
        const double *f = &value[row[i] * (k + 2)];
        mean += (f[0] + f[1]) / (2 * (double)count);
    }
    for (int64_t i = 0; i < count; i++) {
        const double *f = &value[row[i] * (k + 2)];
        double a = f[0] - mean, b = f[1] - mean, ab = f[2 + d] - mean;
        variance += (a * a + b * b) / (2 * (double)count);
        first += b * (ab - a) / (double)count;
        total += (a - ab) * (a - ab) / (2 * (double)count);
    }
    if (!(variance > 0))
        return 0;
    *out = (estimate){first / variance, total / variance};
    return 1;
}

static int64_t whole_samples(const double *value, int64_t samples, int k, int64_t *row) {
    int64_t count = 0;
    for (int64_t i = 0; i < samples; i++) {
        int whole = 1;
        for (int j = 0; j < k + 2; j++)
            whole &= isfinite(value[i * (k + 2) + j]) != 0;
        if (whole)
            row[count++] = i;
    }
    return count;
}

/* Draws samples with replacement and returns 1.96 standard deviations of both estimates. */
static estimate bootstrap(const double *value, int k, int d, const int64_t *row, int64_t count, int64_t *drawn) {
    enum { ROUNDS = 100 };
    double sum[2] = {0, 0}, square[2] = {0, 0};
    int good = 0;
    for (uint64_t r = 0; r < ROUNDS; r++) {
        estimate e;
        for (int64_t i = 0; i < count; i++)
            drawn[i] = row[(int64_t)(weft_random(r, (uint64_t)i) * (double)count)];
        if (!estimate_one(value, k, d, drawn, count, &e))
            continue;
        good++;
        sum[0] += e.first;
        sum[1] += e.total;
        square[0] += e.first * e.first;
        square[1] += e.total * e.total;
    }
    if (good < 2)
        return (estimate){NAN, NAN};
    double v0 = (square[0] - sum[0] * sum[0] / good) / (good - 1),
           v1 = (square[1] - sum[1] * sum[1] / good) / (good - 1);
    return (estimate){1.96 * sqrt(fmax(v0, 0)), 1.96 * sqrt(fmax(v1, 0))};
}

int weft_sobol_indices(const double *value, int64_t samples, int dimensions, weft_sobol_index *index, int64_t *used) {
    int64_t *row = malloc(2 * ((size_t)samples + 1) * sizeof *row);
    int works = row != NULL;
    *used = works ? whole_samples(value, samples, dimensions, row) : 0;
    works = works && *used >= 2;
    for (int d = 0; d < dimensions && works; d++) {
        estimate e;
        works = estimate_one(value, dimensions, d, row, *used, &e);
        if (!works)
            break;
        estimate error = bootstrap(value, dimensions, d, row, *used, row + samples);
        index[d] = (weft_sobol_index){e.first, e.total, error.first, error.total};
    }
    free(row);
    return works;
}

/* -- Morris -- */

static int changed(const double *before, const double *after, int k) {
    int which = 0;
    for (int d = 1; d < k; d++)
        if (fabs(after[d] - before[d]) > fabs(after[which] - before[which]))
            which = d;
    return which;
}

typedef struct effect_sums {
    int64_t count;
    double sum, absolute, square;
} effect_sums;

int weft_morris_effects(const double *value, const double *point, int64_t samples, int dimensions,
                        weft_morris_effect *effect, int64_t *used) {
    effect_sums *sums = calloc((size_t)dimensions + 1, sizeof *sums);
    *used = 0;
    if (!sums)
        return 0;
    for (int64_t i = 0; i < samples * (dimensions + 1); i++) {
        if (i % (dimensions + 1) == 0 || !isfinite(value[i]) || !isfinite(value[i - 1]))
            continue;
        const double *before = &point[(i - 1) * dimensions], *after = &point[i * dimensions];
        int d = changed(before, after, dimensions);
        double e = (value[i] - value[i - 1]) / (after[d] - before[d]);
        sums[d].count++;
        sums[d].sum += e;
        sums[d].absolute += fabs(e);
        sums[d].square += e * e;
    }
    *used = samples;
    for (int d = 0; d < dimensions; d++) {
        double n = (double)sums[d].count;
        *used = sums[d].count < *used ? sums[d].count : *used;
        if (sums[d].count < 2)
            continue;
        double variance = (sums[d].square - sums[d].sum * sums[d].sum / n) / (n - 1);
        effect[d] = (weft_morris_effect){sums[d].sum / n, sums[d].absolute / n, sqrt(fmax(variance, 0))};
    }
    free(sums);
    return *used >= 2;
}
