/* Internals of the corotational finite element model. The triangles are those of the triangulated mesh, in order. */
#ifndef WEFT_CLOTH_COROTATIONAL_COROTATIONAL_H
#define WEFT_CLOTH_COROTATIONAL_COROTATIONAL_H

#include "cloth/bending/bending.h"
#include "cloth/corotational/notions.h"
#include "cloth/model_kernels.h"
#include "core/simd.h"
#include "weft/model.h"

typedef enum weft_rest_kind { WEFT_REST_AUTO, WEFT_REST_PATTERN, WEFT_REST_SHAPE } weft_rest_kind;
/* Whether derivatives of the energy include the change of the rotation. */
typedef enum weft_rotation { WEFT_ROTATION_EXACT, WEFT_ROTATION_FROZEN } weft_rotation;

typedef enum weft_strain_kind { WEFT_STRAIN_YARNS, WEFT_STRAIN_COROTATED, WEFT_STRAIN_GREEN } weft_strain_kind;

typedef struct weft_corotational_settings {
    int32_t rest;         /* weft_rest_kind */
    double angle;         /* rad */
    weft_vec3 weft;       /* a direction */
    int32_t bending;      /* weft_bending_kind */
    int32_t strain;       /* weft_strain_kind */
    int32_t force;        /* weft_rotation */
    int32_t hessian;      /* weft_rotation */
    double alpha;         /* 1/s */
    double pattern_scale; /* metres per unit of the pattern */
    double sewn;          /* 0: the rest shape is that of the initial triangles; 1: it is the pattern */
} weft_corotational_settings;

/* triangle_rest.c: refuses `rest: pattern` for a mesh without rest coordinates. */
weft_result weft_rest_check(const weft_corotational_settings *settings, const weft_mesh *mesh, const char *name);
/* Finds the corners of each triangle in rest coordinates, with the weft along x, m (triangle_count
 * x 3). `kind` returns the rest shape that `auto` selected. */
weft_result weft_rest_find(const weft_corotational_settings *settings, const weft_mesh *triangles, const char *name,
                           weft_vec2 (*corner)[3], weft_rest_kind *kind);
/* The same for one triangle of a known kind of rest shape. `turn` is the cosine and sine of the settings' angle. */
void weft_rest_of_facet(const weft_corotational_settings *settings, const double turn[2], weft_rest_kind kind,
                        const weft_facet *facet, weft_vec2 corner[3]);
/* The same for one triangle of the mesh. Fails for a needle. */
weft_result weft_rest_of(const weft_corotational_settings *settings, const weft_mesh *triangles, const char *name,
                         weft_rest_kind kind, int32_t t, weft_vec2 corner[3]);

/* Area of a triangle of the pattern, m2, or -1 if the settings do not ask for the pattern or there is none. The faces
 * of the mesh may be polygons. */
double weft_rest_area(const void *settings, const weft_mesh *mesh, int32_t triangle);

/* The symmetric elasticity matrix, N/m: (xx xy 0; xy yy 0; 0 0 ss), acting on engineering strains. */
typedef struct weft_elasticity {
    double xx, xy, yy, ss;
    int yarns; /* whether weft and warp strain are the elongations of the yarns, see triangle_element.c */
} weft_elasticity;
weft_elasticity weft_elasticity_of(const weft_fabric *fabric);
void weft_elasticity_apply(const weft_elasticity *c, const double strain[3], double stress[3]);

/* One constant-strain element. Its area is 1/2 |det D|, where the columns of D are the sides 01 and 02 at rest. */
typedef struct weft_triangle {
    double inverse[4]; /* D^-1, row-major, 1/m */
    double area;       /* m2, times the stretch map: energy and stiffness are linear in both */
} weft_triangle;
weft_triangle weft_triangle_make(const weft_vec2 corner[3]);
/* The columns of the deformation gradient F of a triangle, or of its rate if p holds velocities. */
void weft_triangle_columns(const weft_triangle *t, const weft_vec3 p[3], weft_vec3 *a, weft_vec3 *b);

/* Polar decomposition of the deformation gradient F = Q S of a triangle (3x2). Q has orthonormal columns, S is
 * symmetric and positive semi-definite. */
