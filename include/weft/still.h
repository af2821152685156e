/** @file
 * Frames of a simulation on a device, copied while the next ones are computed. */
#ifndef WEFT_STILL_H
#define WEFT_STILL_H

#include "weft/sim.h"

WEFT_BEGIN

/** What can be read of a simulation at the end of a frame, kept while later steps are computed. Opaque. */
typedef struct weft_still weft_still;

/** Makes a still of a simulation that a device computes; others are refused. A simulation has at most one. While it has
 * one, frames no longer end with a copy of the state to the host. Whoever reads the simulation itself fetches it. */
WEFT_API weft_result weft_still_create(weft_sim *sim, weft_still **made);

/** Starts to copy the present state and returns at once. Later steps do not change what arrives. The still that was
 * taken before is lost. */
WEFT_API weft_result weft_still_take(weft_still *still);

/** Waits for the copy. `*shown` then has the state at the time of weft_still_take, for functions that read positions,
 * velocities, time, bodies and measures. It stays valid until the next weft_still_take. Any thread may call this and
 * read `*shown` while the simulation makes steps; changes of other kinds must wait. */
WEFT_API weft_result weft_still_wait(weft_still *still, weft_sim **shown);

/** Makes a still that has arrived the state to which the simulation goes back should the device fail. If it has failed
 * since the still was taken, the simulation goes there now. Call it on the thread that makes the steps. */
WEFT_API void weft_still_keep(weft_still *still);

/** Null is allowed. Destroy a still before its simulation. */
WEFT_API void weft_still_destroy(weft_still *still);

WEFT_END

#endif
