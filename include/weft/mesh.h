/** @file
 * Meshes: half-edge surfaces of polygons with a triangulation.
 *
 * A mesh is constant once created. Several threads may read it at once. The functions are thread-safe. */
#ifndef WEFT_MESH_H
#define WEFT_MESH_H

#include "weft/base.h"

WEFT_BEGIN

/** Polygons from a file or from code. The caller owns the arrays; a mesh copies them. Indices count from 0. */
typedef struct weft_polygons {
    const char *name;              /**< for messages, such as the file; may be null */
    const weft_vec3 *position;     /**< m, finite (vertex_count) */
    int64_t vertex_count;          /**< at most WEFT_MESH_LIMIT */
    const int32_t *corner;         /**< vertex of each corner, counter-clockwise (corner_count) */
    int64_t corner_count;          /**< sum of all face sizes, at most WEFT_MESH_LIMIT */
    const int32_t *face_size;      /**< corners of each face, 3 to 10000 (face_count) */
    int64_t face_count;            /**< at least 1 */
    const weft_vec2 *corner_uv;    /**< rest (texture) coordinates (corner_count); may be null */
    const int32_t *face_group;     /**< index into group_name, or WEFT_NONE (face_count); may be null */
    const char *const *group_name; /**< (group_count); null if face_group is */
    int32_t group_count;           /**< number of groups */
} weft_polygons;

/** How the cells of a grid are cut into triangles. */
typedef enum weft_diagonals {
    WEFT_ALTERNATING, /**< \ and / in turn, as on a chessboard */
    WEFT_ONE_WAY,     /**< all in the same direction */
    WEFT_CRISS_CROSS  /**< a vertex in the middle of each cell, four triangles */
} weft_diagonals;

/** A grid of cells[0] x cells[1] cells.
 *
 * Vertex (i, j) has index j (cells[0] + 1) + i. Its rest coordinates are (i size[0] / cells[0], j size[1] / cells[1]).
 * The middle vertices of criss-cross cells follow. The faces are the cells, or four triangles per criss-cross cell, in
 * the order of the cells. Their normal is axis[0] x axis[1], so the front of the default grid faces -z. */
typedef struct weft_grid {
    int64_t cells[2];         /**< along i and j, at least 1 */
    double size[2];           /**< m, above 0 */
    weft_vec3 origin;         /**< position of vertex (0, 0), m */
    weft_vec3 axis[2];        /**< directions of i (weft) and j (warp), of any length; not parallel */
    weft_diagonals diagonals; /**< of the cells */
} weft_grid;

/** The default grid: 10 x 10 cells, 1 m x 1 m, in the plane z = 0, from the origin along x and -y. */
WEFT_API weft_grid weft_grid_default(void);

/** Special indices. */
enum {
    WEFT_NONE = -1 /**< no vertex, face, group or other item */
};

/** Named vertices, such as those that a bone moves. Groups may overlap. */
typedef struct weft_vertex_group {
    char *name;      /**< never null */
    int32_t *vertex; /**< indices in the input, increasing (count) */
    int32_t count;   /**< number of vertices */
} weft_vertex_group;

/** A surface. The mesh owns its arrays; users only read them.
 *
 * Half-edge h goes from origin[h] to origin[next[h]] and has face[h] on its left. Corner c of the input is half-edge c.
 * The boundary half-edges follow. Their face is WEFT_NONE, and `next` links those of each boundary loop. */