typedef struct weft_deformation {
    weft_vec3 q[2], normal;
    double xx, xy, yy; /* S */
    double trace;      /* trace of S; 1 for a triangle shrunk to a point, whose Q and S are 0 */
    double squeeze;    /* det S, bounded away from 0 */
} weft_deformation;

/* a and b are the columns of F. If |a x b| is below this fraction of (|a|^2 + |b|^2) / 2, the triangle is collapsed and
 * its normal is rounding error. */
#define WEFT_TRIANGLE_COLLAPSED 1e-12
/* If (|a|^2 + |b|^2) / 2 is below this, the triangle is a point and its force has no direction. */
#define WEFT_TRIANGLE_POINT 1e-60

/* triangle_element.c: pure functions of one triangle */
weft_deformation weft_triangle_deform(const weft_triangle *t, const weft_vec3 p[3]);
/* The strain in weft, warp and engineering shear, and its stress, N/m. The strain is the Biot strain S - 1 or that of
 * the yarns. */
weft_strain weft_triangle_strain(const weft_elasticity *c, const weft_deformation *d);
/* The derivative of this strain by (S_xx, S_yy, 2 S_xy), row-major. */
void weft_triangle_slope(const weft_elasticity *c, const weft_deformation *d, double slope[3][3]);
double weft_triangle_energy(const weft_triangle *t, const weft_elasticity *c, const weft_vec3 p[3]);
/* Includes the damping force if the damping time beta is above 0, s. */
void weft_triangle_force(const weft_triangle *t, const weft_elasticity *c, weft_rotation rotation, double beta,
                         const weft_vec3 p[3], const weft_vec3 v[3], weft_vec3 f[3]);

/* triangle_hessian.c: d2E / dxa dxb of the pairs 01 02 12, row-major (3 x 9). The Hessian is projected to positive
 * semi-definite unless `raw`. `damping` (3 x 9) may be null. */
void weft_triangle_blocks(const weft_triangle *t, const weft_elasticity *c, weft_rotation hessian, int raw, double beta,
                          const weft_vec3 p[3], double *stiffness, double *damping);

/* Sets the negative eigenvalues of a symmetric 2x2 matrix xx xy yy to 0. */
void weft_clip_pair(double h[3]);
/* The same for a symmetric 4x4 matrix. Each sweep of Jacobi's method doubles the number of correct digits. The
 * remaining off-diagonal part, 1e-10 of the whole, changes the matrix by that much. It does not change the sign,
 * because the vectors are orthogonal in any case. */
enum { WEFT_CLIP_SWEEPS = 12 };
#define WEFT_CLIP_SMALL 1e-20 /* squared */
void weft_clip_square(double h[4][4]);

/* triangle_green.c: the same with Green's strain */
weft_strain weft_green_strain(const weft_triangle *t, const weft_elasticity *c, const weft_vec3 p[3]);
double weft_green_energy(const weft_triangle *t, const weft_elasticity *c, const weft_vec3 p[3]);
void weft_green_force(const weft_triangle *t, const weft_elasticity *c, double beta, const weft_vec3 p[3],
                      const weft_vec3 v[3], weft_vec3 f[3]);
void weft_green_blocks(const weft_triangle *t, const weft_elasticity *c, int raw, double beta, const weft_vec3 p[3],
                       double *stiffness, double *damping);

typedef enum weft_element_kind { WEFT_TRIANGLES, WEFT_BENDS, WEFT_TIES, WEFT_CREASES } weft_element_kind;

