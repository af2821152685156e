/* Patterns: flat panels with named edges, and the seams that join them. docs/garments.md describes the file. */
#ifndef WEFT_GARMENT_PATTERN_H
#define WEFT_GARMENT_PATTERN_H

#include "weft/base.h"
#include "weft/value.h"

enum {
    GARMENT_NAME = 48,         /* bytes of a name, with the final zero */
    GARMENT_MOST_PANELS = 256, /* of a garment */
    GARMENT_MOST_EDGES = 1000, /* of a panel */
    GARMENT_MOST_SEAMS = 2000  /* of a garment */
};

/* One edge of an outline: a cubic Bezier curve. A straight one has its controls at the thirds. */
typedef struct garment_edge {
    char name[GARMENT_NAME]; /* "" if it has none */
    weft_vec2 control[4];    /* m */
    int32_t straight;        /* 1: a line */
    double length;           /* m */
    const weft_value *value; /* where it is in the file, for messages */
} garment_edge;

/* How a panel lies around a part of the body before it is sewn: on a cylinder about an axis. */
typedef struct garment_place {
    weft_vec3 from, to; /* axis, m */
    weft_vec3 front;    /* from the axis towards the middle of the panel at angle 0; orthogonal to it, length 1 */
    double radius;      /* of the cylinder, m */
    double angle;       /* of the panel's middle, rad, to the right as seen from outside */
    double height;      /* of the panel's lowest point above `from`, along the axis, m */
} garment_place;

/* A piece of fabric. Outlines are counter-clockwise as seen from outside of the garment. */
typedef struct garment_panel {
    char name[GARMENT_NAME];
    garment_edge *edge; /* each starts where the one before ends (edges) */
    int32_t edges;
    double area;         /* m2 */
    weft_vec2 low, high; /* bounds, m */
    garment_place place;
    const weft_value *value;
} garment_panel;

/* One side of a seam: a part of an edge, along the outline of its panel. */
typedef struct garment_side {
    int32_t panel, edge;
    double from, to; /* fractions of the edge's length, 0 <= from < to <= 1 */
} garment_side;

/* Joins two sides. The start of the first meets the end of the second, because both outlines run counter-clockwise. */
typedef struct garment_seam {
    garment_side side[2];
    int32_t gathered; /* 1: the lengths may differ by any amount */
    const weft_value *value;
} garment_seam;

typedef struct garment_pattern {
    char name[GARMENT_NAME];
    double edge_length; /* of the mesh, m */
    garment_panel *panel;
    int32_t panels;
    garment_seam *seam;
    int32_t seams;
    weft_tree *tree; /* the file */
} garment_pattern;

/* Reads and checks a garment file. `pattern` needs garment_pattern_free, even after a failure. */
weft_result garment_pattern_read(const char *path, garment_pattern *pattern);
/* The same from memory. `name` is the file name for messages. */
weft_result garment_pattern_read_memory(const char *bytes, size_t size, const char *name, garment_pattern *pattern);
void garment_pattern_free(garment_pattern *pattern);

/* The length of one side of a seam, m. */
double garment_side_length(const garment_pattern *pattern, const garment_side *side);

#endif
