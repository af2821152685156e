/* How a garment fits: girths and ease, strain, tension and pressure of its panels, forces in its seams. */
#ifndef WEFT_LAB_FIT_EASE_H
#define WEFT_LAB_FIT_EASE_H

#include "lab/textile/test_page.h"
#include "wear/garment/pattern.h"
#include "weft/model.h"

typedef struct weft_fit_body {
    const weft_vec3 *position; /* m */
    const int32_t (*triangle)[3];
    int32_t vertices, triangles;
} weft_fit_body;

/* A height at which girths are taken, with a name such as "waist". */
typedef struct weft_fit_level {
    char name[GARMENT_NAME];
    double height;  /* m */
    double garment; /* girth of the garment's convex hull, m; 0 if it does not reach there */
    double body;    /* the same of the body inside of the garment, m; 0 if there is none */
} weft_fit_level;

typedef struct weft_fit_panel {
    double area, mass;                     /* of the pattern, m2; kg */
    double strain_mean[3], strain_most[3]; /* weft, warp, shear; mean by area, and the largest in size with its sign */
    double stretch_most;                   /* largest principal strain */
    double tension_mean, tension_most;     /* largest principal stress, N/m */
    double pressure_mean, pressure_most;   /* mean where it touches, Pa */
    double touching;                       /* fraction of the area that touches */
} weft_fit_panel;

typedef struct weft_fit_seam {
    char name[4 * GARMENT_NAME];
    double length;     /* in the pattern, m */
    double pull_mean;  /* tension across the seam, N/m: mean over its length */
    double pull_most;  /* and largest */
    double shear_most; /* force along the seam, N/m */
    double force;      /* across the seam, N */
    double gap;        /* largest distance between its sides, m */
} weft_fit_seam;

/* What is measured, and the results. */
typedef struct weft_garment_fit {
    const garment_pattern *pattern;
    const weft_mesh *mesh;     /* sewn; face groups are the panels of the pattern */
    const double *density;     /* of each face, kg/m2 (mesh->face_count) */
    const weft_vec3 *x;        /* m (mesh->vertex_count) */
    const weft_strain *strain; /* (mesh->triangle_count) */
    const double *pressure;    /* Pa (mesh->vertex_count) */
    const weft_fit_body *body; /* (bodies) */
    int32_t bodies;
    weft_fit_level *level; /* names and heights are given (levels) */
    int32_t levels;

    weft_fit_panel *panel;     /* (pattern->panels) */
    weft_fit_seam *seam;       /* (pattern->seams) */
    double *stretch, *tension; /* largest principal strain and stress of each triangle, N/m (mesh->triangle_count) */
    weft_fit_level *profile;   /* girths at every centimetre of height (profiles) */
    int32_t profiles;
    double low, high;  /* lowest and highest point, m */
    double area, mass; /* of all panels */
} weft_garment_fit;

/* Measures. Free the results even if this fails. */
weft_result weft_garment_fit_measure(weft_garment_fit *fit);
void weft_garment_fit_free(weft_garment_fit *fit);

/* The area of a triangle in the pattern, m2. */
double weft_garment_fit_area(const weft_mesh *mesh, int32_t triangle);
/* Whether two panels of a mesh are joined by this half-edge. */
int weft_garment_fit_is_seam(const weft_mesh *mesh, int32_t halfedge);

/* ease_seams.c */
weft_result weft_garment_fit_seams(weft_garment_fit *fit);

/* ease_page.c: writes index.html, fit.csv, panels.csv, seams.csv, girths.csv and the pictures to a folder. */
weft_result weft_garment_fit_write(const weft_garment_fit *fit, const char *folder);

/* ease_pictures.c */
weft_result weft_garment_fit_pictures(const weft_garment_fit *fit, weft_lab_page *page);

#endif
