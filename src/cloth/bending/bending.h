/* Bending of surfaces: rest values, energy, force and Hessian of the bending elements. An element is an edge between
 * two triangles, or a line or twist of a grid (plate_grid.c). */
#ifndef WEFT_CLOTH_BENDING_BENDING_H
#define WEFT_CLOTH_BENDING_BENDING_H

#include "cloth/model_kernels.h"
#include "core/simd.h"
#include "weft/fabric.h"
#include "weft/mesh.h"
#include "weft/model.h"

typedef enum weft_bending_kind {
    WEFT_BENDING_ISOMETRIC, /* lines and twists on grids, edges elsewhere */
    WEFT_BENDING_EDGES,
    WEFT_BENDING_HINGE,
    WEFT_BENDING_SPRINGS,
    WEFT_BENDING_NONE
} weft_bending_kind;

/* One element. Its energy is 1/2 stiffness times the square of a measure:
 *   isometric  |k . x|: the jump of the normals at an edge (m), or a second difference on a grid (m)
 *   hinge      the dihedral angle minus `rest`
 *   springs    the distance of vertices 2 and 3 minus `rest` (m) */
enum { WEFT_BEND_VERTICES = 5 }; /* most vertices of an element */
typedef struct weft_bend {
    double k[WEFT_BEND_VERTICES];
    double stiffness; /* N/m (isometric), N m (hinge), N/m (springs) */
    double rest;      /* unused (isometric), rad (hinge), m (springs) */
    double least[2];  /* squared lengths of the normals below which a triangle counts as collapsed, m4 */
} weft_bend;

/* The bending elements of a mesh. The vertices of an edge are its two ends, then the opposite vertices of the triangles
 * on the left and on the right of 0 -> 1. */
typedef struct weft_bending {
    weft_bending_kind kind;
    int32_t count, arity; /* arity: vertices per element; 5 on a grid with a turned weft, otherwise 4 */
    int32_t *vertex;      /* (count x arity) */
    int32_t (*corner)[2]; /* corner 3 t + k of vertex 0 in both triangles (count); null for lines and twists */
    weft_bend *bend;      /* (count) */
    float *rounded;   /* products k_a k_b of the pairs 01 02 .. 12 .., stiffness, 0 .. (count x weft_bending_floats) */
    int8_t *idle;     /* for lines and twists the vertex with weight 0 in k, or -1 (count); null for edges */
    int32_t *of_edge; /* element of each edge of `mesh`, or WEFT_NONE; null for lines and twists */
    double damping;   /* beta, s */
    const weft_mesh *mesh; /* triangles only */
    int by_lines;          /* whether the elements are lines and twists of a grid, see plate_grid.c */
    int turned;            /* whether the weft is not parallel to the lines of the grid */
} weft_bending;

/* Creates the elements of a mesh of triangles. WEFT_BENDING_NONE creates none. `mesh` is the mesh before triangulation.
 * `angle` is the angle from u to the weft. */
weft_result weft_bending_create(weft_bending_kind kind, const weft_mesh *mesh, const weft_mesh *triangles, double angle,
                                weft_bending *bending);
void weft_bending_free(weft_bending *bending);
/* Sets the rest values. `rest` holds the corners of each triangle in rest coordinates, with the weft along x. `angle`
 * is the angle from u to the weft. */
void weft_bending_tune(weft_bending *bending, const weft_cloth *cloth, const weft_vec2 (*rest)[3], double angle);

/* After a change of the mesh: finds the old index of each element, WEFT_NONE for elements at a changed triangle
 * (count). */
void weft_bending_match(const weft_bending *bending, const weft_bending *before, const weft_reshape *change,
                        int32_t *from);
/* Like weft_bending_tune, but copies the unchanged elements. */
void weft_bending_reuse(weft_bending *bending, const weft_bending *before, const int32_t *from, const weft_cloth *cloth,
                        const weft_vec2 (*rest)[3]);

/* Floats in `rounded` per element: the weights of its pairs, then its stiffness. */
static inline int weft_bending_floats(const weft_bending *bending) { return bending->arity > 4 ? 16 : 8; }

static inline const int32_t *weft_bending_vertices(const weft_bending *bending, int32_t i) {
    return bending->vertex + (size_t)bending->arity * (size_t)i;
}

/* plate_grid.c */
/* Whether a weft at this angle is not parallel to the lines of the grid. */
int weft_bending_grid_is_turned(double angle);
int32_t weft_bending_grid_count(const weft_mesh *grid, int turned);
void weft_bending_grid_fill(weft_bending *bending);
void weft_bending_grid_tune(weft_bending *bending, const weft_fabric *fabric, double angle);

/* Makes the element of one edge from vertex 0 to 1. `p` holds its vertices at rest, `left` and `right` its triangles 0
 * 1 2 and 0 1 3 in rest coordinates. */
weft_bend weft_bend_make(weft_bending_kind kind, const weft_fabric *fabric, const weft_vec3 p[4],
                         const weft_vec2 left[3], const weft_vec2 right[3]);
/* The same for element i of an edge list. `rest` is that of weft_bending_tune. */
weft_bend weft_bend_at_rest(const weft_bending *bending, int32_t i, const weft_fabric *fabric,
                            const weft_vec2 (*rest)[3]);
/* Multiplies the stiffness of element i. */
void weft_bending_scale(weft_bending *bending, int32_t i, double factor);
/* hinge_force.c */
double weft_bend_energy(weft_bending_kind kind, const weft_bend *bend, int arity, const weft_vec3 *p);

/* hinge_force.c: of element i. The force on each of its vertices is written to f (arity). */
double weft_bending_energy(const weft_bending *bending, int32_t i, const weft_vec3 *x);
void weft_bending_force(const weft_bending *bending, int32_t i, const weft_vec3 *x, const weft_vec3 *v, weft_vec3 *f);
/* The blocks of its pairs, see weft/model.h. The whole is positive semi-definite. `damping` may be null. */
void weft_bending_blocks(const weft_bending *bending, int32_t i, const weft_vec3 *x, double *stiffness,
                         double *damping);
/* hinge_lanes.c: the sum of the energies, and the forces (count x arity), of the elements [begin, end). The bits do
 * not depend on `isa`. */
double weft_bending_energies(const weft_bending *bending, weft_isa isa, const weft_vec3 *x, int64_t begin, int64_t end);
void weft_bending_forces(const weft_bending *bending, weft_isa isa, const weft_vec3 *x, const weft_vec3 *v,
                         int64_t begin, int64_t end, weft_vec3 *f);
/* hinge_sums.c: element_sums of cloth/model_kernels.h. Runs the kernel for `isa`, see weft_simd_isa. */
int weft_bending_sums(const weft_bending *bending, weft_isa isa, const int32_t *element, int32_t count,
                      const double (*place)[8], double h, float *record);
/* Whether the elements are tensors in the sense of weft/model.h. */
static inline int weft_bending_is_tensor(const weft_bending *bending) {
    return bending->kind == WEFT_BENDING_ISOMETRIC || bending->kind == WEFT_BENDING_EDGES;
}
/* The dihedral angle of an edge: 0 when flat, positive when the triangles fold towards their front. */
double weft_bending_angle(const weft_vec3 p[4]);
/* An upper bound of the stiffness at each vertex near rest: the matrix is at most this diagonal. */
void weft_bending_bound(const weft_bending *bending, int32_t i, double bound[WEFT_BEND_VERTICES]);

#endif
