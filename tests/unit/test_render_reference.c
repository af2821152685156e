/* Compares small pictures with stored ones. With WEFT_WRITE_REFERENCES in the environment the stored pictures are
 * rewritten. Look at them before committing them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>

#include "render/trace.h"
#include "tests/render_scene.h"

/* Mean square difference. Rounding on other processors stays far below it, and each of the faults below far above. */
static const double THRESHOLD = 1e-4;

typedef enum fault_kind { NO_FAULT, NO_SHADOW, WRONG_NORMAL, NEGATED_NORMAL, FLIPPED } fault_kind;

static void spoil_normals(weft_stage *stage, fault_kind fault) {
    for (int32_t m = 0; m < stage->mesh_count; m++) {
        weft_stage_mesh *mesh = &stage->mesh[m];
        int32_t count = mesh->corner_normals ? 3 * mesh->triangle_count : mesh->vertex_count;
        for (int32_t i = 0; i < count; i++) {
            vecf n = mesh->normal[i];
            mesh->normal[i] = fault == NEGATED_NORMAL ? vf_scale(-1, n) : vf(n.y, n.z, n.x);
        }
    }
}

/* The steps of the renderer, with a fault inserted. */
static void render(const weft_view *view, weft_shot *shot, fault_kind fault, weft_picture *picture) {
    weft_work work = {.threads = 2};
    weft_framing framing = weft_framing_start(view);
    for (int32_t i = 0; i < shot->cloth_count; i++)
        weft_framing_add(&framing, shot->cloth[i].position, shot->cloth[i].vertex_count);
    for (int32_t i = 0; i < shot->body_count; i++)
        weft_framing_add(&framing, shot->body[i].position, shot->body[i].vertex_count);
    shot->low = framing.low;
    shot->high = framing.high;
    weft_camera camera = weft_framing_camera(&framing, view, 0);
    RTCDevice device = rtcNewDevice("threads=1");
    weft_stage stage;
    weft_film film;
    assert_int_equal(weft_stage_build(&stage, device, view, shot, &camera, &work).code, WEFT_OK);
    assert_int_equal(weft_film_create(&film, view->width, view->height).code, WEFT_OK);
    if (fault == WRONG_NORMAL || fault == NEGATED_NORMAL)
        spoil_normals(&stage, fault);
    weft_setting setting = weft_setting_make(view, &stage, NULL, &camera);
    weft_trace(&setting, &film, &work);
    if (fault == NO_SHADOW)
        for (int32_t i = 0; i < view->width * view->height; i++)
            film.light[0][i].visible = 1;
    weft_film_denoise(&film, &work);
    weft_film_resolve(&film, &work);
    assert_int_equal(weft_picture_create(picture, view->width, view->height).code, WEFT_OK);
    weft_film_develop(&film, view, &work, picture);
    weft_film_destroy(&film);
    weft_stage_free(&stage);
    rtcReleaseDevice(device);
}

static void flip(test_mesh *mesh) {
    for (int32_t i = 0; i < mesh->triangle_count; i++) {
        int32_t t = mesh->triangle[3 * i];
        mesh->triangle[3 * i] = mesh->triangle[3 * i + 1];
        mesh->triangle[3 * i + 1] = t;
    }
}

static void compare(const char *name, const weft_view *view, test_mesh *mesh, test_mesh *body) {
    char path[512];
    snprintf(path, sizeof path, WEFT_SOURCE_DIR "/tests/reference/%s.png", name);
    weft_shot_cloth cloth = test_cloth(mesh);
    weft_shot_body sphere = body ? test_body(body) : (weft_shot_body){0};
    weft_shot shot = {.cloth = &cloth, .cloth_count = 1, .body = &sphere, .body_count = body != NULL};
    weft_picture picture, reference;
    if (getenv("WEFT_WRITE_REFERENCES")) {
        assert_int_equal(test_render(view, &shot, 2, &picture).code, WEFT_OK);
        assert_int_equal(weft_picture_write_png(&picture, path).code, WEFT_OK);
        weft_picture_destroy(&picture);
    }
    assert_int_equal(weft_picture_read_png(&reference, path).code, WEFT_OK);
    for (int fault = NO_FAULT; fault <= FLIPPED; fault++) {
        if (fault == FLIPPED)
            flip(mesh);
        render(view, &shot, (fault_kind)fault, &picture);
        double difference = weft_picture_difference(&picture, &reference);
        print_message("%s, fault %d: %g\n", name, fault, difference);
        if (fault == NO_FAULT)
            assert_true(difference < THRESHOLD);
        else
            assert_true(difference > 3 * THRESHOLD);
        weft_picture_destroy(&picture);
    }
    flip(mesh);
    weft_picture_destroy(&reference);
}

static weft_view reference_view(void) {
    weft_view view = weft_view_default();
    view.width = 160;
    view.height = 90;
    return view;
}

static void flag_matches_reference(void **state) {
    (void)state;
    test_mesh mesh = test_mesh_make(test_flag, 45, 30, 1.5, 1);
    weft_view view = reference_view();
    compare("flag", &view, &mesh, NULL);
    test_mesh_free(&mesh);
}

static void drape_matches_reference(void **state) {
    (void)state;
    test_mesh mesh = test_mesh_make(test_drape, 64, 64, 1.3, 1.3);
    test_mesh sphere = test_mesh_make(test_sphere, 48, 24, 6.283185307179586, 3.14159265);
    weft_view view = reference_view();
    view.texture = WEFT_TEXTURE_CHECKER;
    view.texture_scale = 0.1;
    compare("drape", &view, &mesh, &sphere);
    test_mesh_free(&sphere);
    test_mesh_free(&mesh);
}

/* Flat triangles with area-weighted normals. */
static void flat_shaded_flag_matches_reference(void **state) {
    (void)state;
    test_mesh mesh = test_mesh_make(test_flag, 45, 30, 1.5, 1);
    weft_view view = reference_view();
    view.smooth = 0;
    compare("flag_flat", &view, &mesh, NULL);
    test_mesh_free(&mesh);
}

/* From behind, against the light. */
static void flag_from_behind_matches_reference(void **state) {
    (void)state;
    test_mesh mesh = test_mesh_make(test_flag, 45, 30, 1.5, 1);
    weft_view view = reference_view();
    view.azimuth = 3.5;
    view.texture = WEFT_TEXTURE_PLAIN;
    view.translucency = 0.6;
    compare("back", &view, &mesh, NULL);
    test_mesh_free(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flag_matches_reference),
        cmocka_unit_test(flat_shaded_flag_matches_reference),
        cmocka_unit_test(drape_matches_reference),
        cmocka_unit_test(flag_from_behind_matches_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
