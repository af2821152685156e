/* Frames that a thread reads while the next ones are computed. The includer provides `must`. */
#ifndef WEFT_TESTS_GPU_STILLS_H
#define WEFT_TESTS_GPU_STILLS_H

#include <pthread.h>

#include "gpu_scenes.h"

enum { STILLS = 8 };

typedef struct still_reader {
    weft_still *still;
    uint64_t hash;
} still_reader;

static inline void *still_read(void *context) {
    still_reader *r = context;
    weft_sim *shown;
    must(weft_still_wait(r->still, &shown));
    r->hash = weft_sim_hash(shown);
    return NULL;
}

/* The hashes of frames read beside later steps. */
static inline void stills_beside_steps(weft_sim *sim, uint64_t hash[STILLS]) {
    still_reader r = {0};
    pthread_t thread;
    must(weft_still_create(sim, &r.still));
    must(weft_sim_advance_frame(sim, NULL, NULL));
    for (int i = 0; i < STILLS; i++) {
        must(weft_still_take(r.still));
        if (pthread_create(&thread, NULL, still_read, &r) != 0)
            must(weft_fail(WEFT_NO_MEMORY, "no thread"));
        must(weft_sim_advance_frame(sim, NULL, NULL));
        pthread_join(thread, NULL);
        weft_still_keep(r.still);
        hash[i] = r.hash;
    }
    weft_still_destroy(r.still);
}

/* Whether these are the frames of a program that waits for each. */
static inline int stills_agree(const weft_registry *registry, const gpu_scene *scene, const char *device) {
    uint64_t hash[STILLS];
    int same = 1;
    weft_sim *sim = gpu_flag(registry, scene, device, 0), *plain = gpu_flag(registry, scene, device, 0);
    stills_beside_steps(sim, hash);
    for (int i = 0; i < STILLS; i++) {
        must(weft_sim_advance_frame(plain, NULL, NULL));
        same &= weft_sim_hash(plain) == hash[i];
    }
    weft_sim_destroy(plain);
    weft_sim_destroy(sim);
    return same;
}

#endif
