/** @file
 * Elementary functions with the same bits on every machine.
 *
 * The C standard leaves the last bits of sin, log and others to the library, and glibc itself chooses among several
 * versions by processor. These functions use only additions, products, quotients and square roots, which IEEE 754
 * rounds in one way. Their errors are below 4 units in the last place, except for weft_pow. A component that is to give
 * the same results everywhere, as the engine does, uses them instead of those of math.h. All are pure and thread-safe.
 */
#ifndef WEFT_PORTABLE_MATH_H
#define WEFT_PORTABLE_MATH_H

#include <math.h>

#include "weft/base.h"

WEFT_BEGIN

/** Sine of x, rad. */
WEFT_API double weft_sin(double x);
/** Cosine of x, rad. */
WEFT_API double weft_cos(double x);
/** Arc sine, rad; NaN outside of [-1, 1]. */
WEFT_API double weft_asin(double x);
/** Arc cosine, rad; NaN outside of [-1, 1]. */
WEFT_API double weft_acos(double x);
/** Angle of the point (x, y), in [-pi, pi], rad; 0 for (0, 0) with x >= 0. */
WEFT_API double weft_atan2(double y, double x);
/** Natural logarithm; -infinity at 0, NaN below. */
WEFT_API double weft_ln(double x);
/** e to the power of x. */
WEFT_API double weft_exp(double x);
/** x to the power of y for x >= 0; NaN below. The error is below 4 + |y ln x| units in the last place. */
WEFT_API double weft_pow(double x, double y);

/** The length of (x, y). The squares must neither overflow nor vanish: |x|, |y| within 1e-150 to 1e150, or 0. */
static inline double weft_hypot(double x, double y) { return sqrt(x * x + y * y); }

WEFT_END

#endif
