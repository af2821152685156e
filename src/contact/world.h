/* The contact world: the surfaces of all objects in one list of vertices and triangles. Objects are the cloths,
 * followed by the bodies. Geometry and topology are set by create and renew. The rest belongs to one step, or to the
 * pair cache.
 */
#ifndef WEFT_CONTACT_WORLD_H
#define WEFT_CONTACT_WORLD_H

#include "body/pose.h"
#include "contact/barrier.h"
#include "contact/constraints.h"
#include "contact/pair_cache.h"
#include "contact/spatial_hash.h"

/* How a body bends at an edge that a triangle owns. */
typedef struct contact_crease {
    double distance; /* between the centres of the two triangles, in the body's own frame, m; negative: always sharp;
                        0: the triangle owns no such edge */
    double angle;    /* between their normals, rad */
} contact_crease;

typedef struct contact_object {
    int32_t first, vertex_count;            /* its vertices */
    int32_t first_triangle, triangle_count; /* its triangles */
    const weft_contact_cloth *cloth;        /* null for a body */
    const weft_body_view *body;             /* null for a cloth */
    contact_tree tree;
    int32_t tree_first_triangle; /* first_triangle when the tree was built */
    contact_hash hash;
    contact_box bounds;
    /* bodies only */
    weft_body_surface surface;
    weft_pose pose[2];      /* at the start and the end of the step */
    double frame[2];        /* animation frame at these times; a fraction lies between two frames */
    int32_t absent;         /* 1: the body is not there in this step */
    contact_crease *crease; /* (triangle_count x 3) */
    int32_t has_moved;      /* since the trajectories were made */
    int32_t rounded;        /* 1: a shape without sharp features */
    double thickness;       /* of the body when the pairs were listed, m */
    double fitted_padding;  /* padding for which the tree of a resting body was fitted, 0 when it was not, m */
    int32_t fitted_search;  /* weft_contact_search for which it was fitted */
} contact_object;

/* Flags of a triangle. Each vertex and each edge is owned by exactly one triangle. */
enum {
    OWNS_VERTEX = 1,   /* << corner: owns the vertex of that corner */
    OWNS_EDGE = 8,     /* << corner: owns the edge from that corner to the next */
    SHARP_VERTEX = 64, /* << corner: a vertex of a sharp edge */
    SHARP_EDGE = 512,  /* << corner: an edge of a body at which its neighbours do not continue smoothly */
    OPEN = 4096        /* torn: no longer part of the surface */
};

/* A near pair: one that may come within its reach. See barrier_motion.c. */
typedef struct contact_near {
    int32_t pair; /* index in the bin */
    double reach; /* the largest distance at which it pushes, m */
} contact_near;

/* The results of one task. Bins are kept between steps, so that a steady step does not allocate. */
typedef struct contact_bin {
    contact_leaf_pair *leaf_pair, *old_leaf_pair; /* sorted by leaves; old: before the current update */
    contact_pair *pair, *old_pair;                /* old: before the current update */
    contact_row *row;
    contact_row *hit; /* collisions of the current round */
    int32_t *found;   /* triangles found by the spatial hash */
    int32_t leaf_pair_count, leaf_pair_capacity, old_leaf_pair_count, old_leaf_pair_capacity;
    int32_t pair_count, pair_capacity, old_pair_capacity;
    int32_t dead_pairs; /* pairs that belong to no leaf pair any more */
    int32_t row_count, row_capacity, hit_count, hit_capacity, found_capacity;
    int32_t fixed_hit_count; /* collisions in which all vertices are fixed */
    contact_touch *touch;    /* of the barrier */
    int32_t touch_count, touch_capacity;
    contact_near *near;
    int32_t near_count, near_capacity;
    double energy;        /* of the barrier, J */
    double listed_energy; /* the same at the touches last listed, J */
    double fraction;      /* of a motion that is free of contact */
    int hopeless;         /* 1: the barrier cannot take the step: see barrier_motion.c */
    int failed;           /* 1: out of memory */
    struct contact_bin *next_spare;
} contact_bin;

/* Two objects whose bounds overlap, a <= b. */
typedef struct contact_object_pair {
    int32_t a, b;
} contact_object_pair;

