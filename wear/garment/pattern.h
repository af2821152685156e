/* Patterns: flat panels with named edges, the seams that join them, and what is added to them. docs/garments.md
 * describes the file. Lengths are in m and angles in rad, also where the file has cm and degrees. */
#ifndef WEFT_WEAR_GARMENT_PATTERN_H
#define WEFT_WEAR_GARMENT_PATTERN_H

#include "weft/base.h"
#include "weft/value.h"

enum {
    GARMENT_NAME = 48,           /* bytes of a name, with the final zero */
    GARMENT_MOST_PANELS = 256,   /* of a garment */
    GARMENT_MOST_EDGES = 1000,   /* of a panel */
    GARMENT_MOST_CURVES = 10000, /* of an edge */
    GARMENT_MOST_SEAMS = 2000,   /* of a garment */
    GARMENT_MOST_MARKS = 1000,   /* of each kind: folds and notches of a panel; elastics, buttons of a garment */
    GARMENT_MOST_SIDES = 16      /* of an elastic band */
};

/* A cubic Bezier curve. A line has its controls at the thirds. */
typedef struct garment_curve {
    weft_vec2 control[4]; /* m */
    double length;        /* m */
} garment_curve;

/* One edge of an outline: curves that are sewn as one. */
typedef struct garment_edge {
    char name[GARMENT_NAME]; /* "" if it has none */
    garment_curve *curve;    /* each starts where the one before ends (curves) */
    int32_t curves;
    int32_t straight;        /* 1: a single line */
    double length;           /* of all curves, m */
    int32_t wrapped;         /* 1: it is a side of a panel that is wrapped around a part of the body */
    double wrap;             /* then: its angle around the part before it is sewn, rad */
    double hem;              /* width along the edge on which the fabric lies double, m; 0: no hem */
    const weft_value *value; /* where it is in the file, for messages */
} garment_edge;

/* A part of a body: a cylinder. Panels have their y axis along it. So `from` is the lower end of trunk and neck, and
 * the end of arms and legs that is away from the trunk. */
typedef struct garment_part {
    char name[GARMENT_NAME];
    weft_vec3 from, to; /* axis, m */
    weft_vec3 front;    /* from the axis towards the front of the body, at angle 0; need not be orthogonal to it */
    double radius;      /* m */
} garment_part;

/* How a panel lies around a part of the body before it is sewn: on a cylinder about an axis. */
typedef struct garment_place {
    char around[GARMENT_NAME]; /* the part */
    int32_t in_file;           /* 1: the part is one of the file's own `body`; 0: of a mannequin */
    weft_vec3 from, to;        /* axis, m */
    weft_vec3 front;    /* from the axis towards the middle of the panel at angle 0; orthogonal to it, length 1 */
    double radius;      /* of the cylinder, m */
    double angle;       /* of the panel's middle, rad, to the right as seen from outside */
    double height;      /* of the panel's lowest point above `from`, along the axis, m */
    double own_radius;  /* as given in the file, or 0: that of the part and `gap` */
    double gap;         /* between the part's cylinder and that of the panel, m */
    double drop;        /* of the panel's highest point below `to`, m; NAN: `height` is given instead */
    int32_t wrapped;    /* 1: it is stretched between the angles of its wrapped edges, and `angle` is not used */
    garment_part trunk; /* of a leg: the hips, into which it widens above the crotch; radius 0: none */
} garment_place;

/* A line on a panel along which it is folded at rest. */
typedef struct garment_fold {
    weft_vec2 from, to;
    double angle; /* 0: flat; positive: the ridge points outwards, as the crease of trousers; -pi to pi */
    double yield; /* bent further than this away from its rest angle, the fold takes a new one; 0: never */
    const weft_value *value;
} garment_fold;

/* A mark on the outline, at a fraction of an edge's length. */
typedef struct garment_notch {
    int32_t edge;
    double at;
} garment_notch;

/* How a panel's fabric differs from the fabric it is cut from, for example by a fused interlining: factors. */
typedef struct garment_changes {
    double stretch; /* of the stiffnesses in the plane */
    double bend;    /* of the bending rigidities */
    double density;
    double shrink_warp, shrink_weft; /* by how much it shrinks in the wash: 0.03 for 3 % */
} garment_changes;

