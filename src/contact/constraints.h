/* Contacts as constraints: rows that are solved by impulses, and constraints of the implicit solve. */
#ifndef WEFT_CONTACT_CONSTRAINTS_H
#define WEFT_CONTACT_CONSTRAINTS_H

#include "contact/pair_cache.h"
#include "contact/response.h"

/* The constraint of one contact. The gap n . (w0 x0 + .. + w3 x3) + bias must be at least `target` at the end of the
 * step. Coulomb friction acts on the tangential motion. Impulses on positions (kg m) and on velocities (kg m/s) are
 * accumulated separately. Thus pushing layers apart to their thickness gives them no velocity. */
typedef struct contact_row {
    int32_t vertex[4];
    int32_t shape;      /* object whose distance function gives the gap; 0 for pairs, as object 0 is a cloth */
    int32_t constraint; /* pairs: 1 + index of the constraint in the implicit solve, or 0 */
    double weight[4];
    weft_vec3 normal;
    weft_vec3 body_displacement; /* of the body's contact point in the step, if no vertex is the body's, m */
    double bias, target;         /* m */
    double mass;                 /* 1 / sum of weight^2 / mass, kg */
    double friction;             /* Coulomb coefficient */
    double position_impulse, velocity_impulse;
    weft_vec3 position_friction, velocity_friction; /* friction impulses */
} contact_row;

/* What contact stores for each constraint of the implicit solve. */
typedef struct contact_constraint {
    weft_vec3 body_displacement; /* of the body's contact point in the step, m */
    int32_t object;              /* the shape that the vertex touches; 0 for pairs */
    int32_t next;                /* next constraint of the same vertex with another shape, or WEFT_NONE */
    int32_t flips;               /* changes between sticking and sliding in this step */
    int32_t released;            /* 1: released in this step */
} contact_constraint;

/* constraints.c: contacts at the start of the step, solved by Gauss-Seidel sweeps. */
/* Makes rows for vertices that end the step too close to an exact shape. */
weft_status contact_probe_shapes(contact_step *step);
/* Makes these rows and solves them once, before the search for pairs. */
weft_status contact_solve_shapes(contact_step *step);
/* The number of fixed vertices that move into an exact shape whose triangles are not tested. */
int32_t contact_count_pins_inside(const contact_step *step, const contact_object *cloth, const contact_object *body);
/* Makes the rows of pairs. */
weft_status contact_find_rows(contact_step *step);
void contact_solve_rows(contact_step *step);
double contact_reach(const contact_step *step, const contact_pair *pair);
double contact_thickness(const contact_step *step, const contact_pair *pair);
double contact_friction(const contact_step *step, const contact_pair *pair);
double contact_row_mass(const weft_contact *contact, const int32_t vertex[4], const double weight[4]);
/* Solves one row. Returns the change of the gap, m. */
double contact_row_solve(const contact_step *step, contact_row *row);
/* Whether the cloth of a task intersects the body and must get out again. */
int contact_is_escaping(const contact_step *step, const contact_task *task);

/* implicit_constraints.c */
/* Removes the relative velocity of contacts that the implicit solve constrained. */
void contact_stop_constrained(contact_step *step);
/* Whether the implicit solve constrains the contact of the row. */
int contact_is_constrained(const weft_contact *contact, const contact_row *row);

/* strain_limit.c */
void contact_limit_strain(contact_step *step);
/* Whether an edge of a cloth is longer than the limit allows, at the positions contact->x. */
int contact_exceeds_strain(const weft_contact *contact, double limit);
/* Whether an edge grows in the step by more than settings->stretch allows. In a long step, contact can pull vertices
 * away from their neighbours. In two half steps the cloth responds in between. */
int contact_overstretches(const contact_step *step);

#endif
