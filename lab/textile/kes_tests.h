/* The tests of Kawabata's instruments on virtual swatches: KES-FB1 (tensile, shear) and KES-FB2 (pure bending). S.
 * Kawabata, "The standardization and analysis of hand evaluation", 1980; Trendafilov (2021), appendix D.
 *
 * Tensile and shear: a swatch of 5 cm gauge and 20 cm width in a frame that moves the whole border by one affine map.
 *     tensile  x grows by e; the sides move until they carry no force, so that stress is uniaxial: with the
 *              elasticity matrix C the tension is (C11 - C12^2 / C22) e = E e and the sides move by -nu e,
 *              nu = C12 / C22.
 *     clamped  as in KES: only the two clamps hold, the sides are free. The clamps hinder contraction near them,
 *              so the modulus lies between E (free) and C11 (hindered everywhere).
 *     shear    (x, y) -> (c x + s y, c y + s x), c^2 + s^2 = 1: yarns turn and keep their length; stress 2 s E_s.
 * Forces are per width at rest.
 *
 * Bending: a gauge of 1 cm, whose first and last cell are held on a circle of curvature k up to 2.5 /cm. The clamps
 * move along their chord until they carry only a couple. The couple per width is B k. */
#ifndef WEFT_LAB_TEXTILE_KES_TESTS_H
#define WEFT_LAB_TEXTILE_KES_TESTS_H

#include "weft/fabric.h"

enum { WEFT_KES_POINTS = 6 };

/* A curve of an instrument. Bending has points on both sides of zero. */
typedef struct weft_kes_curve {
    double x[2 * WEFT_KES_POINTS]; /* strain, shear (rad) or curvature (1/m) */
    double y[2 * WEFT_KES_POINTS]; /* tension (N/m), shear stress (N/m) or moment per width (N) */
    double side[WEFT_KES_POINTS];  /* tensile: strain of the sides */
    int count;
} weft_kes_curve;

/* What KES applies at most. */
extern const double WEFT_KES_TENSION;   /* N/m: 500 gf/cm */
extern const double WEFT_KES_SHEAR;     /* rad: 8 degrees */
extern const double WEFT_KES_CURVATURE; /* 1/m */

/* Pulls to the strain `most`, along the weft, or along the warp if `turned`. */
weft_result weft_kes_tensile(const weft_fabric *fabric, int turned, double most, weft_kes_curve *curve);
/* The modulus at the strain `strain` with free sides between the clamps, N/m. */
weft_result weft_kes_clamped(const weft_fabric *fabric, int turned, double strain, double *modulus);
/* Shears to WEFT_KES_SHEAR. */
weft_result weft_kes_shear(const weft_fabric *fabric, weft_kes_curve *curve);
/* Bends to WEFT_KES_CURVATURE on both sides. */
weft_result weft_kes_bending(const weft_fabric *fabric, int turned, weft_kes_curve *curve);

/* Slope of the least-squares line through the origin. */
double weft_kes_slope(const double *x, const double *y, int count);

#endif
