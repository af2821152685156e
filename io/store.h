/* An intermediate file of frame records, from which a writer assembles its file at the end of a run. Formats need this
 * if they store all values of an attribute together, or if their header depends on the data.
 *
 * The records are in "PATH.frames.part", next to the final file PATH. Only one frame is held in memory. */
#ifndef WEFT_IO_STORE_H
#define WEFT_IO_STORE_H

#include <stdio.h>

#include "io/file.h"
#include "io/writer_parts.h"

/* Settings of all writers that use a store. */
typedef struct weft_store_settings {
    weft_writer_options options;
    /* Frames 0, every, 2 every, ... and the last frame are keys of the file. */
    int32_t every;
    int32_t normals; /* 1: write unit normals */
} weft_store_settings;
#define WEFT_STORE_ROWS                                                                                                \
    WEFT_WRITER_ROWS,                                                                                                  \
        {.name = "every",                                                                                              \
         .type = WEFT_INT,                                                                                             \
         .offset = offsetof(weft_store_settings, every),                                                               \
         .low = 1,                                                                                                     \
         .high = 1e6,                                                                                                  \
         .fallback = "1",                                                                                              \
         .unit = "",                                                                                                   \
         .help = "write every n-th frame and the last frame"},                                                         \
    {                                                                                                                  \
        .name = "normals", .type = WEFT_BOOL, .offset = offsetof(weft_store_settings, normals), .fallback = "true",    \
        .unit = "", .help = "write vertex normals"                                                                     \
    }

/* A copy of the surface of a cloth. The mesh of a frame is only valid during the call that passes the frame. */
typedef struct weft_store_cloth {
    char name[256];
    int32_t vertex_count, face_count, corner_count, triangle_count;
    int32_t *face_size;     /* (face_count) */
    int32_t *corner;        /* the vertex of each corner, ordered by face (corner_count) */
    int32_t (*triangle)[3]; /* corners (triangle_count) */
    int32_t *triangle_face; /* (triangle_count) */
    weft_vec2 *uv;          /* rest coordinates (vertex_count), or null */
    weft_vec2 *corner_uv;   /* coordinates per corner if they differ at seams (corner_count), or null */
} weft_store_cloth;

typedef struct weft_store {
    weft_store_settings settings;
    char path[WEFT_PATH_SIZE]; /* of the final file */
    char name[256];            /* scene name */
    double rate;               /* frames per second */
    int64_t frame_count;       /* frames of the run */
    int64_t key_count;         /* keys in the file */
    int32_t cloth_count;
    weft_store_cloth *cloth;
    int64_t next;        /* index of the expected frame */
    int64_t record_size; /* bytes */
    weft_output output;
    FILE *reader;
    weft_vec3 *normal; /* scratch, sized for the largest cloth */
    uint64_t hash;     /* of everything that the records depend on */
    int done;          /* 1: the file was already complete when the run was resumed */
} weft_store;

/* Copies the surfaces. Does not access any file. */
weft_result weft_store_create(const weft_store_settings *settings, const weft_take *take, const weft_frame *first,
                              const char *ending, weft_store **store);
void weft_store_destroy(weft_store *store); /* null is allowed; keeps the records file */
/* Creates and starts a store; for the `open` function of a writer. `check` refuses runs that the format cannot hold; it
 * may be null. */
weft_result weft_store_open(const weft_store_settings *settings, const weft_take *take, const weft_frame *first,
                            const char *ending, weft_result (*check)(weft_store *), void **self);
/* For the `check` function of a writer: refuses what weft_store_open refuses, without access to any file. */
weft_result weft_store_check(const weft_store_settings *settings, const weft_take *take, const weft_frame *first,
                             const char *ending, weft_result (*check)(weft_store *));
/* Creates the records file, or continues the existing one if the run is resumed. */
weft_result weft_store_start(weft_store *store, int64_t first_frame);
weft_result weft_store_frame(weft_store *store, const weft_frame *frame);
weft_result weft_store_sync(weft_store *store);
/* If all frames are written: calls `make`, renames its output to PATH and removes the records. Otherwise keeps the
 * records so that the run can resume. Frees the store. */
weft_result weft_store_close(weft_store *store, int finished, weft_result (*make)(weft_store *, weft_output *));

/* The frame index of a key. */
int64_t weft_store_key_frame(const weft_store *store, int64_t key);
/* For `make`: reads positions in the axes and units of the file, or normals (3 vertex_count). */
weft_result weft_store_read_points(weft_store *store, int64_t key, int32_t cloth, float *xyz);
weft_result weft_store_read_normals(weft_store *store, int64_t key, int32_t cloth, float *xyz);
/* For `make`: reads 1 for each face that is torn open (face_count). */
weft_result weft_store_read_open(weft_store *store, int64_t key, int32_t cloth, uint8_t *open);

/* Copies a mesh. `copy` must be freed even if this fails. */
weft_result weft_store_cloth_copy(weft_store_cloth *copy, const char *name, const weft_mesh *mesh);
void weft_store_cloth_free(weft_store_cloth *cloth);
/* The colour of the cloth with this index, linear RGB. */
const float *weft_store_colour(int32_t cloth);

#endif
