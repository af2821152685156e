/* From measurements to lofts: a reference body of 170 cm whose sections are scaled until its girths are the wanted
 * ones. */
#ifndef WEAR_MANNEQUIN_ANATOMY_H
#define WEAR_MANNEQUIN_ANATOMY_H

#include "wear/mannequin/flesh.h"

/* Girths in the order of mannequin.girth. */
enum {
    ANATOMY_NECK,
    ANATOMY_CHEST,
    ANATOMY_WAIST,
    ANATOMY_HIP,
    ANATOMY_UPPER_ARM,
    ANATOMY_WRIST,
    ANATOMY_THIGH,
    ANATOMY_KNEE,
    ANATOMY_CALF,
    ANATOMY_ANKLE
};

typedef struct anatomy {
    mannequin_measures measures;    /* completed */
    double scale[MANNEQUIN_GIRTHS]; /* factors on the sections of the reference body */
} anatomy;

typedef struct anatomy_plane {
    weft_vec3 at, normal; /* of a girth: a point inside the section, m, and a unit vector */
    int32_t groups;       /* of lofts that count */
} anatomy_plane;

extern const char *const ANATOMY_GIRTHS[MANNEQUIN_GIRTHS];

/* Height on this body of a height on the reference body, m. */
double anatomy_height(const anatomy *a, double reference);
/* Direction of the left arm in the pose `standing`. */
weft_vec3 anatomy_arm_direction(void);
/* Centre of a joint in the pose `standing`, m. */
weft_vec3 anatomy_joint(const anatomy *a, int32_t joint);
anatomy_plane anatomy_girth_plane(const anatomy *a, int32_t girth);
/* The girth that the measurements ask for, m. */
double anatomy_girth_wanted(const anatomy *a, int32_t girth);
/* Half the width of the trunk at the hips, m. */
double anatomy_hip_half_width(const anatomy *a);
void anatomy_flesh(const anatomy *a, flesh *f);

#endif
