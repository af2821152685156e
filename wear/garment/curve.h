/* Cubic Bezier curves in the plane. */
#ifndef WEFT_WEAR_GARMENT_CURVE_H
#define WEFT_WEAR_GARMENT_CURVE_H

#include "weft/base.h"

weft_vec2 garment_curve_at(const weft_vec2 control[4], double t);
/* Length, to about 1e-9 of it. */
double garment_curve_length(const weft_vec2 control[4]);
/* Length from the start to t. */
double garment_curve_length_to(const weft_vec2 control[4], double t);
/* The point after a fraction of the length. */
weft_vec2 garment_curve_along(const weft_vec2 control[4], double fraction);
/* Whether a curve of that length is a line. */
int garment_curve_is_line(const weft_vec2 control[4], double length);
/* The two inner controls of a cubic curve that is the quadratic one with the control c. */
void garment_curve_raise(weft_vec2 from, weft_vec2 c, weft_vec2 to, weft_vec2 inner[2]);
/* The area between the curve and the origin, positive if it runs counter-clockwise about it: exact. */
double garment_curve_area(const weft_vec2 control[4]);

#endif
