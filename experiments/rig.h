/* A cloth of finite elements in a rig: parts of it are held or moved, gravity may act, the rest comes to equilibrium.
 */
#ifndef WEFT_EXPERIMENTS_RIG_H
#define WEFT_EXPERIMENTS_RIG_H

#include "weft/weft.h"

typedef struct weft_rig {
    weft_registry *registry;
    weft_sim *sim;
    const weft_mesh *mesh;
    weft_vec3 *reaction; /* N, read by settling (mesh->vertex_count) */
} weft_rig;

/* Takes the mesh over, also when it fails. Without damping; `gravity` in m/s2. A zeroed rig may be destroyed; destroy
 * it also when this fails. */
weft_result weft_rig_create(weft_rig *rig, weft_mesh *mesh, const weft_fabric *fabric, const char *bending,
                            weft_vec3 gravity);
/* The same of the model `buckling`, its stiffness from the fabric. */
weft_result weft_rig_create_buckling(weft_rig *rig, weft_mesh *mesh, const weft_fabric *fabric, weft_vec3 gravity);
void weft_rig_destroy(weft_rig *rig);
/* Holds the vertices whose rest position is chosen. */
weft_result weft_rig_hold(weft_rig *rig, int (*chosen)(weft_vec3 rest, const void *data), const void *data);
/* Steps of `dt` until nothing moves faster than `speed` (m/s), then reads the forces. Fails after `most` steps. */
weft_result weft_rig_settle(weft_rig *rig, double dt, double speed, int most);

/* A strip along x from 0, its width along z around 0, flat at y = 0; `cells` along and across. */
weft_result weft_strip_create(const int32_t cells[2], double length, double width, weft_mesh **mesh);

#endif
