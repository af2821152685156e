/* A cloth of finite elements in a rig. Parts of it are held or moved, gravity may act, and the rest comes to
 * equilibrium. */
#ifndef WEFT_LAB_TEXTILE_CLAMPS_H
#define WEFT_LAB_TEXTILE_CLAMPS_H

#include "weft/weft.h"

typedef struct weft_rig {
    weft_registry *registry;
    weft_sim *sim;
    const weft_mesh *mesh;
    weft_vec3 *reaction; /* N, filled by weft_rig_settle (mesh->vertex_count) */
} weft_rig;

/* Takes ownership of the mesh, even on failure. There is no damping; `gravity` is in m/s2. Destroying a zeroed rig is
 * allowed. Destroy the rig even if this fails. */
weft_result weft_rig_create(weft_rig *rig, weft_mesh *mesh, const weft_fabric *fabric, const char *bending,
                            weft_vec3 gravity);
/* The same with the model `buckling` and its stiffness from the fabric. */
weft_result weft_rig_create_buckling(weft_rig *rig, weft_mesh *mesh, const weft_fabric *fabric, weft_vec3 gravity);
void weft_rig_destroy(weft_rig *rig);
/* Holds the vertices whose rest position `chosen` selects. */
weft_result weft_rig_hold(weft_rig *rig, int (*chosen)(weft_vec3 rest, const void *data), const void *data);
/* Takes steps of `dt` until nothing moves faster than `speed` (m/s), then reads the forces. Fails after `most` steps.
 */
weft_result weft_rig_settle(weft_rig *rig, double dt, double speed, int most);

/* A strip along x from 0, with its width along z centred at 0, flat at y = 0, with `cells` along and across. */
weft_result weft_strip_create(const int32_t cells[2], double length, double width, weft_mesh **mesh);

#endif
