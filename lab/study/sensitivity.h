/* Sensitivity of a figure to the parameters of a study, from the designs made for it. */
#ifndef WEFT_LAB_STUDY_SENSITIVITY_H
#define WEFT_LAB_STUDY_SENSITIVITY_H

#include "weft/base.h"

/* One parameter's share of the variance of a figure. */
typedef struct weft_sobol_index {
    double first, total;             /* first-order and total index */
    double first_error, total_error; /* half widths of the 95 % intervals, by bootstrap */
} weft_sobol_index;

/* `value` has one number per point of a Saltelli design, in its order. Samples with a missing value (not a number) are
 * left out; `used` receives the number of samples left. Returns 0 if fewer than two are left or if the values do not
 * vary. */
int weft_sobol_indices(const double *value, int64_t samples, int dimensions, weft_sobol_index *index, int64_t *used);

/* Elementary effects of one parameter: change of the figure per full range. */
typedef struct weft_morris_effect {
    double mean, mean_absolute, deviation; /* mu, mu*, sigma */
} weft_morris_effect;

/* `value` has one number per point, and `point` the coordinates of a Morris design. Steps with a missing value are left
 * out; `used` receives the smallest number of steps of a parameter. Returns 0 if that is below two. */
int weft_morris_effects(const double *value, const double *point, int64_t samples, int dimensions,
                        weft_morris_effect *effect, int64_t *used);

#endif
