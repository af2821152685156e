/* Rendering of cloth by ray tracing on the CPU: the public header of render/.
 *
 * Meshes are passed as arrays, so rendering does not depend on the simulation. Units are metres; axes are right-handed
 * with y up. Colours in settings are sRGB in [0, 1]. Pictures are bit-identical for any number of threads. */
#ifndef WEFT_RENDER_RENDER_H
#define WEFT_RENDER_RENDER_H

#include "weft/base.h"
#include "weft/param.h"

WEFT_BEGIN

/* ---- pictures ---- */

enum { WEFT_PICTURE_LIMIT = 16384 }; /* pixels per side */

/* An sRGB picture with 8 bits per channel and straight alpha. Row 0 is at the top. */
typedef struct weft_picture {
    int32_t width, height;
    uint8_t *rgba; /* (height x width x 4) */
} weft_picture;

/* Creates a black, opaque picture. Refuses sides outside 1 .. WEFT_PICTURE_LIMIT. */
weft_result weft_picture_create(weft_picture *picture, int32_t width, int32_t height);
void weft_picture_destroy(weft_picture *picture); /* a zeroed picture is allowed */

/* Writes to PATH.part and renames it. */
weft_result weft_picture_write_png(const weft_picture *picture, const char *path);
/* Reads any PNG file and converts it to RGBA with 8 bits per channel. */
weft_result weft_picture_read_png(weft_picture *picture, const char *path);

/* Encodes a PNG file in memory with at most 256 colours and no alpha, for pages with embedded pictures. It has about a
 * fifth of the size. The caller frees `png`. */
weft_result weft_picture_encode_palette(const weft_picture *picture, char **png, size_t *size);

/* Scales a picture down to `width` pixels, keeping its proportions. `width` must not exceed the width of the picture.
 * Each pixel is the mean of the area that it covers. Creates `small`. */
weft_result weft_picture_shrink(const weft_picture *picture, int32_t width, weft_picture *small);

/* Mean square difference of the colour channels, in [0, 1]. It is 1 for pictures of different size. */
double weft_picture_difference(const weft_picture *a, const weft_picture *b);

/* Draws `text` in the built-in 5 x 7 font, with dots of `scale` pixels and the top left corner at (x, y). Clips at the
 * border of the picture. Letters are drawn in lower case. */
void weft_picture_text(weft_picture *picture, int32_t x, int32_t y, int32_t scale, const char *text, weft_vec3 color);
int32_t weft_text_width(const char *text, int32_t scale);

/* A contact sheet: pictures of equal size in rows of `columns` (0: as square as possible), with labels below them.
 * `labels` may be null. Creates `sheet`. */
weft_result weft_picture_tile(const weft_picture *pictures, const char *const *labels, int32_t count, int32_t columns,
                              weft_vec3 background, weft_picture *sheet);

/* ---- the view: the settings of `view:` in a scene ---- */

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
    WEFT_COLOR_PRESSURE,    /* of contact with bodies, kPa */
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
    int32_t denoise;            /* 1: filter the lighting, not the texture */
    int32_t camera;             /* weft_camera_choice */
    weft_vec3 position, target; /* m, for WEFT_CAMERA_GIVEN */
    weft_vec3 up;               /* up direction of the camera */
    double azimuth, elevation;  /* rad, of the automatic camera: from +z towards +x, and upwards */
    double field_of_view;       /* rad, vertical */
    double margin;              /* free border of the automatic camera, as a fraction of the half image */
    double turntable;           /* degrees per second about the vertical axis */
    weft_vec3 sun_direction;    /* towards the sun, any length */
    double sun_strength;        /* radiance of a white surface that faces the sun */
    double sun_softness;        /* rad, apparent radius */
    double sky_strength;        /* radiance of a white surface under the open sky */
    double occlusion_radius;    /* m, 0: unlimited */
    int32_t ground;
    int32_t ground_auto;  /* 1: at the lowest point of all frames; 0: at ground_height */
    double ground_height; /* m */
    weft_vec3 ground_color, background;
    double vignette; /* darkening of the background in the corners */
    double exposure; /* stops */
    weft_vec3 cloth_front, cloth_back, body_color;
    double translucency;  /* 0: opaque, 1: transmits as much light as it reflects */
    double sheen;         /* brightness of fibres seen at grazing angles */
    int32_t texture;      /* weft_texture_choice */
    double texture_scale; /* m: spacing of yarns, side of a checker square, or width of the image */
    char texture_image[WEFT_STRING_SIZE];
    int32_t smooth; /* 1: draw a smooth surface through the vertices; 0: flat triangles */
    int32_t particles, wireframe;
    double particle_radius;       /* m, 0: 3 pixels */
    double line_width;            /* pixels */
    int32_t springs;              /* weft_springs_choice */
    double tension_limit;         /* relative elongation shown in full colour */
    int32_t color;                /* weft_color_choice */
    double color_low, color_high; /* range of the false colours; if equal, taken from the data */
    int32_t legend;
} weft_view;

