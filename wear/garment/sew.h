/* From a pattern to the mesh of a sewn garment. */
#ifndef WEFT_WEAR_GARMENT_SEW_H
#define WEFT_WEAR_GARMENT_SEW_H

#include "wear/garment/fill.h"
#include "wear/garment/pattern.h"
#include "weft/mesh.h"

/* Where a point of an outline lies. */
typedef struct garment_mark {
    int32_t edge; /* of the panel */
    double at;    /* fraction of the edge's length */
} garment_mark;

/* A piece of a fold line: an edge of the triangles of a panel. */
typedef struct garment_crease {
    int32_t panel, fold;
    int32_t point[2]; /* of the panel's fill */
} garment_crease;

/* A garment whose panels are triangulated, lie around the body and share the vertices of their seams. Its rest
 * coordinates are those of the pattern in metres after shrinking, with the panels beside each other and the warp along
 * y. */
typedef struct garment_sewn {
    garment_fill *fill;     /* the triangles of each panel, in pattern coordinates (panels) */
    int32_t *border;        /* number of outline points of each panel: the first ones of its fill (panels) */
    garment_mark *mark;     /* of each outline point; those of panel p begin at mark_start[p] */
    int32_t *mark_start;    /* (panels + 1) */
    garment_crease *crease; /* pieces of all fold lines (creases) */
    int32_t creases;
    int32_t *start;         /* of each panel's points among all (panels + 1) */
    int32_t *vertex;        /* vertex of the mesh for each point (start[panels]) */
    weft_mesh *mesh;        /* groups of faces are panels; groups of vertices are edges, PANEL.EDGE */
    double longest_stretch; /* of an edge of the mesh as placed, relative to its length in the pattern */
} garment_sewn;

/* `sewn` needs garment_sewn_free, even after a failure. */
weft_result garment_sew(const garment_pattern *pattern, garment_sewn *sewn);
/* A point of the pattern as it is after shrinking, with the warp along y, m. */
weft_vec2 garment_rest_point(const garment_panel *panel, weft_vec2 point);
void garment_sewn_free(garment_sewn *sewn, int32_t panels);

#endif