/* A piece of fabric. Outlines are counter-clockwise as seen from outside of the garment. */
typedef struct garment_panel {
    char name[GARMENT_NAME];
    garment_edge *edge; /* each starts where the one before ends (edges) */
    int32_t edges;
    double area;         /* m2 */
    weft_vec2 low, high; /* bounds, m */
    garment_place place;
    const weft_value *fabric; /* as in a scene: a name or a map; null: that of the garment */
    garment_changes changes;
    double padding; /* pressure of padding behind it, Pa; above 0: outwards */
    int32_t layer;  /* order from the skin outwards */
    double grain;   /* direction of the warp: 0 is along y, counter-clockwise, rad */
    garment_fold *fold;
    int32_t folds;
    garment_notch *notch;
    int32_t notches;
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
    int32_t open;     /* 1: an open zip: its sides have matching points but are not joined */
    double bend;      /* factor of the fabric's bending rigidity along the seam: allowances make it stiff */
    const weft_value *value;
} garment_seam;

/* An elastic band along edges. */
typedef struct garment_elastic {
    garment_side side[GARMENT_MOST_SIDES];
    int32_t sides;
    double ratio;     /* of its relaxed length and that of the fabric it is sewn to */
    double stiffness; /* force per strain, N */
    const weft_value *value;
} garment_elastic;

/* A point of a panel. */
typedef struct garment_point {
    int32_t panel;
    weft_vec2 at; /* m */
} garment_point;

/* Holds two points of the garment together once it is sewn. */
typedef struct garment_button {
    garment_point end[2];
    const weft_value *value;
} garment_button;

/* A side or a point that is held to the body once the garment is sewn. */
typedef struct garment_attachment {
    int32_t is_point;
    garment_side side;
    garment_point point;
    const weft_value *value;
} garment_attachment;

typedef struct garment_pattern {
    char name[GARMENT_NAME];
    double edge_length;       /* of the mesh, m */
    const weft_value *fabric; /* of panels without one, as in a scene; null: not given */
    garment_panel *panel;
    int32_t panels;
    garment_seam *seam;
    int32_t seams;
    garment_elastic *elastic;
    int32_t elastics;
    garment_button *button;
    int32_t buttons;
    garment_attachment *attachment;
    int32_t attachments;
    weft_tree *tree; /* the file; values point into it */
} garment_pattern;

/* Reads and checks a garment file. `pattern` needs garment_pattern_free, even after a failure. */
weft_result garment_pattern_read(const char *path, garment_pattern *pattern);
/* The same from memory. `name` is the file name for messages. */
weft_result garment_pattern_read_memory(const char *bytes, size_t size, const char *name, garment_pattern *pattern);
/* The same from the values of a file. The pattern owns the tree from now on, even after a failure. */
weft_result garment_pattern_read_tree(weft_tree *tree, garment_pattern *pattern);
void garment_pattern_free(garment_pattern *pattern);

/* Places the panels that lie around parts of a mannequin on these parts instead of the usual ones. Parts that the
 * file has itself stay. Fails if a panel lies around a part that is not among them. The body stands, so the lower end
 * of a part is taken as `from`, whichever it is. */
weft_result garment_pattern_place(garment_pattern *pattern, const garment_part *part, int32_t parts);
/* The parts of a mannequin of usual size: torso, neck, hips, left_arm, right_arm, left_leg, right_leg. Left is the
 * wearer's. Arms are held 45 degrees from the trunk. Static. */
const garment_part *garment_usual_parts(int32_t *parts);

/* First and last point of an edge. */
weft_vec2 garment_edge_start(const garment_edge *edge);
weft_vec2 garment_edge_end(const garment_edge *edge);
/* The point after a fraction of an edge's length. */
weft_vec2 garment_edge_along(const garment_edge *edge, double fraction);
/* A corner of the polygon that stands for an edge: near the point at a fraction `at` of its length, with neighbours at
 * a distance `step`. It lies so far outside of curves that the polygon has their area, to the second order. */
weft_vec2 garment_edge_sample(const garment_edge *edge, double at, double step);
/* The length of one side of a seam, m. */
double garment_side_length(const garment_pattern *pattern, const garment_side *side);
/* Whether a point lies in a panel or within a millimetre of its outline. */
int garment_panel_holds(const garment_panel *panel, weft_vec2 point);

#endif
