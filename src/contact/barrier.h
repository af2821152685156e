/* Contact inside the solve: a barrier on the distance of candidate pairs, after Li et al. (2020), Incremental potential
 * contact, and Li, Kaufman and Jiang (2021), Codimensional incremental potential contact. The implicit step minimises
 * one potential; the barrier is its contact part. Friction is an elastic-plastic spring per pair, its grip. */
#ifndef WEFT_CONTACT_BARRIER_H
#define WEFT_CONTACT_BARRIER_H

#include "contact/distance.h"
#include "contact/edge_fade.h"
#include "contact/pair_cache.h"
#include "contact/response.h"
#include "solve/equations.h"

/* A pair closer than its reach, at the positions of the last linearisation. */
typedef struct contact_touch {
    weft_contact_grip grip; /* at the start of the step */
    double weight[4];
    weft_vec3 normal;        /* from the second feature to the first */
    double force, stiffness; /* of the barrier, N and N/m */
    double most_friction;    /* Coulomb's limit, N */
    double most_reach;       /* m */
    int fades;               /* 1: two edges whose barrier depends on their angle too */
    weft_vec3 fading[4];     /* its forces because of that, N; unset unless `fades` */
} contact_touch;

/* What a pair will have to bear, by the last linear solve of the step. */
typedef struct contact_load {
    weft_contact_grip grip;
    double force; /* N */
} contact_load;

/* barrier.c */
/* The distance below which pairs of a kind push, m, unless they are closer at rest. */
double barrier_reach(const contact_step *step, const contact_task *task, weft_pair_kind kind);
/* The largest distance at which a pair may push, m, at most `widest`. */
double barrier_most_reach(const contact_step *step, const contact_pair *pair, double widest);
/* Lists the touches at the positions contact->x, sorted by their features, unless they are. */
weft_status barrier_list_touches(contact_step *step);
/* Potential of barrier and friction at the positions x (count), J. */
double barrier_energy(contact_step *step, const weft_vec3 *x);
/* The same at contact->x, where the touches were listed. */
double barrier_energy_at_touches(const weft_contact *contact);
/* What barrier and grips give back when the contact opens, J, at the touches last listed. */
double barrier_stored_energy(const weft_contact *contact, const weft_contact_grips *grips);

/* barrier_motion.c: the largest fraction of the motion from contact->x to contact->x_next that is certainly free of
 * contact. Also brings the candidate pairs up to date for that motion. Sets step->hopeless where features coincide, or
 * where pins and bodies pass through each other. */
weft_status barrier_limit_motion(contact_step *step, double *fraction);

/* barrier_give_way.c: moves vertices of x_next out of the way of what they would hit. `*fraction` is that of
 * barrier_limit_motion, before and after. */
weft_status barrier_give_way(contact_step *step, double *fraction);

/* barrier_load.c */
/* The stiffness of a touch in the next linear solve, N/m. */
double barrier_bearing_stiffness(const weft_contact *contact, const contact_touch *touch);
/* Notes what the touches, which `list` begins with, will have to bear after the change of velocity dv (m/s). */
weft_status barrier_expect_loads(weft_contact *contact, const weft_touch *list, const weft_vec3 *dv, double h);

/* barrier_friction.c */
/* Lets the touches at the start of the step rub during the whole step, with the normals and forces that they have now.
 * A friction that followed the forces within the step would not be the derivative of any potential. */
weft_status barrier_begin_friction(weft_contact *contact);
int barrier_friction_differs(const weft_contact *contact);
/* The grip of a pair, or null. */
int barrier_compare_grips(const void *a, const void *b);
const weft_contact_grip *barrier_find_grip(const weft_contact *contact, const weft_contact_grip *key);
double barrier_friction_energy(const weft_contact *contact, const weft_vec3 *x);
/* Friction force on the first feature, N, with its stiffness, N/m, and the direction in which it yields, or zero. */
weft_vec3 barrier_friction_force(const weft_contact *contact, const contact_touch *touch, double *stiffness,
                                 weft_vec3 *slide);
/* Lists the grips of the touches for the next step. Those that rubbed keep their slip. */
weft_status barrier_keep_grips(weft_contact *contact);
/* Elastic energy of grips, J. */
double barrier_grip_energy(const weft_contact_grips *grips);

/* barrier_solver.c: the table for the integrator. */
extern const weft_barrier_solver WEFT_BARRIER_SOLVER;

#endif
