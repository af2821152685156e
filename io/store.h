/* The frames of a run in one file of equal records, kept until a writer can put its own file together at the end: for
 * formats that want all values of an attribute side by side, or state before the data what is known only after it.
 *
 * The file is "PATH.frames.part" beside PATH, the file to be made. Memory holds one frame. */
#ifndef WEFT_IO_STORE_H
#define WEFT_IO_STORE_H

#include <stdio.h>

#include "io/file.h"
#include "io/writer_parts.h"

/* Settings of every writer that uses a store. */
typedef struct weft_store_settings {
    weft_writer_options options;
    int32_t every;   /* frames 0, every, 2 every, ... and the last one are keys of the file */
    int32_t normals; /* 1: with unit normals */
} weft_store_settings;
#define WEFT_STORE_ROWS                                                                                                \
    WEFT_WRITER_ROWS, {"every", WEFT_INT, offsetof(weft_store_settings, every),   1,    1e6,                           \
                       "1",     "",       "write every n-th frame, and the last", NULL, 0},                            \
    {                                                                                                                  \
        "normals", WEFT_BOOL, offsetof(weft_store_settings, normals), 0, 0, "true", "", "write vertex normals", NULL,  \
            0                                                                                                          \
    }

/* A cloth's surface, copied: a frame's mesh is valid only while the frame is handed over. */
typedef struct weft_store_cloth {
    char name[256];
    int32_t vertex_count, face_count, corner_count, triangle_count;
    int32_t *face_size;     /* (face_count) */
    int32_t *corner;        /* the vertex at each corner, face after face (corner_count) */
    int32_t (*triangle)[3]; /* corners (triangle_count) */
    int32_t *triangle_face; /* (triangle_count) */
    weft_vec2 *uv;          /* rest coordinates (vertex_count), or null */
    weft_vec2 *corner_uv;   /* where they differ at seams (corner_count), or null when they do nowhere */
} weft_store_cloth;

typedef struct weft_store {
    weft_store_settings settings;
    char path[WEFT_PATH_SIZE]; /* of the file to be made */
    char name[256];            /* of the scene */
    double rate;               /* frames per second */
    int64_t frame_count;       /* of the run */
    int64_t key_count;         /* of the file */
    int32_t cloth_count;
    weft_store_cloth *cloth;
    int64_t next;        /* the frame that must come */
    int64_t record_size; /* bytes */
    weft_output output;
    FILE *reader;
    weft_vec3 *normal; /* of the largest cloth */
    uint64_t hash;     /* of all that the records depend on */
    int done;          /* the file was complete when the run was resumed */
} weft_store;

/* Copies the surfaces; no file is touched. */
weft_result weft_store_create(const weft_store_settings *settings, const weft_take *take, const weft_frame *first,
                              const char *ending, weft_store **store);
void weft_store_destroy(weft_store *store); /* null is allowed; leaves the records where they are */
/* Makes a store for a writer's `open` and starts it. `check`: whether the format can hold it; may be null. */
weft_result weft_store_open(const weft_store_settings *settings, const weft_take *take, const weft_frame *first,
                            const char *ending, weft_result (*check)(weft_store *), void **self);
/* Begins the records, or goes on with those there are when the run is resumed. */
weft_result weft_store_start(weft_store *store, int64_t first_frame);
weft_result weft_store_frame(weft_store *store, const weft_frame *frame);
weft_result weft_store_sync(weft_store *store);
/* With all frames there: calls `make`, renames what it wrote to its path, and removes the records, which stay for a
 * later resume in every other case. Frees the store. */
weft_result weft_store_close(weft_store *store, int finished, weft_result (*make)(weft_store *, weft_output *));

/* The frame that is key `key`. */
int64_t weft_store_key_frame(const weft_store *store, int64_t key);
/* Positions in the file's axes and units, or normals (3 vertex_count). For `make`. */
weft_result weft_store_read_points(weft_store *store, int64_t key, int32_t cloth, float *xyz);
weft_result weft_store_read_normals(weft_store *store, int64_t key, int32_t cloth, float *xyz);
/* 1 where the face is torn open (face_count). For `make`. */
weft_result weft_store_read_open(weft_store *store, int64_t key, int32_t cloth, uint8_t *open);

/* Copies a mesh; free it also when this fails. */
weft_result weft_store_cloth_copy(weft_store_cloth *copy, const char *name, const weft_mesh *mesh);
void weft_store_cloth_free(weft_store_cloth *cloth);
/* A colour for the cloth of that index, linear RGB. */
const float *weft_store_colour(int32_t cloth);

#endif
