/* Files that a garment is written to. */
#ifndef WEFT_GARMENT_FILES_H
#define WEFT_GARMENT_FILES_H

#include "wear/garment/sew.h"

/* A picture of the pattern as SVG: panels, names of edges and, in the same colour and with the same number, the two
 * sides of each seam. */
weft_result garment_picture_write(const garment_pattern *pattern, const char *path);
/* The sewn mesh as OBJ: rest coordinates are texture coordinates in metres, panels are groups. */
weft_result garment_obj_write(const garment_sewn *sewn, const char *path);

#endif
