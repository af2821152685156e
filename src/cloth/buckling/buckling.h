/* Internals of the immediate-buckling model (Choi and Ko 2002). The interactions are stored like the springs of
 * springs.h. Structural interactions along edges and shear interactions across faces resist tension (type 1). Flexion
 * interactions are beams that resist compression and bending (type 2). */
#ifndef WEFT_CLOTH_BUCKLING_BUCKLING_H
#define WEFT_CLOTH_BUCKLING_BUCKLING_H

#include <math.h>

#include "cloth/buckling/sinc_fit.h"
#include "cloth/springs/springs.h"

typedef struct weft_buckling_settings {
    int32_t source;           /* weft_spring_source */
    double stretch, shear;    /* k_s of edges and of diagonals, N/m */
    double flexion;           /* k_b of a beam, N m2 */
    double flexion_triangles; /* k_b in (A1 + A2) k_b kappa^2, N m */
    double compression;       /* c_b / k_s */
    double damping;           /* kg/s per interaction */
    double damping_time;      /* s */
    int32_t damping_kind;     /* weft_spring_damping */
} weft_buckling_settings;

typedef struct weft_buckling {
    weft_buckling_settings settings;
    const weft_fabric *fabric;
    weft_sinc sinc;
    /* The flexion springs of the list are the beams. First come the beams over edges, then from `first_diagonal` on the
     * beams over the diagonals of quads. The `weft` of a diagonal beam is that of one of the two strips next to it. The
     * stiffness is k_s, or -c_b for a beam. Interactions never break. */
    weft_springs springs;
    int32_t first_diagonal;
    /* For each beam (list.count - list.first[WEFT_FLEXION]). */
    float *ratio;       /* squared ratio of the grid spacings along and across the strip, 0 if no diagonals cross it */
    float *critical;    /* 12 k_b / L^2, the buckling load, N; 0 without bending stiffness */
    double (*curve)[2]; /* range of l / L in which the force is the beam's own: from, to; both equal if there is none */
    /* For each slot of the layout (layout.slot_count). */
    float (*slot)[2]; /* buckling load, 0 for type 1; damping, kg/s */
} weft_buckling;

/* One interaction. The stiffness of a beam is negative. */
typedef struct weft_interaction {
    double rest, stiffness, critical;
} weft_interaction;

static inline weft_interaction weft_buckling_at(const weft_buckling *b, int32_t i) {
    const weft_springs *s = &b->springs;
    int32_t beam = i - s->list.first[WEFT_FLEXION];
    return (weft_interaction){s->rest[i], s->stiffness[i], beam < 0 ? 0 : (double)b->critical[beam]};
}

/* The force along the interaction, positive in tension, N (Choi and Ko 2002, equations 2 and 11). The bending force of
 * a beam is never weaker than the buckling load, so the polynomial is rarely evaluated. `bends` is set if the result is
 * the bending force and not the line c_b (l - L). */
static inline double weft_buckling_tension(const weft_sinc *sinc, weft_interaction a, double stretch, int *bends) {
    double line = (stretch > 0) == (a.stiffness >= 0) ? fabs(a.stiffness) * stretch : 0;
    *bends = 0;
    if (!(line < -a.critical))
        return line;
    double beam = a.critical / 6 * weft_sinc_at(sinc->slope, 1 + stretch / a.rest);
    *bends = beam >= line;
    return *bends ? beam : line;
}

/* The damping, kg/s. For a beam, damping_time multiplies its bending stiffness. With c_b, which a bent beam does not
 * have, all bending would be damped. */
static inline float weft_buckling_damping(const weft_springs *s, weft_interaction a) {
    double steepness = a.stiffness;
    if (a.stiffness < 0)
        steepness = a.critical > 0 ? fmin(0.6 * a.critical / a.rest, -a.stiffness) : 0; /* q'' / 6 = 0.6 at l = L */
    return steepness > 0 ? (float)(s->damping_constant + s->damping_time * steepness) : 0;
}

/* beam_list.c: lists the interactions, including the beams over the diagonals of quads, and their ratios. */
weft_result weft_buckling_build(const weft_mesh *mesh, weft_buckling *b);

/* beam_tune.c: sets stiffness, buckling loads and damping from settings and fabric, also in the slots. */
void weft_buckling_tune(weft_buckling *b, const weft_cloth *cloth);
/* k_b of a beam between two triangles, N m2. `area` is half of A1 + A2, `weft` is as in the list. */
double weft_buckling_rigidity(const weft_buckling *b, double area, double weft, double rest);
/* The range of l / L in which the force of a beam is its bending force. */
void weft_buckling_curve(const weft_sinc *sinc, weft_interaction a, double curve[2]);

/* beam_force.c */
double weft_buckling_energy(const void *self, const weft_work *work, const weft_vec3 *x);
/* The integral of f_b* from L to l, J. */
double weft_buckling_beam_energy(const weft_sinc *sinc, weft_interaction a, const double curve[2], double length);
void weft_buckling_force(const void *self, const weft_work *work, const weft_vec3 *x, const weft_vec3 *v, weft_vec3 *f);

/* beam_edge.c: edge_energy of weft/model.h */
double weft_buckling_edge_energy(const void *self, const weft_facet *left, const weft_facet *right, int joined);

/* beam_hessian.c */
int32_t weft_buckling_element_lists(const void *self, const weft_elements **lists);
void weft_buckling_element_blocks(const void *self, int32_t list, const int32_t *element, int32_t count,
                                  const weft_vec3 *x, const weft_vec3 *v, double *stiffness, double *damping);
void weft_buckling_pair_rows(const void *self, const weft_pair_rows *rows, float *block, weft_pair_sum *sum);
void weft_buckling_set_laws(weft_buckling *b);

/* beam_device.c: describe of cloth/model_kernels.h */
void weft_buckling_describe(const void *self, int32_t first, int32_t number, weft_device_material *material,
                            weft_device_lists *lists);

extern const weft_component weft_buckling_model;

#endif
