/* What the shadow of a drape test says about a fabric: the distribution of the radii of its outline. It does not depend
 * on where the folds happen to be. */
#ifndef WEFT_LAB_FIT_DRAPE_SHADOW_H
#define WEFT_LAB_FIT_DRAPE_SHADOW_H

#include "io/shadow.h"

enum { WEFT_FIT_FEATURES = 12 };

/* Eleven quantiles of the radius from 0 to 1 (m), and the mean radius of the area. */
void weft_fit_shadow_features(const weft_shadow *shadow, double feature[WEFT_FIT_FEATURES]);
/* Reads a square picture of a dark shadow on a light ground, `width` (m) wide and centred. */
weft_result weft_fit_shadow_read(const char *path, double width, double feature[WEFT_FIT_FEATURES]);

#endif
