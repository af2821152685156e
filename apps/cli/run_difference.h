/* Finds the value in which a run differs from an earlier one, for messages of --resume. */
#ifndef WEFT_APPS_CLI_RUN_DIFFERENCE_H
#define WEFT_APPS_CLI_RUN_DIFFERENCE_H

#include "weft/sim.h"

/* Compares the simulation with the settings in DIRECTORY/report.json. Writes the first difference, as in "time.frames
 * was 60, now 65", except in values that a resumed run may change. "" if there is none or no report. */
void weft_run_difference(const char *directory, const weft_sim *sim, char *text, size_t size);

#endif
