/** @file
 * Simulations: cloths, forces, bodies, pins, drags and one integrator, and the step that advances them.
 *
 * Only one thread at a time may use a simulation. Different simulations are independent.
 *
 * Cloths, forces, bodies and vertices are numbered from 0. An index out of range fails, or gives null or 0, unless a
 * comment says otherwise. Vertices are those of the cloth's present mesh. Returned pointers, such as positions and
 * names, are views. They are valid until the next call that changes the simulation, such as a step, a cut or a restore.
 */
#ifndef WEFT_SIM_H
#define WEFT_SIM_H

#include "weft/adapt.h"
#include "weft/base.h"
#include "weft/body.h"
#include "weft/component.h"
#include "weft/contact.h"
#include "weft/fabric.h"
#include "weft/integrator.h"
#include "weft/mesh.h"
#include "weft/model.h"

WEFT_BEGIN

/** A simulation. Opaque. */
typedef struct weft_sim weft_sim;

/** The air, shared by all wind sources, and the random seed. */
typedef struct weft_environment {
    double temperature; /**< degrees C; the density of the air is 353.05 / (T + 273.15) kg/m3 */
    int32_t seed;       /**< of gusts and of variable steps */
} weft_environment;
/** Rows of weft_environment. Static. */
WEFT_API const weft_param *weft_environment_params(void);

/** How a frame is divided into steps. */
typedef enum weft_time_mode {
    WEFT_TIME_FIXED,    /**< equal steps of at most weft_clock::step */
    WEFT_TIME_VARIABLE, /**< steps of weft_clock::step less a random part; the last one ends at the frame */
    WEFT_TIME_ADAPTIVE  /**< steps of at most weft_clock::step, as long as weft_clock::accuracy allows */
} weft_time_mode;

/** How a run is divided into frames and steps. */
typedef struct weft_clock {
    double step;      /**< longest step, s */
    int32_t frames;   /**< number of frames after frame 0 */
    double rate;      /**< frames per second */
    int32_t mode;     /**< weft_time_mode */
    double jitter;    /**< variable mode: each step is step (1 - jitter random), with random in [0, 1) from the seed */
    int32_t halvings; /**< how often a failed step is retried with half its length */
    double accuracy;  /**< adaptive mode: error of a step, root mean square over the vertices, m */
} weft_clock;
/** Rows of weft_clock. Static. */
WEFT_API const weft_param *weft_clock_params(void);
/** Number of equal steps per frame in fixed mode, a whole number, the same for every frame. No step is longer than
 * weft_clock::step, except by rounding, which is at most a millionth of it. */
WEFT_API double weft_clock_steps(const weft_clock *clock);
/** Fails if a frame could have more than 10 million steps. */
WEFT_API weft_result weft_clock_check(const weft_clock *clock);

/** The processor that computes the steps. */
typedef struct weft_device_settings {
    char name[WEFT_STRING_SIZE]; /**< "cpu", or a component of kind WEFT_DEVICE */
    int32_t number;              /**< which of several devices, from 0 on */
} weft_device_settings;
/** Rows of weft_device_settings. Static. */
WEFT_API const weft_param *weft_device_params(void);

/** The integrator of a simulation or scene that names none. */
#define WEFT_DEFAULT_INTEGRATOR "bdf2"

/** Creates a simulation without cloths and bodies; the caller destroys it. It knows the components of `registry`, which
 * must outlive it; null: the built-in ones. `*sim` is null on failure.
 *
 * The integrator is WEFT_DEFAULT_INTEGRATOR until another is set. As in a scene file, there is gravity: force 0, which
 * weft_sim_set("forces.gravity.acceleration") changes and weft_sim_remove_force removes. */
WEFT_API weft_result weft_sim_create(const weft_registry *registry, weft_sim **sim);
/** Frees the simulation and all that it owns. Null is allowed. */
WEFT_API void weft_sim_destroy(weft_sim *sim);

/** @name Short forms
 * What most programs begin with. The functions below this group do the same with more choices.
 * @{ */

/** Adds a cloth that is a grid: weft_mesh_create_grid and weft_sim_add_cloth in one. `grid` may be null:
 * weft_grid_default. `fabric` is the name of a preset; null: the default fabric, wool. `cloth` receives the index and
 * may be null. */
WEFT_API weft_result weft_sim_add_sheet(weft_sim *sim, const char *name, const weft_grid *grid, const char *fabric,
                                        int32_t *cloth);
/** Holds a side of a grid where it is now, from now on: left, right, top or bottom, as in WEFT_SELECT_SIDE. */
WEFT_API weft_result weft_sim_pin_side(weft_sim *sim, int32_t cloth, const char *side);
/** Holds a corner of a grid where it is now, from now on: top-left, top-right, bottom-left or bottom-right. */
WEFT_API weft_result weft_sim_pin_corner(weft_sim *sim, int32_t cloth, const char *corner);
/** Advances by whole frames until `seconds` have passed: 0 or more, at most 10 million frames. Fails as
 * weft_sim_advance_frame. */
