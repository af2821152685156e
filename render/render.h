/* Pictures of cloth by ray tracing on the CPU: the public header of render/.
 *
 * Meshes come as arrays, so that nothing here depends on the simulation. Metres, right-handed, y up. Colours in
 * settings are sRGB in [0, 1], as on the screen. The same input gives the same bytes for any number of threads. */
#ifndef WEFT_RENDER_RENDER_H
#define WEFT_RENDER_RENDER_H

#include "weft/base.h"
#include "weft/param.h"

WEFT_BEGIN

/* ---- pictures ---- */

enum { WEFT_PICTURE_LIMIT = 16384 }; /* pixels on a side */

/* sRGB, 8 bits, alpha not premultiplied. Row 0 is at the top. */
typedef struct weft_picture {
    int32_t width, height;
    uint8_t *rgba; /* (height x width x 4) */
} weft_picture;

/* Black and opaque. Refuses sides outside 1 .. WEFT_PICTURE_LIMIT. */
weft_result weft_picture_create(weft_picture *picture, int32_t width, int32_t height);
void weft_picture_destroy(weft_picture *picture); /* a zeroed picture is allowed */

/* Written to PATH.part and renamed. */
weft_result weft_picture_write_png(const weft_picture *picture, const char *path);
/* Any PNG, converted to RGBA of 8 bits. */
weft_result weft_picture_read_png(weft_picture *picture, const char *path);

/* A PNG file in memory with at most 256 colours, opaque, for pages that carry their pictures: a fifth of the size. Free
 * `png`. */
weft_result weft_picture_encode_palette(const weft_picture *picture, char **png, size_t *size);

/* A picture of `width` pixels, not wider than this one and of the same proportions, each the mean of what it covers.
 * `small` is created. */
weft_result weft_picture_shrink(const weft_picture *picture, int32_t width, weft_picture *small);

/* Mean square difference of the colour channels, in [0, 1]; pictures of different sizes differ by 1. */
double weft_picture_difference(const weft_picture *a, const weft_picture *b);

/* `text` in the built-in 5 x 7 font, each dot `scale` pixels wide, its top left corner at (x, y). Parts outside the
 * picture are cut off. Letters are drawn in lower case. */
void weft_picture_text(weft_picture *picture, int32_t x, int32_t y, int32_t scale, const char *text, weft_vec3 color);
int32_t weft_text_width(const char *text, int32_t scale);

/* A contact sheet: pictures of equal size in rows of `columns` (0: as square as possible), each with its label below
 * (labels may be null). `sheet` is created. */
weft_result weft_picture_tile(const weft_picture *pictures, const char *const *labels, int32_t count, int32_t columns,
                              weft_vec3 background, weft_picture *sheet);

/* ---- the view: everything a scene's `view:` can say ---- */

typedef enum weft_camera_choice { WEFT_CAMERA_AUTO, WEFT_CAMERA_GIVEN } weft_camera_choice;
typedef enum weft_texture_choice {
    WEFT_TEXTURE_PLAIN,
    WEFT_TEXTURE_WEAVE,
    WEFT_TEXTURE_CHECKER,
    WEFT_TEXTURE_IMAGE
} weft_texture_choice;
typedef enum weft_springs_choice { WEFT_SPRINGS_NONE, WEFT_SPRINGS_TYPE, WEFT_SPRINGS_TENSION } weft_springs_choice;
typedef enum weft_color_choice {
    WEFT_COLOR_CLOTH,
    WEFT_COLOR_STRETCH,
    WEFT_COLOR_CURVATURE,
    WEFT_COLOR_SPEED,
    WEFT_COLOR_GENERATION,
    WEFT_COLOR_STRAIN_WEFT, /* these six in the order of weft_strain */
    WEFT_COLOR_STRAIN_WARP,
    WEFT_COLOR_STRAIN_SHEAR,
    WEFT_COLOR_STRESS_WEFT,
    WEFT_COLOR_STRESS_WARP,
    WEFT_COLOR_STRESS_SHEAR
} weft_color_choice;

typedef struct weft_view {
    int32_t width, height;      /* pixels */
    int32_t samples;            /* per pixel */
    int32_t occlusion_samples;  /* sky rays per sample */
    int32_t denoise;            /* filter the light, not the texture */
    int32_t camera;             /* weft_camera_choice */
    weft_vec3 position, target; /* m, camera given */
    weft_vec3 up;               /* of the camera */
    double azimuth, elevation;  /* rad, of the automatic camera, from +z towards +x and upwards */
    double field_of_view;       /* rad, vertical */
    double margin;              /* free border of the automatic camera, fraction of the half image */
    double turntable;           /* degrees per second about the vertical */
    weft_vec3 sun_direction;    /* towards the sun, any length */
    double sun_strength;        /* radiance of a white surface facing it */
    double sun_softness;        /* rad, apparent radius */
    double sky_strength;        /* radiance of a white surface under the whole sky */
    double occlusion_radius;    /* m, 0: without end */
    int32_t ground;
    int32_t ground_auto;  /* at the lowest point of all frames, or at ground_height */
    double ground_height; /* m */
    weft_vec3 ground_color, background;
    double vignette; /* darkening of the background in the corners */
    double exposure; /* stops */
    weft_vec3 cloth_front, cloth_back, body_color;
    double translucency;  /* 0: opaque, 1: as much light through as reflected */
    double sheen;         /* brightness of fibres seen at grazing angles */
    int32_t texture;      /* weft_texture_choice */
    double texture_scale; /* m: thread distance, side of a checker square, width of the image */
    char texture_image[WEFT_STRING_SIZE];
    int32_t smooth; /* cloth as a smooth surface through its vertices, or its flat triangles */
    int32_t particles, wireframe;
    double particle_radius;       /* m, 0: from the size of the picture */
    double line_width;            /* pixels */
    int32_t springs;              /* weft_springs_choice */
    double tension_limit;         /* relative elongation shown in full colour */
    int32_t color;                /* weft_color_choice */
    double color_low, color_high; /* range of the false colours; equal: that of the values given */
    int32_t legend;
} weft_view;

