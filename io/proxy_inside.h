/* Internals of a proxy, shared by proxy.c and proxy_follow.c. */
#ifndef WEFT_IO_PROXY_INSIDE_H
#define WEFT_IO_PROXY_INSIDE_H

#include "io/closest.h"
#include "io/proxy.h"
#include "weft/work.h"

typedef struct weft_proxy_binding {
    int32_t triangle;
    int32_t edge; /* from this corner to the next; of the three edges, the one closest to orthogonal to the normal */
    double weight[3];
    weft_vec3 offset; /* components along edge, normal x edge, normal */
} weft_proxy_binding;

struct weft_proxy {
    const weft_mesh *cloth; /* the mesh that the proxy was bound to */
    const weft_mesh *mesh;  /* the mesh that it is bound to now */
    weft_mesh *fine;
    weft_work work;
    weft_proxy_binding *binding; /* (fine vertices) */
    int32_t *face_owner;         /* the cloth face under each proxy face (fine faces) */
    weft_vec3 *normal;           /* vertex normals of the mesh (allocated for normal_room vertices) */
    int32_t normal_room;
    weft_vec3 *position; /* (fine vertices) */
    uint8_t *open;       /* (fine faces) */
    int torn;
    weft_proxy_fit fit;

    /* The original binding of each vertex: the triangle, and the closest point on the cloth at rest, m (fine
     * vertices). */
    int32_t *home;
    weft_vec3 *foot;
    /* The original mesh: its triangles, the triangles at each vertex, and the length of its boundary, m. */
    int32_t base_triangles, (*base_triangle)[3], *base_start, *base_at;
    double base_border;
};

/* Binds vertex v to a search result. The normals must be those of the mesh at rest. */
void weft_proxy_bind_at(const weft_proxy *proxy, int64_t v, const weft_closest_hit *hit);
/* Moves the vertices by their current bindings. */
void weft_proxy_place(weft_proxy *proxy, const weft_vec3 *position);
/* proxy_follow.c: the length of the boundary at rest, m. */
double weft_proxy_border(const weft_mesh *mesh);

#endif
