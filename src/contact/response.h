/* Contact between all surfaces of a simulation, after Bridson, Fedkiw and Anderson (2002) and Bender and Deul (2013),
 * sections 3 and 6. Turns the step that an integrator proposes into one without intersections. */
#ifndef WEFT_CONTACT_RESPONSE_H
#define WEFT_CONTACT_RESPONSE_H

#include "body/motion.h"
#include "weft/body.h"
#include "weft/contact.h"
#include "weft/fabric.h"
#include "weft/integrator.h"
#include "weft/mesh.h"
#include "weft/work.h"

/* Views of data that the simulation owns. They must outlive the contact. */
typedef struct weft_contact_cloth {
    const weft_mesh *mesh;
    const uint8_t *open_face; /* 1: torn (mesh->face_count) */
    const weft_fabric *fabric;
    int32_t first; /* first vertex; cloths follow each other without gaps */
} weft_contact_cloth;

typedef struct weft_contact weft_contact;

/* Copies the arrays of cloths and bodies. */
weft_result weft_contact_create(const weft_contact_cloth *cloth, int32_t cloth_count, const weft_body_view *body,
                                int32_t body_count, weft_contact **contact);
void weft_contact_destroy(weft_contact *contact); /* null is allowed */
/* Call after meshes of cloths have changed. The result equals a newly created contact. It reuses the data of the bodies
 * and of the cloths marked in `kept`, whose meshes must be unchanged. The bodies and the numbers of cloths and bodies
 * must be the same as before. The old contact is destroyed. After a failure *contact is null. */
weft_result weft_contact_renew(weft_contact **contact, const weft_contact_cloth *cloth, const uint8_t *kept,
                               const weft_body_view *body);

/* device_view.c: the surfaces of all objects, for a device that computes contact itself. Objects are the cloths,
 * then the bodies. Views, valid as long as the contact. */
typedef struct weft_contact_surfaces {
    int32_t count, cloth_vertices, triangle_count, object_count, cloth_count;
    const int32_t (*triangle)[3];
    const int32_t *object_of; /* (count) */
    const weft_vec3 *rest;    /* (count) */
    double edge_length;       /* mean length of cloth edges at rest, m */
    double spare;             /* how much farther than the thickness near pairs reach, m */
} weft_contact_surfaces;
weft_contact_surfaces weft_contact_view(const weft_contact *contact, const weft_contact_settings *settings);
/* Places the bodies at both ends of a step. *start and *end receive the places of their vertices
 * (count - cloth_vertices), `absent` a 1 for each object that is away (object_count). */
void weft_contact_place_bodies(weft_contact *contact, double time, double dt, const weft_vec3 **start,
                               const weft_vec3 **end, uint8_t *absent);

/* What a pair in contact remembers from step to step (barrier.h). */
typedef struct weft_contact_grip {
    int32_t kind, vertex[4]; /* of the pair; vertices of bodies follow those of the cloths */
    double reach;            /* activation distance, m; at most the thickness */
    weft_vec3 slip;          /* elastic tangential displacement of the first feature against the second, m */
} weft_contact_grip;

typedef struct weft_contact_grips {
    weft_contact_grip *grip; /* sorted */
    int32_t count, capacity;
} weft_contact_grips;

/* All cloth vertices of the simulation (count). */
typedef struct weft_contact_state {
    int32_t count;
    const weft_vec3 *x;         /* at the start of the step, free of intersections, m */
    const double *inverse_mass; /* 1/kg, 0: fixed */
    weft_vec3 *x_next, *v_next; /* at the end: proposed by the integrator, then corrected */
    uint8_t *touched;           /* 1: contact changed x_next or v_next; the caller clears it first */
    weft_vec3 *v_change;        /* change of v_next, m/s */
    weft_vec3 *pressing;        /* of the barrier: normal force of bodies on the vertex at the end of the step, N */
    int gives_up;               /* 1: the step may fail, and shorter ones follow: instead of rigid zones after impulses
                                   that did not suffice, or many iterations of the barrier */
    int tangled;                /* 1: x already has intersections, so that shorter steps would not help */
    const weft_contact_grips *grips; /* at the start of the step */
    weft_contact_grips *next_grips;  /* at its end */
    int first;                       /* 1: the simulation begins */
    const int64_t *crossed;          /* number of intersections of a cloth with an object, or null (cloths x objects) */
    double time, dt;                 /* start and length of the step, s */
} weft_contact_state;

