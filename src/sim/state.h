/* The data of a simulation. Preparation sets the constants; a snapshot holds the state. */
#ifndef WEFT_SIM_STATE_H
#define WEFT_SIM_STATE_H

#include "contact/solve_table.h"
#include "core/memory.h"
#include "sim/device_backend.h"
#include "weft/adapt.h"
#include "weft/force.h"
#include "weft/sim.h"
#include "weft/still.h"
#include "weft/vec.h"

typedef struct weft_refined weft_refined; /* mesh/refined.h */

typedef struct sim_cloth {
    weft_cloth cloth; /* view for the model and for users */
    char *name;
    weft_mesh *mesh;
    double edge; /* mean edge length of the original mesh, m */
    weft_fabric fabric;
    const weft_component *model;
    void *settings;              /* of the model */
    void *self;                  /* the model, once prepared */
    int prepared;                /* 0: added, but not part of the state yet */
    int32_t first;               /* its vertices are [first, first + mesh->vertex_count) of the simulation */
    uint8_t *open_face;          /* 1 where a face is torn (mesh->face_count) */
    double *share;               /* of each vertex in its triangles (mesh->vertex_triangle); null: a third */
    weft_vec3 velocity;          /* at the start, m/s */
    double *map[WEFT_MAP_COUNT]; /* factors; null means 1 (mesh->vertex_count) */
    weft_tailoring *tailoring;   /* null without; such a mesh does not change */
    weft_panel *panel;           /* of each face group, then of all together (mesh->group_count + 1); or null */
    double *sewn_factor[5]; /* density, stretch, bend, width, length as they were sewn (mesh->face_count), or null */
    double *padding;        /* pressure on each face, Pa (mesh->face_count); null without panels */
    int is_padded;          /* whether one of them is not 0 */

    /* Only for cloths whose mesh changes. `base` is the original mesh, whose vertices keep their numbers. `refined` is
     * the current surface, and `mesh` is made from it. */
    weft_mesh *base;
    weft_refined *refined;
    uint8_t *diagonal; /* sides of the base triangles that are no edge of the given mesh (3 base->triangle_count); null
                        * if the mesh keeps its faces */
    int stale;         /* mesh and model lag behind `refined`: SIM_RESHAPED or SIM_REPLACED */

    /* What the integrator and the contact last saw of the cloth (sim/rebuild.c). */
    int32_t known_first, known_count;
    int32_t reshapes; /* of the model since then */
    int32_t recut;    /* whether the contact still has the previous mesh */
    uint8_t *touched; /* vertices touched by the last reshape (mesh->vertex_count) */
    /* Half-edges of opened edges whose two sides still coincide (sim/crack_sides.c). */
    int32_t (*opened)[2];
    int32_t opened_count, opened_capacity;
    weft_vec3 *parting; /* displacements that part them, m, or null (refined->vertex_count) */
} sim_cloth;

/* How a surface differs from the cloth's mesh: where `refined->changed` is set, or everywhere. */
enum { SIM_RESHAPED = 1, SIM_REPLACED = 2 };

typedef struct sim_force {
    const weft_component *component;
    void *settings;
    int is_first; /* the gravity with which a simulation begins, until a program adds gravity itself */
} sim_force;

typedef struct sim_body {
    const weft_component *component;
    void *settings;
    weft_mesh *mesh; /* null for a shape */
    weft_body_key *key;
    int32_t key_count;
    weft_body_frames frames; /* owns its positions; frame_count is 0 without frames */
    weft_body_motion motion;
    weft_body_place home; /* its place before it was first moved by hand */
    int32_t moved;        /* whether it was ever moved by hand */
    int64_t added;        /* number of steps before it was added */
} sim_body;

/* A body that was moved by hand, as stored in a snapshot. */
typedef struct sim_move {
    int32_t body, moving;
    weft_vec3 at, rotate, axis;
    double scale;
    weft_vec3 from_at, from_rotate, from_axis;
    double from_scale, share;
} sim_move;

/* Where a body carries a vertex: a point of a triangle and the way from there in the axes of the triangle, m; without a
 * triangle, a place in the coordinates of the body. */
typedef struct sim_attachment {
    int32_t triangle;
    double weight[3];
    weft_vec3 apart;
} sim_attachment;