const weft_param *weft_view_params(void);
weft_view weft_view_default(void);
/* Reads `view: {...}`; null gives the defaults. A `position` without a `camera` selects WEFT_CAMERA_GIVEN. */
weft_result weft_view_read(const weft_value *map, const char *what, weft_view *view);
/* Refuses values that the parameter ranges do not cover: an image without size, a camera at its target, a sun without a
 * direction. */
weft_result weft_view_check(const weft_view *view);

/* ---- the camera ---- */

/* Collects the points that must be visible, over all frames of a take. */
typedef struct weft_framing {
    weft_vec3 low, high; /* bounding box, m; low > high if empty */
    double support[4];   /* largest p . n for each of the four sides of the frustum */
    weft_vec3 side[4];   /* normals n of the sides */
} weft_framing;

typedef struct weft_camera {
    weft_vec3 position, right, up, forward; /* position in m; the directions are orthonormal */
    double tan_x, tan_y;                    /* half size of the image at distance 1 */
} weft_camera;

weft_framing weft_framing_start(const weft_view *view);
void weft_framing_add(weft_framing *framing, const weft_vec3 *position, int64_t count);
/* The camera at `time` (s), which only matters for a turntable. An empty framing is treated as a cube of 1 m. */
weft_camera weft_framing_camera(const weft_framing *framing, const weft_view *view, double time);
/* Image coordinates in pixels from the top left. z is the distance along the view direction (<= 0: behind the
 * camera). */
weft_vec3 weft_camera_project(const weft_camera *camera, const weft_view *view, weft_vec3 p);

/* ---- contents of a picture ---- */

typedef enum weft_line_kind { WEFT_LINE_STRUCTURAL, WEFT_LINE_SHEAR, WEFT_LINE_FLEXION } weft_line_kind;

/* A cloth in a picture. The pointers are views, read only during weft_renderer_frame. */
typedef struct weft_shot_cloth {
    const weft_vec3 *position; /* m (vertex_count) */
    int32_t vertex_count;
    const int32_t *triangle; /* counter-clockwise seen from the front (triangle_count x 3) */
    int32_t triangle_count;
    const weft_vec2 *uv; /* rest coordinates, m (vertex_count); null: no texture */
    /* The same per corner, if there are seams (triangle_count x 3); may be null. */
    const weft_vec2 *corner_uv;
    const int32_t *edge; /* wireframe (edge_count x 2); null: the edges of the triangles */
    int32_t edge_count;
    const double *scalar; /* false colour (vertex_count); null: the colour of the cloth */
    const int32_t *line;  /* springs (line_count x 2); may be null */
    int32_t line_count;
    const uint8_t *line_kind;  /* weft_line_kind (line_count); null: structural */
    const double *line_strain; /* relative elongation (line_count); null: 0 */
    int32_t own_colors;        /* 1: use front and back instead of the colours of the view */
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
    weft_vec3 low, high;     /* bounds over all frames, from the framing: they set the size and height of the ground */
    const char *scalar_name; /* for the legend; null: the choice of the view */
} weft_shot;

/* ---- the renderer ---- */

typedef struct weft_renderer weft_renderer;

/* Copies the view and loads its texture image. threads >= 1. */
weft_result weft_renderer_create(const weft_view *view, int threads, weft_renderer **renderer);
void weft_renderer_destroy(weft_renderer *renderer); /* null is allowed */
/* Creates `picture` with the size of the view; the caller destroys it. A renderer must not be used by two threads at
 * once. */
weft_result weft_renderer_frame(weft_renderer *renderer, const weft_shot *shot, const weft_camera *camera,
                                weft_picture *picture);
/* The linear radiance of the last frame before tone mapping (height x width x 3). Valid until the next frame. */
const float *weft_renderer_radiance(const weft_renderer *renderer);

/* ---- quantities for false colour ---- */

/* Largest principal stretch minus 1, averaged over the triangles at each vertex, weighted by area (vertex_count). */
weft_result weft_scalar_stretch(const weft_shot_cloth *cloth, double *scalar);
/* Absolute mean curvature, 1/m (vertex_count); 0 on the boundary. */
weft_result weft_scalar_curvature(const weft_shot_cloth *cloth, double *scalar);

WEFT_END
#endif
