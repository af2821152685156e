/* The settings of a view: parameter table, defaults and checks. */
#include <math.h>
#include <string.h>

#include "render/render.h"
#include "weft/vec.h"

static const char *const CAMERAS[] = {"auto", "given", NULL};
static const char *const TEXTURES[] = {"plain", "weave", "checker", "image", NULL};
static const char *const SPRINGS[] = {"none", "type", "tension", NULL};
static const char *const COLORS[] = {"cloth",       "stretch",      "curvature",   "speed",        "generation",
                                     "pressure",    "strain-weft",  "strain-warp", "strain-shear", "stress-weft",
                                     "stress-warp", "stress-shear", NULL};

/* One row of the table each. The name is also that of the member. */
#define ROW(name_, type_, fallback_, unit_, help_)                                                                     \
    .name = #name_, .type = type_, .offset = offsetof(weft_view, name_), .fallback = fallback_, .unit = unit_,         \
    .help = help_
#define REAL(name, least, most, fallback, unit, help)                                                                  \
    { ROW(name, WEFT_REAL, fallback, unit, help), .low = least, .high = most }
#define WHOLE(name, least, most, fallback, help)                                                                       \
    { ROW(name, WEFT_INT, fallback, "", help), .low = least, .high = most }
#define SWITCH(name, fallback, help)                                                                                   \
    { ROW(name, WEFT_BOOL, fallback, "", help), .high = 1 }
#define VECTOR(name, fallback, unit, help)                                                                             \
    { ROW(name, WEFT_VECTOR, fallback, unit, help) }
#define CHOICE(name, fallback, help, words)                                                                            \
    { ROW(name, WEFT_CHOICE, fallback, "", help), .choices = words }

static const weft_param PARAMS[] = {
    WHOLE(width, 1, WEFT_PICTURE_LIMIT, "1280", "width of the picture in pixels"),
    WHOLE(height, 1, WEFT_PICTURE_LIMIT, "720", "height of the picture in pixels"),
    WHOLE(samples, 1, 1024, "4", "camera rays per pixel"),
    WHOLE(occlusion_samples, 1, 64, "2", "sky rays per camera ray"),
    SWITCH(denoise, "true", "filter noise in shadows and sky light"),
    CHOICE(camera, "auto", "auto: frames all objects in all frames; given: uses position and target", CAMERAS),
    VECTOR(position, "[0, 1, 4]", "m", "position of the given camera"),
    VECTOR(target, "[0, 0, 0]", "m", "point that the given camera looks at"),
    VECTOR(up, "[0, 1, 0]", "", "up direction of the camera"),
    REAL(azimuth, -1e3, 1e3, "30 deg", "rad", "direction of the automatic camera, from +z towards +x"),
    REAL(elevation, -1.57, 1.57, "14 deg", "rad", "angle of the automatic camera above the horizon"),
    REAL(field_of_view, 0.01, 3, "30 deg", "rad", "vertical angle of view"),
    REAL(margin, 0, 0.9, "0.12", "", "free border around the framed objects, as a fraction of the half picture"),
    REAL(turntable, -3600, 3600, "0", "", "rotation of the camera about the vertical axis, degrees per second"),
    VECTOR(sun_direction, "[-0.65, 0.95, 0.65]", "", "direction towards the sun"),
    REAL(sun_strength, 0, 1000, "1.05", "", "light on a white surface that faces the sun"),
    REAL(sun_softness, 0, 0.7, "2.5 deg", "rad", "apparent radius of the sun; larger gives softer shadows"),
    REAL(sky_strength, 0, 1000, "0.6", "", "light on a white surface under the open sky"),
    REAL(occlusion_radius, 0, 1e6, "0", "m", "range of sky occlusion, 0: unlimited"),
    SWITCH(ground, "true", "draw a ground that receives shadows and fades into the background"),
    SWITCH(ground_auto, "true", "place the ground at the lowest point of all frames"),
    REAL(ground_height, -1e6, 1e6, "0", "m", "height of the ground if ground_auto is off"),
    VECTOR(ground_color, "[0.85, 0.845, 0.84]", "", "sRGB colour of the fully lit ground"),
    VECTOR(background, "[0.89, 0.89, 0.89]", "", "sRGB colour of the background"),
    REAL(vignette, 0, 1, "0.22", "", "darkening of the background in the corners"),
    REAL(exposure, -20, 20, "0", "", "brightness in stops"),
    VECTOR(cloth_front, "[0.70, 0.22, 0.19]", "", "sRGB colour of the front of the cloth"),
    VECTOR(cloth_back, "[0.86, 0.70, 0.50]", "", "sRGB colour of the back of the cloth"),
    VECTOR(body_color, "[0.62, 0.64, 0.67]", "", "sRGB colour of bodies"),
    REAL(translucency, 0, 1, "0.25", "", "light that passes through the cloth"),
    REAL(sheen, 0, 1, "0.2", "", "brightness of fibres at grazing angles"),
    CHOICE(texture, "weave", "pattern on the cloth, by rest coordinates", TEXTURES),
    REAL(texture_scale, 1e-6, 1e6, "4 mm", "m", "spacing of yarns, side of a square, or width of the image"),
    {.name = "texture_image",
     .type = WEFT_STRING,
     .offset = offsetof(weft_view, texture_image),
     .fallback = "",
     .unit = "",
     .help = "PNG file for texture: image"},
    SWITCH(smooth, "true", "subdivide coarse cloth into a smooth surface"),
    SWITCH(particles, "false", "draw vertices as spheres"),
    SWITCH(wireframe, "false", "draw mesh edges"),
    REAL(particle_radius, 0, 1e6, "0", "m", "radius of particles, 0: 3 pixels"),
    REAL(line_width, 0.1, 100, "1.5", "", "width of springs and mesh edges in pixels"),
    CHOICE(springs, "none", "draw springs, coloured by type or by tension", SPRINGS),
    REAL(tension_limit, 1e-9, 1e6, "0.05", "", "elongation shown in full colour, as a fraction of the rest length"),
    CHOICE(color, "cloth", "colour of the cloth, or false colours of a quantity", COLORS),
    REAL(color_low, -1e30, 1e30, "0", "", "lower end of the false colours"),
    REAL(color_high, -1e30, 1e30, "0", "", "upper end of the false colours; if equal to color_low, from the data"),
    SWITCH(legend, "true", "draw a bar with the range of the false colours"),
    {0},
};

