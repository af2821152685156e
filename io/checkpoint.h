/* The file from which a run goes on. */
#ifndef WEFT_IO_CHECKPOINT_H
#define WEFT_IO_CHECKPOINT_H

#include "weft/base.h"

/* Little-endian: magic "WEFTCKP1", version, scene hash, frame, blob size, blob, and a 64-bit hash of all before it. */
typedef struct weft_checkpoint {
    uint64_t scene; /* hash of the scene as run, with --set: a checkpoint fits no other */
    int64_t frame;
    int64_t csv_size; /* bytes of frames.csv up to that frame */
    size_t size;
    void *snapshot; /* weft_sim_snapshot; free() after reading */
} weft_checkpoint;

weft_result weft_checkpoint_write(const char *path, const weft_checkpoint *checkpoint);
/* Messages name the path and what is wrong: not a checkpoint, another version, truncated (bytes there and bytes
 * needed), damaged. */
weft_result weft_checkpoint_read(const char *path, weft_checkpoint *checkpoint);
weft_result weft_checkpoint_read_memory(const void *bytes, size_t size, const char *name, weft_checkpoint *checkpoint);
/* 64-bit FNV-1a, continued from `hash`; start with WEFT_HASH_START. */
#define WEFT_HASH_START UINT64_C(0xcbf29ce484222325)
uint64_t weft_hash_bytes(uint64_t hash, const void *bytes, size_t size);

#endif
