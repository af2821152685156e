/* Resistance against bending over the edges between two triangles: rest values, energy, force and Hessian. */
#ifndef WEFT_MODEL_BENDING_BENDING_H
#define WEFT_MODEL_BENDING_BENDING_H

#include "model/model_kernels.h"
#include "weft/fabric.h"
#include "weft/mesh.h"
#include "weft/model.h"

typedef enum weft_bending_kind {
    WEFT_BENDING_ISOMETRIC, /* by lines and twists on grids, by edges elsewhere */
    WEFT_BENDING_EDGES,
    WEFT_BENDING_HINGE,
    WEFT_BENDING_SPRINGS,
    WEFT_BENDING_NONE
} weft_bending_kind;

/* One edge: its energy is 1/2 stiffness times the square of
 *   isometric  |k . x|: of edges the jump of their normals (m), of grids a second difference (m)
 *   hinge      the angle between the triangles less `rest`
 *   springs    the distance of the vertices 2 and 3 less `rest` (m). */
enum { WEFT_BEND_VERTICES = 5 }; /* at most */
typedef struct weft_bend {
    double k[WEFT_BEND_VERTICES];
    double stiffness; /* N/m, N m, N/m */
    double rest;      /* -, rad, m */
    double least[2];  /* squared normals below which a triangle counts as collapsed, m4 */
} weft_bend;

/* Vertices of an edge: its two ends, then those opposite to it in the triangle left and right of 0 -> 1. */
typedef struct weft_bending {
    weft_bending_kind kind;
    int32_t count, arity; /* arity: vertices of an element; 5 on a grid with turned weft, else 4 */
    int32_t *vertex;      /* (count x arity) */
    int32_t (*corner)[2]; /* the corners of vertex 0 in both triangles, 3 t + k (count); null for lines and twists */
    weft_bend *bend;      /* (count) */
    float *rounded;   /* k_a k_b of each one's pairs 01 02 .. 12 .., stiffness, 0 .. (count x weft_bending_floats) */
    int8_t *idle;     /* of lines and twists the vertex that k leaves out, or -1 (count); null for edges */
    int32_t *of_edge; /* the element of each edge of `mesh`, or WEFT_NONE; null for lines and twists */
    double damping;   /* beta, s */
    const weft_mesh *mesh; /* of triangles only */
    int by_lines;          /* whether elements are those of a grid, see bending_grid.c */
    int turned;            /* whether they are those for a weft that is not along the grid's lines */
} weft_bending;

/* The inner edges of a mesh of triangles; none for WEFT_BENDING_NONE. `mesh` is what the triangles were cut from,
 * `angle` as below. */
weft_result weft_bending_create(weft_bending_kind kind, const weft_mesh *mesh, const weft_mesh *triangles, double angle,
                                weft_bending *bending);
void weft_bending_free(weft_bending *bending);
/* `rest` has the corners of each triangle in rest coordinates, weft along x; `angle` is from u to the weft. */
void weft_bending_tune(weft_bending *bending, const weft_cloth *cloth, const weft_vec2 (*rest)[3], double angle);

/* After a change of the mesh: what each element was before, WEFT_NONE for one beside a changed triangle (count). */
void weft_bending_trace(const weft_bending *bending, const weft_bending *before, const weft_reshape *change,
                        int32_t *from);
/* As tune, with what is the same taken over. */
void weft_bending_take_over(weft_bending *bending, const weft_bending *before, const int32_t *from,
                            const weft_cloth *cloth, const weft_vec2 (*rest)[3]);

/* Room for the weights of an element's pairs, and for its stiffness behind them. */
static inline int weft_bending_floats(const weft_bending *bending) { return bending->arity > 4 ? 16 : 8; }

static inline const int32_t *weft_bending_vertices(const weft_bending *bending, int32_t i) {
    return bending->vertex + (size_t)bending->arity * (size_t)i;
}

/* bending_grid.c */
/* Whether a weft at this angle bends a grid along and between its lines at once. */
int weft_bending_grid_is_turned(double angle);
int32_t weft_bending_grid_count(const weft_mesh *grid, int turned);
void weft_bending_grid_fill(weft_bending *bending);
void weft_bending_grid_tune(weft_bending *bending, const weft_fabric *fabric, double angle);

/* One edge from vertex 0 to 1 with its vertices at rest, and its triangles in rest coordinates: 0 1 2 and 0 1 3. */
weft_bend weft_bend_make(weft_bending_kind kind, const weft_fabric *fabric, const weft_vec3 p[4],
                         const weft_vec2 left[3], const weft_vec2 right[3]);
/* bending_force.c */
double weft_bend_energy(weft_bending_kind kind, const weft_bend *bend, int arity, const weft_vec3 *p);

/* bending_force.c: of element i; the force on each of its vertices is written to f (arity). */
double weft_bending_energy(const weft_bending *bending, int32_t i, const weft_vec3 *x);
void weft_bending_force(const weft_bending *bending, int32_t i, const weft_vec3 *x, const weft_vec3 *v, weft_vec3 *f);
/* Blocks of its pairs, see weft/model.h; positive semidefinite as a whole. `damping` may be null. */
void weft_bending_blocks(const weft_bending *bending, int32_t i, const weft_vec3 *x, double *stiffness,
                         double *damping);
/* bending_sums.c: element_sums of weft/model.h; isa as weft_lanes_isa tells. */
int weft_bending_sums(const weft_bending *bending, int isa, const int32_t *element, int32_t count,
                      const double (*place)[8], double h, float *record);
/* Whether elements are tensors as in weft/model.h. */
static inline int weft_bending_is_tensor(const weft_bending *bending) {
    return bending->kind == WEFT_BENDING_ISOMETRIC || bending->kind == WEFT_BENDING_EDGES;
}
/* Angle between the triangles of an edge, 0 when flat, positive when they fold towards their front. */
double weft_bending_angle(const weft_vec3 p[4]);
/* An upper bound of the edge's stiffness at each of its vertices, near rest: the matrix is at most that diagonal. */
void weft_bending_bound(const weft_bending *bending, int32_t i, double bound[WEFT_BEND_VERTICES]);

#endif
