/* A half-edge surface of polygons with a triangulation, constant once made. */
#ifndef WEFT_MESH_H
#define WEFT_MESH_H

#include "weft/base.h"

WEFT_BEGIN

/* Polygons as they come from a file or from code. The arrays belong to the caller. */
typedef struct weft_polygons {
    const char *name;          /* for messages: the file */
    const weft_vec3 *position; /* m (vertex_count) */
    int64_t vertex_count;
    const int32_t *corner; /* vertex of each corner, counter-clockwise (corner_count) */
    int64_t corner_count;
    const int32_t *face_size; /* corners of each face, >= 3 (face_count) */
    int64_t face_count;
    const weft_vec2 *corner_uv; /* rest (texture) coordinates (corner_count), or null */
    const int32_t *face_group;  /* index into group_name or WEFT_NONE (face_count), or null */
    const char *const *group_name;
    int32_t group_count;
} weft_polygons;

typedef enum weft_diagonals {
    WEFT_ALTERNATING, /* \ and / in turn, like a chessboard */
    WEFT_ONE_WAY,
    WEFT_CRISS_CROSS /* a vertex in the middle of each cell, four triangles */
} weft_diagonals;

/* A rectangle of cells[0] x cells[1] cells. Vertex (i, j) has index j (cells[0] + 1) + i and rest coordinates
 * (i size[0] / cells[0], j size[1] / cells[1]); the middle vertices of criss-cross cells follow. Faces are the cells,
 * or four triangles of each criss-cross cell, in the order of the cells; their normal is axis[0] x axis[1], so that the
 * front of the default grid looks along -z. */
typedef struct weft_grid {
    int64_t cells[2];
    double size[2];    /* m */
    weft_vec3 origin;  /* of vertex (0, 0), m */
    weft_vec3 axis[2]; /* directions of i (weft) and j (warp); their lengths do not matter */
    weft_diagonals diagonals;
} weft_grid;

/* 10 x 10 cells, 1 m x 1 m, in the plane z = 0, i along x, j down along -y, from the origin. */
WEFT_API weft_grid weft_grid_default(void);

enum { WEFT_NONE = -1 };

/* Named vertices, such as those that a bone moves. Groups may overlap. */
typedef struct weft_vertex_group {
    char *name;
    int32_t *vertex; /* index in the input, increasing (count) */
    int32_t count;
} weft_vertex_group;

/* Arrays are owned by the mesh and read-only for users of it. */
typedef struct weft_mesh {
    int32_t vertex_count, face_count, halfedge_count, edge_count, triangle_count, boundary_count;
    weft_vec3 *position;    /* rest and initial position, m (vertex_count) */
    weft_vec2 *uv;          /* rest coordinates of grids, or the first corner's (vertex_count); null without any */
    weft_vec2 *halfedge_uv; /* rest coordinates of the corner at `origin` (halfedge_count), null without any */
    /* Half-edges: corner c of the input is half-edge c, those of the boundary follow. h goes from origin[h] to
     * origin[next[h]] and has face[h] on its left. face[h] is WEFT_NONE on a boundary; the boundary half-edges of a
     * loop are linked by `next` too. */
    int32_t *next, *twin, *origin, *face, *edge; /* (halfedge_count) */
    int32_t *vertex_halfedge;                    /* an outgoing one, the boundary one if there is one */
    int32_t *face_halfedge;                      /* (face_count) */
    int32_t *edge_halfedge;                      /* the one with the lower index (edge_count) */
    int32_t *boundary_halfedge;                  /* one of each boundary loop (boundary_count) */
    int32_t (*triangle)[3];                      /* the triangulation, counter-clockwise (triangle_count) */
    int32_t *triangle_face;                      /* the face that the triangle is part of (triangle_count) */
    /* The triangles at each vertex: vertex_triangle[vertex_triangle_start[v] .. vertex_triangle_start[v + 1]). */
    int32_t *vertex_triangle_start, *vertex_triangle;
    int32_t *source_vertex; /* index in the input; differs where a vertex was split or left out */
    int32_t input_vertex_count;
    int32_t *face_group; /* (face_count) or null */
    char **group_name;
    int32_t group_count;
    weft_vertex_group *vertex_group; /* (vertex_group_count) or null */
    int32_t vertex_group_count;
    int32_t grid_cells[2]; /* 0, 0 when the mesh is not a grid */
    double grid_size[2];   /* m */
} weft_mesh;

/* Refuses, naming vertex and face: an index out of range, a repeated corner, a non-finite position, a face without
 * area, an edge with more than two faces, two faces wound against each other, an empty mesh, a face of more than 10000
 * corners, more than WEFT_MESH_LIMIT vertices or corners. Indices count from 0. Vertices that no face uses are left
 * out: they would have no mass. */
#define WEFT_MESH_LIMIT 100000000
WEFT_API weft_result weft_mesh_create(const weft_polygons *polygons, weft_mesh **mesh);
/* What had to be done to make a surface of a soup of polygons. */
typedef struct weft_soup {
    int64_t edges; /* came apart: they have more than two faces, or faces wound against each other */
    int64_t faces; /* left out: they have no area or repeat a vertex */
} weft_soup;
/* For bodies, which need not be surfaces: does not refuse those. */
WEFT_API weft_result weft_mesh_create_soup(const weft_polygons *polygons, weft_mesh **mesh, weft_soup *soup);
WEFT_API weft_result weft_mesh_create_grid(const weft_grid *grid, weft_mesh **mesh);
WEFT_API void weft_mesh_destroy(weft_mesh *mesh); /* null is allowed */

/* Adds a group of vertices, given by increasing indices in the input (count). Copies name and indices. */
WEFT_API weft_result weft_mesh_add_vertex_group(weft_mesh *mesh, const char *name, const int32_t *vertex,
                                                int32_t count);

/* The same surface with every face a triangle, so that diagonals are edges too. */
WEFT_API weft_result weft_mesh_triangulate(const weft_mesh *mesh, weft_mesh **triangles);

/* Hybrid Voronoi area of each vertex, m2 (vertex_count); the areas sum to the surface's. Obtuse triangles give half
 * of their area to the obtuse corner and a quarter to the others (Meyer et al. 2003). */
WEFT_API void weft_mesh_vertex_areas(const weft_mesh *mesh, const weft_vec3 *x, double *area);
WEFT_API double weft_mesh_area(const weft_mesh *mesh, const weft_vec3 *x);
/* Unit normals, area-weighted (vertex_count); zero where there is no triangle. */
WEFT_API void weft_mesh_vertex_normals(const weft_mesh *mesh, const weft_vec3 *x, weft_vec3 *normal);

/* Asserted by tests: every link consistent. Null when well, else what is wrong. */
WEFT_API const char *weft_mesh_flaw(const weft_mesh *mesh);

WEFT_END
#endif
