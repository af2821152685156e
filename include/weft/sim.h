/* A simulation: cloths, forces, pins, drags, one integrator, and the step.
 *
 * One thread at a time may use a simulation; different simulations are independent. Views returned (positions, names)
 * are valid until the next step, restore or destroy. */
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

typedef struct weft_sim weft_sim;

/* The air, shared by all wind sources, and the random seed. */
typedef struct weft_environment {
    double temperature; /* degrees C; the air's density is 353.05 / (T + 273.15) kg/m3 */
    int32_t seed;
} weft_environment;
WEFT_API const weft_param *weft_environment_params(void);

typedef enum weft_time_mode { WEFT_TIME_FIXED, WEFT_TIME_VARIABLE } weft_time_mode;

/* How a run is cut into frames and steps. */
typedef struct weft_clock {
    double step;      /* s: the step, or in variable mode the cap */
    int32_t frames;   /* after frame 0 */
    double rate;      /* frames per second */
    int32_t mode;     /* weft_time_mode. Fixed: a frame is cut into equal steps of at most `step`. Variable: steps of
                         `step` less a seeded fluctuation, the last one shortened to meet the frame. */
    double jitter;    /* variable mode: each step is step * (1 - jitter * random) */
    int32_t halvings; /* how often a failed step is tried again with half the dt */
} weft_clock;
WEFT_API const weft_param *weft_clock_params(void);
/* How many equal steps a frame is cut into, in fixed mode. A step that was rounded when it was written, as 11.11 ms for
 * 1/90 s, does not cost another one. */
WEFT_API double weft_clock_steps(const weft_clock *clock);
/* Refuses steps so short that a frame would never end. */
WEFT_API weft_result weft_clock_check(const weft_clock *clock);

WEFT_API weft_result weft_sim_create(const weft_registry *registry, weft_sim **sim);
WEFT_API void weft_sim_destroy(weft_sim *sim); /* null is allowed */

/* 0 chooses the number of processors. */
WEFT_API void weft_sim_set_threads(weft_sim *sim, int threads);
WEFT_API int weft_sim_threads(const weft_sim *sim);

/* -- building; every name below is that of a component or a fabric preset -- */

/* Takes the mesh over, also when it fails. */
WEFT_API weft_result weft_sim_add_cloth(weft_sim *sim, const char *name, weft_mesh *mesh, const weft_fabric *fabric,
                                        const char *model, int32_t *cloth);
/* Factors of what its fabric says, for each vertex of the mesh as it was given to whoever made it
 * (mesh->input_vertex_count). Before the simulation is prepared. Vertices that are inserted later have the weighted
 * mean of those between which they are. */
WEFT_API weft_result weft_sim_set_map(weft_sim *sim, int32_t cloth, weft_map map, const double *value, int32_t count);
/* The velocity that all its vertices start with, m/s. */
WEFT_API weft_result weft_sim_set_velocity(weft_sim *sim, int32_t cloth, weft_vec3 velocity);
WEFT_API weft_result weft_sim_add_force(weft_sim *sim, const char *name, int32_t *force);
/* The forces after it move up by one. */
WEFT_API weft_result weft_sim_remove_force(weft_sim *sim, int32_t force);
WEFT_API int32_t weft_sim_force_count(const weft_sim *sim);
WEFT_API const char *weft_sim_force_name(const weft_sim *sim, int32_t force);
/* Takes the mesh over, also when it fails; it is given for bodies that have no shape of their own, else null. */
WEFT_API weft_result weft_sim_add_body(weft_sim *sim, const char *name, weft_mesh *mesh, int32_t *body);
/* How the body moves; times ascending, copied. */
WEFT_API weft_result weft_sim_set_body_keys(weft_sim *sim, int32_t body, const weft_body_key *key, int32_t count);
/* The shapes that a body made from a mesh goes through; as many vertices as its mesh, copied. */
WEFT_API weft_result weft_sim_set_body_frames(weft_sim *sim, int32_t body, const weft_body_frames *frames);
WEFT_API weft_result weft_sim_set_integrator(weft_sim *sim, const char *name);
/* Lets the meshes of all cloths change while they move, see weft/adapt.h; before the simulation is prepared. Vertices
 * of the mesh given keep their numbers; others come and go after them. */