typedef struct sim_pin {
    weft_pin pin;
    weft_key *key;    /* (pin.key_count) */
    int32_t *vertex;  /* of the simulation (count) */
    weft_vec3 *start; /* m (count) */
    weft_vec3 *path;  /* m (pin.path_count x path_width); null if there is none */
    int32_t *row;     /* the place of a vertex in each sample of the path or in `attachment` (given); null without */
    sim_attachment *attachment; /* to a body; null if there is none */
    int32_t *late; /* vertices that a pin with a later `begin` will hold (late_count); null for other pins. When it
                    * begins they are appended, as vertices that refinement inserts are, so that snapshots keep them */
    int32_t late_count;
    int32_t path_width;
    int32_t count, capacity;
    int32_t given; /* the first `given` vertices were given; refinement inserted the others */
} sim_pin;

typedef struct sim_drag {
    int32_t vertex; /* of the simulation */
    int32_t unused; /* avoids padding: drags are copied into snapshots */
    weft_vec3 from, to;
    double begin, end; /* times of `from` and `to`, s */
} sim_drag;

typedef struct sim_cut {
    int32_t cloth;
    double at;      /* s */
    weft_vec3 eye;  /* far away, m */
    weft_vec3 *ray; /* from the eye (count) */
    int32_t count;
} sim_cut;

/* The device that computes the steps. Without one, `functions` is null. */
typedef struct sim_device {
    weft_device_settings settings;
    const weft_device_functions *functions;
    void *self;         /* null before preparation and after a change; made from the state on the host */
    int ahead;          /* whether the device has a later state than the host */
    int blocked;        /* whether the last step failed because pins or bodies could not reach their places */
    char hardware[120]; /* what the backend says of it */
    int grips_ahead;    /* whether it has later grips of contact */
    weft_still *still;  /* frames that are copied while the next ones are computed; null without */
    weft_result lost;   /* why the device failed; the simulation then stays at the last state that arrived */
    double time;        /* of the state on the host while the device is ahead, s */
    double dt_before;   /* likewise, s */
    int64_t step_count; /* likewise */
    int64_t frame;      /* likewise */
    int32_t *held;      /* scratch for the inputs of a step (held_room) */
    weft_vec3 *target;
    int32_t held_room;
} sim_device;

/* What the cloth's energy was when something last drove it (sim/energy_watch.c). */
typedef struct sim_budget {
    int known, driven;        /* driven: something drives this step, and the rest does not count */
    double energy, potential; /* J: kinetic, elastic and of contact; of forces */
    uint64_t key;             /* of the settings */
    char reason[160];         /* why the last step exploded, or empty */
} sim_budget;

/* Whether intersections must be counted before the next step. Quietly: without events for those found. */
enum { SIM_WATCH = 1, SIM_WATCH_QUIETLY = 2 };

enum { SIM_EVENTS = 64 }; /* kept at most; later ones are only counted */

struct weft_sim {
    /* weft_sim_prepare, for folders below src/sim: remeshing calls it after a change. */
    weft_result (*prepare)(weft_sim *sim);
    const weft_registry *registry;
    weft_registry *own_registry; /* null if the program gave one */
    weft_environment air;
    weft_clock clock;
    sim_cloth *cloth;
    int32_t cloth_count;
    sim_force *force;
    int32_t force_count;
    const weft_component *integrator;
    void *integrator_settings;
    void *integrator_self; /* null before preparation and after a change of the integrator; not made for a device */
    sim_device device;
    sim_body *body;
    int32_t body_count;
    weft_contact_settings contact_given;    /* as set; `self` and `thickness` may be automatic */
    weft_contact_settings contact_settings; /* in effect, from contact_given by sim_resolve_contact */
    weft_contact *contact;                  /* null without anything to touch, and after a change of bodies */
    weft_contact_grips grips[2];            /* of the barrier: at the start of the step, and scratch for its end */

    /* What an integrator sees of cloths and forces; filled by sim_system. */
    weft_equations *equations;
    weft_equations_cloth *system_cloth; /* (cloth_count) */
    weft_equations_force *system_force; /* (force_count) */

    weft_repair repaired;
    weft_separation separated;
    /* Intersections at the last count, by pair of cloth and object (cloth_count x (cloth_count + body_count)). */
    int64_t *crossed;
    int64_t crossed_size;
    int64_t crossed_sum;
    int32_t watch;                    /* 0, SIM_WATCH or SIM_WATCH_QUIETLY */
    weft_sim_event event[SIM_EVENTS]; /* the first ones */
    int64_t event_count;

    const weft_component *adapt; /* null without adaptation */
    void *adapt_settings;
    sim_pin *pin;
    int32_t pin_count;
    sim_drag *drag;
    int32_t drag_count, drag_capacity;
    sim_cut *cut;
    int32_t cut_count;
    weft_work work;
    int prepared;

