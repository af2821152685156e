/* A frame that comes from a device while the next one is computed. */
#ifndef WEFT_SIM_STILL_H
#define WEFT_SIM_STILL_H

#include "sim/state.h"

/* Waits for the copy that is under way, if there is one. The device must exist until then. */
weft_result sim_still_arrive(weft_still *still);

#endif