typedef struct weft_corotational {
    weft_corotational_settings settings;
    weft_rest_kind rest;   /* as selected */
    const weft_mesh *mesh; /* triangles only: the cloth's own mesh, or `cut` */
    weft_mesh *cut;
    const double *mass;    /* kg (mesh->vertex_count) */
    const double *stretch; /* stretch map, or null (mesh->vertex_count) */
    weft_elasticity elasticity;
    const weft_fabric *fabric;
    double beta;            /* s */
    double turn[2];         /* cosine and sine of the settings' angle */
    weft_vec2 (*corner)[3]; /* corners in rest coordinates (mesh->triangle_count) */
    weft_triangle *triangle;
    float (*rounded)[8]; /* inverse, area, 1 if the triangle is a needle, 0, 0 (mesh->triangle_count) */
    weft_bending bending;
    weft_notions notions;
    const double *face_stretch;  /* factor on each face from the tailoring, or null (mesh->face_count) */
    weft_elements lists[4];      /* triangles, then of bending elements, ties and creases those that there are */
    int32_t kind[4], list_count; /* weft_element_kind of each list */
    /* Forces are computed per element into `element_force` and then summed per vertex. Those of vertex v are
     * element_force[force_index[force_start[v] .. force_start[v + 1])]. */
    weft_vec3 *element_force; /* N (3 triangle_count + arity x bending.count) */
    int32_t *force_start, *force_index;
    double *bound;    /* stiffness at each vertex: near rest the matrix is at most this diagonal, N/m (vertex_count) */
    int32_t *from[2]; /* old index of each element after a change of the mesh; else null */
} weft_corotational;

/* corotational.c: creates everything that does not depend on settings, fabric and rest shape. */
weft_result weft_corotational_arrange(weft_corotational *c, const weft_corotational_settings *settings,
                                      const weft_cloth *cloth);
void weft_corotational_take_settings(weft_corotational *c, const weft_corotational_settings *settings,
                                     const weft_cloth *cloth);
/* Stores the element of triangle t. */
void weft_corotational_set(weft_corotational *c, int32_t t, const weft_triangle *triangle);
/* The factor of the stretch stiffness of triangle t, from map and tailoring. */
double weft_corotational_stretch(const weft_corotational *c, int32_t t);
/* Makes the element of triangle t from its corners at rest. */
weft_triangle weft_corotational_element(const weft_corotational *c, int32_t t);
void weft_corotational_destroy(void *self); /* self may be null */

/* triangle_reshape.c */
weft_result weft_corotational_reshape(const void *self, const void *settings, const weft_cloth *cloth,
                                      const weft_reshape *change, void **made);

/* triangle_sums.c: element_sums of cloth/model_kernels.h for the triangles. Runs the kernel for `isa`, see
 * weft_simd_isa. */
int weft_triangle_sums(const weft_corotational *c, weft_isa isa, const int32_t *element, int32_t count,
                       const double (*place)[8], double h, float *record);

/* triangle_device.c: describe of cloth/model_kernels.h */
void weft_corotational_describe(const void *self, int32_t first, int32_t number, weft_device_material *material,
                                weft_device_lists *lists);

/* triangle_lanes.c: the sum of the energies of the triangles [begin, end), and their forces in `element_force`. Not
 * for Green's strain. The bits do not depend on `isa`. */
double weft_triangle_energies(const weft_corotational *c, weft_isa isa, const weft_vec3 *x, int64_t begin, int64_t end);
void weft_triangle_forces(const weft_corotational *c, weft_isa isa, const weft_vec3 *x, const weft_vec3 *v,
                          int64_t begin, int64_t end);

/* triangle_force.c */
double weft_corotational_energy(const void *self, const weft_work *work, const weft_vec3 *x);
/* facet_energy and edge_energy of weft/model.h */
double weft_corotational_facet_energy(const void *self, const weft_facet *facet);
double weft_corotational_edge_energy(const void *self, const weft_facet *left, const weft_facet *right, int joined);
void weft_corotational_force(const void *self, const weft_work *work, const weft_vec3 *x, const weft_vec3 *v,
                             weft_vec3 *f);
void weft_corotational_vertex_damping(const void *self, const weft_work *work, const weft_vec3 *x, const weft_vec3 *v,
                                      double *block);
double weft_corotational_highest_frequency(const void *self, const double *mass);
void weft_corotational_bound(weft_corotational *c);
/* The bound at one vertex. */
double weft_corotational_bound_at(const weft_corotational *c, int32_t v);
void weft_corotational_measure(const void *self, const weft_work *work, const weft_vec3 *x, weft_strain *strain);

extern const weft_component weft_corotational_model;

#endif