    /* Arrays over vertices: one block of memory with room for `capacity`. */
    void *memory;
    int32_t count, capacity;
    double *mass, *area; /* constants: kg, m2 (count) */

    /* Inputs and results of the step (count). */
    double *inverse_mass; /* 1/kg, 0 where held */
    uint8_t *held;
    weft_vec3 *target;   /* of held vertices, m */
    weft_vec3 *pulled;   /* acceleration of held vertices in the last step, m/s2 */
    uint8_t *touched;    /* by contact in this step */
    weft_vec3 *v_change; /* by contact in this step, m/s */
    weft_vec3 *pressing; /* normal force of bodies at the end of the step, N; see pressing_known */
    weft_vec3 *scratch;  /* for renumbering */

    /* State (count). Steps rotate the buffers; two-step schemes keep the previous state. */
    weft_vec3 *x, *v, *x_before, *v_before, *x_next, *v_next;
    double dt_before;
    double slow_for;       /* how long all vertices have been slow, s */
    double contact_energy; /* stored in barrier and grips at the end of the last step, J */
    int pressing_known;    /* 1: the last step was the barrier's, and the mesh has not changed since */
    uint64_t sleep_key;    /* of the sleeping simulation, 0 while it is awake (sim/sleep.c) */
    int32_t step_depth;    /* halvings with which a step begins, because the last ones needed them */
    double step_wanted; /* length of the next step by the error of the last, s; 0 when unknown (time.mode adaptive) */
    double time;
    int64_t frame, step_count;
    int64_t links_broken;
    sim_budget budget;

    /* The frame that weft_sim_advance_step is in: its end, s, its steps so far, and their report. */
    double frame_end;
    int64_t frame_done;
    double frame_steps, frame_step; /* fixed steps only: how many, and the length of each, s */
    weft_report frame_report;
};

static inline const weft_model_functions *sim_model(const sim_cloth *cloth) { return cloth->model->functions; }

static inline const weft_force_functions *sim_force_functions(const sim_force *force) {
    return force->component->functions;
}

/* Whether the integrator uses the state of the previous step. */
static inline int sim_looks_back(const weft_sim *sim) {
    return ((const weft_integrator_functions *)sim->integrator->functions)->looks_back;
}

/* Whether there is anything to touch. */
static inline int sim_touches(const weft_sim *sim) { return sim->body_count > 0 || sim->contact_settings.self; }

/* The state before the last step. One-step schemes keep it in the `next` buffers. */
static inline weft_vec3 *sim_x_before(const weft_sim *sim) { return sim_looks_back(sim) ? sim->x_before : sim->x_next; }

static inline weft_vec3 *sim_v_before(const weft_sim *sim) { return sim_looks_back(sim) ? sim->v_before : sim->v_next; }

/* -- state.c -- */

/* Refuse an index out of range, with a message. */
weft_result sim_require_cloth(const weft_sim *sim, int32_t cloth);
weft_result sim_require_vertex(const weft_sim *sim, int32_t cloth, int32_t vertex);
/* Makes a settings struct with the component's defaults. */
weft_result sim_make_settings(const weft_component *component, void **settings);
/* Appends a zeroed element to *array, which has `count` of them. */
weft_result sim_grow(void **array, int32_t count, size_t size, const char *what);
/* Tells the integrator that links of a model broke. */
void sim_tell_torn(weft_sim *sim);
/* Frees what the integrator keeps between steps. */
void sim_forget_integrator(weft_sim *sim);
/* After a change of bodies: the next step creates the contact again. */
void sim_forget_contact(weft_sim *sim);
/* What contact sees of the cloths in a step of length dt. */
weft_contact_state sim_contact_state(const weft_sim *sim, double dt);
/* Also marks as touched the vertices that contact constraints held in the solve. */
void sim_mark_held(weft_sim *sim);
/* What an integrator sees. Without contact and without a place for its report. */
weft_system sim_system(const weft_sim *sim);

/* After objects were added or removed: the next step creates the contact again and counts intersections. `quietly`:
 * without events. */
void sim_change_objects(weft_sim *sim, int quietly);

/* -- device_state.c -- */

/* Sets the clock to that of the state on the host. */
void sim_go_back(weft_sim *sim);
/* The device failed: the simulation goes back to the last state that arrived. Returns why, with the device's name. */
weft_result sim_lose_device(weft_sim *sim, weft_result why);
/* Fetches the state from the device if that is ahead. */
weft_result sim_fetch(weft_sim *sim);
/* Fetches the grips of contact, which only snapshots and a new start on the device need. */
weft_result sim_fetch_grips(weft_sim *sim);
/* The same for functions that cannot fail. After a failure the host has the last state that arrived, and the next step
 * reports why. */
