/* Internal forces of one cloth: what a model component provides. */
#ifndef WEFT_MODEL_H
#define WEFT_MODEL_H

#include "weft/base.h"
#include "weft/component.h"
#include "weft/fabric.h"
#include "weft/map.h"
#include "weft/mesh.h"
#include "weft/work.h"

WEFT_BEGIN

/* What a model can do; an integrator says what it needs. */
enum {
    WEFT_FORCES = 1,      /* energy and force */
    WEFT_CONSTRAINTS = 2, /* relax */
    WEFT_HESSIANS = 4,    /* element_lists and element_blocks */
    WEFT_RESHAPES = 8,    /* the mesh, of triangles, may become another one; without it the model is made anew */
    WEFT_LINKS = 16,      /* link_count and link_at: all of its resistance is along links */
    WEFT_MAPS = 32        /* looks at the maps of stretch and bend */
};

/* The constants of one cloth. Lives longer than the model made from it. */
typedef struct weft_cloth {
    const char *name;
    const weft_mesh *mesh;
    const weft_fabric *fabric;
    const double *mass;                /* kg (mesh->vertex_count) */
    const double *area;                /* m2 at rest (mesh->vertex_count) */
    const double *map[WEFT_MAP_COUNT]; /* factors (mesh->vertex_count), null: 1. Its mass has that of density */
} weft_cloth;

/* Elements of one kind: springs are pairs of vertices, triangles triples. Each couples all its vertices. */
typedef struct weft_elements {
    int32_t count, arity;  /* arity: vertices per element, 2 to WEFT_ARITY_MAX */
    const int32_t *vertex; /* distinct within an element (count x arity) */
    /* What an element was in the list before the model's last reshape, WEFT_NONE for a new one (count); null: not
     * told. */
    const int32_t *from;
    int32_t same; /* set by the simulation: all are what they were, there was no reshape since the last one to look */
    /* The vertex of an element that takes no part in its forces, so that the blocks of its pairs are 0, or -1 (count);
     * null: all do. */
    const int8_t *idle;
    /* The block of each pair is one symmetric tensor of the element times a weight of the pair, and without damping
     * that tensor is a number times the unit matrix. For element_sums, which must then be there. */
    int32_t tensor;
} weft_elements;

enum { WEFT_ARITY_MAX = 8 };

/* Of `element_sums`: most elements of one call, what room their number is rounded up to, and the floats of a pair, or
 * of WEFT_TENSOR_PAIRS of them where a list has tensors. */
enum { WEFT_SUMS_MAX = 64, WEFT_SUMS_ROOM = 16, WEFT_PAIR_FLOATS = 12, WEFT_TENSOR_FLOATS = 16, WEFT_TENSOR_PAIRS = 8 };

/* Rows of the matrix of a model whose elements are pairs: each pair is in two of them. */
typedef struct weft_pair_rows {
    int32_t count;                   /* of rows */
    int32_t first;                   /* the vertex of the first one */
    const int32_t *start;            /* of each row among the blocks, from 0 on (count + 1) */
    const int32_t *element, *column; /* of each block: its element, and its other vertex (start[count]) */
    const double (*place)[8];        /* x, 0, u, 0 of each vertex, by what first and column count */
    double h;                        /* s */
} weft_pair_rows;

/* What the blocks of a row add up to. */
typedef struct weft_pair_sum {
    double last[4]; /* zz; the stiffness times u[column] - u[row] */
    float first[8]; /* xx xy xz xy yy yz xz yz */
} weft_pair_sum;

/* A line between two vertices, for pictures and reports. */
typedef struct weft_link {
    int32_t a, b;
    int32_t type;       /* WEFT_LINK_... */
    double rest_length; /* m */
    double stiffness;   /* N/m */
} weft_link;

enum { WEFT_STRUCTURAL, WEFT_SHEAR, WEFT_FLEXION, WEFT_LINK_TYPES };