WEFT_API weft_result weft_sim_set_adapt(weft_sim *sim, const char *name);
/* Prepares models and masses and refuses impossible pairs. Done by the first step when it was not called. */
WEFT_API weft_result weft_sim_prepare(weft_sim *sim);
/* What the first step begins with: meshes become as fine as adaption asks for. Does nothing without, and later on. */
WEFT_API weft_result weft_sim_adapt_start(weft_sim *sim);

/* -- parameters, while building or running -- */

/* Paths: "time.step", "air.temperature", "integrator.damping_ratio", "cloth.NAME.fabric.density",
 * "cloth.NAME.model.stiffness", "forces.wind.speed", "contact.self", "bodies.sphere.radius", "adapt.every"; NAME or an
 * index may be left out when there is one cloth. Values are written as in a scene file. A value that cannot be used
 * leaves everything as it was. */
WEFT_API weft_result weft_sim_set(weft_sim *sim, const char *path, const char *value);
WEFT_API weft_result weft_sim_set_real(weft_sim *sim, const char *path, double value);
WEFT_API weft_result weft_sim_get(const weft_sim *sim, const char *path, char *value, size_t size);
/* The parameters there are, by index from 0; returns 0 past the end. */
WEFT_API int weft_sim_param_at(const weft_sim *sim, int index, char *path, size_t size, const weft_param **row);

/* -- pins and drags -- */

typedef struct weft_key {
    double time;      /* s */
    weft_vec3 offset; /* m, from where the vertices were when the pin was made */
    double angle;     /* rad, about `axis` through `centre` */
} weft_key;

/* Holds vertices: still, or moved through keyframes (linear between them), until `release`. */
typedef struct weft_pin {
    double release;      /* s; infinite by default */
    const weft_key *key; /* times ascending (key_count); copied */
    int32_t key_count;
    weft_vec3 axis, centre; /* of the keys' rotation */
    const weft_vec3 *start; /* m, where it holds each vertex (count); copied. Null, the default: where they are */
} weft_pin;
WEFT_API weft_pin weft_pin_default(void);

/* Which vertices: the selectors of scene files. */
typedef enum weft_select_kind {
    WEFT_SELECT_VERTICES,
    WEFT_SELECT_SIDE,    /* name: left (i = 0), right, top (j = 0), bottom; grids only */
    WEFT_SELECT_CORNER,  /* name: top-left, top-right, bottom-left, bottom-right; grids only */
    WEFT_SELECT_BOX,     /* a, b: opposite corners */
    WEFT_SELECT_SPHERE,  /* a: centre, radius */
    WEFT_SELECT_NEAREST, /* a */
    WEFT_SELECT_GROUP,   /* name: a group of the imported mesh */
    WEFT_SELECT_ALL
} weft_select_kind;

typedef struct weft_select {
    weft_select_kind kind;
    const char *name;
    weft_vec3 a, b;
    double radius;
    const int32_t *vertices; /* of the input mesh (vertex_count) */
    int32_t vertex_count;
} weft_select;

/* Fails when nothing is selected. `vertices` (mesh->vertex_count) receives indices of the cloth, ascending. */
WEFT_API weft_result weft_sim_select(const weft_sim *sim, int32_t cloth, const weft_select *select, int32_t *vertices,
                                     int32_t *count);
WEFT_API weft_result weft_sim_add_pin(weft_sim *sim, int32_t cloth, const weft_pin *pin, const int32_t *vertices,
                                      int32_t count);
/* Takes the vertices out of every pin; those that none holds are left alone. */
WEFT_API weft_result weft_sim_free(weft_sim *sim, int32_t cloth, const int32_t *vertices, int32_t count);
/* From the next step on the vertex follows `to` until it is released; it then keeps the velocity of its last step. Told
 * a new place after several steps, as by a hand that is asked sixty times a second, it takes as long to get there as
 * the last word was ago, 50 ms at most, so that it moves and is thrown as the hand moved; told one in each step it
 * reaches it in that step. */
WEFT_API weft_result weft_sim_drag(weft_sim *sim, int32_t cloth, int32_t vertex, weft_vec3 to);
WEFT_API weft_result weft_sim_release(weft_sim *sim, int32_t cloth, int32_t vertex);
/* Cuts the links that cross the fan of triangles between neighbouring rays from `eye`, without end, and opens the faces
 * at them. `ray` (ray_count, at least 2), any length; `cut` receives how many links broke and may be null. Refused for
 * models that cannot be cut. */