void sim_fetch_quietly(const weft_sim *sim);
/* Fetches the state and frees what the device holds. The next step copies the state to the device again. */
void sim_forget_device(weft_sim *sim);

/* -- vertices.c -- */

/* Reserves room for that many vertices in all arrays. */
weft_result sim_reserve(weft_sim *sim, int64_t count);
/* Vertex areas of a mesh that changes, m2: a third of each adjacent triangle instead of the hybrid Voronoi area, so
 * that splitting a triangle preserves its centre of mass and momentum. `touched`: only these vertices; null: all. */
void sim_share_areas(const sim_cloth *cloth, const weft_mesh *mesh, const uint8_t *touched, double *area);
/* The part of each triangle that sim_set_areas gives to each of its vertices, in the order of mesh->vertex_triangle, or
 * null where all parts are a third. Masses, wind and pressure are shared in this way. The caller frees it. */
weft_result sim_make_shares(const sim_cloth *cloth, const weft_mesh *mesh, double **share);
/* The part of entry `i` of mesh->vertex_triangle. */
static inline double sim_share(const double *share, int32_t i) { return share ? share[i] : 1.0 / 3; }
/* Rest area of a triangle, m2. */
double sim_rest_area(const sim_cloth *cloth, const weft_mesh *mesh, int32_t triangle);
/* Removes vertices from all arrays. The later ones move down. */
void sim_remove_vertices(weft_sim *sim, int32_t first, int32_t count);
/* Areas of a cloth with that mesh: by sim_share_areas for cloths that reshape, are sewn, or have a rest shape of their
 * own, otherwise by the hybrid Voronoi rule. */
void sim_set_areas(weft_sim *sim, const sim_cloth *cloth, const weft_mesh *mesh, const uint8_t *touched);
/* Masses of `count` vertices from density, area and map factors (null: 1). */
void sim_set_masses(weft_sim *sim, const sim_cloth *cloth, int32_t count, const double *factor);
/* Fills in the view for the model and for users. */
void sim_view_cloth(weft_sim *sim, sim_cloth *cloth);

/* -- pins.c -- */

/* Turns pins and drags into held, inverse_mass and target at time + dt. */
void sim_apply_inputs(weft_sim *sim, double dt);
/* The same from scratch, after masses or the state changed. */
void sim_refresh_inputs(weft_sim *sim);
/* Moves the place at which pins hold an inserted vertex. */
void sim_shift_pins(weft_sim *sim, int32_t vertex, weft_vec3 way);

/* Removes vertices from pins and drags, and renumbers the later ones. */
void sim_forget_inputs(weft_sim *sim, int32_t first, int32_t count);

/* -- bodies.c -- */

weft_result sim_require_body(const weft_sim *sim, int32_t body);
/* Attaches the vertices of a pin to its body, where they are now. */
weft_result sim_attach(const weft_sim *sim, sim_pin *pin);
/* Where the body carries a point that it touches now. */
sim_attachment sim_attachment_at(const weft_sim *sim, int32_t body, weft_vec3 point);
/* Where a body carries a vertex, m. */
weft_vec3 sim_attached_place(const weft_body_view *body, const weft_pose *pose, double frame, const sim_attachment *a);
/* Call this before a body is removed. */
void sim_detach(weft_sim *sim, int32_t body);
/* What the contact sees of a body. */
weft_body_view sim_body_view(const sim_body *body);
/* Whether the body is absent in a step that begins at that time. */
int sim_body_away(const weft_sim *sim, int32_t body, double time);

/* -- crossings.c -- */

enum { SIM_INSIDE = -1 }; /* a cloth that lies inside a body without crossing its surface */

/* A count of edges that pass through triangles. Objects are the cloths, then the bodies. Pair (cloth, object) has
 * number cloth x objects + object. */
typedef struct sim_crossing_count {
    weft_sim *sim;
    int64_t *pair;           /* crossings of each pair, or SIM_INSIDE; may be null */
    weft_crossing *crossing; /* the first `count` of them (capacity) */
    int32_t capacity, count;
    weft_intersections *found;
} sim_crossing_count;
/* `self`: count self-intersections and those between cloths too. */
weft_result sim_count_all(sim_crossing_count *c, int self);
/* Number of crossings of all kinds that contact is set to prevent. */
weft_result sim_count_crossings(weft_sim *sim, int64_t *crossings);
/* The surface of a cloth for the audit. The caller frees *skip. */
weft_result sim_audit_cloth(const weft_sim *sim, int32_t cloth, weft_audit_surface *surface, uint8_t **skip);

#endif