WEFT_API weft_result weft_sim_run(weft_sim *sim, double seconds);

/** @} */

/** Sets the number of CPU threads. 0, the default, means one per processor. Results do not depend on it. */
WEFT_API void weft_sim_set_threads(weft_sim *sim, int threads);
/** Number of CPU threads, at least 1. */
WEFT_API int weft_sim_threads(const weft_sim *sim);

/** @name Building
 * The `name` of a force, body, integrator or adaptation is that of a component.
 * @{ */

/** Adds a cloth, at any time. Takes ownership of the mesh, even on failure. Copies `name`, which must be unique, and
 * `fabric`. `model` names a component; null means weft_sim_default_model. `cloth` receives the index and may be null.
 *
 * Set its model, maps and velocity before the next call that prepares the simulation, such as a step. Views of it are
 * null until then. A snapshot fits only a simulation with the same cloths. */
WEFT_API weft_result weft_sim_add_cloth(weft_sim *sim, const char *name, weft_mesh *mesh, const weft_fabric *fabric,
                                        const char *model, int32_t *cloth);
/** Removes a cloth with its pins, drags and cuts, at any time. The index of each later cloth decreases by one. Events
 * that were reported before keep the old indices. */
WEFT_API weft_result weft_sim_remove_cloth(weft_sim *sim, int32_t cloth);
/** The model of a cloth that names none: "corotational", or "springs" if the integrator that is set cannot move that.
 * Static text. */
WEFT_API const char *weft_sim_default_model(const weft_sim *sim);
/** Sets a map: factors on a property of the fabric, copied, for each vertex of the input mesh. `count` is
 * mesh->input_vertex_count. Call it before the cloth is prepared. A vertex inserted later gets the weighted mean
 * of the vertices that it lies between. */
WEFT_API weft_result weft_sim_set_map(weft_sim *sim, int32_t cloth, weft_map map, const double *value, int32_t count);
/** Sets what sewing adds to a cloth, copied. Vertices are those of the input mesh, whose faces must be triangles. Only
 * models with WEFT_TAILORS take it. Call it before the cloth is prepared. Such a cloth is never refined, torn or cut.
 */
WEFT_API weft_result weft_sim_set_tailoring(weft_sim *sim, int32_t cloth, const weft_tailoring *tailoring);
/** Sets the initial velocity of all vertices of a cloth, m/s. Call it before the cloth is prepared. */
WEFT_API weft_result weft_sim_set_velocity(weft_sim *sim, int32_t cloth, weft_vec3 velocity);
/** Adds a force, at any time. `force` receives its index and may be null.
 *
 * The first time that "gravity" is added, it is the gravity with which the simulation began, so it never acts twice by
 * accident. Other forces act beside it. A simulation that was read from a scene has the forces of the scene. */
WEFT_API weft_result weft_sim_add_force(weft_sim *sim, const char *name, int32_t *force);
/** Removes a force, at any time. The index of each later force decreases by one. */
WEFT_API weft_result weft_sim_remove_force(weft_sim *sim, int32_t force);
/** Number of forces. */
WEFT_API int32_t weft_sim_force_count(const weft_sim *sim);
/** Whether a force moves the air, so that drag and lift of the fabrics count. */
WEFT_API int weft_sim_has_wind(const weft_sim *sim);
/** Name of a force's component; "" if out of range. */
WEFT_API const char *weft_sim_force_name(const weft_sim *sim, int32_t force);
/** Adds a body, at any time. Takes ownership of the mesh, even on failure. A body with a shape of its own takes no
 * mesh: pass null. `body` receives the index and may be null. */
WEFT_API weft_result weft_sim_add_body(weft_sim *sim, const char *name, weft_mesh *mesh, int32_t *body);
/** Makes the mesh and the motion of a body that generates them from its settings. Preparation does this for bodies that
 * have none yet. Does nothing for other bodies. */
WEFT_API weft_result weft_sim_make_body(weft_sim *sim, int32_t body);
/** Removes a body, at any time. The index of each later body decreases by one. Events that were reported before keep
 * the old indices. */
WEFT_API weft_result weft_sim_remove_body(weft_sim *sim, int32_t body);
/** Sets the keys of a body's motion, copied (count). Times must ascend. 0 keys: the body rests. */
WEFT_API weft_result weft_sim_set_body_keys(weft_sim *sim, int32_t body, const weft_body_key *key, int32_t count);
/** Sets the animation of a body with a mesh, copied. It must have as many vertices as the mesh. */
WEFT_API weft_result weft_sim_set_body_frames(weft_sim *sim, int32_t body, const weft_body_frames *frames);
/** Sets the integrator, at any time. Its settings start from their defaults. */
WEFT_API weft_result weft_sim_set_integrator(weft_sim *sim, const char *name);
/** Turns on adaptation for all cloths (weft/adapt.h). Call it before the simulation is prepared. Vertices of the given
 * mesh keep their numbers. Inserted vertices follow them. */