WEFT_API weft_result weft_sim_cut(weft_sim *sim, int32_t cloth, weft_vec3 eye, const weft_vec3 *ray, int32_t ray_count,
                                  int32_t *cut);

/* A cut that is made by itself, along a path on the cloth at rest. */
typedef struct weft_cut {
    double at;             /* s: after the step that reaches it; before the first one when it is 0 */
    weft_vec3 along;       /* direction of the blade; [0, 0, 0]: the mean normal of the cloth at rest */
    const weft_vec3 *path; /* m, at rest (path_count, at least 2); copied */
    int32_t path_count;
} weft_cut;
/* Rows of `at` and `along`. */
WEFT_API const weft_param *weft_cut_params(void);
/* Opens edges as weft_sim_cut does. Refused for models that cannot be cut. */
WEFT_API weft_result weft_sim_add_cut(weft_sim *sim, int32_t cloth, const weft_cut *cut);

/* What an added cut will do. */
typedef struct weft_cut_plan {
    int32_t cloth;
    double at;     /* s */
    int32_t links; /* or edges that it meets on the cloth as its mesh is now; 0: nothing */
} weft_cut_plan;
WEFT_API int32_t weft_sim_cut_count(const weft_sim *sim);
/* In the order in which they were added; index < weft_sim_cut_count. */
WEFT_API weft_cut_plan weft_sim_cut_at(const weft_sim *sim, int32_t index);

/* The next step takes the body there, straight and with the speed of that way, and pushes what is in its way; it then
 * stays. `at` and `rotate` (about x, then y, then z, rad) are those of weft_body_place, to which keys and frames are
 * added. To set bodies.NAME.at, rotate, axis or scale while running does the same. */
WEFT_API weft_result weft_sim_move_body(weft_sim *sim, int32_t body, weft_vec3 at, weft_vec3 rotate);

/* -- running -- */

typedef enum weft_phase {
    WEFT_PHASE_INPUT,
    WEFT_PHASE_INTEGRATE,
    WEFT_PHASE_LIMIT,
    WEFT_PHASE_CONTACT,
    WEFT_PHASE_TEAR,
    WEFT_PHASE_CHECK,
    WEFT_PHASE_ADAPT,
    WEFT_PHASES
} weft_phase;
WEFT_API const char *weft_phase_name(weft_phase phase);

typedef struct weft_report {
    weft_status status;
    double dt;                   /* s; of the last part when the step was halved */
    int32_t halvings;            /* how often dt was halved in this step */
    int32_t torn;                /* links broken in this step */
    weft_solve solve;            /* summed up; zero for explicit schemes */
    weft_contact_report contact; /* summed up */
    weft_adapt_report adapt;     /* summed up */
    double seconds[WEFT_PHASES]; /* wall time */
    double slowest;              /* wall time of the longest step, s */
} weft_report;

/* One step. On WEFT_STATUS_DIVERGED the state is the last good one; on WEFT_STATUS_INTERSECTS the one in which surfaces
 * do, and the simulation may go on. */
WEFT_API weft_result weft_sim_step(weft_sim *sim, double dt, weft_report *report);
/* The steps of one frame by the clock; the report sums up. `report` may be null. */
WEFT_API weft_result weft_sim_advance_frame(weft_sim *sim, weft_report *report, int32_t *steps);
/* The next of these steps alone, for those who act between them; `report` sums up since the frame began. `done`: 1 when
 * the frame is complete. A frame that was begun keeps its number of equal steps when the clock is changed. */
WEFT_API weft_result weft_sim_advance_step(weft_sim *sim, weft_report *report, int32_t *done);

typedef struct weft_measures {
    double kinetic, elastic, potential; /* J; potential: of the external forces that have one */
    weft_vec3 momentum;                 /* kg m/s */
    weft_vec3 centre;                   /* of mass, m */
    double stretch_mean, stretch_max;   /* elongation of mesh edges, 0 for shortened ones; torn ones left out */
    double mass;                        /* kg */
    int64_t links_broken;
} weft_measures;
/* For reports: some passes over the state, at least as dear as a step. */
WEFT_API weft_result weft_sim_measure(weft_sim *sim, weft_measures *measures);

