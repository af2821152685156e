/* A triangle surface that can be refined, coarsened and cut, and that can undo its refinement exactly.
 *
 * J. Bender, C. Deul, "Adaptive cloth simulation using corotational finite elements", Computers & Graphics 2013,
 * section 5, after L. Kobbelt, "sqrt(3)-subdivision", SIGGRAPH 2000.
 *
 * Triangle t has the half-edges 3 t, 3 t + 1, 3 t + 2. A boundary half-edge has no twin. A triangle of an even
 * generation is split into three by a vertex at its centre. The children have the next odd generation. Two children
 * that share an edge of their parents flip it, which gives the next even generation. This edge is the mate edge. It is
 * always the first half-edge of a refined triangle, before and after the flip.
 *
 * Some edges cannot be flipped: boundaries, creases, seams at rest, and edges whose flip would leave a sliver. In the
 * next step such an edge is cut into three instead, from both sides at once. */
#ifndef WEFT_MESH_REFINED_H
#define WEFT_MESH_REFINED_H

#include "weft/mesh.h"

enum { WEFT_GENERATIONS = 24 }; /* highest generation */

/* What a triangle needs to undo its refinement. */
typedef struct weft_lineage {
    int32_t generation;
    uint32_t first;  /* bit i: at generation 2 i + 1 it was the one of three that kept the parent's place */
    uint32_t middle; /* bit i: at generation 2 i it was the middle triangle of an edge cut into three */
    int32_t face;    /* triangle of the base mesh that contains it, or contained it before a flip */
} weft_lineage;

/* Log of vertex changes, in order. An inserted vertex is the last one and lies at the weighted sum of `from`. A removed
 * vertex is replaced by `from[0]`, which was the last one. */
typedef struct weft_vertex_change {
    int32_t vertex;
    int32_t from[3];
    double weight[3]; /* 0 for a removed vertex */
} weft_vertex_change;

/* An edge flip or a coarsening: triangles before and after, and the tetrahedra between them. */
typedef struct weft_flip_volume {
    int32_t before[3][3], after[2][3], volume[2][4];
    int before_count, after_count, volume_count;
} weft_flip_volume;

typedef struct weft_refined {
    int32_t vertex_count, triangle_count, vertex_capacity, triangle_capacity;
    int32_t base_vertices, base_triangles; /* these keep their numbers */
    weft_vec3 *position;                   /* at rest, m (vertex_count) */
    int32_t *corner;                       /* an outgoing half-edge; at a boundary the one without a twin */
    double *map; /* values interpolated with the vertices (vertex_count x map_count), or null */
    int32_t map_count;
    uint8_t *birth;         /* generation of the triangles it was made with; 0: initial vertex */
    int32_t *origin, *twin; /* (3 triangle_count) */
    weft_vec2 *uv;          /* rest coordinates of corners (3 triangle_count), or null */
    weft_lineage *lineage;  /* (triangle_count) */
    uint8_t *changed;       /* since it was last cleared (triangle_count) */
    int32_t *listed; /* changed triangles in order, with repetitions, recorded while `lists` is set (listed_count) */
    int32_t listed_count, listed_capacity, lists;
    weft_vertex_change *change;
    int32_t change_count, change_capacity;
    int32_t vertex_limit; /* maximum; 0: no limit */
    int limited;          /* whether the limit stopped an operation */
    int failed;           /* out of memory: an operation was not done */
    int64_t vetoed;       /* flips and coarsenings that `allows` rejected */
    int32_t flipped;      /* number of flips, both ways, since the counter was reset */
    /* Whether a change is allowed; null: always. Splits and cuts do not ask, because they keep the shape of the
     * surface. */
    int (*allows)(const void *context, const weft_flip_volume *flip);
    const void *context;
} weft_refined;