/* State of a triangle along weft and warp, and in (engineering) shear. */
typedef struct weft_strain {
    double strain[3];
    double stress[3]; /* N/m */
} weft_strain;

/* Arrays by vertex that will be read or written, worth fetching ahead; null where there are fewer. */
typedef struct weft_fetched {
    const weft_vec3 *vector[3];
    const float *triple[6]; /* three floats a vertex */
    const double *number[2];
} weft_fetched;

/* How a model adds its forces to others while a run of vertices is in the cache: `begin` sets f to the others' forces,
 * `end` takes the sums. Both are called for every vertex once, in any order and in parallel. `place`, unless null, says
 * where the vertices are and how fast instead of x and v, which are then what it reads. */
typedef struct weft_force_runs {
    weft_force_sink begin, end;
    weft_place_source place;
    void *context;
    weft_fetched fetched;
} weft_force_runs;

/* How a mesh of triangles came from the one before it. Whatever is not marked is the same in both, number by number. */
typedef struct weft_reshape {
    const weft_mesh *before; /* lives until the end of the call */
    const uint8_t *changed;  /* 1: a triangle with other corners, rest coordinates or place (mesh->triangle_count) */
    const uint8_t *touched;  /* 1: a vertex at a changed triangle or opposite to one (mesh->vertex_count) */
} weft_reshape;

/* A triangle of a surface that a model was not made for. */
typedef struct weft_facet {
    weft_vec3 rest[3]; /* m */
    weft_vec3 x[3];    /* m */
    weft_vec2 uv[3];   /* rest coordinates, m */
    int32_t has_uv;
    double stretch[3], bend[3]; /* of the maps at its corners */
} weft_facet;

/* Positions, velocities and forces are those of the cloth's own vertices (mesh->vertex_count). Functions that a model
 * does not have are null. `self` is what create made; settings are the component's settings struct. */
