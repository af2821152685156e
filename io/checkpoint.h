/* Checkpoints: files from which an interrupted run resumes. */
#ifndef WEFT_IO_CHECKPOINT_H
#define WEFT_IO_CHECKPOINT_H

#include "weft/base.h"

/* A checkpoint file is little-endian: magic "WEFTCKP1", version, hashes of scene and steps, frame, size of frames.csv,
 * snapshot size, snapshot, and a 64-bit hash of all preceding bytes. */
typedef struct weft_checkpoint {
    uint64_t scene; /* hash of the scene including --set; a checkpoint only fits this scene */
    uint64_t steps; /* hash of the integrator and the length of steps; a run may continue with others */
    int64_t frame;
    int64_t csv_size; /* size of frames.csv in bytes, up to this frame */
    size_t size;
    void *snapshot; /* from weft_sim_snapshot; after reading, the caller frees it with free() */
} weft_checkpoint;

weft_result weft_checkpoint_write(const char *path, const weft_checkpoint *checkpoint);
/* A failure message names the path and the cause: not a checkpoint, wrong version, truncated (bytes present and bytes
 * needed) or damaged. */
weft_result weft_checkpoint_read(const char *path, weft_checkpoint *checkpoint);
weft_result weft_checkpoint_read_memory(const void *bytes, size_t size, const char *name, weft_checkpoint *checkpoint);
/* 64-bit FNV-1a hash, continued from `hash`. Start with WEFT_HASH_START. */
#define WEFT_HASH_START UINT64_C(0xcbf29ce484222325)
uint64_t weft_hash_bytes(uint64_t hash, const void *bytes, size_t size);

#endif
