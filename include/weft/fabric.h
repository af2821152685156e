/** @file
 * Fabrics: the material of a cloth. In rest coordinates, x is the weft and y the warp.
 *
 * All functions are thread-safe, as long as no two threads change the same fabric. */
#ifndef WEFT_FABRIC_H
#define WEFT_FABRIC_H

#include "weft/base.h"
#include "weft/param.h"

WEFT_BEGIN

/** Properties of a fabric. weft_fabric_params has the range of each field.
 *
 * Moduli are membrane stiffnesses: stress integrated over the thickness. Equation 3.7 of Trendafilov (2021) relates
 * stress and strain (engineering shear), with c = 1 / (1 - nu_xy nu_yx).
 *
 *     [sigma_x]     [ c E_x        c nu_yx E_x  0  ] [epsilon_x]
 *     [sigma_y]  =  [ c nu_xy E_y  c E_y        0  ] [epsilon_y]
 *     [tau_xy ]     [ 0            0            E_s] [gamma_xy ]
 *
 * The matrix is symmetric when nu_yx E_x = nu_xy E_y. It is positive definite when E_x, E_y, E_s > 0 and
 * nu_xy nu_yx < 1. */
typedef struct weft_fabric {
    double density;      /**< kg/m2 */
    double thickness;    /**< m */
    double stretch_weft; /**< E_x, N/m */
    double stretch_warp; /**< E_y, N/m */
    double shear;        /**< E_s, N/m */
    double poisson_weft; /**< nu_xy: contraction along the warp when pulled along the weft */
    double poisson_warp; /**< nu_yx: contraction along the weft when pulled along the warp */
    double bend_weft;    /**< bending rigidity along the weft, N m */
    double bend_warp;    /**< bending rigidity along the warp, N m */
    double damping;      /**< stiffness-proportional damping time beta, s */
    double friction;     /**< Coulomb coefficient of cloth on cloth */
    double drag;         /**< drag coefficient C_D in wind */
    double lift;         /**< lift coefficient C_L in wind */
    double tear_weft;    /**< strain along the weft at which weft yarns break; 0: never */
    double tear_warp;    /**< strain along the warp at which warp yarns break; 0: never */
    double tear_zone;    /**< size of the region over which that strain is averaged, m */
} weft_fabric;

/** Rows for every field of weft_fabric. Static. */
WEFT_API const weft_param *weft_fabric_params(void);

/** A named fabric. */
typedef struct weft_fabric_preset {
    const char *name;   /**< such as "wool" */
    const char *help;   /**< one line */
    const char *source; /**< where the values come from, and the assumptions made */
    weft_fabric fabric; /**< the values */
} weft_fabric_preset;

/** Number of presets. */
WEFT_API int weft_fabric_preset_count(void);
/** Preset `index`, from 0 on. Static; null if out of range. */
WEFT_API const weft_fabric_preset *weft_fabric_preset_at(int index);
/** The preset of that name. Static; null if there is none, so check before using the fabric. weft_fabric_by_name
 * reports an unknown name with a message instead. */
WEFT_API const weft_fabric_preset *weft_fabric_preset_find(const char *name);
/** Copies the values of the preset of that name. Fails for an unknown name; the message has the nearest one. `fabric`
 * is then unchanged. */
WEFT_API weft_result weft_fabric_by_name(const char *name, weft_fabric *fabric);

/** Checks a fabric. Fails if a value is out of range, or if the elasticity matrix is not positive definite or not
 * symmetric within 2 %. `what` starts the message. */
WEFT_API weft_result weft_fabric_check(const weft_fabric *fabric, const char *what);

/** Reads `fabric: {preset: wool, density: 0.3}` or `fabric: wool`; `name` means the same as `preset`. Values start from
 * the preset. Without a preset they start from the defaults, which are those of `wool`. A null `map` gives the
 * defaults.
 *
 * If one Poisson ratio is given, the other follows from symmetry. If a modulus and no ratio is given, poisson_weft
 * stays and poisson_warp follows. If nu_xy nu_yx would then reach 1, both ratios change and their product stays. So
 * symmetry can only fail if both ratios are given. */
WEFT_API weft_result weft_fabric_read(const weft_value *map, const char *what, weft_fabric *fabric);

/** Reads the values of `map` over those of `base`, with the same rules of symmetry. Keys in `except` (null-terminated,
 * may be null) are skipped; a preset is not looked up. */
WEFT_API weft_result weft_fabric_read_from(const weft_value *map, const char *what, const weft_fabric *base,
                                           const char *const *except, weft_fabric *fabric);

/** Changes one value of a valid fabric by name. Keeps it symmetric as weft_fabric_read does. On failure the fabric is
 * unchanged. */
WEFT_API weft_result weft_fabric_set(weft_fabric *fabric, const char *name, const char *text, const char *what);

WEFT_END
#endif
