/* What a piece of cloth is made of. A fabric's x is weft and its y is warp, in rest coordinates. */
#ifndef WEFT_FABRIC_H
#define WEFT_FABRIC_H

#include "weft/base.h"
#include "weft/param.h"

WEFT_BEGIN

/* Moduli are membrane stiffnesses: stress integrated over the thickness. */
typedef struct weft_fabric {
    double density;      /* kg/m2 */
    double thickness;    /* m */
    double stretch_weft; /* E_x, N/m */
    double stretch_warp; /* E_y, N/m */
    double shear;        /* E_s, N/m */
    double poisson_weft; /* nu_xy: contraction along y when pulled along x; nu_xy E_y = nu_yx E_x as in eq. 3.7 */
    double poisson_warp; /* nu_yx */
    double bend_weft;    /* N m */
    double bend_warp;    /* N m */
    double damping;      /* stiffness-proportional damping time beta, s */
    double friction;     /* Coulomb coefficient */
    double drag, lift;   /* C_D, C_L */
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

/* Refuses a fabric whose elasticity matrix is not symmetric within 2 % (naming both products) or not positive
 * definite. */
WEFT_API weft_result weft_fabric_check(const weft_fabric *fabric, const char *what);

/* Reads `fabric: {preset: wool, density: 0.3}`; null gives the default fabric. */
WEFT_API weft_result weft_fabric_read(const weft_value *map, const char *what, weft_fabric *fabric);

WEFT_END
#endif
