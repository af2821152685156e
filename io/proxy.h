/* A proxy: a finer mesh that follows a cloth and is written and drawn in its place. */
#ifndef WEFT_IO_PROXY_H
#define WEFT_IO_PROXY_H

#include "weft/mesh.h"

typedef struct weft_proxy weft_proxy;

/* How closely the proxy fits the cloth at rest. */
typedef struct weft_proxy_fit {
    double mean, farthest; /* distance of the proxy vertices from the cloth, m */
    double limit;          /* vertices beyond this distance count as far; the mean edge length of the cloth, m */
    int32_t far_count;
} weft_proxy_fit;

/* Binds `fine` to the cloth. Both must be at rest (mesh->position). Takes ownership of `fine`, even on failure. The
 * cloth mesh must outlive all calls of weft_proxy_move. */
weft_result weft_proxy_bind(const weft_mesh *cloth, weft_mesh *fine, int threads, weft_proxy **proxy);
void weft_proxy_destroy(weft_proxy *proxy); /* null is allowed */

/* Moves the proxy with the cloth. `open_face` marks the torn faces of the cloth and may be null. The result is
 * bit-identical for any number of threads. */
void weft_proxy_move(weft_proxy *proxy, const weft_vec3 *position, const uint8_t *open_face);
/* Moves the proxy after the cloth was remeshed to other triangles on the same rest surface. Each proxy vertex is bound
 * again where it lies on the new mesh. `origin` (mesh->triangle_count) gives the original triangle, in the mesh first
 * bound to, of each new triangle. Faces across an opened edge are marked open. */
weft_result weft_proxy_follow(weft_proxy *proxy, const weft_mesh *mesh, const int32_t *origin,
                              const weft_vec3 *position);

const weft_mesh *weft_proxy_mesh(const weft_proxy *proxy);
/* Positions after the last move. */
const weft_vec3 *weft_proxy_positions(const weft_proxy *proxy);
/* 1 for faces that lie on a torn face of the cloth or across a crack; null if there are none. */
const uint8_t *weft_proxy_open_faces(const weft_proxy *proxy);
weft_proxy_fit weft_proxy_fit_at_rest(const weft_proxy *proxy);

#endif