WEFT_API weft_result weft_sim_set_adapt(weft_sim *sim, const char *name);
/** Prepares models and masses. Fails if there is no cloth, or if the integrator cannot move a model. The first step
 * calls it if needed, and so do other functions that need a prepared simulation. */
WEFT_API weft_result weft_sim_prepare(weft_sim *sim);
/** Adapts the meshes to the initial shape, as the first step does. Does nothing without adaptation or after the first
 * step. */
WEFT_API weft_result weft_sim_adapt_start(weft_sim *sim);

/** @} */

/** @name Parameters
 * These functions work before and after the simulation is prepared.
 *
 * Paths are such as "time.step", "air.temperature", "integrator.damping_ratio", "cloth.NAME.fabric.density",
 * "cloth.NAME.model.stiffness", "forces.wind.speed", "contact.self", "bodies.sphere.radius" or "adapt.every". An index
 * may replace a name. If there is only one cloth, its name may be left out.
 * @{ */

/** Sets a parameter. `value` is written as in a scene file. On failure nothing changes. Rows with WEFT_FIXED cannot
 * change once the simulation is prepared. */
WEFT_API weft_result weft_sim_set(weft_sim *sim, const char *path, const char *value);
/** As weft_sim_set, with a number in the parameter's SI unit. */
WEFT_API weft_result weft_sim_set_real(weft_sim *sim, const char *path, double value);
/** Writes a parameter as in a scene file. Fails if `size` bytes are too few; WEFT_STRING_SIZE is always enough. */
WEFT_API weft_result weft_sim_get(const weft_sim *sim, const char *path, char *value, size_t size);
/** Enumerates the parameters by index, from 0 on. Writes the path, cut off at `size` bytes, and the row, which belongs
 * to the component. Returns 1, or 0 past the end. */
WEFT_API int weft_sim_param_at(const weft_sim *sim, int index, char *path, size_t size, const weft_param **row);

/** @} */

/** @name Pins, drags and cuts
 * Functions that add or change them prepare the simulation first.
 * @{ */

/** A key of a pin's motion. */
typedef struct weft_key {
    double time;      /**< s */
    weft_vec3 offset; /**< from where the pin holds its vertices at first, m */
    double angle;     /**< about weft_pin::axis through weft_pin::centre, rad */
} weft_key;

/** A pin holds vertices until `release`. They rest, or follow keys or a path with linear motion between its samples. */
typedef struct weft_pin {
    double begin;           /**< time at which the pin begins, s: it holds its vertices where they are then, or carries
                               them with `body`. Such a pin has neither start nor keys nor path. 0 by default */
    double release;         /**< time at which the pin ends, s; infinite by default */
    const weft_key *key;    /**< times ascending, copied (key_count); null if there are none */
    int32_t key_count;      /**< number of keys */
    weft_vec3 axis;         /**< of the keys' rotation; any length above 0 */
    weft_vec3 centre;       /**< of the keys' rotation, m */
    const weft_vec3 *start; /**< where each vertex is held, m, copied (count); null, the default: where it is now */
    const weft_vec3 *path;  /**< instead of start and keys: where each vertex is held at each sample, m, copied
                               (path_count x count); null, the default: no path. Vertices that refinement inserts are
                               not held */
    int32_t path_count;     /**< number of samples of the path, at least 1 */
    double path_rate;       /**< samples per second, above 0 */
    double path_start;      /**< time of the first sample, s; before it and after the last one, the vertices rest */
    int32_t attached;       /**< 1: instead of keys and path, `body` carries the vertices. Each keeps its place against
                               the nearest triangle of a body that is a mesh. 0, the default: it does not */
    int32_t body;           /**< index of the body */
} weft_pin;
/** A pin without keys and release, with axis y. */
WEFT_API weft_pin weft_pin_default(void);

/** Selectors of vertices, as in scene files. */
typedef enum weft_select_kind {
    WEFT_SELECT_VERTICES, /**< `vertices` */
    WEFT_SELECT_SIDE,     /**< `name`: left (i = 0), right, top (j = 0) or bottom; grids only */
    WEFT_SELECT_CORNER,   /**< `name`: top-left, top-right, bottom-left or bottom-right; grids only */
    WEFT_SELECT_BOX,      /**< the box with opposite corners `a` and `b` */
    WEFT_SELECT_SPHERE,   /**< the sphere with centre `a` and `radius` */
    WEFT_SELECT_NEAREST,  /**< the vertex nearest to `a` */
    WEFT_SELECT_GROUP,    /**< `name`: a group of the imported mesh */
    WEFT_SELECT_ALL       /**< all vertices */
} weft_select_kind;

/** A selection of vertices. `kind` determines which other fields are used. */
typedef struct weft_select {
    weft_select_kind kind;   /**< the selector */
    const char *name;        /**< of a side, corner or group; otherwise null */
    weft_vec3 a;             /**< m */
    weft_vec3 b;             /**< m */
    double radius;           /**< m */
    const int32_t *vertices; /**< indices in the input mesh (vertex_count) */
    int32_t vertex_count;    /**< number of `vertices` */
} weft_select;

