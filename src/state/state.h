/* The data of a simulation. Preparation sets the constants; a snapshot holds the state. */
#ifndef WEFT_STATE_STATE_H
#define WEFT_STATE_STATE_H

#include "contact/contact_solver.h"
#include "core/memory.h"
#include "weft/adapt.h"
#include "weft/force.h"
#include "weft/sim.h"
#include "weft/vec.h"

typedef struct weft_refined weft_refined; /* remesh/refined.h */

typedef struct sim_cloth {
    weft_cloth cloth; /* what the model and users see */
    char *name;
    weft_mesh *mesh;
    weft_fabric fabric;
    const weft_component *model;
    void *settings; /* of the model */
    void *self;     /* the model, once prepared */
    int32_t first;  /* its vertices are [first, first + mesh->vertex_count) of the simulation */
    uint8_t *open_face;
    weft_vec3 velocity;          /* at the start, m/s */
    double *map[WEFT_MAP_COUNT]; /* null: 1 (mesh->vertex_count) */
    /* Of cloths whose mesh changes: how it began, which names vertices and stays, and how it is now. `mesh` is made
     * from the latter. */
    weft_mesh *base;
    weft_refined *refined;
    int stale; /* mesh and model are not yet those of `refined`: SIM_RESHAPED, SIM_REPLACED */
    /* What the integrator knows of it, and how that has changed since (rebuild.c). */
    int32_t known_first, known_count;
    int32_t reshapes;     /* of the model */
    int32_t recut;        /* whether the contact knows another mesh of it */
    uint8_t *touched;     /* by the last one (mesh->vertex_count) */
    int32_t (*opened)[2]; /* half-edges of edges whose sides are not yet apart (sides.c) */
    int32_t opened_count, opened_capacity;
} sim_cloth;

/* How a surface differs from the cloth's mesh: where `refined->changed` says, or everywhere. */
enum { SIM_RESHAPED = 1, SIM_REPLACED = 2 };

typedef struct sim_force {
    const weft_component *component;
    void *settings;
} sim_force;

typedef struct sim_body {
    const weft_component *component;
    void *settings;
    weft_mesh *mesh; /* null for a shape */
    weft_body_key *key;
    int32_t key_count;
    weft_body_frames frames; /* its positions are owned; no frames: frame_count is 0 */
    weft_body_motion motion;
    weft_body_place home; /* where it was before it was moved by hand */
    int32_t moved;        /* by hand, at some time */
} sim_body;

/* A body that was moved by hand, in a snapshot. */
typedef struct sim_move {
    int32_t body, moving;
    weft_vec3 at, rotate, axis;
    double scale;
    weft_vec3 from_at, from_rotate, from_axis;
    double from_scale, share;
} sim_move;

typedef struct sim_pin {
    weft_pin pin;
    weft_key *key;    /* (pin.key_count) */
    int32_t *vertex;  /* of the simulation (count) */
    weft_vec3 *start; /* m (count) */
    int32_t count, capacity;
    int32_t given; /* the first ones were given, the others inserted between them */
} sim_pin;

typedef struct sim_drag {
    int32_t vertex; /* of the simulation */
    int32_t unused; /* no padding: drags are copied into snapshots */
    weft_vec3 from, to;
    double begin, end; /* s, when it is at which */
} sim_drag;

typedef struct sim_cut {
    int32_t cloth;
    double at;      /* s */
    weft_vec3 eye;  /* far away, m */
    weft_vec3 *ray; /* (count) */
    int32_t count;
} sim_cut;

enum { SIM_WATCH = 1, SIM_WATCH_QUIETLY = 2 }; /* quietly: that they are there is not news */

struct weft_sim {
    /* weft_sim_prepare, for the folders below it: remeshing prepares again what it has changed. */
    weft_result (*prepare)(weft_sim *sim);
    const weft_registry *registry;
    weft_environment air;
    weft_clock clock;
    sim_cloth *cloth;
    int32_t cloth_count;
    sim_force *force;
    int32_t force_count;
    const weft_component *integrator;
    void *integrator_settings;
    void *integrator_self; /* once prepared; null again after a change of integrator */
    sim_body *body;
    int32_t body_count;
    weft_contact_settings contact_settings;
    /* What an integrator sees of cloths and forces: filled by sim_system. */
    weft_equations *equations;
    weft_equations_cloth *system_cloth; /* (cloth_count) */
    weft_equations_force *system_force; /* (force_count) */
    weft_contact *contact;              /* once there is something to touch; null again after a change of bodies */
    weft_repair repaired;
    weft_separation parted;
    int64_t *crossed; /* at the last count, by pair of cloth and object (cloth_count x (cloth_count + body_count)) */
    int64_t crossed_size;
    int64_t crossed_sum;
    int32_t watch; /* whether they must be counted before the next step: 0, SIM_WATCH, SIM_WATCH_QUIETLY */
    weft_sim_event event[64];
    int64_t event_count;
    const weft_component *adapt; /* null without */
    void *adapt_settings;
    sim_pin *pin;
    int32_t pin_count;
    sim_drag *drag;
    int32_t drag_count, drag_capacity;
    sim_cut *cut;
    int32_t cut_count;
    weft_work work;
    int prepared;

    void *memory; /* of the arrays of vertices */
    /* constants (count); the arrays have room for `capacity` */
    int32_t count, capacity;
    double *mass, *area;

