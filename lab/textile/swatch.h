/* A swatch of finite elements in a testing machine. Some vertices are moved, the rest comes to equilibrium, and the
 * machine reads the forces. */
#ifndef WEFT_LAB_TEXTILE_SWATCH_H
#define WEFT_LAB_TEXTILE_SWATCH_H

#include "weft/weft.h"

typedef struct weft_swatch {
    weft_registry *registry;
    weft_sim *sim;
    const weft_mesh *mesh;
    weft_vec3 *reaction; /* N (mesh->vertex_count) */
    int32_t cells[2];
} weft_swatch;

/* Flat at z = 0, i along x from -size[0] / 2, j along y from -size[1] / 2, without weight and damping. `turned`: the
 * warp is along x. Destroying a zeroed swatch is allowed. Destroy it even if this fails. */
weft_result weft_swatch_create(weft_swatch *swatch, const weft_fabric *fabric, int turned, const int32_t cells[2],
                               const double size[2]);
void weft_swatch_destroy(weft_swatch *swatch);
static inline int32_t weft_swatch_vertex(const weft_swatch *swatch, int32_t i, int32_t j) {
    return j * (swatch->cells[0] + 1) + i;
}
/* Takes steps until nothing moves, then reads the forces. */
weft_result weft_swatch_settle(weft_swatch *swatch);

#endif
