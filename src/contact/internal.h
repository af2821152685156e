/* Contact from the inside: all surfaces of a simulation as one list of vertices and triangles, in objects (cloths
 * first, then bodies). Constants are set by create and refresh; the rest lasts one step. */
#ifndef WEFT_CONTACT_INTERNAL_H
#define WEFT_CONTACT_INTERNAL_H

#include "body/pose.h"
#include "contact/contact_step.h"
#include "contact/distance.h"
#include "core/memory.h"

/* Boxes of what moves on straight lines, where the step begins and where it ends, in float, rounded outward; empty when
 * low > high. The fourth is padding: four floats are compared at once. */
typedef struct contact_box {
    float low[2][4], high[2][4];
} contact_box;

enum { LEAF = 4 }; /* triangles per leaf at most */

/* How a leaf moves, where the step begins and where it ends. `bent`: by how much at most a vertex moved otherwise than
 * the centre, summed up over all steps, m. */
typedef struct contact_patch {
    weft_vec3 centre[2];
    double bent[2];
} contact_patch;

/* A complete binary tree over triangles that are near each other at rest: node i has children 2 i and 2 i + 1, the
 * leaves are [leaves, 2 leaves). Leaf k holds the triangles order[k n / leaves .. (k + 1) n / leaves). */
typedef struct contact_tree {
    int32_t leaves, count; /* leaves: a power of two; count: triangles */
    int32_t *order;        /* triangles of the contact (count) */
    int32_t *first_corner; /* of each leaf (leaves + 1) */
    int32_t *corner;       /* vertices of the leaves, each once a leaf, numbered within the object */
    uint8_t *local;       /* of each corner of a triangle in the order of the tree: which it is of its leaf (3 count) */
    contact_patch *patch; /* (leaves) */
    contact_box *triangle; /* in the order of the tree (count) */
    contact_box *node;     /* (2 leaves) */
    uint8_t *dirty;        /* whether a node holds a vertex with another course (2 leaves) */
} contact_tree;

typedef struct contact_entry {
    uint64_t key; /* of its cell */
    int32_t triangle;
    uint32_t bucket;
} contact_entry;

enum { HASH_PARTS = 16 }; /* in which it is filled */

/* A part of the triangles. */
typedef struct contact_hash_chunk {
    double extent, largest; /* of their boxes: sum and maximum, m */
    int32_t triangles;
    int64_t place[HASH_PARTS]; /* of its next entry in each part of the table */
} contact_hash_chunk;

/* Triangles by the cells of a grid that their swept boxes touch; triangles in the order of the tree. */
typedef struct contact_hash {
    double cell;      /* its length, m */
    float origin[3];  /* of the grid, m */
    int32_t most[3];  /* the last cell with anything in it */
    uint32_t buckets; /* a power of two */
    int32_t *start;   /* of each bucket's entries (buckets + 1) */
    contact_entry *entry;
    contact_entry *mixed; /* the same by parts of the table, not yet by buckets */
    int64_t capacity;
    contact_hash_chunk chunk[HASH_PARTS];
    int64_t part[HASH_PARTS + 1]; /* where the entries of each part begin */
} contact_hash;

/* How a body bends at an edge that a triangle owns: the distance of the centres beside it in the body's own frame, m,
 * below 0 where it is sharp whatever the cloth, and the angle, rad. No edge: 0. */
typedef struct contact_crease {
    double apart, angle;
} contact_crease;

typedef struct contact_object {
    int32_t first, vertex_count;            /* its vertices */
    int32_t first_triangle, triangle_count; /* its triangles */
    const weft_contact_cloth *cloth;        /* null for a body */
    const weft_body_view *body;             /* null for a cloth */
    weft_body_surface surface;              /* of a body */
    weft_pose pose[2];                      /* of a body, at the start and the end of the step */
    double frame[2];                        /* and of its frames; a fraction lies between two */
    int32_t away;                           /* a body that is not there */
    contact_tree tree;
    int32_t tree_first;     /* first_triangle when the tree was made */
    contact_crease *crease; /* of a body (triangle_count x 3) */
    contact_hash hash;
    contact_box bounds;
    int32_t moves;   /* of a body: since the last plan */
    int32_t rounded; /* of a shape: it has no sharp features */
    double thick;    /* of a body: its thickness when pairs were listed, m */
    double fitted;   /* room for which the tree of a still body was fitted, 0 when it was not */
    int32_t search;  /* weft_contact_search for which it was */
} contact_object;