/* From a triangle mesh, which is copied. */
weft_result weft_refined_create(const weft_mesh *triangles, weft_refined **made);
weft_result weft_refined_copy(const weft_refined *from, weft_refined **made);
void weft_refined_destroy(weft_refined *refined); /* null is allowed */
/* Sets maps of an unrefined surface: `value` for the base vertices (base_vertices x count). Inserted vertices get
 * weighted means. */
weft_result weft_refined_set_maps(weft_refined *refined, const double *value, int32_t count);

/* Makes a mesh. `base` is the initial triangle mesh. It provides groups, names and source vertices. Inserted vertices
 * get the source of the first vertex. The mesh is not a grid. */
weft_result weft_refined_mesh(const weft_refined *refined, const weft_mesh *base, weft_mesh **mesh);

/* Level of refinement: the generation, or the next even one if the mate edge is not to be flipped. */
int32_t weft_refined_level(const weft_refined *refined, int32_t triangle);

/* Refines the triangle by one level, and its neighbours as required. Returns whether it did. */
int weft_refined_split(weft_refined *refined, int32_t triangle);
/* Removes an inserted vertex, together with its partner on a cut edge. Returns 0 if that would affect later
 * refinements, or if `allows` rejects it. */
int weft_refined_join(weft_refined *refined, int32_t vertex);
/* Whether weft_refined_join would succeed. Writes the vertices around the ones it would remove to `ring`, up to `most`.
 * Returns their number, 0 if it would fail. */
int32_t weft_refined_joinable(const weft_refined *refined, int32_t vertex, int32_t *ring, int32_t most);
/* Flips mate edges that `allows` rejected earlier. Returns how many. */
int32_t weft_refined_flip_remaining(weft_refined *refined);

/* Opens an inner edge: its two sides become boundaries. An end vertex whose triangles are no longer connected is split
 * in two. Returns 0 for a boundary, or if out of memory. */
int weft_refined_open(weft_refined *refined, int32_t halfedge);
/* Undoes the last weft_refined_open that is not undone yet. The arguments are its half-edge and the former twin. No
 * other change may lie in between. */
void weft_refined_close(weft_refined *refined, int32_t halfedge, int32_t twin);

/* Null if valid, else a description of the flaw. Used by tests and by weft_refined_load. */
const char *weft_refined_flaw(const weft_refined *refined);

/* Serialises the surface. Loading validates everything it reads. */
size_t weft_refined_size(const weft_refined *refined);
void weft_refined_save(const weft_refined *refined, void *buffer);
weft_result weft_refined_load(const weft_refined *like, const void *buffer, size_t size, weft_refined **made);

static inline int32_t weft_next(int32_t h) { return h % 3 == 2 ? h - 2 : h + 1; }
static inline int32_t weft_previous(int32_t h) { return h % 3 == 0 ? h + 2 : h - 1; }

/* refined.c: the arrays of the surface, in the order in which they are saved. Returns their number. */
enum { WEFT_REFINED_ARRAYS = 8 };
typedef struct weft_refined_array {
    void *data;
    size_t size; /* bytes */
} weft_refined_array;
int weft_refined_arrays(const weft_refined *refined, weft_refined_array array[WEFT_REFINED_ARRAYS]);

/* refined.c: reserving room, and basic operations. */
int weft_refined_reserve(weft_refined *refined, int32_t vertices, int32_t triangles, int32_t changes);
int32_t weft_refined_add_vertex(weft_refined *refined, const int32_t from[3], const double weight[3]);
int32_t weft_refined_add_triangle(weft_refined *refined, const weft_lineage *lineage);
void weft_refined_drop_triangle(weft_refined *refined, int32_t triangle);
void weft_refined_drop_vertex(weft_refined *refined, int32_t vertex);
/* Marks the triangle as changed. */
void weft_refined_mark(weft_refined *refined, int32_t triangle);
void weft_refined_link(weft_refined *refined, int32_t h, int32_t twin);
/* Recomputes `corner` of the origin of h. */
void weft_refined_anchor(weft_refined *refined, int32_t h);

#endif