/* Leaves [begin, end) of object a against the tree of object b. */
typedef struct contact_task {
    int32_t a, b, begin, end;
    contact_bin *bin; /* its results */
} contact_task;

struct weft_contact {
    contact_object *object;
    int32_t object_count, cloth_count;
    weft_contact_cloth *cloth;
    weft_body_view *body;

    int32_t count, cloth_vertices; /* vertices of all objects; those of cloths come first */
    int32_t triangle_count;
    int32_t (*triangle)[3]; /* (triangle_count) */
    uint16_t *marks;        /* flags of the triangles (triangle_count) */
    int32_t *object_of;     /* (count) */
    uint8_t *loose;         /* 1: all triangles of the vertex are torn (count) */
    int has_loose;          /* 1: a vertex of a cloth is */
    weft_vec3 *rest;        /* (count) */
    double edge_length;     /* mean length of cloth edges at rest, m */

    /* the current step (count) */
    weft_vec3 *x, *x_next, *v_next;
    double *inverse_mass;
    contact_box *swept_box;   /* around the trajectory of each vertex */
    weft_vec3 *trajectory[2]; /* predicted positions at the ends of trajectory_time, linear in between, m */
    uint8_t *dirty;           /* 1: the vertex is too far off its trajectory */
    uint8_t *changed;         /* 1: moved since the last round of collision detection */
    weft_vec3 *drift_x[2];    /* x and x_next for which the leaf motions were computed, m */
    int32_t *parent;          /* impact zones: union-find; WEFT_NONE outside zones */
    int32_t *anchor; /* of a zone's root: the body vertex or fixed vertex that the zone follows, or WEFT_NONE */

    /* trajectories */
    double trajectory_time[2]; /* start and end of the predicted interval, s */
    int32_t horizon;           /* length of the interval in steps */
    int64_t replaced;          /* cloth vertices that got a new trajectory within the interval */

    /* pair cache */
    int pairs_valid; /* 1: the cached pairs belong to cache_key */
    struct contact_cache_key {
        double thickness, margin, spare;
        int32_t self, mode;
    } cache_key;

    /* constraints of the implicit solve, if it asked for them */
    weft_constraint *constraint;
    contact_constraint *constraint_data;
    int32_t constraint_count, constraint_capacity;
    int32_t *first_constraint; /* of each cloth vertex with a shape, or WEFT_NONE (cloth_vertices) */
    int32_t solve_round;
    int prepared;           /* 1: pairs and rows of the step are already there */
    double prepare_seconds; /* time that it took to find them */

    /* barrier */
    weft_vec3 *start;    /* positions at the start of the step (count) */
    weft_vec3 *finish;   /* of bodies: positions at the end of the step (count) */
    weft_vec3 *trial;    /* scratch of the line search (count) */
    weft_vec3 *anchor_x; /* positions about which the near pairs of the bins are complete (count) */
    double step_length;  /* s */
    double progress;     /* share of the step that has passed at x: 0 at its start, 1 when bodies have arrived */
    int near_valid;      /* 1: they are */
    int on_listed_line;  /* 1: x lies on the search line for which the pair cache was last brought up to date */
    contact_touch *touch;
    const contact_touch **touch_order; /* scratch to sort them (touch_capacity) */
    int32_t touch_count, touch_capacity;
    int touches_listed; /* 1: the touches are those at x */
    contact_touch *rub; /* touches at the start of the step, which have friction in it */
    int32_t rub_count, rub_capacity;
    contact_load *load; /* of the touches of the last solve in this step, sorted as these were */
    int32_t load_count, load_capacity;
    const weft_contact_grips *grips; /* views of the simulation's, at the start and the end of the step */
    weft_contact_grips *next_grips;

    contact_task *task, *new_task; /* sorted by objects and leaves; new_task: scratch for the next list */
    int32_t task_count, task_capacity;
    contact_bin *spare_bin;           /* linked list of bins without a task */
    contact_object_pair *object_pair; /* objects that get tasks; scratch of the broad phase */
    int32_t *sweep_order;             /* objects in the order of the broad-phase sweep (object_count) */
    int32_t object_pair_count, object_pair_capacity;
    int any_may_touch;      /* whether any two objects may touch */
    contact_bin *shape_bin; /* one per body and block of vertices (shape_bin_count) */
    int32_t shape_bin_count;
};

