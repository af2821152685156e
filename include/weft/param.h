/* Parameter tables: the one description of a setting, from which come scene reading, --set, help, the studio's panels,
 * the reference and the checkpoint. */
#ifndef WEFT_PARAM_H
#define WEFT_PARAM_H

#include "weft/base.h"
#include "weft/value.h"

WEFT_BEGIN

typedef enum weft_param_type {
    WEFT_REAL,   /* double */
    WEFT_INT,    /* int32_t */
    WEFT_BOOL,   /* int32_t, 0 or 1 */
    WEFT_PAIR,   /* weft_vec2; both in range */
    WEFT_VECTOR, /* weft_vec3 */
    WEFT_CHOICE, /* int32_t, index into `choices` */
    WEFT_STRING, /* char[WEFT_STRING_SIZE] */
    WEFT_MAP     /* a number for each vertex (weft/map.h); read here as one for all, a double */
} weft_param_type;

enum { WEFT_STRING_SIZE = 256 };

enum {
    WEFT_OPEN_LOW = 1, /* the low end of the range is not allowed itself: density > 0 */
    WEFT_FIXED = 2,    /* cannot change while the simulation runs */
    WEFT_WHOLE = 4,    /* a pair of whole numbers */
    WEFT_NONZERO = 8   /* a vector that has a direction */
};

typedef struct weft_param {
    const char *name;
    weft_param_type type;
    size_t offset;              /* in the component's settings struct */
    double low, high;           /* real, int and map */
    const char *fallback;       /* the default, written as in a scene file */
    const char *unit;           /* SI, "" for none; a scene may give another of the same kind */
    const char *help;           /* one line */
    const char *const *choices; /* null-terminated, WEFT_CHOICE only */
    unsigned flags;
} weft_param;

/* A table ends with a row whose name is null. */

/* Fills `settings` with the defaults of the table. */
WEFT_API void weft_params_default(const weft_param *table, void *settings);

/* Reads one scalar or list into the row's field, checking type, unit and range. `what` names the owner in messages
 * ("fabric", "forces.wind"): "scenes/flag.yaml:12: fabric.density: -3 is below 0 (kg/m2)". */
WEFT_API weft_result weft_param_read(const weft_param *row, const weft_value *value, const char *what, void *settings);

/* The same from text, as --set and the studio give it. */
WEFT_API weft_result weft_param_read_text(const weft_param *row, const char *text, const char *what, void *settings);

/* Writes the field as a scene file would hold it. */
WEFT_API void weft_param_write(const weft_param *row, const void *settings, char *buffer, size_t size);

/* Reads every key of `map` (null: nothing) into `settings`; unknown keys are errors with the nearest name suggested.
 * Keys in `except` (null-terminated, may be null) belong to the caller. */
WEFT_API weft_result weft_params_read(const weft_param *table, const weft_value *map, const char *what,
                                      const char *const *except, void *settings);

/* The row of that name, or null. */
WEFT_API const weft_param *weft_params_find(const weft_param *table, const char *name);

/* "12 mm" -> 0.012 with unit "m". Fails on junk, on a unit of another kind and on non-finite numbers. */
WEFT_API weft_result weft_number_read(const char *text, const char *unit, double *number);

/* The candidate nearest to `word` in edits, or null when none is near. */
WEFT_API const char *weft_nearest(const char *word, const char *const *candidates, int count);

WEFT_END
#endif
