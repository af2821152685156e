/* Horizontal cuts through surfaces, and their girths as a tape measure reads them. */
#ifndef WEFT_LAB_TEXTILE_SECTION_H
#define WEFT_LAB_TEXTILE_SECTION_H

#include "weft/base.h"

/* Points where edges meet a plane, or the corners of a convex polygon; x and z in m. */
typedef struct weft_section {
    weft_vec2 *point; /* (count) */
    int32_t count, room;
} weft_section;

void weft_section_free(weft_section *section); /* a zeroed section is allowed */
/* Adds the points where triangles meet the plane y = height. Triangles with `skip` are left out; it may be null. */
weft_result weft_section_cut(weft_section *section, double height, const weft_vec3 *x, const int32_t (*triangle)[3],
                             int32_t triangles, const uint8_t *skip);
/* Replaces the points by the corners of their convex hull, counter-clockwise (A. Andrew's monotone chain, 1979). */
weft_result weft_section_wrap(weft_section *section);
/* The length of the closed polygon through the points, m. */
double weft_section_girth(const weft_section *section);
/* Keeps the points that lie in a convex polygon or within `margin` of it, m. */
void weft_section_keep_inside(weft_section *section, const weft_section *polygon, double margin);

#endif
