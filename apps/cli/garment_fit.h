/* `weft garment fit`: how the garments of a run fit. */
#ifndef WEFT_APPS_CLI_GARMENT_FIT_H
#define WEFT_APPS_CLI_GARMENT_FIT_H

#include "apps/cli/options.h"
#include "apps/cli/scene_file.h"

typedef struct garment_fit_options {
    const char *directory; /* of the run */
    const char *out;       /* folder; null: DIRECTORY/fit */
    int frame;             /* -1: when the garment had settled */
    weft_words levels;     /* NAME=HEIGHT */
} garment_fit_options;

weft_result weft_garment_fit_run(const garment_fit_options *options);

/* Copies the garment files of a scene into the folder of its run, as CLOTH.garment.yaml, for `weft garment fit`. */
weft_result weft_run_keep_garments(const weft_scene_file *scene, const char *directory);

#endif
