/* Makes every allocation of the renderer fail once. The address sanitizer reports leaks and uses after free. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#include "failing_malloc.h"
#include "tests/render_scene.h"

static const weft_vec3 CORNER[4] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
static const weft_vec2 REST[4] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
static const int32_t TRIANGLE[6] = {0, 1, 2, 0, 2, 3};
static const double SCALAR[4] = {0, 1, 2, 3};

static weft_shot_cloth square(void) {
    return (weft_shot_cloth){
        .position = CORNER, .vertex_count = 4, .triangle = TRIANGLE, .triangle_count = 2, .uv = REST, .scalar = SCALAR};
}

/* Covers everything that allocates: image texture, rest coordinates, false colours, body, lines, particles. */
static weft_result draw(void) {
    weft_shot_cloth cloth = square();
    weft_shot_body body = {.position = CORNER, .vertex_count = 4, .triangle = TRIANGLE, .triangle_count = 2};
    weft_shot shot = {.cloth = &cloth, .cloth_count = 1, .body = &body, .body_count = 1};
    weft_view view = weft_view_default();
    view.width = view.height = 16;
    view.wireframe = view.particles = 1;
    view.color = WEFT_COLOR_SPEED;
    view.texture = WEFT_TEXTURE_IMAGE;
    snprintf(view.texture_image, sizeof view.texture_image, "%s", WEFT_SOURCE_DIR "/tests/reference/flag.png");
    weft_picture picture = {0}, sheet;
    WEFT_TRY(test_render(&view, &shot, 1, &picture));
    weft_result result = weft_picture_tile(&picture, NULL, 1, 0, (weft_vec3){1, 1, 1}, &sheet);
    if (result.code == WEFT_OK)
        weft_picture_destroy(&sheet);
    weft_picture_destroy(&picture);
    return result;
}

static weft_result measure(void) {
    double scalar[4];
    weft_shot_cloth cloth = square();
    WEFT_TRY(weft_scalar_stretch(&cloth, scalar));
    return weft_scalar_curvature(&cloth, scalar);
}

static weft_result encode(void) {
    weft_picture picture, small;
    char *png;
    size_t size;
    WEFT_TRY(weft_picture_create(&picture, 8, 8));
    weft_result result = weft_picture_shrink(&picture, 4, &small);
    weft_picture_destroy(&picture);
    WEFT_TRY(result);
    result = weft_picture_encode_palette(&small, &png, &size);
    free(png);
    weft_picture_destroy(&small);
    return result;
}

static void renderer_reports_failure_of_every_allocation(void **state) {
    (void)state;
    sweep_job(draw);
    sweep_job(measure);
    sweep_job(encode);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(renderer_reports_failure_of_every_allocation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
