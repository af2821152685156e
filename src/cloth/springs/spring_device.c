/* The springs as data for a device. */
#include <math.h>

#include "cloth/springs/springs.h"

void weft_springs_describe(const void *self, int32_t first, int32_t number, weft_device_material *material,
                           weft_device_lists *lists) {
    const weft_springs *s = self;
    material->isotropic = s->settings.damping_kind == WEFT_SPRINGS_ISOTROPIC;
    for (int32_t i = 0; i < s->list.count; i++) {
        if (!s->settings.on[weft_springs_type(s, i)] || weft_springs_is_broken(s, i))
            continue;
        double k = (double)s->stiffness[i];
        if (lists->pair)
            lists->pair[lists->pair_count] =
                (weft_device_pair){.vertex = {first + s->list.end[i][0], first + s->list.end[i][1]},
                                   .material = number,
                                   .rest = s->rest[i],
                                   .stiffness = k,
                                   .critical = INFINITY,
                                   .damping = k > 0 ? s->damping_constant + s->damping_time * k : 0};
        lists->pair_count++;
    }
}
