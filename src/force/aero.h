/* Drag and lift of cloth in moving air. */
#ifndef WEFT_FORCE_AERO_H
#define WEFT_FORCE_AERO_H

#include "core/simd.h"
#include "weft/mesh.h"
#include "weft/work.h"

/* kg/m3 at a temperature in degrees C and normal pressure. Agrees with Trendafilov (2021), table A.1, to 0.03 %. */
static inline double weft_air_density(double temperature) { return 353.05 / (temperature + 273.15); }

/* Adds the force of the air on each vertex to `f`, N.
 *
 * The vertices of a triangle share its force as they share its mass: otherwise a uniform wind would not accelerate a
 * flat sheet uniformly. share: the part of each vertex, in the order of mesh->vertex_triangle, null for thirds;
 * open_face: non-zero for a face that is torn open and feels no wind (face_count), null for none;
 * air: velocity of the air at the vertices, m/s, null for still air; x, v, f: m, m/s, N (all vertex_count).
 * If the arena is out of memory, nothing is added, and the arena records the failure. */
void weft_aero_force(const weft_work *work, const weft_mesh *mesh, const uint8_t *open_face, const double *share,
                     double drag, double lift, double air_density, const weft_vec3 *air, const weft_vec3 *x,
                     const weft_vec3 *v, weft_vec3 *f);

/* Adds the lumped damping of the air, -df/dv of each vertex, to `block`: xx xy xz yy yz zz, kg/s (vertex_count x 6).
 * Only its symmetric positive semi-definite part is added. */
void weft_aero_damping(const weft_work *work, const weft_mesh *mesh, const uint8_t *open_face, const double *share,
                       double drag, double lift, double air_density, const weft_vec3 *air, const weft_vec3 *x,
                       const weft_vec3 *v, double *block);

/* Air over the triangles of one cloth; the arrays are those of weft_aero_force. */
typedef struct weft_aero {
    const weft_mesh *mesh;
    const uint8_t *open_face;
    double drag, lift, half_density;
    const weft_vec3 *air, *x, *v;
    weft_isa isa; /* all give the same bits */
} weft_aero;

/* aero_lanes.c: the force on each of the triangles [begin, end), N, and its damping block, kg/s
 * (triangle_count, triangle_count x 6). */
void weft_aero_triangle_forces(const weft_aero *aero, int64_t begin, int64_t end, weft_vec3 *force);
void weft_aero_triangle_blocks(const weft_aero *aero, int64_t begin, int64_t end, double *block);

#endif
