/* Declarations shared by the writers. */
#ifndef WEFT_IO_WRITER_PARTS_H
#define WEFT_IO_WRITER_PARTS_H

#include "weft-io/writer.h"

/* Settings common to all writers. They come first in each settings struct and parameter table. */
typedef struct weft_writer_options {
    int32_t up;   /* 0: y, 1: z */
    double scale; /* file units per metre */
} weft_writer_options;
extern const char *const WEFT_UP_CHOICES[];
#define WEFT_WRITER_ROWS                                                                                               \
    {.name = "up",                                                                                                     \
     .type = WEFT_CHOICE,                                                                                              \
     .offset = offsetof(weft_writer_options, up),                                                                      \
     .fallback = "y",                                                                                                  \
     .unit = "",                                                                                                       \
     .help = "axis that points up in the file",                                                                        \
     .choices = WEFT_UP_CHOICES},                                                                                      \
    {                                                                                                                  \
        .name = "scale", .type = WEFT_REAL, .offset = offsetof(weft_writer_options, scale), .low = 1e-6, .high = 1e6,  \
        .fallback = "1", .unit = "", .help = "file units per metre (100: centimetres)"                                 \
    }
/* Converts a position or direction to the axes and units of the file. */
weft_vec3 weft_writer_point(const weft_writer_options *options, weft_vec3 p);
weft_vec3 weft_writer_direction(const weft_writer_options *options, weft_vec3 d);

extern const weft_component WEFT_OBJ_WRITER, WEFT_PLY_WRITER, WEFT_PC2_WRITER, WEFT_MDD_WRITER, WEFT_GLB_WRITER,
    WEFT_USDA_WRITER;

enum { WEFT_PATH_SIZE = 1024 };

/* Makes "DIR/NAME.ENDING", or "DIR/NAME_0012.ENDING" if frame >= 0. */
weft_result weft_writer_path(const char *directory, const char *name, int64_t frame, const char *ending,
                             char path[WEFT_PATH_SIZE]);
/* Refuses names that cannot be file names, and two cloths with the same name. */
weft_result weft_writer_check_names(const weft_take *take, const weft_frame *frame);
/* Refuses meshes that change from frame to frame. */
weft_result weft_writer_check_steady(const weft_frame *frame, const char *ending);
/* A writer of one or more files per frame. The files of a frame are complete and on the disk when the frame is
 * written. */
typedef struct weft_sequence {
    char directory[WEFT_PATH_SIZE], name[256]; /* directory: DIR/ENDING; name: scene name */
    const void *settings;
} weft_sequence;
/* Creates the directory and copies the settings (`size` bytes). */
weft_result weft_sequence_open(const void *settings, size_t size, const weft_take *take, const weft_frame *first,
                               const char *ending, void **self);
/* Refuses names that the sequence cannot use; for the `check` function of a writer. */
weft_result weft_sequence_check(const void *settings, const weft_take *take, const weft_frame *first);
weft_result weft_sequence_sync(void *self);
weft_result weft_sequence_close(void *self, int finished);

/* Writes all cloths of a frame to one OBJ file. */
weft_result weft_obj_write(const char *path, const weft_writer_options *options, const weft_frame *frame);

#endif
