/* A proxy from the inside. */
#ifndef WEFT_IO_PROXY_INSIDE_H
#define WEFT_IO_PROXY_INSIDE_H

#include "io/closest.h"
#include "io/proxy.h"
#include "weft/work.h"

typedef struct weft_proxy_binding {
    int32_t triangle;
    int32_t edge; /* from this corner to the next: the one nearest to orthogonal to the normal */
    double weight[3];
    weft_vec3 offset; /* along edge, normal x edge, normal */
} weft_proxy_binding;

struct weft_proxy {
    const weft_mesh *cloth; /* that it was bound to */
    const weft_mesh *mesh;  /* that it lies on now */
    weft_mesh *fine;
    weft_work work;
    weft_proxy_binding *binding; /* (fine vertices) */
    int32_t *face_owner;         /* the cloth's face under each face (fine faces) */
    weft_vec3 *normal;           /* of the mesh (its vertices, with room for normal_room) */
    int32_t normal_room;
    weft_vec3 *position; /* (fine vertices) */
    uint8_t *open;       /* (fine faces) */
    int torn;
    weft_proxy_fit fit;

    /* Where each vertex was bound: the triangle, and the closest point of the cloth at rest, m (fine vertices). */
    int32_t *home;
    weft_vec3 *foot;
    /* The mesh bound to: its triangles, those at each vertex, and the length of its boundary, m. */
    int32_t base_triangles, (*base_triangle)[3], *base_start, *base_at;
    double base_border;
};

/* Binds vertex v where the search for it ended. Normals must be those of the mesh at rest. */
void weft_proxy_bind_at(const weft_proxy *proxy, int64_t v, const weft_closest_hit *hit);
/* Moves the vertices as they are bound. */
void weft_proxy_place(weft_proxy *proxy, const weft_vec3 *position);
/* proxy_follow.c: the length of the boundary at rest, m. */
double weft_proxy_border(const weft_mesh *mesh);

#endif