typedef struct weft_mesh {
    int32_t vertex_count;            /**< number of vertices */
    int32_t face_count;              /**< number of polygons */
    int32_t halfedge_count;          /**< number of half-edges, including those of the boundary */
    int32_t edge_count;              /**< number of edges: half of halfedge_count */
    int32_t triangle_count;          /**< number of triangles of the triangulation */
    int32_t boundary_count;          /**< number of boundary loops */
    weft_vec3 *position;             /**< rest and initial position, m (vertex_count) */
    weft_vec2 *uv;                   /**< rest coordinates, those of the first corner (vertex_count); null without */
    weft_vec2 *halfedge_uv;          /**< rest coordinates of the corner at `origin` (halfedge_count); null without */
    int32_t *next;                   /**< next half-edge around the face or boundary loop (halfedge_count) */
    int32_t *twin;                   /**< the opposite half-edge of the same edge (halfedge_count) */
    int32_t *origin;                 /**< vertex at which the half-edge starts (halfedge_count) */
    int32_t *face;                   /**< face on its left, or WEFT_NONE (halfedge_count) */
    int32_t *edge;                   /**< its edge (halfedge_count) */
    int32_t *vertex_halfedge;        /**< an outgoing half-edge, that of the boundary if there is one (vertex_count) */
    int32_t *face_halfedge;          /**< a half-edge of the face (face_count) */
    int32_t *edge_halfedge;          /**< the half-edge with the lower index (edge_count) */
    int32_t *boundary_halfedge;      /**< a half-edge of each boundary loop (boundary_count) */
    int32_t (*triangle)[3];          /**< vertices of the triangulation, counter-clockwise (triangle_count) */
    int32_t *triangle_face;          /**< the face that contains the triangle (triangle_count) */
    int32_t *vertex_triangle_start;  /**< start of each vertex's triangles in vertex_triangle; they end where those of
                                        the next vertex start (vertex_count + 1) */
    int32_t *vertex_triangle;        /**< triangles at the vertices (3 triangle_count) */
    int32_t *source_vertex;          /**< index in the input; differs where vertices were split or left out
                                        (vertex_count) */
    int32_t input_vertex_count;      /**< number of vertices of the input */
    int32_t *face_group;             /**< index into group_name, or WEFT_NONE (face_count); null without groups */
    char **group_name;               /**< (group_count) */
    int32_t group_count;             /**< number of groups */
    weft_vertex_group *vertex_group; /**< groups of vertices (vertex_group_count); null without */
    int32_t vertex_group_count;      /**< number of groups of vertices */
    int32_t grid_cells[2];           /**< cells of a grid; 0, 0 for other meshes */
    double grid_size[2];             /**< size of a grid, m */
    int32_t partial_uv; /**< faces of a file with rest coordinates, if others have none: `uv` is null then */
} weft_mesh;

/** Most vertices and most corners of a mesh. */
#define WEFT_MESH_LIMIT 100000000
/** Creates a mesh; the caller destroys it. `*mesh` is null on failure.
 *
 * Leaves out vertices that no face uses, because they would have no mass. Fails for an invalid mesh. The message names
 * the vertex or the face. A mesh is invalid if it is empty. It may have at most WEFT_MESH_LIMIT vertices and corners.
 * Indices must be in range, and positions finite. A face must have an area, no repeated corner, and at most 10000
 * corners. An edge must have at most two faces, which must be wound consistently. */
WEFT_API weft_result weft_mesh_create(const weft_polygons *polygons, weft_mesh **mesh);
/** What weft_mesh_create_soup changed to make a manifold surface. */
typedef struct weft_soup {
    int64_t edges; /**< edges that were split: more than two faces, or inconsistent winding */
    int64_t faces; /**< faces that were dropped: without area, or with a repeated vertex */
} weft_soup;
/** As weft_mesh_create, for bodies, which need not be manifold. Splits and drops what weft_soup counts instead of
 * failing. The mesh has no rest coordinates and no groups. */
WEFT_API weft_result weft_mesh_create_soup(const weft_polygons *polygons, weft_mesh **mesh, weft_soup *soup);
/** Creates the mesh of a grid; the caller destroys it. `*mesh` is null on failure. */
WEFT_API weft_result weft_mesh_create_grid(const weft_grid *grid, weft_mesh **mesh);
/** Frees the mesh. Null is allowed. */
WEFT_API void weft_mesh_destroy(weft_mesh *mesh);

/** Adds a group of vertices, given by increasing indices in the input (count). Copies name and indices. */
WEFT_API weft_result weft_mesh_add_vertex_group(weft_mesh *mesh, const char *name, const int32_t *vertex,
                                                int32_t count);

/** Creates a mesh of the same surface in which every face is a triangle, so that diagonals are edges too. The caller
 * destroys it. `*triangles` is null on failure. */
WEFT_API weft_result weft_mesh_triangulate(const weft_mesh *mesh, weft_mesh **triangles);

/** Hybrid Voronoi area of each vertex, m2 (vertex_count), for positions x, m (vertex_count). The areas add up to that
 * of the surface. An obtuse triangle gives half of its area to the obtuse corner and a quarter to the others (Meyer et
 * al. 2003). */
WEFT_API void weft_mesh_vertex_areas(const weft_mesh *mesh, const weft_vec3 *x, double *area);
/** Area of the surface for positions x, m2. */
WEFT_API double weft_mesh_area(const weft_mesh *mesh, const weft_vec3 *x);
/** Unit normals for positions x, weighted by triangle area (vertex_count). Zero where the triangles have no area. */
WEFT_API void weft_mesh_vertex_normals(const weft_mesh *mesh, const weft_vec3 *x, weft_vec3 *normal);

/** Checks all links of a mesh, for tests. Returns null if they are consistent, else a static text with the problem. */
WEFT_API const char *weft_mesh_flaw(const weft_mesh *mesh);

WEFT_END
#endif
