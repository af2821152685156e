/** @file
 * Checkpoints: files from which an interrupted run resumes. All functions are thread-safe.
 *
 * A checkpoint file is little-endian: magic "WEFTCKP1", version, hashes of scene and steps, frame, size of frames.csv,
 * snapshot size, snapshot, and a 64-bit hash of all preceding bytes. */
#ifndef WEFT_IO_CHECKPOINT_H
#define WEFT_IO_CHECKPOINT_H

#include "weft/base.h"

WEFT_BEGIN

/** The contents of a checkpoint. */
typedef struct weft_checkpoint {
    uint64_t scene;   /**< hash of the scene including --set; a checkpoint only fits this scene */
    uint64_t steps;   /**< hash of the integrator and the length of steps; a run may continue with others */
    int64_t frame;    /**< number of complete frames */
    int64_t csv_size; /**< size of frames.csv in bytes, up to this frame; 0 without such a file */
    size_t size;      /**< bytes of the snapshot */
    void *snapshot;   /**< from weft_sim_snapshot; after reading, the caller frees it with free() */
} weft_checkpoint;

/** Writes a file under a temporary name, and renames it when it is complete and on the disk. */
WEFT_API weft_result weft_checkpoint_write(const char *path, const weft_checkpoint *checkpoint);
/** Reads a file. A failure message names the path and the cause: not a checkpoint, wrong version, truncated (bytes
 * present and bytes needed) or damaged. */
WEFT_API weft_result weft_checkpoint_read(const char *path, weft_checkpoint *checkpoint);
/** As weft_checkpoint_read, from memory. `name` is for messages. */
WEFT_API weft_result weft_checkpoint_read_memory(const void *bytes, size_t size, const char *name,
                                                 weft_checkpoint *checkpoint);

/** The hash of no bytes. */
#define WEFT_HASH_START UINT64_C(0xcbf29ce484222325)
/** 64-bit FNV-1a hash, continued from `hash`. Start with WEFT_HASH_START. */
WEFT_API uint64_t weft_hash_bytes(uint64_t hash, const void *bytes, size_t size);

WEFT_END
#endif
