/* From a pattern to the mesh of a sewn garment. */
#ifndef WEFT_GARMENT_SEW_H
#define WEFT_GARMENT_SEW_H

#include "garment/fill.h"
#include "garment/pattern.h"
#include "weft/mesh.h"

/* A garment whose panels are triangulated, lie around the body and share the vertices of their seams. Its rest
 * coordinates are those of the pattern in metres, with the panels beside each other. */
typedef struct garment_sewn {
    garment_fill *fill;     /* the triangles of each panel, in pattern coordinates (panels) */
    int32_t *border;        /* number of outline points of each panel: the first ones of its fill (panels) */
    int32_t *start;         /* of each panel's points among all (panels + 1) */
    int32_t *vertex;        /* vertex of the mesh for each point (start[panels]) */
    weft_mesh *mesh;        /* groups of faces are panels; groups of vertices are edges, PANEL.EDGE */
    double longest_stretch; /* of an edge of the mesh as placed, relative to its length in the pattern */
} garment_sewn;

/* `sewn` needs garment_sewn_free, even after a failure. */
weft_result garment_sew(const garment_pattern *pattern, garment_sewn *sewn);
void garment_sewn_free(garment_sewn *sewn, int32_t panels);

#endif