/* The arguments and constants of one step. */
typedef struct contact_step {
    weft_contact *contact;
    const weft_contact_settings *settings;
    const weft_work *work;
    double time, dt;
    double margin;       /* collision margin, m */
    double response;     /* displacement in the solve per force per mass, s2 */
    double touch_margin; /* a vertex this far beyond its distance from a shape still counts as touching, m */
    double tolerance;    /* allowed distance of a vertex from its trajectory at the start of the step, m */
    double slack;        /* additional allowance at the end of the step, m */
    double cache_margin; /* margin of the pair cache beyond the contact distance, m */
    double spare;        /* of the barrier: how much farther than the thickness its near pairs reach, m */
    int hopeless;        /* 1: the barrier cannot take the step */
    int gives_up, tangled, first;
    const int64_t *crossed; /* as in weft_contact_state */
    int loose_only;         /* 1: only vertices without a triangle touch shapes */
    int fast;               /* rounded shapes use only their distance function, not their triangles */
    weft_contact_report *report;
} contact_step;

/* response.c */
contact_step contact_step_of(weft_contact *contact, const weft_contact_settings *settings, const weft_work *work,
                             const weft_contact_state *state, weft_contact_report *report);
/* Places a body at both ends of a step. */
void contact_place_body(weft_contact *contact, contact_object *object, double time, double dt);
/* Copies the state of the cloths, places the bodies and updates the flags of torn triangles. */
weft_status contact_take_state(contact_step *step, const weft_contact_state *state);

/* contact_surfaces.c: reuses the surfaces, creases and trees that the objects already have. */
weft_result contact_build_surfaces(weft_contact *contact);

/* features.c */
weft_result contact_mark_features(weft_contact *contact);

/* broad_phase.c: tasks for pairs of objects whose bounds overlap. */
/* Whether any two objects may touch. */
int broad_phase_may_touch(const contact_step *step);
/* Call after bounds have changed. `keep`: existing tasks stay, because rows refer to their pairs. */
weft_status broad_phase_make_tasks(contact_step *step, int keep);
void broad_phase_drop_tasks(weft_contact *contact);

/* collide.c: continuous collisions within the step. */
weft_status contact_collide(contact_step *step);

/* zones.c */
/* Union-find: a vertex alone in its set is its own parent. The lowest number becomes the root, so that a set does not
 * depend on the order of the joins. */
int32_t contact_set_root(int32_t *parent, int32_t v);
void contact_set_join(int32_t *parent, int32_t a, int32_t b);

/* bins.c */
contact_bin *contact_new_bin(weft_contact *contact); /* empty; null when out of memory */
void contact_recycle_bin(weft_contact *contact, contact_bin *bin);
void contact_destroy_bin(contact_bin *bin);
weft_status contact_check_bins(weft_contact *contact); /* WEFT_STATUS_NO_MEMORY if any bin failed */
/* One more element of a list; null when out of memory. */
contact_pair *contact_bin_pair(contact_bin *bin);
contact_leaf_pair *contact_bin_leaf_pair(contact_bin *bin);
contact_row *contact_bin_row(contact_bin *bin);
contact_row *contact_bin_hit(contact_bin *bin);
contact_touch *contact_bin_touch(contact_bin *bin);
contact_near *contact_bin_near(contact_bin *bin);
int32_t *contact_bin_found(contact_bin *bin, int32_t count); /* element `count` of the list */

static inline int contact_all_fixed(const weft_contact *contact, const int32_t v[4]) {
    const double *w = contact->inverse_mass;
    return w[v[0]] + w[v[1]] + w[v[2]] + w[v[3]] == 0;
}

/* Runs `body` once per task: the parallel loop treats each task as one block. */
static inline void contact_for_tasks(const weft_work *work, int32_t count, weft_loop loop, void *context) {
    weft_parallel_for(work, (int64_t)count * WEFT_BLOCK, WEFT_BLOCK, loop, context);
}

static inline void contact_corners(const weft_vec3 *x, const int32_t vertex[4], weft_vec3 corner[4]) {
    for (int i = 0; i < 4; i++)
        corner[i] = x[vertex[i]];
}

#endif
