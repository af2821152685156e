/* What the writers share. */
#ifndef WEFT_IO_WRITER_PARTS_H
#define WEFT_IO_WRITER_PARTS_H

#include "io/writer.h"

extern const weft_component WEFT_OBJ_WRITER, WEFT_PLY_WRITER, WEFT_PC2_WRITER, WEFT_MDD_WRITER, WEFT_GLB_WRITER,
    WEFT_USDA_WRITER;

enum { WEFT_PATH_SIZE = 1024 };

/* "DIR/NAME.ENDING", or with a number "DIR/NAME_0012.ENDING" when frame >= 0. */
weft_result weft_writer_path(const char *directory, const char *name, int64_t frame, const char *ending,
                             char path[WEFT_PATH_SIZE]);
/* Refuses names that cannot be files, and two cloths of one name. */
weft_result weft_writer_check_names(const weft_take *take, const weft_frame *frame);
/* Refuses meshes that change from frame to frame. */
weft_result weft_writer_check_steady(const weft_frame *frame, const char *ending);
/* A writer of one file, or some, per frame, each complete and on the disk when its frame is written. */
typedef struct weft_sequence {
    char directory[WEFT_PATH_SIZE], name[256]; /* DIR/ENDING; of the scene */
    const void *settings;
} weft_sequence;
/* Makes the directory and keeps a copy of the settings (size). */
weft_result weft_sequence_open(const void *settings, size_t size, const weft_take *take, const weft_frame *first,
                               const char *ending, void **self);
weft_result weft_sequence_sync(void *self);
weft_result weft_sequence_close(void *self, int finished);

/* All cloths of a frame as one OBJ file. */
weft_result weft_obj_write(const char *path, const weft_writer_options *options, const weft_frame *frame);

#endif
