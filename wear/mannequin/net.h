/* An even mesh of the surface of the lofts. */
#ifndef WEAR_MANNEQUIN_NET_H
#define WEAR_MANNEQUIN_NET_H

#include "wear/mannequin/flesh.h"

/* Quads on the surface, symmetric about x = 0. */
typedef struct net {
    weft_vec3 *position; /* m (vertex_count) */
    int32_t *mirror;     /* the vertex at the mirrored place; on x = 0 it is the vertex itself (vertex_count) */
    int32_t vertex_count;
    int32_t (*quad)[4]; /* counter-clockwise from outside (quad_count) */
    int32_t quad_count;
} net;

/* Makes a net with cells of that size, m. The box is that of the flesh, m. */
weft_result net_make(const flesh *f, weft_vec3 low, weft_vec3 high, double cell, net *made);
/* Makes the quads even: moves vertices along the surface. */
weft_result net_relax(const flesh *f, net *n);
/* Cuts the quads along the diagonals with the larger angles and checks that the surface is one closed ball. */
weft_result net_triangulate(const net *n, weft_mesh **mesh);
void net_free(net *n);

#endif