WEFT_API double weft_sim_time(const weft_sim *sim);
WEFT_API int64_t weft_sim_frame(const weft_sim *sim);
WEFT_API int64_t weft_sim_step_count(const weft_sim *sim);
WEFT_API const weft_clock *weft_sim_clock(const weft_sim *sim);
WEFT_API int32_t weft_sim_cloth_count(const weft_sim *sim);
/* Its mesh is another one after a step in which it was adapted or torn. */
WEFT_API const weft_cloth *weft_sim_cloth(const weft_sim *sim, int32_t cloth);
/* Whether the mesh may change, and the generation of each triangle (mesh->triangle_count): 0 as given, 0 for a mesh
 * that cannot. */
WEFT_API int weft_sim_changes(const weft_sim *sim, int32_t cloth);
WEFT_API weft_result weft_sim_generations(const weft_sim *sim, int32_t cloth, int32_t *generation);
/* The triangle of the mesh given in which each one lies, or began when an edge was turned (mesh->triangle_count). */
WEFT_API weft_result weft_sim_origins(const weft_sim *sim, int32_t cloth, int32_t *triangle);
/* Parts that hang together, torn faces left out. */
WEFT_API weft_result weft_sim_pieces(const weft_sim *sim, int32_t cloth, int32_t *pieces);
typedef struct weft_piece {
    int32_t triangles; /* of the mesh */
    int32_t triangle;  /* the first of them */
    double area, mass; /* at rest, m2, and kg */
    weft_vec3 centre;  /* of mass, m */
} weft_piece;
/* The first of them, by their first triangle (capacity); *count: how many there are. */
WEFT_API weft_result weft_sim_list_pieces(const weft_sim *sim, int32_t cloth, weft_piece *piece, int32_t capacity,
                                          int32_t *count);
WEFT_API const char *weft_sim_model_name(const weft_sim *sim, int32_t cloth);
WEFT_API const char *weft_sim_integrator_name(const weft_sim *sim);
WEFT_API const weft_vec3 *weft_sim_positions(const weft_sim *sim, int32_t cloth);
WEFT_API const weft_vec3 *weft_sim_velocities(const weft_sim *sim, int32_t cloth);
/* 1 where the face was torn open and is no longer part of the surface (mesh->face_count) */
WEFT_API const uint8_t *weft_sim_open_faces(const weft_sim *sim, int32_t cloth);
/* 1 where a pin or drag holds the vertex now (mesh->vertex_count) */
WEFT_API const uint8_t *weft_sim_held(const weft_sim *sim, int32_t cloth);
WEFT_API int32_t weft_sim_link_count(const weft_sim *sim, int32_t cloth);
WEFT_API weft_link weft_sim_link(const weft_sim *sim, int32_t cloth, int32_t index);
WEFT_API int32_t weft_sim_body_count(const weft_sim *sim);
WEFT_API const char *weft_sim_body_name(const weft_sim *sim, int32_t body);
/* Whether it is not always in one place: it has keys or frames that it goes between, was moved by hand, or is not
 * always there. */
WEFT_API int weft_sim_body_moves(const weft_sim *sim, int32_t body);
/* The shapes that it goes through, or null. */
WEFT_API const weft_body_frames *weft_sim_body_frames(const weft_sim *sim, int32_t body);
/* A body's triangles where it is now; the arrays are the caller's to free. Those of a body that is not there yet, or
 * no more, are all in one point. */
WEFT_API weft_result weft_sim_body_surface(const weft_sim *sim, int32_t body, weft_body_surface *surface);

/* Edges that pass through triangles now, found without any help of the contact. */
typedef struct weft_intersections {
    int64_t self;   /* of a cloth through itself */
    int64_t cloths; /* of a cloth through another */
    int64_t bodies; /* of a cloth through a body, or of a body through a cloth */
} weft_intersections;
WEFT_API weft_result weft_sim_intersections(weft_sim *sim, weft_intersections *found);
/* 1 when a cloth that does not cross a body lies inside of it: of a shape, or of a closed mesh turned outwards. */
WEFT_API int weft_sim_inside(const weft_sim *sim, int32_t cloth, int32_t body);