const weft_param *weft_view_params(void);
weft_view weft_view_default(void);
/* Reads `view: {...}` (null: the default). A `position` without a `camera` means the given camera. */
weft_result weft_view_read(const weft_value *map, const char *what, weft_view *view);
/* Refuses what the rows cannot say: an image of no size, a camera at its target, a sun without a direction. */
weft_result weft_view_check(const weft_view *view);

/* ---- the camera ---- */

/* Collects what must be seen, over all frames of a take. */
typedef struct weft_framing {
    weft_vec3 low, high; /* bounding box, m; low > high while empty */
    double support[4];   /* largest p . n of the four sides of the frustum */
    weft_vec3 side[4];   /* their normals n */
} weft_framing;

typedef struct weft_camera {
    weft_vec3 position, right, up, forward; /* m, orthonormal */
    double tan_x, tan_y;                    /* half image at distance 1 */
} weft_camera;

weft_framing weft_framing_start(const weft_view *view);
void weft_framing_add(weft_framing *framing, const weft_vec3 *position, int64_t count);
/* The camera at `time` (s; it matters for a turntable only). An empty framing is taken as a cube of 1 m. */
weft_camera weft_framing_camera(const weft_framing *framing, const weft_view *view, double time);
/* Image coordinates in pixels from the top left, and the distance along the view in z (<= 0: behind). */
weft_vec3 weft_camera_project(const weft_camera *camera, const weft_view *view, weft_vec3 p);

/* ---- what is in the picture ---- */

typedef enum weft_line_kind { WEFT_LINE_STRUCTURAL, WEFT_LINE_SHEAR, WEFT_LINE_FLEXION } weft_line_kind;

/* Views of the caller's arrays, read during weft_renderer_frame only. */
typedef struct weft_shot_cloth {
    const weft_vec3 *position; /* m (vertex_count) */
    int32_t vertex_count;
    const int32_t *triangle; /* counter-clockwise seen from the front (triangle_count x 3) */
    int32_t triangle_count;
    const weft_vec2 *uv;        /* rest coordinates, m (vertex_count); null: no texture */
    const weft_vec2 *corner_uv; /* the same per corner, where seams need it (triangle_count x 3); may be null */
    const int32_t *edge;        /* wireframe (edge_count x 2); null: the triangles' edges */
    int32_t edge_count;
    const double *scalar; /* false colour (vertex_count); null: the cloth's own colour */
    const int32_t *line;  /* springs (line_count x 2); may be null */
    int32_t line_count;
    const uint8_t *line_kind;  /* weft_line_kind (line_count); null: structural */
    const double *line_strain; /* relative elongation (line_count); null: none */
    int32_t own_colors;        /* use front and back below instead of the view's */
    weft_vec3 front, back;
} weft_shot_cloth;

typedef struct weft_shot_body {
    const weft_vec3 *position;
    int32_t vertex_count;
    const int32_t *triangle; /* (triangle_count x 3); edges sharper than 40 degrees stay sharp */
    int32_t triangle_count;
    int32_t own_color;
    weft_vec3 color;
} weft_shot_body;

typedef struct weft_shot {
    const weft_shot_cloth *cloth;
    int32_t cloth_count;
    const weft_shot_body *body;
    int32_t body_count;
    weft_vec3 low, high;     /* bounds of all frames, from the framing: size and height of the ground */
    const char *scalar_name; /* in the legend; null: the view's choice */
} weft_shot;

/* ---- the renderer ---- */

typedef struct weft_renderer weft_renderer;

/* Copies the view and loads its image texture. threads >= 1. */
weft_result weft_renderer_create(const weft_view *view, int threads, weft_renderer **renderer);
void weft_renderer_destroy(weft_renderer *renderer); /* null is allowed */
/* `picture` is created with the view's size; destroy it. Not for two threads at once on one renderer. */
weft_result weft_renderer_frame(weft_renderer *renderer, const weft_shot *shot, const weft_camera *camera,
                                weft_picture *picture);
/* The linear radiance before tone mapping of the last frame (height x width x 3), valid until the next one. */
const float *weft_renderer_radiance(const weft_renderer *renderer);

/* ---- quantities for false colour ---- */

/* Largest principal stretch minus 1, area-weighted over the triangles at each vertex (vertex_count). */
weft_result weft_scalar_stretch(const weft_shot_cloth *cloth, double *scalar);
/* |mean curvature|, 1/m (vertex_count); 0 on the boundary. */
weft_result weft_scalar_curvature(const weft_shot_cloth *cloth, double *scalar);

WEFT_END
#endif
