/* Contact between all surfaces of a simulation, after Bridson, Fedkiw & Anderson 2002 (Bender & Deul 2013, sections 3
 * and 6): what an integrator proposes becomes a step without intersections. */
#ifndef WEFT_CONTACT_CONTACT_STEP_H
#define WEFT_CONTACT_CONTACT_STEP_H

#include "body/body_motion.h"
#include "weft/body.h"
#include "weft/contact.h"
#include "weft/fabric.h"
#include "weft/integrator.h"
#include "weft/mesh.h"
#include "weft/work.h"

/* Views of what the simulation owns; they outlive the contact. */
typedef struct weft_contact_cloth {
    const weft_mesh *mesh;
    const uint8_t *open_face; /* (mesh->face_count) */
    const weft_fabric *fabric;
    int32_t first; /* of its vertices; cloths follow each other without a gap */
} weft_contact_cloth;

typedef struct weft_contact weft_contact;

/* The arrays of cloths and bodies are copied. */
weft_result weft_contact_create(const weft_contact_cloth *cloth, int32_t cloth_count, const weft_body_view *body,
                                int32_t body_count, weft_contact **contact);
void weft_contact_destroy(weft_contact *contact); /* null is allowed */
/* After meshes of cloths changed: the same as a new one, with what belongs to the bodies and to the cloths marked in
 * `kept`, whose meshes are the same, taken over. As many cloths and bodies as before, the bodies unchanged. The old one
 * is gone, and *contact null after a failure. */
weft_result weft_contact_renew(weft_contact **contact, const weft_contact_cloth *cloth, const uint8_t *kept,
                               const weft_body_view *body);

/* All cloth vertices of the simulation (count). */
typedef struct weft_contact_state {
    int32_t count;
    const weft_vec3 *x;         /* at the start of the step, free of intersections, m */
    const double *inverse_mass; /* 1/kg, 0 where held */
    weft_vec3 *x_next, *v_next; /* at its end: proposed, then without collisions */
    uint8_t *touched;           /* 1 where they were changed; to be cleared by the caller */
    weft_vec3 *v_change;        /* what was added to v_next, m/s */
    int gives_up;               /* whether what impulses do not solve fails the step instead of becoming rigid */
    int tangled;                /* x is not free of intersections, at which shorter steps would not help */
    const int64_t *crossed;     /* how many between a cloth and an object, or null (cloths x objects) */
    double time, dt;            /* of the start, and length, s */
} weft_contact_state;

/* WEFT_STATUS_DIVERGED, with the state as proposed, when it gives up. */
weft_status weft_contact_step(weft_contact *contact, const weft_contact_settings *settings, const weft_work *work,
                              const weft_contact_state *state, weft_contact_report *report);

/* The same contacts for an implicit solve to respect, before it: x_next is where the vertices would get to by
 * themselves. The step that follows uses what was found. */
weft_status weft_contact_constrain(weft_contact *contact, const weft_contact_settings *settings, const weft_work *work,
                                   const weft_contact_state *state);
int32_t weft_contact_constraints(const weft_contact *contact, weft_constraint **list);
/* How far the body that a constraint is on moved there during the step, m. */
weft_vec3 weft_contact_carried(const weft_contact *contact, int32_t constraint);
/* As weft_system_reconsider; -1 when memory is out. */
int32_t weft_contact_reconsider(weft_contact *contact, const weft_contact_settings *settings, const weft_work *work,
                                const weft_contact_state *state, double h, const weft_vec3 *x_end,
                                const weft_vec3 *force);
/* The step is over, or is not to be: what was found for it is forgotten. */
void weft_contact_forget(weft_contact *contact);

/* part.c: moves layers that touch at distance 0 apart by a hundredth of the thickness, so that each has a side. */
typedef struct weft_contact_separation {
    int32_t vertices;      /* that were moved */
    int32_t touching;      /* pairs that did, at the start */
    int32_t left;          /* and that still do */
    int32_t cloth, object; /* of the first of these; objects are cloths and then bodies */
    double farthest;       /* m */
} weft_contact_separation;
/* `weight`: of each cloth, N. `x`: of all cloth vertices, as in the state. */
weft_status weft_contact_separate(weft_contact *contact, const weft_contact_settings *settings, const weft_work *work,
                                  const weft_contact_state *state, const weft_vec3 *weight, weft_vec3 *x,
                                  weft_contact_separation *done);

/* audit.c: pairs of an edge and a triangle that it passes through; shares nothing with the detection. The edges and
 * triangles of surface a against the triangles and edges of b, or of a surface against itself when b is null. */
typedef struct weft_audit_surface {
    const weft_vec3 *x;
    int32_t vertex_count, triangle_count;
    const int32_t (*triangle)[3];
    const uint8_t *skip; /* 1 for triangles to leave out, or null (triangle_count) */
} weft_audit_surface;
typedef struct weft_audit_crossing {
    int32_t edge[2], triangle; /* vertices of one surface, a triangle of the other */
    int32_t of_b;              /* 1: the edge is of b and the triangle of a */
} weft_audit_crossing;

typedef struct weft_audit_list {
    weft_audit_crossing *item; /* (capacity) */
    int64_t capacity, count;   /* count: filled; what finds no room is left out */
} weft_audit_list;

weft_result weft_audit(const weft_audit_surface *a, const weft_audit_surface *b, int64_t *crossings);
/* `list` may be null. */
weft_result weft_audit_listed(const weft_audit_surface *a, const weft_audit_surface *b, weft_audit_list *list,
                              int64_t *crossings);

/* untangle.c: moves that make the lines in which surfaces cut each other shorter. Summed up by vertex, with how many
 * there are; `b` and what belongs to it are null for a surface against itself. Vertices do not move by more than
 * `reach` (m) at once. *crossings: what there was. */
typedef struct weft_untangle_side {
    const weft_audit_surface *surface;
    weft_vec3 *move; /* m; null when it cannot move (vertex_count) */
    double *count;   /* (vertex_count) */
} weft_untangle_side;
weft_result weft_untangle(const weft_untangle_side *a, const weft_untangle_side *b, double reach, int64_t *crossings);

#endif