/* One of them: an edge of the cloth through a triangle of the other cloth or body, or the other way round. */
typedef struct weft_crossing {
    int32_t cloth;
    int32_t other;         /* the other cloth, or the same; WEFT_NONE for a body */
    int32_t body;          /* WEFT_NONE for a cloth */
    int32_t edge_of_other; /* 1: the edge is of the other, the triangle of the cloth */
    int32_t edge[2];       /* vertices */
    int32_t triangle[3];
} weft_crossing;
/* The first of them (capacity); *count: how many were filled. `found` counts all. */
WEFT_API weft_result weft_sim_crossings(weft_sim *sim, weft_crossing *crossing, int32_t capacity, int32_t *count,
                                        weft_intersections *found);

/* Two objects began to pass through each other, or a cloth to lie inside of a body: at the start, when a body appeared
 * or changed, or because collisions were left. */
typedef struct weft_sim_event {
    double time; /* s */
    int32_t cloth;
    int32_t other, body; /* as in weft_crossing */
    int64_t crossings;   /* 0: the cloth lies inside */
    int64_t left;        /* above 0: collisions that were left, and what passed through no longer touches */
    int64_t touches;     /* above 0: pairs at distance 0, of which contact does not know the side; no crossings then */
} weft_sim_event;
/* Kept from the first on, up to 64; *event may be null past them. */
WEFT_API int64_t weft_sim_event_count(const weft_sim *sim);
WEFT_API const weft_sim_event *weft_sim_event_at(const weft_sim *sim, int64_t index);

/* Moves layers that touch each other, or a body, at distance 0 apart by a hundredth of contact.thickness, because which
 * side such a layer is on nothing says: out of closed bodies; off open ones and other cloth so that its weight presses
 * it on, the later cloth over the earlier one. Steps do so before the first one, and when a body appears. */
typedef struct weft_separation {
    int64_t vertices; /* that were moved */
    int64_t left;     /* pairs that still touch */
    double farthest;  /* m */
} weft_separation;
WEFT_API weft_result weft_sim_separate_layers(weft_sim *sim, weft_separation *parting);
/* All that was done so until now. */
WEFT_API weft_separation weft_sim_separated(const weft_sim *sim);

/* Moves vertices that are not held until nothing intersects, as far as that works: out of bodies, and by making the
 * lines in which surfaces cut each other shorter. Rest shapes stay. Where something is left, what would stretch an edge
 * by more than 0.3 of its length is not done. */
typedef struct weft_repair {
    int64_t before, after; /* intersections, and vertices inside of bodies */
    int32_t rounds;
    double farthest; /* m, that a vertex was moved */
    double stretch; /* the largest elongation of an edge beyond its length at rest, or at the start if that is longer */
} weft_repair;
WEFT_API weft_result weft_sim_repair(weft_sim *sim, weft_repair *repair);
/* What contact.repair did when the scene was read; zero when nothing was to be done. */
WEFT_API weft_repair weft_sim_repaired(const weft_sim *sim);

/* The force by which pins and drags hold each vertex, N (mesh->vertex_count): mass times acceleration less all other
 * forces, 0 where nothing holds it. */
WEFT_API weft_result weft_sim_reactions(weft_sim *sim, int32_t cloth, weft_vec3 *reaction);
/* Strain and stress of each triangle, without damping (mesh->triangle_count). Refused for models that have none. */
WEFT_API weft_result weft_sim_strains(weft_sim *sim, int32_t cloth, weft_strain *strain);
/* Sets the state of a vertex, as for initial velocities. */
WEFT_API weft_result weft_sim_place(weft_sim *sim, int32_t cloth, int32_t vertex, weft_vec3 x, weft_vec3 v);
/* The longest stable step by the models' bounds; infinite for schemes without a limit and when it is unknown. */
WEFT_API double weft_sim_stable_step(weft_sim *sim);

/* Positions and velocities as 64 bits. */
WEFT_API uint64_t weft_sim_hash(const weft_sim *sim);

/* -- snapshots: all that steps change; parameters, pins and forces are not part of it -- */

WEFT_API size_t weft_sim_snapshot_size(const weft_sim *sim);
WEFT_API void weft_sim_snapshot(const weft_sim *sim, void *buffer);
/* Refuses a buffer that is not a snapshot of this simulation and leaves the state as it was. */
WEFT_API weft_result weft_sim_restore(weft_sim *sim, const void *buffer, size_t size);

WEFT_END
#endif
