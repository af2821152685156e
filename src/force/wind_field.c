/* Parallel loops that the wind sources share. */
#include "force/wind_field.h"
#include "weft/vec.h"

typedef struct uniform_context {
    weft_vec3 added;
    weft_vec3 *sum;
} uniform_context;

static void uniform_block(void *data, int64_t begin, int64_t end) {
    const uniform_context *c = data;
    for (int64_t i = begin; i < end; i++)
        c->sum[i] = weft_add(c->sum[i], c->added);
}

void weft_wind_add_uniform(const weft_work *work, int32_t count, weft_vec3 added, weft_vec3 *sum) {
    uniform_context c = {added, sum};
    weft_parallel_for(work, count, WEFT_BLOCK, uniform_block, &c);
}

typedef struct field_context {
    const void *settings;
    weft_wind_at at;
    const weft_vec3 *where;
    weft_vec3 *sum;
} field_context;

static void field_block(void *data, int64_t begin, int64_t end) {
    const field_context *c = data;
    for (int64_t i = begin; i < end; i++)
        c->sum[i] = weft_add(c->sum[i], c->at(c->settings, c->where[i]));
}

void weft_wind_add_field(const weft_work *work, int32_t count, const void *settings, weft_wind_at at,
                         const weft_vec3 *where, weft_vec3 *sum) {
    field_context c = {settings, at, where, sum};
    weft_parallel_for(work, count, WEFT_BLOCK, field_block, &c);
}
