/* Girths as a tape measure reads them. */
#ifndef WEAR_MANNEQUIN_GIRTH_H
#define WEAR_MANNEQUIN_GIRTH_H

#include "wear/mannequin/anatomy.h"

/* Girth of the lofts in a plane, m. The section must be star-shaped about the point of the plane. */
double girth_of_flesh(const flesh *f, const anatomy_plane *plane);

#endif
