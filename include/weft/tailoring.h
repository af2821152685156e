/** @file
 * Tailoring: what sewing adds to a cloth. Factors on single faces, stiff or folded edges, elastic bands and buttons. */
#ifndef WEFT_TAILORING_H
#define WEFT_TAILORING_H

#include "weft/base.h"
#include "weft/param.h"

WEFT_BEGIN

/** An edge of the mesh that bends in its own way: a seam, a pleat, the crease of trousers. */
typedef struct weft_crease {
    int32_t vertex[2]; /**< its ends */
    double bend;       /**< factor of the fabric's bending rigidity, at least 0 */
    double angle;      /**< at rest, rad, from -pi to pi. 0: flat; positive: the faces fold towards their front */
    double yield;      /**< bent further than this from its rest angle, it takes a new one, rad; 0: never */
} weft_crease;

/** An elastic thread between two vertices. It pulls when it is longer than at rest and never pushes. */
typedef struct weft_tie {
    int32_t vertex[2]; /**< its ends */
    double length;     /**< at rest, m; 0 for a button */
    double stiffness;  /**< force per elongation, N/m, above 0 */
} weft_tie;

/** What is added to one cloth. Arrays may be null where nothing is. */
typedef struct weft_tailoring {
    const double *density;     /**< factors on each face (mesh->face_count); null means 1 */
    const double *stretch;     /**< the same for stretch and shear stiffness */
    const double *bend;        /**< the same for the bending rigidity; an edge has the mean of its faces */
    const double *width;       /**< the same for the size along the weft in the rest shape; the mass stays */
    const double *length;      /**< the same along the warp */
    const weft_crease *crease; /**< (crease_count) */
    int32_t crease_count;      /**< number of creases */
    const weft_tie *tie;       /**< (tie_count) */
    int32_t tie_count;         /**< number of ties */
    const uint8_t *gathered;   /**< 1: faces that an elastic gathers; measures of strain leave them out. Null: none */
    /** Time over which the triangles shrink or grow from their initial shape to that of the pattern, s; 0: at once. It
     * draws seams together gently. */
    double sewing;
} weft_tailoring;

/** What may change on one panel while the simulation runs: factors beside those of its tailoring, and padding. Panels
 * are the face groups of a tailored cloth. Parameters of panel P are at `cloth.NAME.panels.P`. */
typedef struct weft_panel {
    double density; /**< of the mass per area, above 0 */
    double stretch; /**< of stretch and shear stiffness, above 0 */
    double bend;    /**< of the bending rigidity, above 0 */
    double width;   /**< of the size along the weft, 0.5 to 2. More fabric has more mass */
    double length;  /**< of the size along the warp, 0.5 to 2 */
    double padding; /**< pressure of padding behind the panel, Pa. Above 0 it pushes along the normals of the faces */
} weft_panel;
/** Rows of weft_panel. Static. */
WEFT_API const weft_param *weft_panel_params(void);
/** Rows of `cloth.NAME.ease`: width and length of all panels of a cloth. The settings are a weft_panel. Static. */
WEFT_API const weft_param *weft_ease_params(void);

WEFT_END
#endif