/** The names that a side or a corner can have, null-terminated. Static; null for other kinds. */
WEFT_API const char *const *weft_select_names(weft_select_kind kind);
/** Selects vertices of a cloth, at their present positions. `vertices` has room for mesh->vertex_count indices and
 * receives them in ascending order. Fails if no vertex is selected. Does not prepare the simulation. */
WEFT_API weft_result weft_sim_select(const weft_sim *sim, int32_t cloth, const weft_select *select, int32_t *vertices,
                                     int32_t *count);
/** Pins vertices of a cloth (count). Copies all arguments. */
WEFT_API weft_result weft_sim_add_pin(weft_sim *sim, int32_t cloth, const weft_pin *pin, const int32_t *vertices,
                                      int32_t count);
/** Pin `index` in the order in which they were added, and the number of given vertices that it still
 * holds (`count` may be null). The arrays are views, valid until the simulation changes. Returns null if there is no
 * such pin. */
WEFT_API const weft_pin *weft_sim_pin(const weft_sim *sim, int32_t index, int32_t *count);
/** Removes vertices (count) from all pins. Vertices without a pin are not an error. */
WEFT_API weft_result weft_sim_unpin(weft_sim *sim, int32_t cloth, const int32_t *vertices, int32_t count);
/** Drags a vertex to `to`, m, from the next step on, until weft_sim_release.
 *
 * The first call moves it there in one step. A later call moves it over the time since the previous call, 25 ms at
 * most. So a hand that is sampled 60 times a second moves the vertex smoothly. If called in each step, it arrives in
 * that step. */
WEFT_API weft_result weft_sim_drag(weft_sim *sim, int32_t cloth, int32_t vertex, weft_vec3 to);
/** Ends the drag of a vertex, which keeps the velocity of its last step. Fails if it is not dragged. */
WEFT_API weft_result weft_sim_release(weft_sim *sim, int32_t cloth, int32_t vertex);
/** Cuts a cloth along a fan of rays from `eye`, m. Opens the edges between faces whose centres lie on different sides
 * of the infinite triangles between neighbouring rays. Vertices between opened edges are doubled.
 *
 * `ray` has at least 2 directions of any length (ray_count). `cut` receives the number of edges and may be null. Fails
 * for models that cannot be cut. */
WEFT_API weft_result weft_sim_cut(weft_sim *sim, int32_t cloth, weft_vec3 eye, const weft_vec3 *ray, int32_t ray_count,
                                  int32_t *cut);

/** Announces that a cloth will be cut, so that weft_sim_changes says so from now on. Writers of frames need to know it
 * before their first frame. Fails for models that cannot be cut. */
WEFT_API weft_result weft_sim_allow_cuts(weft_sim *sim, int32_t cloth);

/** A cut at a given time, along a path on the cloth at rest. */
typedef struct weft_cut {
    double at;             /**< the cut follows the step that reaches this time, s; 0: before the first step */
    weft_vec3 along;       /**< direction of the blade; [0, 0, 0]: the mean normal of the cloth at rest */
    const weft_vec3 *path; /**< points at rest, m, within 1e6 m of the origin, copied (path_count) */
    int32_t path_count;    /**< at least 2 */
} weft_cut;
/** Rows of weft_cut::at and weft_cut::along. Static. */
WEFT_API const weft_param *weft_cut_params(void);
/** Adds a cut at a given time. Fails for models that cannot be cut. */
WEFT_API weft_result weft_sim_add_cut(weft_sim *sim, int32_t cloth, const weft_cut *cut);

/** What an added cut will do. */
typedef struct weft_cut_plan {
    int32_t cloth; /**< index of the cloth */
    double at;     /**< s */
    int32_t links; /**< number of edges that it opens on the present mesh; 0: it misses the cloth */
} weft_cut_plan;
/** Number of added cuts. */
WEFT_API int32_t weft_sim_cut_count(const weft_sim *sim);
/** Cut `index`, in the order of addition. `index` must be below weft_sim_cut_count. */
WEFT_API weft_cut_plan weft_sim_cut_at(const weft_sim *sim, int32_t index);

/** Moves a body during the next step, on a straight line, so that it pushes cloth in its way. It then stays there. `at`
 * (m) and `rotate` (rad) replace those of weft_body_place; keys and frames still apply. Setting
 * bodies.NAME.at, rotate, axis or scale has the same effect, unless the body was added after the last step: then it
 * appears there. Fails, and changes nothing, if cloth may be in the way of a move that is longer than twice the
 * diagonal of the box around all cloths: within one step, cloth cannot follow so far. Use more steps, or
 * weft_sim_place_body. */
WEFT_API weft_result weft_sim_move_body(weft_sim *sim, int32_t body, weft_vec3 at, weft_vec3 rotate);
/** Puts a body somewhere at once, however far: it pushes nothing on its way, and what it carried falls. Fails, and
 * changes nothing, if the body would cut cloth or enclose it there, or if pins hold cloth to the body. Arguments: as
 * for weft_sim_move_body. */
WEFT_API weft_result weft_sim_place_body(weft_sim *sim, int32_t body, weft_vec3 at, weft_vec3 rotate);

