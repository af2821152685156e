/** @file
 * Parameter tables: the single description of each setting.
 *
 * Scene reading, `--set`, help, the studio's panels, the reference and checkpoints all use these tables. A table is an
 * array of weft_param that ends with a row whose name is null. Tables are constant.
 *
 * All functions are thread-safe, as long as no two threads use the same settings struct. */
#ifndef WEFT_PARAM_H
#define WEFT_PARAM_H

#include "weft/base.h"
#include "weft/value.h"

WEFT_BEGIN

/** Types of settings, each with the C type of its field. */
typedef enum weft_param_type {
    WEFT_REAL,   /**< double */
    WEFT_INT,    /**< int32_t */
    WEFT_BOOL,   /**< int32_t, 0 or 1 */
    WEFT_PAIR,   /**< weft_vec2; both components must be in range */
    WEFT_VECTOR, /**< weft_vec3; the range is not checked */
    WEFT_CHOICE, /**< int32_t, index into `choices`; read in singular and plural, as in constraint and constraints */
    WEFT_STRING, /**< char[WEFT_STRING_SIZE] */
    WEFT_MAP     /**< a number per vertex (weft/map.h); the functions below read one number for all, a double */
} weft_param_type;

/** Sizes of settings. */
enum {
    WEFT_STRING_SIZE = 256 /**< bytes of a WEFT_STRING field, with the final zero */
};

/** Flags of a row, as bits. */
enum {
    WEFT_OPEN_LOW = 1, /**< the range excludes its lower end, as in density > 0 */
    WEFT_FIXED = 2,    /**< cannot change once the simulation is prepared */
    WEFT_WHOLE = 4,    /**< WEFT_PAIR: whole numbers only */
    WEFT_NONZERO = 8   /**< WEFT_VECTOR: [0, 0, 0] is not allowed */
};

/** One setting: a row of a table. */
typedef struct weft_param {
    const char *name;           /**< key in scene files; null ends the table. "group.key": the key of a group, as in
                                   contact: {constraints: {solves: 3}}, which is also "contact.constraints.solves" */
    weft_param_type type;       /**< of the field */
    size_t offset;              /**< of the field in the settings struct, bytes */
    double low;                 /**< smallest value: real, int, pair and map */
    double high;                /**< largest value: real, int, pair and map */
    const char *fallback;       /**< the default, as in a scene file */
    const char *unit;           /**< SI unit, "" for none; a scene may give another unit of the same kind */
    const char *help;           /**< one line */
    const char *const *choices; /**< names, null-terminated; WEFT_CHOICE only, else null */
    unsigned flags;             /**< WEFT_OPEN_LOW, ... */
    const char *const *former;  /**< former names of the choices, in their order, "" for none; these are read, but
                                   never written. Null if no choice was renamed. WEFT_BOOL: of false and true */
    const char *was;            /**< former name of the setting, which is read, but never written; null without */
} weft_param;

/** Sets all fields to their defaults. `table` may be null. */
WEFT_API void weft_params_default(const weft_param *table, void *settings);

/** Reads a scalar or a list into the row's field. Checks type, unit and range; on failure the field is unchanged.
 * `what` names the owner in messages and may be "": "data/scenes/flag.yaml:12: fabric.density: -3 is below 0 (kg/m2)".
 */
WEFT_API weft_result weft_param_read(const weft_param *row, const weft_value *value, const char *what, void *settings);

/** As weft_param_read, from text such as "12 mm" or "[1, 0, 0]". */
WEFT_API weft_result weft_param_read_text(const weft_param *row, const char *text, const char *what, void *settings);

/** Writes the field as in a scene file, without its unit. Numbers read back as the same double. The text is cut off at
 * `size` bytes; WEFT_STRING_SIZE is always enough. */
WEFT_API void weft_param_write(const weft_param *row, const void *settings, char *buffer, size_t size);

/** Reads all keys of `map` into `settings`. `table` may be null: it has no rows. Without rows, `settings` may be null
 * too. A null or empty `map` changes nothing. An unknown key fails, with the nearest name in the message. Keys in
 * `except` (null-terminated, may be null) are skipped. A failure may leave some fields changed. */
WEFT_API weft_result weft_params_read(const weft_param *table, const weft_value *map, const char *what,
                                      const char *const *except, void *settings);

/** The row of that name or former name, or null. `table` may be null. */
WEFT_API const weft_param *weft_params_find(const weft_param *table, const char *name);

/** Whether rows of the table form a group of that name, such as "constraints". `table` may be null. */
WEFT_API int weft_params_have_group(const weft_param *table, const char *group);

/** Reads a number with an optional unit: "12 mm" gives 0.012 for the unit "m". Fails for other text, for a unit of
 * another kind, and for numbers that are not finite. */
WEFT_API weft_result weft_number_read(const char *text, const char *unit, double *number);

/** Fails because `value` has a key that is none of the `count` names in `known`; names the nearest. Shows the key only
 * if it may be a name, because scenes may name files of any other kind. `what` is as in weft_param_read. */
WEFT_API weft_result weft_unknown_key(const weft_value *value, const char *what, const char *const *known, int count);

/** The candidate with the smallest edit distance to `word`. Null if none is near. */
WEFT_API const char *weft_nearest(const char *word, const char *const *candidates, int count);

WEFT_END
#endif