/* Returns WEFT_STATUS_DIVERGED when it gives up. The state is then as proposed. */
weft_status weft_contact_step(weft_contact *contact, const weft_contact_settings *settings, const weft_work *work,
                              const weft_contact_state *state, weft_contact_report *report);

/* The barrier acts on surfaces. This keeps vertices whose triangles are all torn outside of shapes, after such a step.
 */
weft_status weft_contact_settle_loose(weft_contact *contact, const weft_contact_settings *settings,
                                      const weft_work *work, const weft_contact_state *state);

/* Finds the same contacts as constraints for an implicit solve. Call it before the solve, with x_next as the positions
 * without contact. The weft_contact_step that follows reuses the result. */
weft_status weft_contact_constrain(weft_contact *contact, const weft_contact_settings *settings, const weft_work *work,
                                   const weft_contact_state *state);
int32_t weft_contact_constraints(const weft_contact *contact, weft_constraint **list);
/* The displacement during the step of the body's contact point of a constraint, m. */
weft_vec3 weft_contact_carried(const weft_contact *contact, int32_t constraint);
/* As weft_system_reconsider. Returns -1 when out of memory. */
int32_t weft_contact_reconsider(weft_contact *contact, const weft_contact_settings *settings, const weft_work *work,
                                const weft_contact_state *state, double h, const weft_vec3 *x_end,
                                const weft_vec3 *force);
/* Discards the constraints. Call when the step is finished or abandoned. */
void weft_contact_forget(weft_contact *contact);

/* Distance that counts as touching at the start, in thicknesses. */
#define WEFT_CONTACT_TOUCHES 1e-4

/* separate.c: moves layers that touch at distance 0 apart by a hundredth of the thickness, so that each has a side. */
typedef struct weft_contact_separation {
    int32_t vertices;      /* vertices that were moved */
    int32_t touching;      /* touching pairs at the start */
    int32_t left;          /* pairs that still touch */
    int32_t cloth, object; /* of the first pair that still touches; objects are the cloths, then the bodies */
    double farthest;       /* largest displacement, m */
} weft_contact_separation;
/* `weight`: of each cloth, N. `x`: positions of all cloth vertices, as in the state. */
weft_status weft_contact_separate(weft_contact *contact, const weft_contact_settings *settings, const weft_work *work,
                                  const weft_contact_state *state, const weft_vec3 *weight, weft_vec3 *x,
                                  weft_contact_separation *done);

/* audit.c: counts pairs of an edge and a triangle that it passes through. It shares no code with the collision
 * detection. Edges of a are tested against triangles of b and the reverse. If b is null, the surface is tested against
 * itself. */
typedef struct weft_audit_surface {
    const weft_vec3 *x;
    int32_t vertex_count, triangle_count;
    const int32_t (*triangle)[3];
    const uint8_t *skip; /* 1: leave the triangle out; may be null (triangle_count) */
} weft_audit_surface;
typedef struct weft_audit_crossing {
    int32_t edge[2], triangle; /* vertices of one surface, a triangle of the other */
    int32_t of_b;              /* 1: the edge belongs to b and the triangle to a */
} weft_audit_crossing;

typedef struct weft_audit_list {
    weft_audit_crossing *item; /* (capacity) */
    int64_t capacity, count;   /* count: items filled; crossings beyond the capacity are left out */
} weft_audit_list;

weft_result weft_audit(const weft_audit_surface *a, const weft_audit_surface *b, int64_t *crossings);
/* `list` may be null. */
weft_result weft_audit_listed(const weft_audit_surface *a, const weft_audit_surface *b, weft_audit_list *list,
                              int64_t *crossings);

/* untangle.c: displacements that shorten the intersection contours of two surfaces. Sums the displacements of each
 * vertex, and their weights in `count`. No single displacement exceeds `reach` (m). `b` is null for a surface against
 * itself. *crossings: the number of intersections found. */
typedef struct weft_untangle_side {
    const weft_audit_surface *surface;
    weft_vec3 *move; /* m; null if the surface cannot move (vertex_count) */
    double *count;   /* sum of weights (vertex_count) */
} weft_untangle_side;
weft_result weft_untangle(const weft_untangle_side *a, const weft_untangle_side *b, double reach, int64_t *crossings);

#endif