enum {
    OWNS_VERTEX = 1, /* << corner: the triangle owns that corner's vertex */
    OWNS_EDGE = 8,   /* << corner: and the edge from that corner to the next */
    SHARP_VERTEX = 64,
    SHARP_EDGE = 512, /* of a body: no smooth continuation of its neighbours */
    OPEN = 4096       /* torn: no longer part of the surface */
};

typedef struct contact_pair {
    int32_t vertex[4];
    int16_t kind; /* weft_pair_kind */
    int16_t near; /* whether it counts for proximity, not only for collision */
    float apart;  /* distance when its leaves were searched, m */
    float now;    /* distance at the start of the step, 0 when it is not known, m */
} contact_pair;

/* Two leaves that came near each other, and what of them was then within the thickness and `limit` of each other: all
 * that can touch until they have moved by that against each other. */
typedef struct contact_meeting {
    int32_t leaf[2];
    int32_t first, count; /* pairs of the bin */
    weft_vec3 apart;      /* from the centre of the second to that of the first when they were searched, m */
    double bent;          /* of both together then, m */
    double limit;
    double moved; /* at most, against each other since then, all through the step, m */
} contact_meeting;

/* A constraint of one contact: the gap n . (w0 x0 + .. + w3 x3) + bias is to be at least `target` at the end of the
 * step, and what slides is held by friction. Impulses on positions (kg m) and on velocities (kg m/s) are kept apart, so
 * that pushing layers apart to their thickness gives them no speed. */
typedef struct contact_row {
    int32_t vertex[4];
    int32_t shape; /* the object whose exact distance it is of; 0 for pairs, as object 0 is a cloth */
    int32_t held;  /* of a pair: 1 + its constraint in the solve, or 0 */
    double weight[4];
    weft_vec3 normal;
    weft_vec3 carried; /* displacement of the body's point during the step, when the body is not among the vertices */
    double bias, target;
    double mass;     /* 1 / sum of weight^2 / mass, kg */
    double friction; /* coefficient */
    double push, kick;
    weft_vec3 drag, brake; /* the frictional impulses on positions and velocities */
} contact_row;

/* What belongs to a constraint of the solve. */
typedef struct contact_hold {
    weft_vec3 carried; /* displacement of the body's point during the step, m */
    int32_t object;    /* the shape that a vertex is on; 0 for pairs */
    int32_t next;      /* of the same vertex, on other shapes; WEFT_NONE: no more */
    int32_t flips;     /* between sticking and sliding in this step */
    int32_t released;  /* whether it let go in this step */
} contact_hold;

/* What one block of work found; lasts between steps so that a steady step does not allocate. */
typedef struct contact_bin {
    contact_meeting *meeting, *met; /* by their leaves; met: those before a renewal */
    contact_pair *pair, *paired;    /* in the order of the meetings; paired: those before a renewal */
    contact_row *row;
    contact_row *hit; /* collisions of a round */
    int32_t *found;   /* triangles, while looking for pairs */
    int32_t meeting_count, meeting_capacity, met_count, met_capacity;
    int32_t pair_count, pair_capacity, paired_capacity;
    int32_t row_count, row_capacity, hit_count, hit_capacity, found_capacity;
    int32_t forced; /* collisions in which all is held */
    int failed;     /* memory ran out */
    struct contact_bin *next_spare;
} contact_bin;

/* Objects whose boxes meet, a <= b. */
typedef struct broad_phase_pairs {
    int32_t a, b;
} broad_phase_pairs;

/* Leaves [begin, end) of object a against the tree of object b. */
typedef struct contact_task {
    int32_t a, b, begin, end;
    contact_bin *bin; /* what it found */
} contact_task;

