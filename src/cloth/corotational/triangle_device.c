/* The finite elements and their bending elements as data for a device. */
#include "cloth/corotational/corotational.h"

static void describe_material(const weft_corotational *c, weft_device_material *to) {
    to->xx = c->elasticity.xx;
    to->xy = c->elasticity.xy;
    to->yy = c->elasticity.yy;
    to->ss = c->elasticity.ss;
    to->beta = c->beta;
    to->alpha = c->settings.alpha;
    to->strain = c->settings.strain == WEFT_STRAIN_GREEN       ? WEFT_DEVICE_GREEN
                 : c->settings.strain == WEFT_STRAIN_COROTATED ? WEFT_DEVICE_COROTATED
                                                               : WEFT_DEVICE_YARNS;
    to->force_frozen = c->settings.force == WEFT_ROTATION_FROZEN;
    to->hessian_frozen = c->settings.hessian == WEFT_ROTATION_FROZEN;
    to->bending = c->bending.kind == WEFT_BENDING_HINGE     ? WEFT_DEVICE_BEND_HINGE
                  : c->bending.kind == WEFT_BENDING_SPRINGS ? WEFT_DEVICE_BEND_SPRING
                                                            : WEFT_DEVICE_BEND_LINEAR;
}

static weft_device_triangle triangle_of(const weft_corotational *c, int32_t t, int32_t first, int32_t number) {
    weft_device_triangle to = {.material = number, .area = c->triangle[t].area};
    for (int k = 0; k < 3; k++)
        to.vertex[k] = first + c->mesh->triangle[t][k];
    for (int k = 0; k < 4; k++)
        to.inverse[k] = c->triangle[t].inverse[k];
    return to;
}

static weft_device_bend bend_of(const weft_bending *b, int32_t i, int32_t first, int32_t number) {
    const weft_bend *bend = &b->bend[i];
    const int32_t *vertex = weft_bending_vertices(b, i);
    weft_device_bend to = {.material = number,
                           .arity = b->arity,
                           .idle = b->idle ? b->idle[i] : -1,
                           .stiffness = bend->stiffness,
                           .rest = bend->rest,
                           .least = {bend->least[0], bend->least[1]}};
    for (int k = 0; k < WEFT_DEVICE_BEND_VERTICES; k++) {
        to.vertex[k] = first + (k < b->arity ? vertex[k] : vertex[0]);
        to.k[k] = k < b->arity ? bend->k[k] : 0;
    }
    return to;
}

void weft_corotational_describe(const void *self, int32_t first, int32_t number, weft_device_material *material,
                                weft_device_lists *lists) {
    const weft_corotational *c = self;
    describe_material(c, material);
    for (int32_t t = 0; lists->triangle && t < c->mesh->triangle_count; t++)
        lists->triangle[lists->triangle_count + t] = triangle_of(c, t, first, number);
    for (int32_t i = 0; lists->bend && i < c->bending.count; i++)
        lists->bend[lists->bend_count + i] = bend_of(&c->bending, i, first, number);
    lists->triangle_count += c->mesh->triangle_count;
    lists->bend_count += c->bending.count;
}
