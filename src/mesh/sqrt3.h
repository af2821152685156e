/* Shared by the files of the sqrt(3) scheme, see refined.h. */
#ifndef WEFT_MESH_SQRT3_H
#define WEFT_MESH_SQRT3_H

#include "mesh/refined.h"

static inline int32_t across(const weft_refined *r, int32_t h) {
    return r->twin[h] == WEFT_NONE ? WEFT_NONE : r->twin[h] / 3;
}

static inline int is_odd(int32_t generation) { return generation & 1; }

/* The mate of a triangle: it shares the first edge, has it first too, and is of the same generation. WEFT_NONE if there
 * is none. */
static inline int32_t mate(const weft_refined *r, int32_t t) {
    int32_t twin = r->twin[3 * t];
    if (twin == WEFT_NONE || twin % 3 != 0 || r->lineage[twin / 3].generation != r->lineage[t].generation)
        return WEFT_NONE;
    return twin / 3;
}

static inline void set(weft_refined *r, int32_t t, int k, int32_t origin, weft_vec2 uv) {
    r->origin[3 * t + k] = origin;
    if (r->uv)
        r->uv[3 * t + k] = uv;
}

static inline weft_vec2 uv_at(const weft_refined *r, int32_t h) { return r->uv ? r->uv[h] : (weft_vec2){0, 0}; }

static inline void touch(weft_refined *r, int32_t t) {
    weft_refined_mark(r, t);
    for (int k = 0; k < 3; k++)
        weft_refined_anchor(r, 3 * t + k);
}

static inline void set_triangle(int32_t triangle[3], int32_t a, int32_t b, int32_t c) {
    triangle[0] = a;
    triangle[1] = b;
    triangle[2] = c;
}

static inline void add_volume(weft_flip_volume *flip, int32_t a, int32_t b, int32_t c, int32_t d) {
    int32_t *volume = flip->volume[flip->volume_count++];
    set_triangle(volume, a, b, c);
    volume[3] = d;
}

/* sqrt3_flip.c: whether `allows` accepts a flip of the diagonal a b to c d. */
int sqrt3_is_flip_allowed(const weft_refined *r, int32_t a, int32_t b, int32_t c, int32_t d);
/* Flips the edge between mates of an odd generation. Returns whether it succeeded. */
int sqrt3_flip(weft_refined *r, int32_t t);
void sqrt3_flip_back(weft_refined *r, int32_t t, int32_t n);

#endif
