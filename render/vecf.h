/* Vectors of three floats. Tracing and shading use single precision. */
#ifndef WEFT_RENDER_VECF_H
#define WEFT_RENDER_VECF_H

#include <math.h>

#include "weft/base.h"

typedef struct vecf {
    float x, y, z;
} vecf;

static inline vecf vf(float x, float y, float z) { return (vecf){x, y, z}; }
static inline vecf vf_all(float s) { return (vecf){s, s, s}; }
static inline vecf vf_from(weft_vec3 a) { return (vecf){(float)a.x, (float)a.y, (float)a.z}; }
static inline vecf vf_add(vecf a, vecf b) { return (vecf){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline vecf vf_sub(vecf a, vecf b) { return (vecf){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline vecf vf_mul(vecf a, vecf b) { return (vecf){a.x * b.x, a.y * b.y, a.z * b.z}; }
static inline vecf vf_div(vecf a, vecf b) { return (vecf){a.x / b.x, a.y / b.y, a.z / b.z}; }
static inline vecf vf_scale(float s, vecf a) { return (vecf){s * a.x, s * a.y, s * a.z}; }
/* a + s b */
static inline vecf vf_mad(vecf a, float s, vecf b) { return (vecf){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z}; }
static inline vecf vf_mix(vecf a, vecf b, float t) { return vf_mad(vf_scale(1 - t, a), t, b); }
static inline float vf_dot(vecf a, vecf b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline vecf vf_cross(vecf a, vecf b) {
    return (vecf){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline float vf_length(vecf a) { return sqrtf(vf_dot(a, a)); }
/* The zero vector stays zero. */
static inline vecf vf_unit(vecf a) {
    float length = vf_length(a);
    return length > 0 ? vf_scale(1 / length, a) : a;
}
static inline float clampf(float x, float low, float high) { return x < low ? low : x > high ? high : x; }
static inline float smoothf(float low, float high, float x) {
    float t = clampf((x - low) / (high - low), 0, 1);
    return t * t * (3 - 2 * t);
}
/* Relative luminance of linear sRGB (Rec. 709). */
static inline float vf_luminance(vecf c) { return 0.2126f * c.x + 0.7152f * c.y + 0.0722f * c.z; }

/* Two unit vectors that complete the unit vector n to a right-handed orthonormal frame. */
static inline void vf_frame(vecf n, vecf *a, vecf *b) {
    vecf helper = fabsf(n.x) > 0.7f ? vf(0, 1, 0) : vf(1, 0, 0);
    *a = vf_unit(vf_cross(helper, n));
    *b = vf_cross(n, *a);
}

#endif