struct weft_contact {
    contact_object *object;
    int32_t object_count, cloth_count;
    weft_contact_cloth *cloth;
    weft_body_view *body;

    int32_t count, cloth_vertices; /* vertices of all objects; those of cloths come first */
    int32_t triangle_count;
    int32_t (*triangle)[3]; /* (triangle_count) */
    uint16_t *marks;        /* (triangle_count) */
    int32_t *object_of;     /* (count) */
    weft_vec3 *rest;        /* (count) */
    double edge_length;     /* of cloth at rest, the mean, m */

    /* of a step (count) */
    weft_vec3 *x, *x_next, *v_next;
    double *inverse_mass;
    contact_box *reach;   /* of each vertex: around its course */
    weft_vec3 *course[2]; /* where it should be at the beginning and at the end of the plan, on a straight line */
    uint8_t *dirty;       /* 1: it is too far from there */
    uint8_t *changed;     /* since the last round of detection: 1 */
    weft_vec3 *seen[2];   /* x and x_next of the motion of leaves */
    int32_t *parent;      /* of zones: union-find; WEFT_NONE outside of them */
    int32_t *leader;      /* of a zone's root: a vertex of a body, or held, that it moves with, or WEFT_NONE */

    /* of courses */
    double plan[2];   /* from when to when they go, s */
    int32_t horizon;  /* steps of a plan */
    int64_t replaced; /* vertices of cloth that got another course since it was made */

    /* of pairs, which are kept from step to step */
    int listed; /* whether there are any, for: */
    struct contact_listed {
        double thickness, margin;
        int32_t self, mode;
    } listed_for;

    /* constraints of the solve, when it asked for them */
    weft_constraint *held;
    contact_hold *hold;
    int32_t held_count, held_capacity;
    int32_t *first_hold;  /* of each vertex of cloth, on shapes; WEFT_NONE: none (cloth_vertices) */
    int32_t round;        /* of the solve */
    int begun;            /* whether pairs and rows of the step are there already */
    double begun_seconds; /* that it took to find them */

    contact_task *task, *planned; /* by objects and leaves; planned: room for other ones */
    int32_t task_count, task_capacity;
    contact_bin *spare;      /* without a task */
    broad_phase_pairs *near; /* objects with tasks, while these are made */
    int32_t *sweep;          /* objects by where they begin (object_count) */
    int32_t near_count, near_capacity;
    int touchable;          /* whether any two objects may touch */
    contact_bin *shape_bin; /* one per block of vertices and body (shape_bin_count) */
    int32_t shape_bin_count;
};

/* One step's call. */
typedef struct contact_step {
    weft_contact *contact;
    const weft_contact_settings *settings;
    const weft_work *work;
    double time, dt;
    double margin; /* of collisions, m */
    double answer; /* of x in the solve to a force per mass, s2 */
    double touch;  /* how far beyond its distance from a shape a vertex counts as touching it, m */
    double slack;  /* how much further than `stray` a vertex may be off its course at the end of the step, m */
    double stray;  /* how far it may be at its start, m */
    double limit;  /* how far beyond the thickness pairs are kept, m */
    int gives_up, tangled;
    const int64_t *crossed; /* as in weft_contact_state */
    int fast;               /* round shapes hold vertices alone */
    weft_contact_report *report;
} contact_step;

/* contact.c */
contact_step contact_step_of(weft_contact *contact, const weft_contact_settings *settings, const weft_work *work,
                             const weft_contact_state *state, weft_contact_report *report);
weft_status contact_take_state(contact_step *step, const weft_contact_state *state);

/* surface.c: with what objects have already. */
weft_result contact_make_surface(weft_contact *contact);
/* features.c */
weft_result contact_mark_features(weft_contact *contact);

/* tree.c */
weft_result contact_tree_create(const weft_contact *contact, contact_object *object);
/* Its triangles have other numbers, all by the same. */
void contact_tree_move(const contact_tree *tree, int32_t by);
void contact_tree_destroy(contact_tree *tree);
void contact_tree_refit(const weft_work *work, const weft_contact *contact, contact_object *object);

