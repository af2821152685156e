/* A proxy: a finer mesh that follows a cloth, written and drawn in its place. */
#ifndef WEFT_IO_PROXY_H
#define WEFT_IO_PROXY_H

#include "weft/mesh.h"

typedef struct weft_proxy weft_proxy;

/* How the proxy lies on the cloth at rest. */
typedef struct weft_proxy_fit {
    double mean, farthest; /* distance of its vertices from the cloth, m */
    double limit;          /* beyond this, the mean edge of the cloth, a vertex is far off, m */
    int32_t far_count;
} weft_proxy_fit;

/* Binds `fine` to the cloth where both lie at rest (mesh->position), and takes it over, also when it fails. The cloth's
 * mesh must stay as long as weft_proxy_move is called. */
weft_result weft_proxy_bind(const weft_mesh *cloth, weft_mesh *fine, int threads, weft_proxy **proxy);
void weft_proxy_destroy(weft_proxy *proxy); /* null is allowed */

/* Moves the proxy to where the cloth is: positions and torn faces (may be null) of the cloth. Same bits for any number
 * of threads. */
void weft_proxy_move(weft_proxy *proxy, const weft_vec3 *position, const uint8_t *open_face);
/* The same when the cloth has become another mesh of triangles on the same surface at rest: each vertex of the proxy
 * goes to where it lies on that. `origin` (mesh->triangle_count) has the triangle of the mesh bound to in which each
 * triangle began. Faces across an opened edge are open. */
weft_result weft_proxy_follow(weft_proxy *proxy, const weft_mesh *mesh, const int32_t *origin,
                              const weft_vec3 *position);

const weft_mesh *weft_proxy_mesh(const weft_proxy *proxy);
/* After the last move. */
const weft_vec3 *weft_proxy_positions(const weft_proxy *proxy);
/* 1 for the faces that lie on a torn face of the cloth or across a crack; null when there are none. */
const uint8_t *weft_proxy_open_faces(const weft_proxy *proxy);
weft_proxy_fit weft_proxy_fit_at_rest(const weft_proxy *proxy);

#endif
