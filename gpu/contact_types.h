/* Contact on the device: surfaces, trees, pairs and touches. The method is that of src/contact/barrier.h. Vertices are
 * those of the cloths, followed by those of the bodies. Triangles and edges are numbered in the order of their trees.
 */
#ifndef WEFT_GPU_CONTACT_TYPES_H
#define WEFT_GPU_CONTACT_TYPES_H

#include "contact_distance.h"
#include "sim/device_backend.h"

enum {
    GPU_TREE_FAN = 4, /* children of a node */
    GPU_TREE_LEVELS = 16,
    GPU_MOST_PARTS = 64, /* connected parts of cloths beyond which their momentum is left to tighter solves */
    GPU_BOX = 12         /* floats of a box: low and high at the start of a search line, low and high at its end */
};

/* A tree without pointers: box k of a level covers the boxes [4 k, 4 k + 4) of the level below. Level 0 holds the
 * features themselves. */
typedef struct gpu_tree {
    int32_t count, levels;
    int32_t first[GPU_TREE_LEVELS + 1]; /* first box of each level, and the end */
    float *box;
} gpu_tree;

/* A cloth or a body. */
typedef struct gpu_object {
    double thickness; /* of a body, beyond that of contact, m */
    double friction;
    int32_t is_body, absent;
} gpu_object;

/* Kind, first and second feature in one number. Lists are sorted by it. */
typedef uint64_t gpu_key;

/* A pair that may come within its reach. */
typedef struct gpu_near {
    gpu_key key;
    double most;  /* largest reach, m; 0: all its vertices are fixed */
    double reach; /* in this step, m */
    int32_t grip; /* its grip at the start of the step, or -1 */
    float narrow; /* gpu_edge_narrow of two edges */
} gpu_near;

/* What a touching pair remembers from step to step: weft_contact_grip. */
typedef struct gpu_grip {
    gpu_key key;
    double reach;
    weft_vec3 slip;
} gpu_grip;

/* A pair closer than its reach: contact_touch. */
typedef struct gpu_touch {
    gpu_key key;
    int32_t vertex[4];
    double weight[4];
    weft_vec3 normal, slip;
    double force, stiffness; /* of the barrier, N and N/m */
    double most_friction;    /* N */
    double most_reach, reach;
    double share; /* gpu_edge_share of two edges, J; 0: the barrier does not fade */
} gpu_touch;

/* A term J^T P J of the system, where J x = w0 x0 + .. + w3 x3. Bodies have the weight 0. Where all vertices are those
 * of cloths, J x is a sum of differences from x0, so that common motion does not feel the rounding of stiff terms. */
typedef struct gpu_term {
    int32_t vertex[4];
    float weight[4];
    float p[6];      /* xx xy xz yy yz zz */
    int32_t differs; /* 1: differences from x0 */
    int32_t reserved;
} gpu_term;

typedef struct gpu_entry {
    int32_t term;
    float weight;
} gpu_entry;

/* The terms in the linear system. Those of vertex i are entry[start[i] .. start[i + 1]). */
typedef struct gpu_coupling {
    int32_t terms;
    const gpu_term *term;
    float *load;         /* P J u, four floats per term */
    weft_vec3 *exact;    /* P J x in double */
    const weft_vec3 *of; /* that x */
    const int32_t *start;
    const gpu_entry *entry;
    weft_vec3 *right; /* what contact adds to b (count) */
    double *diagonal; /* and to the diagonal blocks (count x 6) */
} gpu_coupling;

/* A vertex or edge that would hit something gives way: displacement of one vertex. */
typedef struct gpu_contact {
    int32_t on; /* 0: there is no contact */
    int32_t count, cloths;
    int32_t triangles, cloth_triangles, edges, cloth_edges;
    int32_t self;  /* 1: cloths touch themselves and each other */
    int32_t fresh; /* 1: the near pairs were just listed for this line */
    int32_t now_tree, now_level;
    double within;                             /* above 0: the search is for pairs closer than this, m */
    double thickness, friction, widest, spare; /* m, factor, m, m */
    const int32_t *triangle;                   /* (triangles x 3) */
    const int32_t *edge;                       /* (edges x 2) */
    const int32_t *object_of;                  /* (count) */
    const uint8_t *in_surface;                 /* 1: a corner of a triangle (count) */
    const weft_vec3 *rest;                     /* (count) */
    const gpu_object *object;
    gpu_tree tree[2]; /* of triangles, of edges */

    /* the step (count): ends of the search line, a point on it, start of the step, bodies at its end, and the places
     * about which the near pairs are complete */
    weft_vec3 *x, *x_next, *trial, *start, *finish, *anchor;
    weft_vec3 *elastic_start; /* elastic forces at the start of the step, N (cloths) */
    int64_t *offset;          /* places of what a pass writes */
    gpu_near *near;
    int32_t near_count, touch_count, rub_count, grip_count, next_grip_count;
    double *bound; /* of each near pair: the fraction that is free of contact; -1: no way out */
    gpu_touch *touch, *rub;
    gpu_grip *grip, *next_grip;
    gpu_term *term;
    weft_vec3 *term_force;
    uint32_t *entry_key, *sorted_key;
    int32_t *entry_value, *sorted_value;
    gpu_entry *entry;
    int32_t *entry_start;

    /* connected parts of the cloths, and groups of parts that touch */
    int32_t parts, now_group; /* parts: 0 when there are too many */
    const int32_t *part_of;   /* (cloths) */
    uint8_t *joined;          /* 1: a term joins two parts; on the diagonal: a body holds the part (parts x parts) */
    int32_t *group_of;        /* (parts) */
    weft_vec3 correction;     /* of the velocities of a group, m/s */
} gpu_contact;

WEFT_HD gpu_key gpu_make_key(int kind, int32_t a, int32_t b) {
    return ((gpu_key)kind << 63) | ((gpu_key)(uint32_t)a << 32) | (gpu_key)(uint32_t)b;
}

WEFT_HD int gpu_key_kind(gpu_key key) { return (int)(key >> 63); }
WEFT_HD int32_t gpu_key_first(gpu_key key) { return (int32_t)((key >> 32) & 0x7fffffffU); }
WEFT_HD int32_t gpu_key_second(gpu_key key) { return (int32_t)(key & 0xffffffffU); }

/* The four vertices of a pair. */
WEFT_HD void gpu_pair_vertices(const gpu_contact *c, gpu_key key, int32_t *v) {
    int64_t a = gpu_key_first(key), b = gpu_key_second(key);
    if (gpu_key_kind(key) == GPU_VERTEX_TRIANGLE) {
        v[0] = (int32_t)a;
        for (int k = 0; k < 3; k++)
            v[1 + k] = c->triangle[3 * b + k];
        return;
    }
    v[0] = c->edge[2 * a];
    v[1] = c->edge[2 * a + 1];
    v[2] = c->edge[2 * b];
    v[3] = c->edge[2 * b + 1];
}

WEFT_HD void gpu_pair_places(const weft_vec3 *x, const int32_t *v, weft_vec3 *at) {
    for (int k = 0; k < 4; k++)
        at[k] = x[v[k]];
}

#endif
