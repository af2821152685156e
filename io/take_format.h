/* Definitions shared by the reader and the writer of takes. */
#ifndef WEFT_IO_TAKE_FORMAT_H
#define WEFT_IO_TAKE_FORMAT_H

#include <stddef.h>
#include <stdint.h>

#include "weft/base.h"

static const char WEFT_TAKE_MAGIC[8] = {'W', 'E', 'F', 'T', 'T', 'A', 'K', 'E'};
/* Takes without changing meshes are written as WEFT_TAKE_STEADY. */
enum { WEFT_TAKE_VERSION = 3, WEFT_TAKE_STEADY = 2, WEFT_TAKE_LONGEST_TEXT = 255 };
/* Bits: optional contents of a cloth. */
enum { WEFT_TAKE_UV = 1, WEFT_TAKE_STRAIN = 2, WEFT_TAKE_CHANGES = 4, WEFT_TAKE_PRESSURE = 8, WEFT_TAKE_CONTENTS = 15 };

typedef struct weft_take_counts {
    int32_t vertices, faces, links;
    int32_t strained; /* triangles with strain and stress, 0 if there are none */
    int32_t pressed;  /* vertices with a contact pressure, 0 if there are none */
} weft_take_counts;

static inline size_t weft_take_bits(int32_t count) { return ((size_t)count + 7) / 8; }

/* Size of one cloth in one frame, in bytes. */
static inline size_t weft_take_state_size(const weft_take_counts *counts) {
    return 12 * (size_t)counts->vertices + weft_take_bits(counts->faces) + weft_take_bits(counts->links) +
           24 * (size_t)counts->strained + 4 * (size_t)counts->pressed;
}

/* take_change.c: skips or reads the mesh of one frame and advances `at` past it. */
struct weft_take_cloth;
int weft_take_mesh_skip(const struct weft_take_cloth *cloth, const unsigned char **at, const unsigned char *end);
weft_result weft_take_mesh_read(struct weft_take_cloth *cloth, const unsigned char **at, const unsigned char *end,
                                const char *name);

#endif
