/* What a case records: figures, each one number, and on request the positions of its cloths. */
#ifndef WEFT_LAB_STUDY_FIGURE_H
#define WEFT_LAB_STUDY_FIGURE_H

#include "weft/base.h"

typedef enum weft_figure_kind {
    WEFT_FIGURE_REPORT, /* a number or truth value of report.json */
    WEFT_FIGURE_FRAMES, /* a column of frames.csv, reduced over the frames */
    WEFT_FIGURE_POINT,  /* a measure of one vertex, reduced over the frames */
    WEFT_FIGURE_DRAPE,  /* the drape coefficient, reduced over the frames */
    WEFT_FIGURE_KINDS
} weft_figure_kind;

/* How the values of the frames, frame 0 included, become one number. */
typedef enum weft_reduce {
    WEFT_REDUCE_LAST,
    WEFT_REDUCE_MAX,
    WEFT_REDUCE_MEAN,
    WEFT_REDUCE_MIN,
    WEFT_REDUCE_SUM,
    WEFT_REDUCE_AT /* at weft_figure::time, linear between frames */
} weft_reduce;

typedef enum weft_point_measure {
    WEFT_POINT_X, /* m */
    WEFT_POINT_Y,
    WEFT_POINT_Z,
    WEFT_POINT_SPEED,   /* m/s */
    WEFT_POINT_DISTANCE /* m from where it was in frame 0 */
} weft_point_measure;

/* A figure. It holds no pointers, so it can be copied to another process. */
typedef struct weft_figure {
    weft_figure_kind kind;
    char name[64];  /* name of its column */
    char unit[16];  /* "" if it has none or if it is unknown */
    char path[128]; /* REPORT: "energy.kinetic", "cloths.0.pieces"; FRAMES: name of a column */
    weft_reduce reduce;
    double time;    /* s, of WEFT_REDUCE_AT */
    char cloth[64]; /* POINT, DRAPE: name; "": the first */
    int32_t vertex; /* POINT: index in the input mesh; -1: the vertex nearest to `near` in frame 0 */
    weft_vec3 near; /* m */
    weft_point_measure measure;
    double support;   /* DRAPE: radius of the support, m */
    double radius;    /* DRAPE: radius of the flat specimen, m */
    weft_vec3 centre; /* DRAPE: a point on the axis, m */
} weft_figure;

typedef enum weft_keep {
    WEFT_KEEP_NONE,
    WEFT_KEEP_LAST, /* the last frame */
    WEFT_KEEP_ALL   /* frames 0, every, 2 every, ... */
} weft_keep;

/* What the cases of one scene record. */
typedef struct weft_recording {
    const weft_figure *figure; /* (figure_count) */
    int figure_count;
    weft_keep positions;
    int32_t every;          /* of WEFT_KEEP_ALL, from 1 on */
    int32_t picture_width;  /* pixels of the picture of the last frame; 0: the view of the scene */
    int32_t picture_height; /* the same */
} weft_recording;

#endif