typedef struct weft_model_functions {
    unsigned gives; /* WEFT_FORCES, ... */
    weft_result (*create)(const void *settings, const weft_cloth *cloth, void **self);
    void (*destroy)(void *self);
    /* Settings, fabric or masses changed: take over the new values, keep the state. */
    weft_result (*retune)(void *self, const void *settings, const weft_cloth *cloth);
    /* J */
    double (*energy)(const void *self, const weft_work *work, const weft_vec3 *x);
    /* Adds to f, N. */
    void (*force)(const void *self, const weft_work *work, const weft_vec3 *x, const weft_vec3 *v, weft_vec3 *f);
    /* `passes` rounds over all distance constraints, moving x. inverse_mass is 0 where a vertex is held. */
    void (*relax)(const void *self, const weft_work *work, const double *inverse_mass, int passes, weft_vec3 *x);
    /* For implicit schemes: the elements whose energies add up to the model's, fixed until the topology changes.
     * Returns how many lists there are. */
    int32_t (*element_lists)(const void *self, const weft_elements **lists);
    /* For `count` elements of a list and each of their pairs of vertices, in the order 01 02 .. 12 ..: the blocks
     * d2E / dxa dxb (stiffness, N/m) and -dfa / dvb (damping, kg/s), row-major (count x pairs x 9). Diagonal blocks
     * follow from them, because internal forces do not change under translation. What would make the whole matrix
     * indefinite is left out. `damping` may be null. */
    void (*element_blocks)(const void *self, int32_t list, const int32_t *element, int32_t count, const weft_vec3 *x,
                           const weft_vec3 *v, double *stiffness, double *damping);
    /* Shortens what is longer than allowed: a move d of x adds d / dt to v. Returns whether anything was moved. */
    int (*limit)(const void *self, const weft_work *work, const double *inverse_mass, double dt, weft_vec3 *x,
                 weft_vec3 *v);
    /* Breaks what is overstretched. Returns how many links broke; their faces are marked in face_open (face_count). */
    int (*tear)(void *self, const weft_work *work, const weft_vec3 *x, uint8_t *face_open);
    /* What changed since create (broken links), for snapshots. */
    size_t (*state_size)(const void *self);
    void (*state_save)(const void *self, void *buffer);
    weft_result (*state_load)(void *self, const void *buffer, size_t size);
    /* Upper bound of the highest angular frequency, 1/s: explicit schemes are stable below about 2 / it. */
    double (*highest_frequency)(const void *self, const double *mass);
    int32_t (*link_count)(const void *self);
    weft_link (*link_at)(const void *self, int32_t index); /* stiffness 0: broken */
    /* For implicit schemes: adds -df/dv of forces against the velocity of a vertex itself, which no pair of vertices
     * can hold, symmetric and positive: xx xy xz yy yz zz per vertex, kg/s (vertex_count x 6). */
    void (*vertex_damping)(const void *self, const weft_work *work, const weft_vec3 *x, const weft_vec3 *v,
                           double *block);
    /* Strain and stress of every triangle (mesh->triangle_count). */
    void (*measure)(const void *self, const weft_work *work, const weft_vec3 *x, weft_strain *strain);
    /* Breaks links by their index, and what cannot be without them, as `tear` does. Returns how many broke. */
    int (*sever)(void *self, const int32_t *link, int32_t count, uint8_t *face_open);
    /* The same as force, in runs of at most WEFT_BLOCK vertices; for models that can give some vertices their whole
     * force before others. Returns 0, with nothing called, when this one cannot. */
    int (*force_runs)(const void *self, const weft_work *work, const weft_vec3 *x, const weft_vec3 *v,
                      const weft_force_runs *runs);
    /* The model of a cloth whose mesh became another one, from the one that it had, with what is the same taken over;
     * it must be what create would make. `self` stays. Null for a model that WEFT_RESHAPES: it is made anew. */
    weft_result (*reshape)(const void *self, const void *settings, const weft_cloth *cloth, const weft_reshape *change,
                           void **made);
    /* The blocks as an implicit step of length h adds them up, h^2 stiffness + h damping in single precision, for up to
     * WEFT_SUMS_MAX elements, from place: x, 0, u, 0 of each vertex. A record for each pair, 01 02 .. 12 ..: its block,
     * row-major, and for the pairs of vertex 0 the stiffness times u at the other vertex (count x pairs x
     * WEFT_PAIR_FLOATS); at vertex 0 it is less their sum. For a list of tensors, for each WEFT_TENSOR_PAIRS pairs or
     * part of them, xx xy xz yy yz zz, the stiffness, 0, and the weights of these pairs (WEFT_TENSOR_FLOATS). There is
     * room for the next multiple of WEFT_SUMS_ROOM elements. Null, or 0 is returned, for a list of tensors neither:
     * element_blocks is to be taken. */
    int (*element_sums)(const void *self, int32_t list, const int32_t *element, int32_t count, const double (*place)[8],
                        double h, float *record);
    /* For a model whose elements are one list of pairs with forces along them, so that the matrix is made row by row:
     * h^2 stiffness + h damping = -(s s^T + c 1) in single precision, s and c >= 0 (start[count] x 4), and sums of the
     * rows (count). */
    void (*pair_rows)(const void *self, const weft_pair_rows *rows, float *block, weft_pair_sum *sum);
    /* The corners of a triangle at rest in coordinates whose x is the weft and y the warp, m, in the order of
     * mesh->triangle. For models that know; of others the weft is that of the mesh's rest coordinates, or x. */
    void (*rest)(const void *self, int32_t triangle, weft_vec2 corner[3]);
    /* For meshes that change: what a triangle adds to the energy, and what an edge does, J. The edge is from the first
     * to the second corner of `left`, and back in `right`, which is null at a boundary; `joined`: the third corners of
     * both have an edge of their own. Either may be null; the sums over a surface are what `energy` tells of a model
     * made for it. */
    double (*facet_energy)(const void *self, const weft_facet *facet);
    double (*edge_energy)(const void *self, const weft_facet *left, const weft_facet *right, int joined);
} weft_model_functions;

WEFT_END
#endif