/* hash.c: made from the boxes of the tree's triangles. */
weft_status contact_hash_fill(const weft_work *work, contact_object *object);
void contact_hash_destroy(contact_hash *hash);
/* The triangles whose boxes meet `box`, in the order of the tree, in bin->found; returns how many. */
int32_t contact_hash_find(const contact_object *object, const contact_box *box, contact_bin *bin);

/* drift.c: how leaves move against each other. */
/* x is new; whether it is where the last step ended. */
int pair_cache_begin_drift(const weft_work *work, const weft_contact *contact, contact_object *object);
void pair_cache_end_drift(const weft_work *work, const weft_contact *contact,
                          contact_object *object);    /* x_next is new */
void pair_cache_forget_drift(contact_object *object); /* nothing is kept */

/* course.c: boxes around where vertices are expected for some steps. */
weft_status contact_fit(contact_step *step, contact_object *object); /* of a body */
int contact_on_plan(const contact_step *step);                       /* whether the step is within it */
/* Marks vertices of cloth that are further off their courses than `most` at x; returns how many. */
int32_t contact_mark_strayed(const contact_step *step, const weft_vec3 *x, double time, double most);
weft_status contact_make_plan(contact_step *step);   /* courses and trees of all cloths */
weft_status contact_change_plan(contact_step *step); /* for dirty vertices */

/* near.c: tasks of objects that are near each other. */
int contact_may_touch(const contact_step *step); /* any two */
/* After bounds have changed. `keep`: what there is stays, for rows that were found by it. */
weft_status contact_plan_tasks(contact_step *step, int keep);
void contact_drop_tasks(weft_contact *contact);

/* leaves.c: which leaves of two trees meet, by their boxes. */
typedef struct contact_search {
    const weft_contact *contact;
    contact_bin *bin;
    const contact_object *a, *b;
    double near;    /* distance beyond which features neither touch nor collide, m */
    double limit;   /* how far beyond it they are kept at least, m */
    int all, dirty; /* all leaves are looked at, or those with a dirty vertex, or none */
    int anew;       /* the start of the step is not the end of the last one */
    int hashed;     /* which of the two ways */
    int near_only;  /* pairs that count for proximity alone */
    int smooth;     /* b is a shape whose exact distance does the proximity, but for sharp features */
    int32_t next;   /* of the meetings before */
} contact_search;
void narrow_phase_search_leaves(contact_search *s, const contact_task *task);

/* meet.c: pairs of features of two leaves. */
void narrow_phase_find_pairs(contact_search *s, int32_t leaf,
                             int32_t other); /* adds a meeting with the pairs it finds */
double contact_moved(const contact_search *s, const contact_meeting *meeting); /* now */

/* kept.c: meetings that are kept from step to step. */
void contact_begin_renewal(contact_bin *bin);
void contact_visit(contact_search *s, int32_t leaf, int32_t other); /* of leaves that meet, in order */
void contact_end_renewal(contact_search *s);
int contact_still_holds(const contact_search *s); /* updates `moved`; whether all meetings do */
double pair_cache_limit(const weft_contact *contact, const weft_contact_settings *settings); /* m */
void contact_check_list(const contact_step *step); /* forgets what was found for other settings */

/* pairs.c: the candidate pairs of each task. */
weft_status contact_list_pairs(contact_step *step);  /* complete for the start of the step */
weft_status contact_renew_pairs(contact_step *step); /* and for the way to x_next */

/* rows.c: contacts at the start of the step, solved by sweeps. */
weft_status contact_probe_shapes(contact_step *step); /* rows of vertices that end the step too close to exact shapes */
weft_status contact_land(contact_step *step);         /* and these made good; before pairs are looked for */
/* Held vertices that go into an exact shape whose triangles are not tested. */
int32_t contact_count_pulled(const contact_step *step, const contact_object *cloth, const contact_object *body);
weft_status contact_find_constraints(contact_step *step); /* rows of pairs */
void contact_settle(contact_step *step);
double contact_thickness(const contact_step *step, const contact_pair *pair);
double contact_friction(const contact_step *step, const contact_pair *pair);
double contact_row_mass(const weft_contact *contact, const int32_t vertex[4], const double weight[4]);
/* Makes one contact good; returns by how much the gap was short, m. */
double contact_row_solve(const contact_step *step, contact_row *row);

