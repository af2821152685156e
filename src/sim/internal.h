/* A simulation from the inside. Constants are set by prepare; the state is what a snapshot holds. */
#ifndef WEFT_SIM_INTERNAL_H
#define WEFT_SIM_INTERNAL_H

#include "contact/contact.h"
#include "core/memory.h"
#include "mesh/refined.h"
#include "weft/adapt.h"
#include "weft/force.h"
#include "weft/sim.h"
#include "weft/vec.h"

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
    double constraint_seconds; /* that contact took within the integrator's step */
    double constraint_dt;      /* of the step that constraints were made for, s */
    weft_contact *contact;     /* once there is something to touch; null again after a change of bodies */
    weft_repair repaired;
    weft_parting parted;
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

/* The built-in components (builtins.c). */
weft_result weft_register_builtins(weft_registry *registry);

weft_result sim_require_cloth(const weft_sim *sim, int32_t cloth);
weft_result sim_require_vertex(const weft_sim *sim, int32_t cloth, int32_t vertex);
/* The vertices' share of the surface, from a mesh that is to be the cloth's; of those touched, or of all when null. */
/* Of a cloth that changes a vertex has a third of each triangle at it instead of the hybrid Voronoi area: a triangle
 * that is split then keeps its centre of mass and its momentum. `touched`: of these vertices only, null: of all. */
void sim_share_areas(const weft_mesh *mesh, const uint8_t *touched, double *area);
void sim_set_areas(weft_sim *sim, const sim_cloth *cloth, const weft_mesh *mesh, const uint8_t *touched);
/* Masses from densities and their factors (null: 1); a settings change then calls retune. */
void sim_set_masses(weft_sim *sim, const sim_cloth *cloth, const double *factor);
/* Pins and drags -> held, inverse_mass, target at time + dt. */
void sim_apply_inputs(weft_sim *sim, double dt);
/* The same from nothing, after masses or the state changed. */
void sim_refresh_inputs(weft_sim *sim);
weft_system sim_system(const weft_sim *sim);
void sim_add_solve(weft_solve *sum, const weft_solve *one);
/* Makes the contact when there is something to touch and none yet (bodies.c). */
weft_result sim_prepare_contact(weft_sim *sim);
/* After a change of bodies: the next step makes a new one. */
void sim_forget_contact(weft_sim *sim);
/* Fails when collisions are too many for impulses and the step can still be halved. */
weft_status sim_contact(weft_sim *sim, double dt, int32_t halvings_left, weft_report *report);
/* What contact sees of the cloths in a step of that length. */
weft_contact_state sim_contact_state(const weft_sim *sim, double dt);
/* Marks as touched also what constraints of the solve have kept apart in the step. */
void sim_mark_held(weft_sim *sim);
/* The state before the step sees what these constraints did where they stopped something. */
void sim_restart_held(weft_sim *sim, double dt);
/* Before the integrator's step, which may make constraints of contacts. */
void sim_begin_contact(weft_sim *sim);
void sim_add_contact(weft_contact_report *sum, const weft_contact_report *one);
void sim_destroy_bodies(weft_sim *sim);
weft_result sim_require_body(const weft_sim *sim, int32_t body);
/* What the contact sees of a body. */
weft_contact_body sim_body_view(const sim_body *body);

/* Whether it is not there in a step that begins then (body_motion.c). */
int sim_body_away(const weft_sim *sim, int32_t body, double time);

/* body_motion.c: bodies moved by hand, and those that come and go. */

/* Its settings have a new place: the next step takes it there from `before`. */
void sim_body_goes(weft_sim *sim, int32_t body, const weft_body_place *before);
void sim_begin_motion(weft_sim *sim, double dt);
void sim_end_motion(weft_sim *sim, weft_status status);
int32_t sim_move_count(const weft_sim *sim);
void sim_save_moves(const weft_sim *sim, char *bytes);
/* `bytes` holds `count` moves, of any alignment. */
weft_result sim_check_moves(const weft_sim *sim, const char *bytes, int32_t count);
void sim_load_moves(weft_sim *sim, const char *bytes, int32_t count);

/* Refuses times that contradict each other. */
weft_result sim_check_bodies(const weft_sim *sim);
/* After a change of their settings. */
weft_result sim_take_over_bodies(weft_sim *sim);
/* Counts intersections when there is reason to, and makes events of new ones (intersections.c). */
weft_result sim_watch_start(weft_sim *sim, weft_report *report);
weft_result sim_watch_end(weft_sim *sim, weft_report *report);
/* The first pair that touches and could not be parted; objects are cloths and then bodies. */
typedef struct sim_touch {
    int32_t cloth, object;
} sim_touch;
weft_result sim_part(weft_sim *sim, weft_parting *parting, sim_touch *first);
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
/* maps.c: gives them to the surface of a cloth that changes, and makes those of a mesh that came from it. */
weft_result sim_give_maps(sim_cloth *cloth);
/* A map of the surface as it is now: that of vertex v is at v refined->map_count; null when there is none. */
const double *sim_map_now(const sim_cloth *cloth, weft_map map);
weft_result sim_follow_maps(const sim_cloth *cloth, const weft_mesh *mesh, double *map[WEFT_MAP_COUNT]);

