/* A surface of triangles that can be refined, coarsened and cut, and remembers how to get back.
 *
 * J. Bender, C. Deul, "Adaptive cloth simulation using corotational finite elements", Computers & Graphics 2013,
 * section 5, after L. Kobbelt, "sqrt(3)-subdivision", SIGGRAPH 2000.
 *
 * Triangle t has the half-edges 3 t, 3 t + 1, 3 t + 2, in a ring; a boundary is a half-edge without a twin. Even
 * generations are split into three by a vertex at the centre, which gives triangles of the next odd one; two of those
 * that share an edge of their parents turn it, which gives the next even one. That edge, the mate edge, is always the
 * first half-edge of a triangle that was not there from the beginning, whether it is yet to be turned or was turned.
 *
 * An edge that cannot be turned, because it is a boundary, a crease or a seam at rest, or because turning it would
 * leave a sliver, is cut into three instead, from both sides at once, in the step after. */
#ifndef WEFT_REMESH_REFINED_H
#define WEFT_REMESH_REFINED_H

#include "weft/mesh.h"

enum { WEFT_GENERATIONS = 24 }; /* the highest generation */

/* What a triangle needs to go back. */
typedef struct weft_lineage {
    int32_t generation;
    uint32_t first;  /* bit i: at generation 2 i + 1 it was the one of three that kept the parent's place */
    uint32_t middle; /* bit i: at generation 2 i it was the middle one of an edge cut into three */
    int32_t face;    /* of the base mesh that it lies in, or began in when an edge was turned */
} weft_lineage;

/* What happened to the vertices, in order. An inserted vertex is the last one and lies at the weighted sum of `from`;
 * a removed one is replaced by `from[0]`, which was the last. */
typedef struct weft_vertex_change {
    int32_t vertex;
    int32_t from[3];
    double weight[3]; /* 0 for a removed vertex */
} weft_vertex_change;

/* A change of the surface: triangles before and after, and the volumes between them, four vertices each. */
typedef struct weft_flip_volume {
    int32_t before[3][3], after[2][3], volume[2][4];
    int before_count, after_count, volume_count;
} weft_flip_volume;

typedef struct weft_refined {
    int32_t vertex_count, triangle_count, vertex_capacity, triangle_capacity;
    int32_t base_vertices, base_triangles; /* keep their places */
    weft_vec3 *position;                   /* at rest, m (vertex_count) */
    int32_t *corner;                       /* an outgoing half-edge; at a boundary the one without a twin */
    double *map;                           /* values that follow the vertices (vertex_count x map_count), or null */
    int32_t map_count;
    uint8_t *birth;         /* generation of the triangles it was made with, 0 from the beginning */
    int32_t *origin, *twin; /* (3 triangle_count) */
    weft_vec2 *uv;          /* rest coordinates of corners (3 triangle_count), or null */
    weft_lineage *lineage;  /* (triangle_count) */
    uint8_t *changed;       /* since the last time it was cleared (triangle_count) */
    int32_t *listed;        /* the same in order, some more than once, while `lists` is set (listed_count) */
    int32_t listed_count, listed_capacity, lists;
    weft_vertex_change *change;
    int32_t change_count, change_capacity;
    int32_t vertex_limit; /* more are refused; 0: no limit */
    int limited;          /* whether some were */
    int failed;           /* memory ran out: an operation was not done */
    int64_t vetoed;       /* turns and joins that `allows` refused */
    int32_t turned;       /* edges, there or back, since the count was set to 0 */
    /* Whether the surface may change like that; null: always. Splits and cuts do not ask: they leave it where it is. */
    int (*allows)(const void *context, const weft_flip_volume *sweep);
    const void *context;
} weft_refined;

/* Of a mesh of triangles only, which it does not keep. */
weft_result weft_refined_create(const weft_mesh *triangles, weft_refined **made);
weft_result weft_refined_copy(const weft_refined *from, weft_refined **made);
void weft_refined_destroy(weft_refined *refined); /* null is allowed */
/* Of a surface that is as it began: `value` for the base vertices (base_vertices x count). Inserted ones get weighted
 * means. */
weft_result weft_refined_set_maps(weft_refined *refined, const double *value, int32_t count);

/* As a mesh; groups, names and source vertices are those of `base`, whose triangles it began with. Inserted vertices
 * have no source: theirs is that of the first vertex. It is no grid. */
weft_result weft_refined_mesh(const weft_refined *refined, const weft_mesh *base, weft_mesh **mesh);

/* How fine a triangle is: its generation, or the next even one where its mate edge is not to be turned. */
int32_t weft_refined_level(const weft_refined *refined, int32_t triangle);

/* Makes the triangle one level finer, and what is around it as fine as that needs. Returns whether it did. */
int weft_refined_split(weft_refined *refined, int32_t triangle);
/* Takes an inserted vertex out again, with the other one that came with it on an edge. Returns whether that could be
 * done without touching what was refined later. */
int weft_refined_join(weft_refined *refined, int32_t vertex);
/* Whether weft_refined_join would do it, and the vertices around those that it would remove, for criteria: their
 * number, 0 when it cannot be done. `ring` has room for `most`; more than that are left out. */
int32_t weft_refined_joinable(const weft_refined *refined, int32_t vertex, int32_t *ring, int32_t most);
/* Turns mate edges that were left because `allows` refused. Returns how many. */
int32_t weft_refined_turn_left(weft_refined *refined);

/* Opens an inner edge: its two sides are boundaries from then on, and a vertex between them that no other triangles
 * hold together becomes two. Returns 0 for a boundary, and when memory runs out. */
int weft_refined_open(weft_refined *refined, int32_t halfedge);

/* Asserted by tests. Null when well, else what is wrong. */
const char *weft_refined_flaw(const weft_refined *refined);

/* The state as bytes; load checks everything that it reads. */
size_t weft_refined_size(const weft_refined *refined);
void weft_refined_save(const weft_refined *refined, void *buffer);
weft_result weft_refined_load(const weft_refined *like, const void *buffer, size_t size, weft_refined **made);

static inline int32_t weft_next(int32_t h) { return h % 3 == 2 ? h - 2 : h + 1; }
static inline int32_t weft_previous(int32_t h) { return h % 3 == 0 ? h + 2 : h - 1; }

/* refined.c: the arrays that make the surface, in the order in which they are saved. Returns how many there are. */
enum { WEFT_REFINED_PARTS = 8 };
typedef struct weft_refined_part {
    void *data;
    size_t size; /* bytes */
} weft_refined_part;
int weft_refined_parts(const weft_refined *refined, weft_refined_part part[WEFT_REFINED_PARTS]);

/* refined.c: room for more, and what the operations share. */
int weft_refined_reserve(weft_refined *refined, int32_t vertices, int32_t triangles, int32_t changes);
int32_t weft_refined_add_vertex(weft_refined *refined, const int32_t from[3], const double weight[3]);
int32_t weft_refined_add_triangle(weft_refined *refined, const weft_lineage *lineage);
void weft_refined_drop_triangle(weft_refined *refined, int32_t triangle);
void weft_refined_drop_vertex(weft_refined *refined, int32_t vertex);
/* Marks the triangle as changed. */
void weft_refined_mark(weft_refined *refined, int32_t triangle);
void weft_refined_link(weft_refined *refined, int32_t h, int32_t twin);
/* Finds `corner` of the origin of h anew. */
void weft_refined_anchor(weft_refined *refined, int32_t h);

#endif