/** @} */

/** @name Running
 * @{ */

/** Phases of a step. */
typedef enum weft_phase {
    WEFT_PHASE_INPUT,     /**< pins and drags */
    WEFT_PHASE_INTEGRATE, /**< the integrator */
    WEFT_PHASE_LIMIT,     /**< strain limits of the models */
    WEFT_PHASE_CONTACT,   /**< contact, including its part of the implicit solve */
    WEFT_PHASE_TEAR,      /**< tearing and cuts */
    WEFT_PHASE_CHECK,     /**< check that the state is finite */
    WEFT_PHASE_ADAPT,     /**< adaptation */
    WEFT_PHASES           /**< number of phases */
} weft_phase;
/** Name of a phase, such as "integrate". Static text. `phase` must be below WEFT_PHASES. */
WEFT_API const char *weft_phase_name(weft_phase phase);

/** What one step cost, and why. */
typedef struct weft_step_cost {
    double time;              /**< at which the step began, s */
    double seconds;           /**< wall time, s */
    double detection_seconds; /**< of it the search for pairs and collisions, s */
    double solve_seconds;     /**< of it the linear solves, s */
    double remesh_seconds;    /**< of it tearing, cuts and adaptation, s */
    int32_t halvings;         /**< how often it was halved */
    int32_t parts;            /**< in how many parts it was made; steps after a halved one begin in parts too */
    int32_t newton;           /**< linear solves */
    int32_t iterations;       /**< of the linear solver */
    int32_t contacts;         /**< touching pairs */
    weft_trouble trouble;     /**< why it was halved, or made by another method; the first reason */
} weft_step_cost;
/** What took most of the time of a step, in a few words: its trouble if it had any, otherwise its longest part. A
 * string constant. */
WEFT_API const char *weft_step_cost_reason(const weft_step_cost *cost);

/** What happened in a step, or in the steps of a frame. */
typedef struct weft_report {
    weft_status status;          /**< numerical outcome of the last step */
    double dt;                   /**< length of the last step, s; of its last part if it was halved */
    int32_t halvings;            /**< how often steps were halved */
    int32_t asleep;              /**< 1: the last step changed nothing, because all cloth is at rest */
    int32_t torn;                /**< links broken and edges opened */
    weft_solve solve;            /**< sums; zero for explicit schemes */
    weft_contact_report contact; /**< sums */
    weft_adapt_report adapt;     /**< sums */
    double seconds[WEFT_PHASES]; /**< wall time by phase, s */
    weft_step_cost worst;        /**< the step that took longest */
} weft_report;

/** Makes one step of length dt, s, finite and above 0. `report` may be null. It is filled in on failure too.
 *
 * A numerical failure is an error with a message that names the time, the cause and a remedy. WEFT_DIVERGED: the step
 * was not made, and the state is the last good one. WEFT_INTERSECTS: the state is the one with the intersections. The
 * next call continues from it. */
WEFT_API weft_result weft_sim_step(weft_sim *sim, double dt, weft_report *report);
/** Makes the steps of one frame. Fails as weft_sim_step, at the first step that fails. `report` receives the sums.
 * `steps` receives the number of steps made. Both may be null. */
WEFT_API weft_result weft_sim_advance_frame(weft_sim *sim, weft_report *report, int32_t *steps);
/** Makes the next step of a frame, for programs that act between steps. Fails as weft_sim_step. `report` receives the
 * sums since the frame began and may be null. `done` receives 1 if the frame is complete. If the clock changes during a
 * frame, the frame keeps its number of equal steps. */
WEFT_API weft_result weft_sim_advance_step(weft_sim *sim, weft_report *report, int32_t *done);

/** Energies and other sums over all cloths. */
typedef struct weft_measures {
    double kinetic;       /**< kinetic energy, J */
    double elastic;       /**< elastic energy of the models, J */
    double potential;     /**< energy of the external forces that have one, J */
    weft_vec3 momentum;   /**< kg m/s */
    weft_vec3 centre;     /**< centre of mass, m */
    double stretch_mean;  /**< mean elongation of mesh edges; compressed edges count as 0; torn ones and the diagonals
                               of faces are left out */
    double stretch_max;   /**< largest elongation of mesh edges */
    double yarn_max;      /**< largest elongation of a triangle along weft or warp. Unlike an edge on the bias, yarns do
                               not lengthen where the fabric only shears. Faces that elastics gather are left out. 0
                               for models without a rest shape */
    double shear_max;     /**< largest angle by which weft and warp of a triangle are off the right angle, rad; the same
                               faces count */
    double mass;          /**< kg */
    int64_t links_broken; /**< links broken and edges opened since the start */
    double contact;       /**< energy that barriers and sticking friction store at the end of the last step, J. 0
                               before the first step, after loading a snapshot, and for other methods */
} weft_measures;
/** Measures the present state, for reports. Takes at least as long as a step. */
WEFT_API weft_result weft_sim_measure(weft_sim *sim, weft_measures *measures);

