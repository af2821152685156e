/* Identifies the parameters of a fabric from observations, by least squares. Trendafilov (2021), appendix D, proposes
 * it for parameters that no instrument measures directly.
 *
 * The unknowns are the logarithms z = ln p of the parameters, within bounds. The residuals r are the differences of
 * observed and simulated values, divided by the standard deviation of the observation. NLopt minimises r^T r / 2 from
 * several starts. The covariance of z follows from the Gauss-Newton Hessian J^T J at the best point. */
#ifndef WEFT_LAB_FIT_FIT_H
#define WEFT_LAB_FIT_FIT_H

#include "io/fabric_file.h"
#include "weft/value.h"

enum { WEFT_FIT_PARAMETERS = 12, WEFT_FIT_OBSERVATIONS = 32, WEFT_FIT_NAMES = 4, WEFT_FIT_STARTS = 64 };

/* One unknown. It may move several values of the fabric, which keep their ratios. */
typedef struct weft_fit_parameter {
    char name[64];                     /* as in the file */
    const char *field[WEFT_FIT_NAMES]; /* names of weft_fabric_params */
    double ratio[WEFT_FIT_NAMES];      /* to the first field, in the fabric of the start */
    int field_count;
    double start, low, high; /* of the first field, SI */
    const char *unit;
} weft_fit_parameter;

typedef enum weft_fit_kind {
    WEFT_FIT_TENSILE, /* curves of Kawabata's instruments */
    WEFT_FIT_SHEAR,
    WEFT_FIT_BENDING,
    WEFT_FIT_LENGTH, /* bending length */
    WEFT_FIT_DRAPE,  /* drape coefficient */
    WEFT_FIT_SHADOW, /* picture of the shadow of a drape test */
    WEFT_FIT_MARKERS,
    WEFT_FIT_POINTS, /* point clouds */
    WEFT_FIT_KINDS
} weft_fit_kind;

/* What was observed. */
typedef struct weft_fit_observation {
    weft_fit_kind kind;
    char name[96]; /* for people */
    int line;
    int along;          /* 0: weft, 1: warp */
    char file[1024];    /* of the data; "" for a number */
    char scene[1024];   /* MARKERS, POINTS */
    char cloth[64];     /* of the scene; "": the only one */
    double sigma;       /* standard deviation, SI */
    int sigma_is_given; /* 0: assumed */
    double width;       /* SHADOW: of the picture, m */
    int grid, starts;   /* DRAPE, SHADOW: resolution, number of starts */
    int first_start;    /* the seed of the first */
    double rate;        /* POINTS: files per second */
    int64_t count;      /* of values */
    double *x;          /* curves: strain, shear, curvature; MARKERS, POINTS: time, s (count) */
    double *y;          /* observed values, SI; POINTS: 0 (count) */
    int32_t *vertex;    /* MARKERS (count / 3) */
    weft_vec3 *point;   /* POINTS (count) */
} weft_fit_observation;

typedef enum weft_fit_method {
    WEFT_FIT_BOBYQA,
    WEFT_FIT_COBYLA,
    WEFT_FIT_NELDER_MEAD,
    WEFT_FIT_LBFGS, /* with gradients from finite differences */
    WEFT_FIT_SLSQP,
    WEFT_FIT_METHODS
} weft_fit_method;
extern const char *const WEFT_FIT_METHOD_NAMES[WEFT_FIT_METHODS + 1]; /* ends with null */

typedef struct weft_fit {
    char path[1024];
    weft_fabric_file *fabric; /* of the start */
    weft_fit_parameter parameter[WEFT_FIT_PARAMETERS];
    int parameter_count;
    weft_fit_observation observation[WEFT_FIT_OBSERVATIONS];
    int observation_count;
    int64_t residual_count;
    weft_fit_method method;
    int starts, evaluations; /* evaluations: at most, per start */
    uint64_t seed;
} weft_fit;

/* Reads a fit file and its data. Clear the fit even if this fails. */
weft_result weft_fit_read(const char *path, weft_fit *fit);
/* Reads only the file itself, from a tree, without its fabric and data. For tests of the reader. */
weft_result weft_fit_read_tree(const weft_value *root, const char *path, weft_fit *fit);
void weft_fit_clear(weft_fit *fit); /* a zeroed fit is allowed */

/* The fabric with the unknowns z. Fails if no fabric has these values. */
weft_result weft_fit_fabric(const weft_fit *fit, const double *z, weft_fabric *fabric);
/* Simulated values of all observations, in their order (residual_count). */
weft_result weft_fit_predict(const weft_fit *fit, const weft_fabric *fabric, double *value);
/* Residuals of simulated values (residual_count). */
void weft_fit_residuals(const weft_fit *fit, const double *value, double *residual);

/* The outcome of one start. */
typedef struct weft_fit_start {
    double z[WEFT_FIT_PARAMETERS], from[WEFT_FIT_PARAMETERS];
    double cost;     /* r^T r / 2 */
    int evaluations; /* of the model */
    int done;        /* 0: the worker did not finish */
} weft_fit_start;

typedef struct weft_fit_result {
    weft_fit_start start[WEFT_FIT_STARTS];
    int best;                              /* index of the best start */
    double value[WEFT_FIT_PARAMETERS];     /* SI */
    double deviation[WEFT_FIT_PARAMETERS]; /* relative standard deviation; HUGE_VAL: not determined */
    double correlation[WEFT_FIT_PARAMETERS][WEFT_FIT_PARAMETERS];
    int is_identified[WEFT_FIT_PARAMETERS];
    int has_effect[WEFT_FIT_PARAMETERS];  /* 0: no observation changes with it, and it keeps its start */
    int is_at_bound[WEFT_FIT_PARAMETERS]; /* -1: the lower, 1: the upper one */
    double misfit;                        /* root mean square of the residuals: 1 if sigma is right */
    double *simulated, *at_start;         /* values (residual_count) */
    weft_fabric fabric;
    char warning[2 * WEFT_FIT_PARAMETERS][256];
    int warning_count;
} weft_fit_result;

/* Fits with `jobs` worker processes (0: one per processor). */
weft_result weft_fit_solve(const weft_fit *fit, int jobs, weft_fit_result *result);
/* Fits from one start, in this process. */
weft_result weft_fit_solve_start(const weft_fit *fit, int index, weft_fit_start *start);
/* The same from starts that are already solved. */
weft_result weft_fit_conclude(const weft_fit *fit, int jobs, weft_fit_result *result);
/* Store a solved start in a folder, which is made, and read all of them from there before weft_fit_conclude. */
weft_result weft_fit_start_write(const weft_fit *fit, int index, const weft_fit_start *start, const char *folder);
weft_result weft_fit_starts_read(const weft_fit *fit, const char *folder, weft_fit_result *result);
void weft_fit_result_clear(weft_fit_result *result); /* a zeroed result is allowed */

/* Writes the fitted fabric file, fit.csv, and the page into a folder, which is made. */
weft_result weft_fit_write(const weft_fit *fit, const weft_fit_result *result, const char *folder);

/* For read_fit.c: reads the data of an observation. */
weft_result weft_fit_load(const weft_fit *fit, weft_fit_observation *observation);

#endif