    /* inputs of the step (count) */
    double *inverse_mass;
    uint8_t *held;
    weft_vec3 *target;
    weft_vec3 *pulled;   /* acceleration of held vertices in the last step, m/s2 */
    uint8_t *touched;    /* by contact in the step (count) */
    weft_vec3 *v_change; /* by contact in the step, m/s (count) */
    weft_vec3 *scratch;  /* for vertices that change places (count) */

    /* state (count); the last step's positions stay for schemes that need them, and the buffers change roles */
    weft_vec3 *x, *v, *x_before, *v_before, *x_next, *v_next;
    double dt_before;
    double time;
    int64_t frame, step_count;
    int64_t links_broken;

    /* the frame that weft_sim_advance_step is in: its ends, its steps so far and in all, and what they reported */
    double frame_start, frame_end;
    int64_t frame_done;
    double frame_steps; /* fixed steps only */
    weft_report frame_report;
};

static inline const weft_model_functions *sim_model(const sim_cloth *cloth) { return cloth->model->functions; }

static inline const weft_force_functions *sim_force_functions(const sim_force *force) {
    return force->component->functions;
}

static inline int sim_looks_back(const weft_sim *sim) {
    return ((const weft_integrator_functions *)sim->integrator->functions)->looks_back;
}

/* Whether there is anything to touch. */
static inline int sim_touches(const weft_sim *sim) { return sim->body_count > 0 || sim->contact_settings.self; }

/* Where the state before the last step is. */
static inline weft_vec3 *sim_x_before(const weft_sim *sim) { return sim_looks_back(sim) ? sim->x_before : sim->x_next; }

static inline weft_vec3 *sim_v_before(const weft_sim *sim) { return sim_looks_back(sim) ? sim->v_before : sim->v_next; }

weft_result sim_require_cloth(const weft_sim *sim, int32_t cloth);
weft_result sim_require_vertex(const weft_sim *sim, int32_t cloth, int32_t vertex);
/* The vertices' share of the surface at rest, from a mesh that is to be the cloth's. */
/* Of a cloth that changes a vertex has a third of each triangle at it instead of the hybrid Voronoi area: a triangle
 * that is split then keeps its centre of mass and its momentum. `touched`: of these vertices only, null: of all. */
void sim_share_areas(const sim_cloth *cloth, const weft_mesh *mesh, const uint8_t *touched, double *area);
void sim_set_areas(weft_sim *sim, const sim_cloth *cloth, const weft_mesh *mesh, const uint8_t *touched);
/* Masses from densities and their factors (null: 1); a settings change then calls retune. */
void sim_set_masses(weft_sim *sim, const sim_cloth *cloth, int32_t count, const double *factor);
/* Pins and drags -> held, inverse_mass, target at time + dt. */
void sim_apply_inputs(weft_sim *sim, double dt);
/* The same from nothing, after masses or the state changed. */
void sim_refresh_inputs(weft_sim *sim);
weft_system sim_system(const weft_sim *sim);
/* After a change of bodies: the next step makes a new one. */
void sim_forget_contact(weft_sim *sim);
/* What contact sees of the cloths in a step of that length. */
weft_contact_state sim_contact_state(const weft_sim *sim, double dt);
/* Marks as touched also what constraints of the solve have kept apart in the step. */
void sim_mark_held(weft_sim *sim);
weft_result sim_require_body(const weft_sim *sim, int32_t body);
/* What the contact sees of a body. */
weft_body_view sim_body_view(const sim_body *body);
/* Whether it is not there in a step that begins then (body_motion.c). */
int sim_body_away(const weft_sim *sim, int32_t body, double time);
/* Edges through triangles, of cloths with each other when contact minds them. */
weft_result sim_count_crossings(weft_sim *sim, int64_t *crossings);
/* The surface of a cloth for the audit; *skip is the caller's to free. */
weft_result sim_audit_cloth(const weft_sim *sim, int32_t cloth, weft_audit_surface *surface, uint8_t **skip);
/* New settings with the component's defaults (build.c). */
weft_result sim_make_settings(const weft_component *component, void **settings);
/* A zeroed element at the end of *array, which has `count` of them (build.c). */
weft_result sim_grow(void **array, int32_t count, size_t size, const char *what);
/* Room for that many vertices in all arrays (prepare.c). */
weft_result sim_reserve(weft_sim *sim, int64_t count);
/* What the model and users see, and the refusal of pairs that cannot work (prepare.c). */
void sim_view_cloth(weft_sim *sim, sim_cloth *cloth);
/* Where pins hold a vertex that was inserted into them (pins.c). */
void sim_shift_pins(weft_sim *sim, int32_t vertex, weft_vec3 way);
/* Frees what the integrator keeps between steps. */
void sim_forget_integrator(weft_sim *sim);

/* What a count is to do. Objects are the cloths and then the bodies; pair (cloth, object) has number
 * cloth x objects + object. */
typedef struct sim_crossing_count {
    weft_sim *sim;
    int64_t *pair;           /* crossings of each, or SIM_INSIDE; or null */
    weft_crossing *crossing; /* (capacity) */
    int32_t capacity, count;
    weft_intersections *found;
} sim_crossing_count;

enum { SIM_INSIDE = -1 };
weft_result sim_count_all(sim_crossing_count *c, int self);

#endif
