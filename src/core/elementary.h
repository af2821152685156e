/* Elementary functions with the same bits on every machine.
 *
 * The C standard leaves the last bits of sin, log and others to the library, and glibc itself chooses among several
 * versions by processor. These functions use only additions, products, quotients and square roots, which IEEE 754
 * rounds in one way. Their errors are below 4 units in the last place; tests/unit/test_elementary_hash.c checks it.
 *
 * The engine must not call the functions of <math.h> that they replace (tests/checks/symbols). */
#ifndef WEFT_CORE_ELEMENTARY_H
#define WEFT_CORE_ELEMENTARY_H

#include <math.h>

double weft_sin(double x); /* x in rad */
double weft_cos(double x);
double weft_acos(double x);            /* NaN outside [-1, 1] */
double weft_atan2(double y, double x); /* in [-pi, pi]; 0 for (0, 0) with x >= 0 */
double weft_ln(double x);              /* natural; -infinity at 0, NaN below */

/* The length of (x, y). The squares must neither overflow nor vanish: |x|, |y| within 1e-150 to 1e150, or 0. */
static inline double weft_hypot(double x, double y) { return sqrt(x * x + y * y); }

#endif
