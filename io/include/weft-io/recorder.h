/** @file
 * A recorder writes the frames of a simulation: a take, and the files of writers.
 *
 * Only one thread at a time may use a recorder and its simulation. */
#ifndef WEFT_IO_RECORDER_H
#define WEFT_IO_RECORDER_H

#include "weft-io/take.h"
#include "weft-io/writer.h"
#include "weft/sim.h"
#include "weft/value.h"

WEFT_BEGIN

/** A recorder. Opaque. */
typedef struct weft_recorder weft_recorder;

/** Most writers of one recorder. */
enum {
    WEFT_RECORDER_WRITERS = 16 /**< besides the take */
};

/** Creates a recorder without files; the caller closes it. Copies `take` and its texts. Makes its folder when the first
 * frame is written. The simulation must be prepared and must outlive the recorder. `*recorder` is null on failure. */
WEFT_API weft_result weft_recorder_create(weft_sim *sim, const weft_take *take, weft_recorder **recorder);
/** Also writes strain and stress of the triangles, to the take and to PLY files. Call it before the first frame. */
WEFT_API void weft_recorder_use_strain(weft_recorder *recorder);
/** Also writes the contact pressure of the vertices, to the take and to PLY files. Call it before the first frame. */
WEFT_API void weft_recorder_use_pressure(weft_recorder *recorder);
/** Also writes a take, which `weft render` and weft_take_reader_open read. Call it before the first frame. */
WEFT_API void weft_recorder_use_take(weft_recorder *recorder);
/** Adds a writer by name, such as "obj". `registry` has the writers (weft_writers_register). `settings` is a map of its
 * parameters, or null for the defaults. Call it before the first frame. */
WEFT_API weft_result weft_recorder_add_writer(weft_recorder *recorder, const weft_registry *registry, const char *name,
                                              const weft_value *settings);
/** Writes the present state as the next frame. The first call opens the files. */
WEFT_API weft_result weft_recorder_write_frame(weft_recorder *recorder);
/** Completes the files if `finished` is not 0; otherwise leaves unfinished ones with the ending .part. Always frees the
 * recorder. Null is allowed. */
WEFT_API weft_result weft_recorder_close(weft_recorder *recorder, int finished);

WEFT_END
#endif