/** Simulated time, s. */
WEFT_API double weft_sim_time(const weft_sim *sim);
/** Number of complete frames. */
WEFT_API int64_t weft_sim_frame(const weft_sim *sim);
/** Number of steps made. */
WEFT_API int64_t weft_sim_step_count(const weft_sim *sim);
/** The clock's settings. A view; never null. */
WEFT_API const weft_clock *weft_sim_clock(const weft_sim *sim);

/** @} */

/** @name State
 * Before the simulation is prepared, the pointers are null and the counts of links 0.
 * @{ */

/** Number of cloths. */
WEFT_API int32_t weft_sim_cloth_count(const weft_sim *sim);
/** The constants of a cloth. Its mesh is replaced when the cloth is adapted, torn or cut. */
WEFT_API const weft_cloth *weft_sim_cloth(const weft_sim *sim, int32_t cloth);
/** Returns 1 if the mesh of the cloth may change, else 0. */
WEFT_API int weft_sim_changes(const weft_sim *sim, int32_t cloth);
/** Writes the refinement generation of each triangle (mesh->triangle_count). 0: as given. */
WEFT_API weft_result weft_sim_generations(const weft_sim *sim, int32_t cloth, int32_t *generation);
/** Writes, for each triangle, the triangle of the given mesh in which it lies (mesh->triangle_count). For a triangle
 * made by an edge flip, it is the one where the triangle began. */
WEFT_API weft_result weft_sim_origins(const weft_sim *sim, int32_t cloth, int32_t *triangle);
/** Counts the connected parts of a cloth, without torn faces. */
WEFT_API weft_result weft_sim_pieces(const weft_sim *sim, int32_t cloth, int32_t *pieces);
/** A connected part of a cloth. */
typedef struct weft_piece {
    int32_t triangles; /**< number of triangles */
    int32_t triangle;  /**< index of its first triangle */
    double area;       /**< at rest, m2 */
    double mass;       /**< kg */
    weft_vec3 centre;  /**< centre of mass, m */
} weft_piece;
/** Lists the connected parts of a cloth, in the order of their first triangles. Fills at most `capacity` entries;
 * `piece` may be null if it is 0. `count` receives the number of all parts. The simulation must be prepared. */
WEFT_API weft_result weft_sim_list_pieces(const weft_sim *sim, int32_t cloth, weft_piece *piece, int32_t capacity,
                                          int32_t *count);
/** Name of a cloth's model; null if out of range. Available before the simulation is prepared. */
WEFT_API const char *weft_sim_model_name(const weft_sim *sim, int32_t cloth);
/** Why the model of a cloth does not use a fabric property, such as "bend_weft": one static line. Null if it uses it,
 * or if `cloth` is out of range. Thread-safe as other readers. */
WEFT_API const char *weft_sim_unused_property(const weft_sim *sim, int32_t cloth, const char *property);
/** Why the integrator does not use a value of a cloth, such as "fabric.damping" or "model.damping_time": one static
 * line. Null if it uses it. Thread-safe as other readers. */
WEFT_API const char *weft_sim_unused_by_integrator(const weft_sim *sim, const char *value);
/** Contact settings in effect: automatic values of `contact.self` and `contact.thickness` are resolved. Current after
 * weft_sim_prepare; valid as long as the simulation. */
WEFT_API const weft_contact_settings *weft_sim_contact_settings(const weft_sim *sim);
/** Name of the integrator. Never null. */
WEFT_API const char *weft_sim_integrator_name(const weft_sim *sim);
/** Name of the device that computes the steps, such as "cpu". Valid while the simulation exists. */
WEFT_API const char *weft_sim_device_name(const weft_sim *sim);
/** The hardware of the device, such as "NVIDIA H200, 139 GiB"; "" on the CPU and before preparation. Valid as the name.
 */
WEFT_API const char *weft_sim_device_hardware(const weft_sim *sim);
/** Why the last step failed and what helps, one static line; null if nothing better is known than a shorter step. */
WEFT_API const char *weft_sim_advice(const weft_sim *sim);
/** Why the last step was taken for an explosion, one line such as "the cloth moves with 642 J, of which gravity and its
 * start explain 1.2 J"; null if it was not. Valid until the next step. */
WEFT_API const char *weft_sim_reason(const weft_sim *sim);
/** Positions, m (mesh->vertex_count). */
WEFT_API const weft_vec3 *weft_sim_positions(const weft_sim *sim, int32_t cloth);
/** Velocities, m/s (mesh->vertex_count). */
WEFT_API const weft_vec3 *weft_sim_velocities(const weft_sim *sim, int32_t cloth);
/** 1 where the face is torn open and no longer part of the surface, else 0 (mesh->face_count). */
WEFT_API const uint8_t *weft_sim_open_faces(const weft_sim *sim, int32_t cloth);
/** 1 where a pin or drag holds the vertex now, else 0 (mesh->vertex_count). */
WEFT_API const uint8_t *weft_sim_held(const weft_sim *sim, int32_t cloth);
/** Number of links of a cloth, broken ones included; 0 for models without links. */
WEFT_API int32_t weft_sim_link_count(const weft_sim *sim, int32_t cloth);
/** A link of a cloth; all zero if out of range. */
WEFT_API weft_link weft_sim_link(const weft_sim *sim, int32_t cloth, int32_t index);
/** Number of bodies. */
WEFT_API int32_t weft_sim_body_count(const weft_sim *sim);
/** Name of a body's component; "" if out of range. */
WEFT_API const char *weft_sim_body_name(const weft_sim *sim, int32_t body);
/** Returns 1 if the body changes during the run: several keys or frames, an interactive move, or a time at which it
 * appears or vanishes. */
