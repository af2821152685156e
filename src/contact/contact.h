/* Contact between all surfaces of a simulation, after Bridson, Fedkiw & Anderson 2002 (Bender & Deul 2013, sections 3
 * and 6): what an integrator proposes becomes a step without intersections. */
#ifndef WEFT_CONTACT_CONTACT_H
#define WEFT_CONTACT_CONTACT_H

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

typedef struct weft_contact_body {
    const weft_component *component;
    const void *settings;
    const weft_mesh *mesh; /* null for a shape */
    const weft_body_key *key;
    int32_t key_count;
} weft_contact_body;

typedef struct weft_contact weft_contact;

/* The arrays of cloths and bodies are copied. */
weft_result weft_contact_create(const weft_contact_cloth *cloth, int32_t cloth_count, const weft_contact_body *body,
                                int32_t body_count, weft_contact **contact);
void weft_contact_destroy(weft_contact *contact); /* null is allowed */

/* All cloth vertices of the simulation (count). */
typedef struct weft_contact_state {
    int32_t count;
    const weft_vec3 *x;         /* at the start of the step, free of intersections, m */
    const double *inverse_mass; /* 1/kg, 0 where held */
    weft_vec3 *x_next, *v_next; /* at its end: proposed, then without collisions */
    uint8_t *touched;           /* 1 where they were changed; to be cleared by the caller */
    weft_vec3 *v_change;        /* what was added to v_next, m/s */
    int gives_up;               /* whether what impulses do not solve fails the step instead of becoming rigid */
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
/* As weft_system_reconsider; -1 when memory is out. */
int32_t weft_contact_reconsider(weft_contact *contact, const weft_contact_settings *settings, const weft_work *work,
                                const weft_contact_state *state, double h, const weft_vec3 *x_end,
                                const weft_vec3 *force);
/* The step is over, or is not to be: what was found for it is forgotten. */
void weft_contact_forget(weft_contact *contact);

/* The triangles of a body where it is at a time; position is to be freed by the caller. */
weft_result weft_contact_body_surface(const weft_contact_body *body, double time, weft_body_surface *surface);

/* audit.c: pairs of an edge and a triangle that it passes through; shares nothing with the detection. The edges and
 * triangles of surface a against the triangles and edges of b, or of a surface against itself when b is null. */
typedef struct weft_audit_surface {
    const weft_vec3 *x;
    int32_t vertex_count, triangle_count;
    const int32_t (*triangle)[3];
    const uint8_t *skip; /* 1 for triangles to leave out, or null (triangle_count) */
} weft_audit_surface;
weft_result weft_audit(const weft_audit_surface *a, const weft_audit_surface *b, int64_t *crossings);

#endif