const weft_param *weft_view_params(void) { return PARAMS; }

weft_view weft_view_default(void) {
    weft_view view;
    memset(&view, 0, sizeof view);
    weft_params_default(PARAMS, &view);
    return view;
}

weft_result weft_view_read(const weft_value *map, const char *what, weft_view *view) {
    *view = weft_view_default();
    WEFT_TRY(weft_params_read(PARAMS, map, what, NULL, view));
    if (map && map->kind == WEFT_VALUE_MAP && weft_value_find(map, "position") && !weft_value_find(map, "camera"))
        view->camera = WEFT_CAMERA_GIVEN;
    return weft_view_check(view);
}

static weft_result check_color(const char *name, weft_vec3 c) {
    if (!(c.x >= 0 && c.x <= 1 && c.y >= 0 && c.y <= 1 && c.z >= 0 && c.z <= 1))
        return weft_fail(WEFT_BAD_INPUT, "view.%s: [%g, %g, %g] is not a colour of three numbers from 0 to 1", name,
                         c.x, c.y, c.z);
    return weft_ok();
}

/* Rays are traced in single precision. */
static weft_result check_reach(const char *name, weft_vec3 v) {
    const double most = 1e6;
    if (fabs(v.x) <= most && fabs(v.y) <= most && fabs(v.z) <= most)
        return weft_ok();
    return weft_fail(WEFT_BAD_INPUT, "view.%s: [%g, %g, %g] is beyond %g", name, v.x, v.y, v.z, most);
}

weft_result weft_view_check(const weft_view *view) {
    if (view->width < 1 || view->height < 1 || view->width > WEFT_PICTURE_LIMIT || view->height > WEFT_PICTURE_LIMIT)
        return weft_fail(WEFT_BAD_INPUT, "view: a picture of %d x %d pixels: each side must be 1 to %d", view->width,
                         view->height, WEFT_PICTURE_LIMIT);
    if (view->samples < 1 || view->occlusion_samples < 1)
        return weft_fail(WEFT_BAD_INPUT, "view: %d samples with %d sky rays: at least 1 of each is needed",
                         view->samples, view->occlusion_samples);
    WEFT_TRY(check_color("ground_color", view->ground_color));
    WEFT_TRY(check_color("background", view->background));
    WEFT_TRY(check_color("cloth_front", view->cloth_front));
    WEFT_TRY(check_color("cloth_back", view->cloth_back));
    WEFT_TRY(check_color("body_color", view->body_color));
    WEFT_TRY(check_reach("sun_direction", view->sun_direction));
    WEFT_TRY(check_reach("position", view->position));
    WEFT_TRY(check_reach("target", view->target));
    WEFT_TRY(check_reach("up", view->up));
    if (!(weft_length(view->sun_direction) > 0))
        return weft_fail(WEFT_BAD_INPUT, "view.sun_direction: must not be [0, 0, 0]");
    weft_vec3 forward = weft_sub(view->target, view->position);
    if (view->camera == WEFT_CAMERA_GIVEN && !(weft_length(forward) > 0))
        return weft_fail(WEFT_BAD_INPUT, "view.position: [%g, %g, %g] is also the target", view->position.x,
                         view->position.y, view->position.z);
    if (!(weft_length(view->up) > 0))
        return weft_fail(WEFT_BAD_INPUT, "view.up: must not be [0, 0, 0]");
    if (view->texture == WEFT_TEXTURE_IMAGE && !view->texture_image[0])
        return weft_fail(WEFT_BAD_INPUT, "view.texture_image: a PNG file is needed for texture: image");
    return weft_ok();
}
