/* Loops that the wind sources share. */
#ifndef WEFT_FORCE_WIND_FIELD_H
#define WEFT_FORCE_WIND_FIELD_H

#include "weft/work.h"

/* Adds the same vector to each of `count`. */
void weft_wind_add_uniform(const weft_work *work, int32_t count, weft_vec3 added, weft_vec3 *sum);

/* Adds the value of `at` at each position. `at` is called from several threads at once. */
typedef weft_vec3 (*weft_wind_at)(const void *settings, weft_vec3 position);
void weft_wind_add_field(const weft_work *work, int32_t count, const void *settings, weft_wind_at at,
                         const weft_vec3 *where, weft_vec3 *sum);

#endif
