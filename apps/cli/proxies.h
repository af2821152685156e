/* The proxies of a scene's cloths (`cloth: {proxy: ...}`), and the shapes passed to writers: each cloth or its proxy.
 */
#ifndef WEFT_APPS_CLI_PROXIES_H
#define WEFT_APPS_CLI_PROXIES_H

#include "apps/cli/scene_file.h"
#include "io/proxy.h"
#include "weft-io/writer.h"
#include "weft/param.h"

typedef struct weft_proxies {
    int32_t cloth_count;
    weft_proxy **proxy;   /* null for a cloth without a proxy (cloth_count) */
    uint8_t *keep;        /* 1: the cloth itself is written too (cloth_count) */
    char (*name)[80];     /* name of that cloth: NAME_coarse (cloth_count) */
    int32_t **generation; /* generations of its triangles if the mesh changes, otherwise null (cloth_count) */
    int32_t shape_count;
    weft_frame_cloth *shape; /* shapes to write (shape_count) */
} weft_proxies;

/* Parameters of `proxy:`. */
const weft_param *weft_proxy_params(void);

/* Reads and binds the meshes. The simulation must be prepared and must outlive the proxies. Destroy them even if this
 * fails. */
weft_result weft_proxies_read(weft_proxies *proxies, const weft_scene_file *scene);
/* Moves the proxies to the current state of the simulation and fills `shape`. If the mesh of a cloth changes, its proxy
 * follows the current mesh. */
weft_result weft_proxies_follow(weft_proxies *proxies, const weft_sim *sim);
/* Continues `hash` with the meshes of the proxies. */
uint64_t weft_proxies_hash(const weft_proxies *proxies, uint64_t hash);
void weft_proxies_destroy(weft_proxies *proxies);

#endif
