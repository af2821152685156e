/* The interactions as data for a device. */
#include <string.h>

#include "cloth/buckling/buckling.h"

_Static_assert(WEFT_DEVICE_SINC_TERMS == WEFT_SINC_DEGREE + 1, "the device has the coefficients of weft_sinc");

static weft_device_pair pair_of(const weft_buckling *b, int32_t i, int32_t first, int32_t number) {
    const weft_springs *s = &b->springs;
    weft_interaction a = weft_buckling_at(b, i);
    weft_device_pair to = {.vertex = {first + s->list.end[i][0], first + s->list.end[i][1]},
                           .material = number,
                           .beams = 1,
                           .rest = a.rest,
                           .stiffness = a.stiffness,
                           .critical = a.critical,
                           .damping = (double)weft_buckling_damping(s, a)};
    int32_t beam = i - s->list.first[WEFT_FLEXION];
    if (beam >= 0)
        memcpy(to.curve, b->curve[beam], sizeof to.curve);
    return to;
}

void weft_buckling_describe(const void *self, int32_t first, int32_t number, weft_device_material *material,
                            weft_device_lists *lists) {
    const weft_buckling *b = self;
    material->isotropic = b->springs.settings.damping_kind == WEFT_SPRINGS_ISOTROPIC;
    for (int32_t i = 0; lists->pair && i < b->springs.list.count; i++)
        lists->pair[lists->pair_count + i] = pair_of(b, i, first, number);
    lists->pair_count += b->springs.list.count;
    memcpy(lists->sinc[0], b->sinc.square, sizeof lists->sinc[0]);
    memcpy(lists->sinc[1], b->sinc.slope, sizeof lists->sinc[1]);
    memcpy(lists->sinc[2], b->sinc.bend, sizeof lists->sinc[2]);
}
