/* What a piece of cloth is made of. A fabric's x is weft and its y is warp, in rest coordinates. */
#ifndef WEFT_FABRIC_H
#define WEFT_FABRIC_H

#include "weft/base.h"
#include "weft/param.h"

WEFT_BEGIN

/* Moduli are membrane stiffnesses: stress integrated over the thickness. With c = 1 / (1 - nu_xy nu_yx) stress and
 * strain (engineering shear) are related as in equation 3.7 of the thesis,
 *   [sigma_x]     [ c E_x        c nu_yx E_x  0  ] [epsilon_x]
 *   [sigma_y]  =  [ c nu_xy E_y  c E_y        0  ] [epsilon_y]
 *   [tau_xy ]     [ 0            0            E_s] [gamma_xy ]
 * which is symmetric when nu_yx E_x = nu_xy E_y, and positive definite when E_x, E_y, E_s > 0 and nu_xy nu_yx < 1. */
typedef struct weft_fabric {
    double density;      /* kg/m2 */
    double thickness;    /* m */
    double stretch_weft; /* E_x, N/m */
    double stretch_warp; /* E_y, N/m */
    double shear;        /* E_s, N/m */
    double poisson_weft; /* nu_xy: contraction along y (warp) when pulled along x (weft) */
    double poisson_warp; /* nu_yx: contraction along x when pulled along y */
    double bend_weft;    /* N m */
    double bend_warp;    /* N m */
    double damping;      /* stiffness-proportional damping time beta, s */
    double friction;     /* Coulomb coefficient */
    double drag, lift;   /* C_D, C_L */
    double tear_weft;    /* strain along the weft at which its threads break; 0: never */
    double tear_warp;
    double tear_zone; /* size of what that strain is the mean of, m */
} weft_fabric;

/* Rows for every field above. */
WEFT_API const weft_param *weft_fabric_params(void);

typedef struct weft_fabric_preset {
    const char *name; /* "wool" */
    const char *help;
    const char *source; /* where the numbers come from and what was assumed */
    weft_fabric fabric;
} weft_fabric_preset;

WEFT_API int weft_fabric_preset_count(void);
WEFT_API const weft_fabric_preset *weft_fabric_preset_at(int index);
WEFT_API const weft_fabric_preset *weft_fabric_preset_find(const char *name); /* null when there is none */

/* Refuses a value outside of its row's range, and a fabric whose elasticity matrix is not symmetric within 2 % (naming
 * both products) or not positive definite. `what` opens the message. */
WEFT_API weft_result weft_fabric_check(const weft_fabric *fabric, const char *what);

/* Reads `fabric: {preset: wool, density: 0.3}` or `fabric: wool` (`name` is another word for `preset`); without a
 * preset, or for null, values start from the defaults of the table, which are those of `wool`.
 * Given one Poisson ratio, the other follows from symmetry; given a modulus and neither ratio, both change so that
 * nu_xy nu_yx stays. So only a fabric for which both ratios are given can be refused as not symmetric. */
WEFT_API weft_result weft_fabric_read(const weft_value *map, const char *what, weft_fabric *fabric);

/* Changes one value of a checked fabric by name, keeping it symmetric in the same way. Unchanged on failure. */
WEFT_API weft_result weft_fabric_set(weft_fabric *fabric, const char *name, const char *text, const char *what);

WEFT_END
#endif
