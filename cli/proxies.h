/* The proxies of a scene's cloths (`cloth: {proxy: ...}`) and the shapes that writers get: each cloth, or its proxy in
 * its place. */
#ifndef WEFT_CLI_PROXIES_H
#define WEFT_CLI_PROXIES_H

#include "cli/scene_file.h"
#include "io/proxy.h"
#include "io/writer.h"
#include "weft/param.h"

typedef struct weft_proxies {
    int32_t cloth_count;
    weft_proxy **proxy;   /* null where a cloth has none (cloth_count) */
    uint8_t *keep;        /* 1: the cloth itself is written too (cloth_count) */
    char (*name)[80];     /* of the cloth then: NAME_coarse (cloth_count) */
    int32_t **generation; /* of its triangles, where the mesh changes, else null (cloth_count) */
    int32_t shape_count;
    weft_frame_cloth *shape; /* what is written (shape_count) */
} weft_proxies;

/* The rows of `proxy:`. */
const weft_param *weft_proxy_params(void);

/* Reads and binds the meshes. The simulation must be prepared and outlive this. Destroy it also when this fails. */
weft_result weft_proxies_read(weft_proxies *proxies, const weft_scene_file *scene);
/* Moves the proxies to the simulation's present state and fills `shape`. Those of cloths whose mesh changes lie on it
 * as it is now. */
weft_result weft_proxies_follow(weft_proxies *proxies, const weft_sim *sim);
/* Meshes of the proxies, continued from `hash`. */
uint64_t weft_proxies_hash(const weft_proxies *proxies, uint64_t hash);
void weft_proxies_destroy(weft_proxies *proxies);

#endif
