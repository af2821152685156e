/* Reads and writes checkpoint files. */
#include "weft-io/checkpoint.h"

#include <stdlib.h>
#include <string.h>

#include "io/bytes.h"
#include "io/file.h"

static const char MAGIC[8] = {'W', 'E', 'F', 'T', 'C', 'K', 'P', '1'};
/* Byte offsets: magic 0, version 8 (4 bytes, then 4 zero bytes), scene 16, steps 24, frame 32, csv_size 40, size 48,
 * snapshot 56, then the hash. */
enum { VERSION = 2, SCENE = 16, STEPS = 24, FRAME = 32, CSV_SIZE = 40, SIZE = 48, HEADER = 56, TAIL = 8 };

uint64_t weft_hash_bytes(uint64_t hash, const void *bytes, size_t size) {
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
    return hash;
}

weft_result weft_checkpoint_write(const char *path, const weft_checkpoint *checkpoint) {
    unsigned char header[HEADER] = {0}, tail[TAIL];
    memcpy(header, MAGIC, sizeof MAGIC);
    weft_bytes_put(header + 8, VERSION, 4, 0);
    weft_bytes_put(header + SCENE, checkpoint->scene, 8, 0);
    weft_bytes_put(header + STEPS, checkpoint->steps, 8, 0);
    weft_bytes_put(header + FRAME, (uint64_t)checkpoint->frame, 8, 0);
    weft_bytes_put(header + CSV_SIZE, (uint64_t)checkpoint->csv_size, 8, 0);
    weft_bytes_put(header + SIZE, checkpoint->size, 8, 0);
    uint64_t hash = weft_hash_bytes(WEFT_HASH_START, header, HEADER);
    weft_bytes_put(tail, weft_hash_bytes(hash, checkpoint->snapshot, checkpoint->size), 8, 0);

    weft_output output;
    WEFT_TRY(weft_output_open(&output, path));
    weft_output_write(&output, header, HEADER);
    weft_output_write(&output, checkpoint->snapshot, checkpoint->size);
    weft_output_write(&output, tail, TAIL);
    return weft_output_commit(&output);
}

static weft_result fail_short(const char *name, size_t there, uint64_t needed) {
    return weft_fail(WEFT_BAD_INPUT, "%.380s: a truncated checkpoint: %zu bytes there, %llu needed", name, there,
                     (unsigned long long)needed);
}

static weft_result check(const unsigned char *at, size_t size, const char *name) {
    if (size > 0 && memcmp(at, MAGIC, size < sizeof MAGIC ? size : sizeof MAGIC) != 0)
        return weft_fail(WEFT_BAD_INPUT, "%.400s: not a checkpoint", name);
    if (size < HEADER + TAIL)
        return fail_short(name, size, HEADER + TAIL);
    uint64_t version = weft_bytes_get(at + 8, 4, 0), blob = weft_bytes_get(at + SIZE, 8, 0);
    if (version != VERSION)
        return weft_fail(WEFT_BAD_INPUT, "%.380s: a checkpoint of version %llu; this program reads version %d", name,
                         (unsigned long long)version, VERSION);
    if (blob > size - HEADER - TAIL)
        return fail_short(name, size, blob > UINT64_MAX - HEADER - TAIL ? blob : blob + HEADER + TAIL);
    uint64_t hash = weft_hash_bytes(WEFT_HASH_START, at, size - TAIL);
    if (blob < size - HEADER - TAIL || hash != weft_bytes_get(at + size - TAIL, 8, 0))
        return weft_fail(WEFT_BAD_INPUT, "%.400s: a damaged checkpoint: its bytes do not fit their hash", name);
    if (weft_bytes_get(at + FRAME, 8, 0) > INT64_MAX || weft_bytes_get(at + CSV_SIZE, 8, 0) > INT64_MAX)
        return weft_fail(WEFT_BAD_INPUT, "%.400s: a damaged checkpoint: a negative frame or size", name);
    return weft_ok();
}

weft_result weft_checkpoint_read_memory(const void *bytes, size_t size, const char *name, weft_checkpoint *checkpoint) {
    const unsigned char *at = bytes;
    *checkpoint = (weft_checkpoint){0};
    WEFT_TRY(check(at, size, name));
    size_t blob = size - HEADER - TAIL;
    void *snapshot = malloc(blob > 0 ? blob : 1);
    if (!snapshot)
        return weft_fail_memory(name, blob);
    memcpy(snapshot, at + HEADER, blob);
    *checkpoint = (weft_checkpoint){.scene = weft_bytes_get(at + SCENE, 8, 0),
                                    .steps = weft_bytes_get(at + STEPS, 8, 0),
                                    .frame = (int64_t)weft_bytes_get(at + FRAME, 8, 0),
                                    .csv_size = (int64_t)weft_bytes_get(at + CSV_SIZE, 8, 0),
                                    .size = blob,
                                    .snapshot = snapshot};
    return weft_ok();
}

weft_result weft_checkpoint_read(const char *path, weft_checkpoint *checkpoint) {
    char *bytes;
    size_t size;
    *checkpoint = (weft_checkpoint){0};
    WEFT_TRY(weft_file_read(path, &bytes, &size));
    weft_result result = weft_checkpoint_read_memory(bytes, size, path, checkpoint);
    free(bytes);
    return result;
}