/* reshape.c: a cloth whose mesh changes. */
weft_result sim_make_refined(weft_sim *sim, sim_cloth *cloth);
/* Before changes of cloth->refined: room for all that they may become, so that `end` cannot fail for the state. */
weft_result sim_reshape_begin(weft_sim *sim, sim_cloth *cloth);
/* After them: state, pins and drags follow the vertices; mesh, masses and model are left to sim_rebuild. */
void sim_reshape_end(weft_sim *sim, sim_cloth *cloth);
/* After masses have moved, models are told where they are. */
weft_result sim_move_views(weft_sim *sim);
/* The vertices of all cloths get their places, after counts changed. */
void sim_place_cloths(weft_sim *sim);
/* Takes over another surface; the state of its vertices is left to the caller. */
void sim_replace_refined(weft_sim *sim, sim_cloth *cloth, weft_refined *refined);
weft_result sim_reserve_pin(sim_pin *pin, int32_t count);

/* rebuild.c: mesh, masses and model of what was reshaped; done again later when memory runs out. */
weft_result sim_rebuild(weft_sim *sim);
/* The integrator that fits the cloths as they are, from the one that there is if possible. */
weft_result sim_prepare_integrator(weft_sim *sim);
/* Whether what the integrator keeps is that of the meshes there are. */
int sim_integrator_fits(const weft_sim *sim);

/* sweep.c: by how much a change of a cloth's surface, with its vertices at x, raises the energy of stretch and shear,
 * J. *area: of the triangles before it at rest, m2. */
double sim_sweep_energy(const sim_cloth *cloth, const weft_vec3 *x, const weft_sweep *sweep, double *area);

/* trial.c: the elastic energy that a model of cloth->refined has with its vertices at x, J; the cloth stays as it is.
 */
weft_result sim_trial_energy(const weft_sim *sim, const sim_cloth *cloth, const weft_vec3 *x, double *energy);

/* tear.c: opens what is strained too much; the edges opened. */
weft_result sim_tear(weft_sim *sim, int32_t *opened);
/* threads.c: whether the fabric tears. */
int sim_tears(const sim_cloth *cloth);
/* The corners of a triangle at rest, m, x along the weft and y along the warp, in the order of its half-edges. */
void sim_lay_out(const sim_cloth *cloth, int32_t t, weft_vec2 corner[3]);
/* Refuses limits that the cloth's own weight passes, and a zone as large as the cloth. */
weft_result sim_check_tear(weft_sim *sim, const sim_cloth *cloth);
/* Makes a mesh that can change of the cloth's, if its model allows. */
weft_result sim_allow_changes(weft_sim *sim, sim_cloth *cloth);

/* sides.c: opens the edge of a half-edge; returns whether it could. */
int sim_open_edge(sim_cloth *cloth, int32_t halfedge);
/* After sim_rebuild: what was opened since the last time gets a gap, if contact minds it. */
weft_result sim_part_sides(weft_sim *sim, sim_cloth *cloth);
/* Where pins hold a vertex that was inserted into them (pins.c). */
void sim_shift_pins(weft_sim *sim, int32_t vertex, weft_vec3 way);

/* step.c: weft_sim_step to a time, so that steps, of which each makes the cuts after its begin and not after its end,
 * have no gaps between them. */
weft_result sim_step_until(weft_sim *sim, double dt, double end, weft_report *report);

/* cut.c: the cuts whose time is after `begin` and not after `end`; the links opened. */
weft_result sim_make_cuts(weft_sim *sim, double begin, double end, int32_t *opened);

/* adapt.c: what adaption does after a step, or before the first one. */
weft_result sim_check_adapt(const weft_sim *sim);
/* Refuses a limit on triangles that the cloth's mesh itself passes. */
weft_result sim_check_most(const weft_sim *sim, const sim_cloth *cloth);
weft_result sim_adapt(weft_sim *sim, weft_adapt_report *report);
weft_result sim_adapt_start(weft_sim *sim, weft_adapt_report *report);
void sim_add_adapt(weft_adapt_report *sum, const weft_adapt_report *one);

/* Frees what the integrator keeps between steps. */
void sim_forget_integrator(weft_sim *sim);

#endif