/* strain.c */
void contact_limit_strain(contact_step *step);
/* Whether the step lengthens edges by more than it may. Contact where nothing else in a long step would have stopped
 * them pulls vertices away from their neighbours; in two steps of half the length the cloth answers in between. */
int contact_stretches(const contact_step *step);

/* constrain.c */
void contact_quiet(contact_step *step);
int contact_is_held(const weft_contact *contact, const contact_row *row); /* by the solve */
/* Whether cloth passes through the body of a task and is to come out again. */
int contact_is_let_out(const contact_step *step, const contact_task *task);

/* collide.c: collisions within the step. */
weft_status contact_collide(contact_step *step);

/* zones.c: makes the vertices of the hits found last move rigidly. */
weft_status contact_make_rigid(contact_step *step);
/* Sets of vertices as trees: what is alone is its own parent. The lower number becomes the root, so that a set does not
 * depend on the order in which it was joined. */
int32_t contact_root(int32_t *parent, int32_t v);
void contact_join(int32_t *parent, int32_t a, int32_t b);

/* bins.c */
contact_bin *contact_new_bin(weft_contact *contact); /* empty; null when memory is out */
void contact_spare_bin(weft_contact *contact, contact_bin *bin);
void contact_destroy_bin(contact_bin *bin);
weft_status contact_check_bins(weft_contact *contact); /* whether memory ran out in any */
contact_pair *contact_bin_pair(contact_bin *bin);
contact_meeting *contact_bin_meeting(contact_bin *bin);
contact_row *contact_bin_row(contact_bin *bin);
contact_row *contact_bin_hit(contact_bin *bin);
int32_t *contact_bin_found(contact_bin *bin, int32_t count); /* place `count` of the list */

static inline contact_box contact_box_join(contact_box a, contact_box b) {
    for (int e = 0; e < 2; e++)
        for (int k = 0; k < 4; k++) {
            a.low[e][k] = b.low[e][k] < a.low[e][k] ? b.low[e][k] : a.low[e][k];
            a.high[e][k] = b.high[e][k] > a.high[e][k] ? b.high[e][k] : a.high[e][k];
        }
    return a;
}

/* Whether they may meet on the way: not when one stays beyond the other along an axis. That parts what moves together,
 * such as cloth that falls, where boxes of the whole way would be as long as it. */
static inline int contact_box_meets(const contact_box *a, const contact_box *b) {
    int apart = 0;
    for (int k = 0; k < 4; k++)
        apart |= ((a->low[0][k] > b->high[0][k]) & (a->low[1][k] > b->high[1][k])) |
                 ((b->low[0][k] > a->high[0][k]) & (b->low[1][k] > a->high[1][k]));
    return !apart;
}

/* Whether a pair stays further apart than `most` all through the step. */
static inline int contact_stays_apart(const contact_meeting *meeting, const contact_pair *pair, double most) {
    return (double)pair->apart - meeting->moved > most;
}

static inline int contact_all_held(const weft_contact *contact, const int32_t v[4]) {
    const double *w = contact->inverse_mass;
    return w[v[0]] + w[v[1]] + w[v[2]] + w[v[3]] == 0;
}

static inline int32_t contact_leaf_start(const contact_tree *tree, int32_t leaf) {
    return (int32_t)((int64_t)leaf * tree->count / tree->leaves);
}

/* Tasks are what the parallel loop counts in: each is worth a block. */
static inline void contact_for_tasks(const weft_work *work, int32_t count, weft_loop body, void *context) {
    weft_parallel_for(work, (int64_t)count * WEFT_BLOCK, WEFT_BLOCK, body, context);
}

static inline void contact_corners(const weft_vec3 *x, const int32_t vertex[4], weft_vec3 corner[4]) {
    for (int i = 0; i < 4; i++)
        corner[i] = x[vertex[i]];
}

#endif