WEFT_API int weft_sim_body_moves(const weft_sim *sim, int32_t body);
/** The animation of a body, or null. */
WEFT_API const weft_body_frames *weft_sim_body_frames(const weft_sim *sim, int32_t body);
/** A body's triangles at the present time, in world coordinates. The caller frees both arrays with
 * weft_memory_free(). If the body is not present, all vertices are at one point. */
WEFT_API weft_result weft_sim_body_surface(const weft_sim *sim, int32_t body, weft_body_surface *surface);

/** @} */

/** @name Rays
 * @{ */

/** Where a ray meets a surface. */
typedef struct weft_ray_hit {
    int32_t cloth;         /**< the cloth, or WEFT_NONE */
    int32_t body;          /**< the body, or WEFT_NONE; both are WEFT_NONE if the ray meets nothing */
    int32_t triangle;      /**< index in the cloth's mesh or in weft_sim_body_surface; WEFT_NONE without a hit */
    double barycentric[3]; /**< weights of the triangle's vertices, with sum 1 */
    double distance;       /**< from the start of the ray, m; `farthest` without a hit */
    weft_vec3 position;    /**< m */
    weft_vec3 normal;      /**< unit normal of the triangle, by its winding; may point along the ray */
} weft_ray_hit;
/** Finds the nearest hit of a ray with the present cloths and bodies, from either side. Torn faces and absent bodies
 * are left out. `from` is in m. `direction` has any length above 0. `farthest` is above 0, m, and may be infinite.
 * Prepares the simulation. */
WEFT_API weft_result weft_sim_ray(weft_sim *sim, weft_vec3 from, weft_vec3 direction, double farthest,
                                  weft_ray_hit *hit);

/** @} */

/** @name Intersections
 * @{ */

/** Numbers of edges that pass through triangles. The count does not use the collision detection of contact. */
typedef struct weft_intersections {
    int64_t self;   /**< self-intersections of a cloth */
    int64_t cloths; /**< of two cloths */
    int64_t bodies; /**< of a cloth with a body, edges of either */
} weft_intersections;
/** Counts the intersections of the present state. */
WEFT_API weft_result weft_sim_intersections(weft_sim *sim, weft_intersections *found);
/** Returns 1 if a cloth lies inside a body: a shape, or a closed mesh. Only meaningful if they do not intersect. The
 * simulation must be prepared and both indices in range. */
WEFT_API int weft_sim_inside(const weft_sim *sim, int32_t cloth, int32_t body);

/** One intersection: an edge of a cloth through a triangle of a cloth or body, or the reverse. */
typedef struct weft_crossing {
    int32_t cloth;         /**< the cloth */
    int32_t other;         /**< the other cloth, or the same; WEFT_NONE for a body */
    int32_t body;          /**< the body; WEFT_NONE for a cloth */
    int32_t edge_of_other; /**< 1: the edge belongs to the other object, the triangle to the cloth */
    int32_t edge[2];       /**< vertices of the edge */
    int32_t triangle[3];   /**< vertices of the triangle */
} weft_crossing;
/** Lists intersections. Fills at most `capacity` entries; `crossing` may be null if it is 0. `count` receives how many
 * were filled. `found` counts all. */
WEFT_API weft_result weft_sim_crossings(weft_sim *sim, weft_crossing *crossing, int32_t capacity, int32_t *count,
                                        weft_intersections *found);

/** Two objects began to intersect, or a cloth to lie inside a body. Possible causes are the initial state, a body that
 * appeared or changed, and unresolved collisions. */
typedef struct weft_sim_event {
    double time;       /**< s */
    int32_t cloth;     /**< the cloth */
    int32_t other;     /**< as weft_crossing::other */
    int32_t body;      /**< as weft_crossing::body */
    int64_t crossings; /**< number of intersections; 0: the cloth lies inside, or one of the next two is above 0 */
    int64_t left;      /**< unresolved collisions, if the objects no longer intersect after passing through */
    int64_t touches;   /**< pairs at distance 0, where the side is undefined */
} weft_sim_event;
/** Number of events since the start. Only the first 64 are kept. */
WEFT_API int64_t weft_sim_event_count(const weft_sim *sim);
/** Event `index`, from 0 on. Null if out of range or not kept. */
WEFT_API const weft_sim_event *weft_sim_event_at(const weft_sim *sim, int64_t index);

