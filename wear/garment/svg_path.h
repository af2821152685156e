/* Path data of SVG: the text of a path's `d`. */
#ifndef WEFT_WEAR_GARMENT_SVG_PATH_H
#define WEFT_WEAR_GARMENT_SVG_PATH_H

#include "wear/garment/build.h"

/* An affine map: x' = a x + c y + e, y' = b x + d y + f. */
typedef struct svg_matrix {
    double a, b, c, d, e, f;
} svg_matrix;

weft_vec2 svg_apply(const svg_matrix *m, weft_vec2 p);
/* First `inner`, then `outer`. */
svg_matrix svg_combine(const svg_matrix *outer, const svg_matrix *inner);
/* Reads a list of transformations. */
weft_result svg_transform_read(const char *text, svg_matrix *matrix);
/* Draws path data, mapped by a matrix, into a chain. `*closed`: whether it ends with a closing command or where it
 * began. Fails if there is more than one outline. */
weft_result svg_path_read(const char *text, const svg_matrix *matrix, garment_chain *chain, int *closed);

#endif
