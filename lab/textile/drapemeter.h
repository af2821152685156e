/* The drape test of G. E. Cusick, "The measurement of fabric drape", Journal of the Textile Institute 59, 1968 (BS
 * 5058, ISO 9073-9): a specimen of 30 cm lies on a disc of 18 cm. The drape coefficient is the fraction of the
 * overhanging ring that the shadow from above still covers. Folds are counted on the outline of the shadow.
 *
 * The specimen starts flat except for a seeded unevenness of about a millimetre, the same at all resolutions. Gravity
 * increases over five seconds, as if the specimen were lowered. Contact is off, because folds do not meet at usual
 * coefficients.
 *
 * The triangles are slightly higher than equilateral. Bending by their edges is stiffer than the fabric by a factor
 * that depends neither on direction nor on resolution. The factor is divided out. */
#ifndef WEFT_LAB_TEXTILE_DRAPEMETER_H
#define WEFT_LAB_TEXTILE_DRAPEMETER_H

#include "io/shadow.h"
#include "lab/textile/clamps.h"
#include "lab/textile/disc.h"
#include "render/render.h"

extern const double WEFT_DRAPE_RADIUS, WEFT_DRAPE_SUPPORT; /* m */
extern const double WEFT_DRAPE_PICTURE;                    /* m: width of a picture of the shadow */
extern const double WEFT_DRAPE_FOLD;                       /* m: least depth of a fold of the outline */

/* Two rows of meshes of three resolutions each. Thin, stiff-yarned fabrics need the fine row. */
enum { WEFT_DRAPE_USUAL, WEFT_DRAPE_FINE, WEFT_DRAPE_ROWS };
enum { WEFT_DRAPE_GRIDS = 3 };

typedef struct weft_specimen {
    int32_t rings;
    double cell, held; /* m: distance of rings; radius up to which vertices are held */
} weft_specimen;

weft_specimen weft_drape_specimen(int row, int grid);
int weft_drape_row(const weft_fabric *fabric);

/* The coefficient in % from the area of the shadow (m2). */
double weft_drape_coefficient(double shadow);

/* Drapes a specimen from the start `seed`. `kept` receives the shape, which the caller frees; may be null. */
weft_result weft_drape_test(const weft_fabric *fabric, weft_specimen specimen, uint64_t seed, weft_shadow *shadow,
                            weft_vec3 **kept);
/* Draws a draped specimen, seen from `elevation` (rad). Creates `picture`. */
weft_result weft_drape_draw(const weft_vec3 *x, weft_specimen specimen, double elevation, int32_t width,
                            weft_picture *picture);
/* Draws the shadow as the drapemeter shows it: black cloth on white, WEFT_DRAPE_PICTURE wide. Creates `picture`. */
weft_result weft_drape_draw_shadow(const weft_vec3 *x, weft_specimen specimen, int32_t width, weft_picture *picture);

/* A free disc of the fabric with the corrected bending, without gravity. */
weft_result weft_drape_disc(weft_rig *rig, const weft_fabric *fabric, double radius, double cell, int32_t rings);

#endif