/** Result of separating layers. */
typedef struct weft_separation {
    int64_t vertices; /**< number of vertices moved */
    int64_t left;     /**< pairs that still touch */
    double farthest;  /**< largest displacement, m */
} weft_separation;
/** Moves layers at distance 0 apart by a hundredth of contact.thickness, because at zero distance the side is
 * undefined.
 *
 * Cloth moves out of closed bodies. It moves off open bodies and other cloth such that its weight presses it on, with
 * later cloths above earlier ones. Nothing moves if that would add intersections. Steps do this before the first one
 * and when a body appears. */
WEFT_API weft_result weft_sim_separate_layers(weft_sim *sim, weft_separation *parting);
/** Total of all separations until now: the sum of `vertices`, the last `left` and the largest `farthest`. */
WEFT_API weft_separation weft_sim_separated(const weft_sim *sim);

/** Result of a repair. */
typedef struct weft_repair {
    int64_t before;  /**< intersections, and vertices inside bodies, before the repair */
    int64_t after;   /**< the same, after the repair */
    int32_t rounds;  /**< number of rounds */
    double farthest; /**< largest displacement of a vertex, m */
    double stretch;  /**< largest elongation of an edge, relative to its length at rest or at the start, whichever is
                        longer */
} weft_repair;
/** Untangles the present state as far as possible. Moves vertices that are not held out of bodies and shortens the
 * contours where surfaces intersect. Rest shapes stay. If intersections remain, no edge is stretched by more than 30 %.
 */
WEFT_API weft_result weft_sim_repair(weft_sim *sim, weft_repair *repair);
/** Result of the last repair, such as that of contact.repair when the scene was read. Zero if there was none. */
WEFT_API weft_repair weft_sim_repaired(const weft_sim *sim);

/** @} */

/** @name Forces, strains and changes of the state
 * @{ */

/** Forces with which pins and drags hold the vertices, N (mesh->vertex_count). It is mass times the acceleration of the
 * last step, minus all other forces. 0 where nothing holds the vertex. */
WEFT_API weft_result weft_sim_reactions(weft_sim *sim, int32_t cloth, weft_vec3 *reaction);
/** Strain and stress of each triangle, without damping (mesh->triangle_count). Fails for models that do not offer
 * them. */
WEFT_API weft_result weft_sim_strains(weft_sim *sim, int32_t cloth, weft_strain *strain);
/** Elongation of each triangle along weft and warp (mesh->triangle_count). `weft_measures::yarn_max` is the largest of
 * them. 0 for models without a rest shape, where the cloth is torn, and where a garment is gathered. */
WEFT_API weft_result weft_sim_yarns(weft_sim *sim, int32_t cloth, double (*stretch)[2]);
/** Contact pressure of bodies on the vertices of a cloth, Pa (mesh->vertex_count): normal force over present area.
 * The areas share triangles as the masses do: a sheet at rest on the ground shows its weight per area everywhere.
 *
 * The barrier gives the forces at the end of the last step. Other contact methods, and a mesh that has changed since,
 * give what balances all other forces at the vertices that touch, without inertia. 0 before the first step. */
WEFT_API weft_result weft_sim_pressures(weft_sim *sim, int32_t cloth, double *pressure);
/** Sets position (m) and velocity (m/s) of a vertex. Both must be finite. */
WEFT_API weft_result weft_sim_place(weft_sim *sim, int32_t cloth, int32_t vertex, weft_vec3 x, weft_vec3 v);
/** Longest stable step by the models' bounds, s. Infinite for schemes without a limit or if no bound is known. 0 if the
 * simulation cannot be prepared. */
WEFT_API double weft_sim_stable_step(weft_sim *sim);

/** Hash of all positions and velocities. Equal states have equal hashes. */
WEFT_API uint64_t weft_sim_hash(const weft_sim *sim);

/** @} */

/** @name Snapshots
 * A snapshot holds all that steps change: the state of cloths, models and integrator, meshes, drags and interactive
 * moves of bodies. Parameters, pins and forces are not part of it.
 * @{ */

/** Bytes of a snapshot of the present state. The simulation must be prepared. */
WEFT_API size_t weft_sim_snapshot_size(const weft_sim *sim);
/** Writes weft_sim_snapshot_size bytes to `buffer`. */
WEFT_API void weft_sim_snapshot(const weft_sim *sim, void *buffer);
/** Number of steps that were made when a snapshot was taken. Fails for a buffer that is not a snapshot. */
WEFT_API weft_result weft_snapshot_step_count(const void *buffer, size_t size, int64_t *steps);
/** Restores a snapshot. Fails for a buffer that is not a snapshot of this simulation; the state is then unchanged. A
 * frame that was in progress is resumed as a new, shorter frame. */
WEFT_API weft_result weft_sim_restore(weft_sim *sim, const void *buffer, size_t size);
/** Makes the next step a first one: the integrator forgets earlier steps. Call it after weft_sim_restore if the
 * integrator or its settings differ from those of the snapshot. */
WEFT_API void weft_sim_forget_steps(weft_sim *sim);

/** @} */

WEFT_END
#endif
