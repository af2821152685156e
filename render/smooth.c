/* The midpoint of an edge lies on the cubic curve that meets the planes of both ends' normals: the edges of
 * A. Vlachos, J. Peters, C. Boyd, J. Mitchell, Curved PN Triangles, I3D 2001. The triangles' inside follows by cutting
 * again, with normals taken anew. */
#include "render/smooth.h"

#include <stdlib.h>

#include "weft/vec.h"

typedef struct side {
    int32_t a, b;   /* vertices, a < b */
    int32_t corner; /* where it begins */
} side;

static int by_ends(const void *left, const void *right) {
    const side *p = left, *q = right;
    return p->a != q->a ? (p->a > q->a) - (p->a < q->a) : (p->b > q->b) - (p->b < q->b);
}

void weft_smooth_free(weft_smooth *smooth) {
    free(smooth->scalar);
    free(smooth->corner_uv);
    free(smooth->triangle);
    free(smooth->position);
    *smooth = (weft_smooth){0};
}

static void add_normals(const weft_shot_cloth *cloth, weft_vec3 *normal) {
    for (int32_t t = 0; t < cloth->triangle_count; t++) {
        const int32_t *v = cloth->triangle + 3 * (size_t)t;
        weft_vec3 p = cloth->position[v[0]];
        weft_vec3 n = weft_cross(weft_sub(cloth->position[v[1]], p), weft_sub(cloth->position[v[2]], p));
        for (int k = 0; k < 3; k++)
            normal[v[k]] = weft_add(normal[v[k]], n);
    }
    for (int32_t v = 0; v < cloth->vertex_count; v++)
        normal[v] = weft_normalize(normal[v]);
}

/* Returns the number of edges; middle[c] is the number of the edge from corner c to the next of its triangle. */
static int32_t number_edges(const weft_shot_cloth *cloth, side *sides, int32_t *middle) {
    int32_t count = 3 * cloth->triangle_count, edges = 0;
    for (int32_t c = 0; c < count; c++) {
        int32_t a = cloth->triangle[c], b = cloth->triangle[c % 3 == 2 ? c - 2 : c + 1];
        sides[c] = (side){a < b ? a : b, a < b ? b : a, c};
    }
    qsort(sides, (size_t)count, sizeof *sides, by_ends);
    for (int32_t i = 0; i < count; i++) {
        edges += i == 0 || by_ends(&sides[i - 1], &sides[i]) != 0;
        middle[sides[i].corner] = edges - 1;
    }
    return edges;
}

static weft_vec3 curved_middle(weft_vec3 p, weft_vec3 q, weft_vec3 n, weft_vec3 m) {
    weft_vec3 edge = weft_sub(q, p), middle = weft_scale(0.5, weft_add(p, q));
    middle = weft_add_scaled(middle, -weft_dot(edge, n) / 8, n);
    return weft_add_scaled(middle, weft_dot(edge, m) / 8, m);
}

static void place_vertices(const weft_shot_cloth *cloth, const side *sides, const int32_t *middle,
                           const weft_vec3 *normal, weft_smooth *smooth) {
    for (int32_t v = 0; v < cloth->vertex_count; v++) {
        smooth->position[v] = cloth->position[v];
        if (smooth->scalar)
            smooth->scalar[v] = cloth->scalar[v];
    }
    for (int32_t i = 0; i < 3 * cloth->triangle_count; i++) {
        int32_t a = sides[i].a, b = sides[i].b, v = cloth->vertex_count + middle[sides[i].corner];
        smooth->position[v] = curved_middle(cloth->position[a], cloth->position[b], normal[a], normal[b]);
        if (smooth->scalar)
            smooth->scalar[v] = (cloth->scalar[a] + cloth->scalar[b]) / 2;
    }
}

/* Corners 0 to 2 of the triangle, 3 to 5 the middles of the edges that begin there. */
static const int PARTS[4][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}};

static weft_vec2 between(weft_vec2 a, weft_vec2 b) { return (weft_vec2){(a.x + b.x) / 2, (a.y + b.y) / 2}; }

static void cut(const weft_shot_cloth *cloth, const int32_t *middle, weft_smooth *smooth) {
    for (int32_t t = 0; t < cloth->triangle_count; t++) {
        size_t corner = 3 * (size_t)t, to = 12 * (size_t)t;
        int32_t vertex[6];
        weft_vec2 uv[6];
        for (int k = 0; k < 3; k++) {
            vertex[k] = cloth->triangle[corner + (size_t)k];
            vertex[3 + k] = cloth->vertex_count + middle[corner + (size_t)k];
        }
        for (int k = 0; smooth->corner_uv && k < 3; k++) {
            uv[k] = cloth->corner_uv[corner + (size_t)k];
            uv[3 + k] = between(uv[k], cloth->corner_uv[corner + (size_t)((k + 1) % 3)]);
        }
        for (int i = 0; i < 12; i++) {
            smooth->triangle[to + (size_t)i] = vertex[PARTS[i / 3][i % 3]];
            if (smooth->corner_uv)
                smooth->corner_uv[to + (size_t)i] = uv[PARTS[i / 3][i % 3]];
        }
    }
}

/* The arrays of the finer cloth, for its `edges` new vertices. */
static int make_room(const weft_shot_cloth *cloth, int32_t edges, weft_smooth *smooth) {
    size_t vertices = (size_t)cloth->vertex_count + (size_t)edges, corners = 12 * (size_t)cloth->triangle_count;
    smooth->vertex_count = (int32_t)vertices;
    smooth->triangle_count = 4 * cloth->triangle_count;
    smooth->position = malloc((vertices + 1) * sizeof *smooth->position);
    smooth->triangle = malloc((corners + 1) * sizeof *smooth->triangle);
    smooth->corner_uv = cloth->corner_uv ? malloc((corners + 1) * sizeof *smooth->corner_uv) : NULL;
    smooth->scalar = cloth->scalar ? malloc((vertices + 1) * sizeof *smooth->scalar) : NULL;
    return smooth->position && smooth->triangle && (smooth->corner_uv || !cloth->corner_uv) &&
           (smooth->scalar || !cloth->scalar);
}

weft_result weft_smooth_split(const weft_shot_cloth *cloth, weft_smooth *smooth) {
    *smooth = (weft_smooth){0};
    size_t corners = 3 * (size_t)cloth->triangle_count;
    side *sides = malloc((corners + 1) * sizeof *sides);
    int32_t *middle = malloc((corners + 1) * sizeof *middle);
    weft_vec3 *normal = calloc((size_t)cloth->vertex_count + 1, sizeof *normal);
    int complete = sides && middle && normal;
    if (complete)
        complete = make_room(cloth, number_edges(cloth, sides, middle), smooth);
    if (complete) {
        add_normals(cloth, normal);
        place_vertices(cloth, sides, middle, normal, smooth);
        cut(cloth, middle, smooth);
    }
    free(normal);
    free(middle);
    free(sides);
    if (complete)
        return weft_ok();
    weft_smooth_free(smooth);
    return weft_fail_memory("a finer cloth for the picture", 4 * corners * sizeof(weft_vec3));
}
