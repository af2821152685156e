/* The skeleton of a mannequin and what vertices take part in. */
#ifndef WEAR_MANNEQUIN_RIG_H
#define WEAR_MANNEQUIN_RIG_H

#include "wear/mannequin/anatomy.h"

/* Heights of the finished mesh are factor (y - low): its height is exact, while that of the lofts is not quite. */
typedef struct rig_fit {
    double low, factor;
} rig_fit;

/* A point of the lofts on the mesh, m. */
weft_vec3 rig_place(const rig_fit *fit, weft_vec3 p);
/* Sets the joints of m. */
void rig_joints(const anatomy *a, const rig_fit *fit, mannequin *m);
/* Sets the shares of all vertices. */
weft_result rig_shares(const anatomy *a, const flesh *f, const rig_fit *fit, mannequin *m);
/* Sets the parts. */
void rig_parts(const anatomy *a, const flesh *f, const rig_fit *fit, mannequin *m);

#endif
