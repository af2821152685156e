/* Groups of cloth values, for integrators that do not use some of them. */
#include <string.h>

#include "solve/schemes.h"

static int is_one_of(const char *value, const char *const *names) {
    for (int i = 0; names[i]; i++)
        if (strcmp(value, names[i]) == 0)
            return 1;
    return 0;
}

int weft_is_damping(const char *value) {
    static const char *const NAMES[] = {"fabric.damping", "model.damping", "model.damping_time", "model.damping_kind",
                                        NULL};
    return is_one_of(value, NAMES);
}

int weft_is_stiffness(const char *value) {
    static const char *const NAMES[] = {"fabric.stretch_weft",
                                        "fabric.stretch_warp",
                                        "fabric.shear",
                                        "fabric.bend_weft",
                                        "fabric.bend_warp",
                                        "model.stiffness",
                                        "model.structural_stiffness",
                                        "model.shear_stiffness",
                                        "model.flexion_stiffness",
                                        NULL};
    return is_one_of(value, NAMES);
}
