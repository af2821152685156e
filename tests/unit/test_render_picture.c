#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/color.h"
#include "render/render.h"
#include "render/sample.h"
#include "render/texture.h"
#include "weft/work.h"

static void written_png_reads_back(void **state) {
    (void)state;
    weft_picture a, b;
    assert_int_equal(weft_picture_create(&a, 37, 11).code, WEFT_OK);
    for (int i = 0; i < 37 * 11 * 4; i++)
        a.rgba[i] = (uint8_t)weft_random_bits(5, (uint64_t)i);
    const char *path = "test_render_round_trip.png";
    assert_int_equal(weft_picture_write_png(&a, path).code, WEFT_OK);
    assert_int_equal(weft_picture_read_png(&b, path).code, WEFT_OK);
    assert_int_equal(b.width, 37);
    assert_int_equal(b.height, 11);
    assert_memory_equal(a.rgba, b.rgba, 37 * 11 * 4);
    FILE *partial = fopen("test_render_round_trip.png.part", "rb");
    assert_null(partial);
    remove(path);
    weft_picture_destroy(&b);
    weft_picture_destroy(&a);
}

/* Encodes the picture with a palette and reads it back. */
static weft_picture read_palette(const weft_picture *a) {
    const char *path = "test_render_palette.png";
    weft_picture b;
    char *png;
    size_t size;
    assert_int_equal(weft_picture_encode_palette(a, &png, &size).code, WEFT_OK);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(png, 1, size, file), size);
    fclose(file);
    free(png);
    assert_int_equal(weft_picture_read_png(&b, path).code, WEFT_OK);
    remove(path);
    return b;
}

static void palette_approximates_picture(void **state) {
    (void)state;
    weft_picture few, many, back;
    weft_picture_create(&few, 23, 9); /* 207 colours in distinguishable steps: all are kept */
    for (int i = 0; i < 23 * 9; i++) {
        few.rgba[4 * i] = (uint8_t)(8 * (i % 23));
        few.rgba[4 * i + 1] = (uint8_t)(24 * (i / 23));
    }
    back = read_palette(&few);
    assert_int_equal(back.width, 23);
    assert_memory_equal(few.rgba, back.rgba, 23 * 9 * 4);
    weft_picture_destroy(&back);
    weft_picture_create(&many, 256, 256); /* 65536 colours on a square of 256 x 256 levels: boxes of 16 x 16 */
    for (int i = 0; i < 256 * 256; i++) {
        many.rgba[4 * i] = (uint8_t)(i % 256);
        many.rgba[4 * i + 2] = (uint8_t)(i / 256);
    }
    back = read_palette(&many);
    /* Two of three channels are uniform over 16 levels, with a variance of (16^2 - 1) / 12, about a mean that is
     * rounded by half a level. */
    assert_float_equal(weft_picture_difference(&many, &back), 2.0 / 3 * (255.0 / 12 + 0.25) / (255 * 255), 1e-9);
    weft_picture_destroy(&back);
    weft_picture_destroy(&many);
    weft_picture_destroy(&few);
}

static void shrinking_averages_pixels(void **state) {
    (void)state;
    weft_picture a, b;
    weft_picture_create(&a, 5, 4);
    for (int i = 0; i < 5 * 4; i++)
        a.rgba[4 * i] = (uint8_t)(10 * (i % 5)); /* 0 10 20 30 40 */
    assert_int_equal(weft_picture_shrink(&a, 2, &b).code, WEFT_OK);
    assert_int_equal(b.width, 2);
    assert_int_equal(b.height, 2);
    assert_int_equal(b.rgba[0], 8);  /* (0 + 10 + 20 / 2) / 2.5 */
    assert_int_equal(b.rgba[4], 32); /* (20 / 2 + 30 + 40) / 2.5 */
    assert_int_equal(b.rgba[3], 255);
    weft_picture_destroy(&b);
    assert_int_equal(weft_picture_shrink(&a, 6, &b).code, WEFT_BAD_INPUT);
    weft_picture_destroy(&a);
}

static void assert_one_line(weft_result result, weft_code code, const char *excerpt) {
    assert_int_equal(result.code, code);
    assert_non_null(strstr(result.message, excerpt));
    assert_null(strchr(result.message, '\n'));
}

static void bad_files_are_reported_in_one_line(void **state) {
    (void)state;
    weft_picture picture;
    assert_one_line(weft_picture_create(&picture, 0, 10), WEFT_BAD_INPUT, "0 x 10");
    assert_one_line(weft_picture_create(&picture, 10, WEFT_PICTURE_LIMIT + 1), WEFT_BAD_INPUT, "16385");
    assert_int_equal(weft_picture_create(&picture, 4, 4).code, WEFT_OK);
    assert_one_line(weft_picture_write_png(&picture, "no/such/directory/a.png"), WEFT_BAD_FILE,
                    "no/such/directory/a.png: No such file or directory");
    weft_picture_destroy(&picture);
    assert_one_line(weft_picture_read_png(&picture, "no-such.png"), WEFT_BAD_FILE, "no-such.png: No such file");
    const char *path = "test_render_damaged.png";
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs("\x89PNG\r\n\x1a\nbut nothing more", file);
    fclose(file);
    assert_one_line(weft_picture_read_png(&picture, path), WEFT_BAD_FILE, path);
    assert_null(picture.rgba);
    remove(path);
}

static void difference_is_mean_square(void **state) {
    (void)state;
    weft_picture a, b, c;
    weft_picture_create(&a, 2, 1);
    weft_picture_create(&b, 2, 1);
    weft_picture_create(&c, 1, 2);
    b.rgba[0] = 255; /* one of six channels differs by one */
    assert_float_equal(weft_picture_difference(&a, &b), 1.0 / 6, 1e-12);
    assert_float_equal(weft_picture_difference(&a, &c), 1, 0);
    weft_picture_destroy(&a);
    weft_picture_destroy(&b);
    weft_picture_destroy(&c);
}

static void tiling_places_all_pictures_and_labels(void **state) {
    (void)state;
    weft_picture pictures[5], sheet;
    const char *labels[5] = {"0", "1", "2", "3", "4"};
    for (int i = 0; i < 5; i++) {
        assert_int_equal(weft_picture_create(&pictures[i], 40, 20).code, WEFT_OK);
        for (int k = 0; k < 40 * 20; k++)
            pictures[i].rgba[4 * k] = (uint8_t)(10 + i);
    }
    assert_int_equal(weft_picture_tile(pictures, labels, 5, 0, (weft_vec3){1, 1, 1}, &sheet).code, WEFT_OK);
    assert_true(sheet.width > 120 && sheet.width < 160); /* three per row, two rows */
    int seen[5] = {0}, ink = 0;
    for (int k = 0; k < sheet.width * sheet.height; k++) {
        if (sheet.rgba[4 * k] >= 10 && sheet.rgba[4 * k] < 15)
            seen[sheet.rgba[4 * k] - 10]++;
        ink += sheet.rgba[4 * k] > 15 && sheet.rgba[4 * k] < 100;
    }
    for (int i = 0; i < 5; i++)
        assert_int_equal(seen[i], 40 * 20);
    assert_true(ink > 20);
    weft_picture_destroy(&sheet);
    weft_picture other;
    weft_picture_create(&other, 3, 3);
    weft_picture two[2] = {pictures[0], other};
    assert_one_line(weft_picture_tile(two, NULL, 2, 0, (weft_vec3){1, 1, 1}, &sheet), WEFT_BAD_INPUT, "3 x 3");
    assert_one_line(weft_picture_tile(two, NULL, 0, 0, (weft_vec3){1, 1, 1}, &sheet), WEFT_BAD_INPUT, "0 pictures");
    weft_picture_destroy(&other);
    for (int i = 0; i < 5; i++)
        weft_picture_destroy(&pictures[i]);
}

static void text_is_clipped_to_picture(void **state) {
    (void)state;
    weft_picture picture;
    weft_picture_create(&picture, 12, 9);
    weft_picture_text(&picture, -30, -3, 3, "frame 12: t=0.5 s (%)?", (weft_vec3){1, 1, 1});
    weft_picture_text(&picture, 8, 5, 2, "88", (weft_vec3){1, 1, 1});
    weft_picture_destroy(&picture);
    assert_int_equal(weft_text_width("123", 2), 34);
}

static void tone_mapping_inverts(void **state) {
    (void)state;
    float before = -1;
    for (int i = 0; i < 99; i++) {
        float y = (float)i / 100, x = weft_tone_inverse(y);
        assert_true(x > before); /* rising */
        assert_float_equal(weft_tone(x), y, 1e-5);
        before = x;
    }
    for (int i = 0; i <= 255; i++)
        assert_float_equal(weft_linear_to_srgb(weft_srgb_to_linear((float)i / 255)), (float)i / 255, 1e-5);
}

/* The lightness (CIE L*) must rise in even steps along the false colours. */
static void colormap_lightness_rises_evenly(void **state) {
    (void)state;
    float before = -1;
    for (int i = 0; i <= 64; i++) {
        float lightness = 116 * cbrtf(vf_luminance(weft_colormap((float)i / 64))) - 16;
        if (i > 0) {
            assert_true(lightness - before > 0.4f);
            assert_true(lightness - before < 2.2f);
        }
        before = lightness;
    }
}

/* Any aligned run of 2^k points of a (0, 2)-sequence has one point in each of the 2^k boxes of each shape. */
static void samples_are_stratified(void **state) {
    (void)state;
    for (uint32_t pair = 0; pair < 3; pair++)
        for (uint32_t start = 0; start < 4096; start += 16)
            for (int shape = 0; shape <= 4; shape++) {
                int columns = 1 << shape, rows = 16 >> shape, seen[16] = {0};
                for (uint32_t i = 0; i < 16; i++) {
                    weft_sample2 s = weft_sample(start + i, pair);
                    assert_true(s.x >= 0 && s.x < 1 && s.y >= 0 && s.y < 1);
                    seen[(int)(s.x * (float)columns) * rows + (int)(s.y * (float)rows)]++;
                }
                for (int k = 0; k < 16; k++)
                    assert_int_equal(seen[k], 1);
            }
}

static void hilbert_curve_visits_neighbours(void **state) {
    (void)state;
    static uint8_t at[32 * 32][2];
    for (uint32_t y = 0; y < 32; y++)
        for (uint32_t x = 0; x < 32; x++) {
            uint32_t d = weft_hilbert(x, y);
            assert_true(d < 32 * 32);
            at[d][0] = (uint8_t)x;
            at[d][1] = (uint8_t)y;
        }
    for (int d = 1; d < 32 * 32; d++)
        assert_int_equal(abs(at[d][0] - at[d - 1][0]) + abs(at[d][1] - at[d - 1][1]), 1);
}

static void checker_texture_is_filtered(void **state) {
    (void)state;
    assert_float_equal(weft_texture_checker(0.5f, 0.5f, 0.01f), 0, 1e-4);
    assert_float_equal(weft_texture_checker(1.5f, 0.5f, 0.01f), 1, 1e-4);
    assert_float_equal(weft_texture_checker(1.5f, 1.5f, 0.01f), 0, 1e-4);
    assert_float_equal(weft_texture_checker(1.0f, 0.5f, 0.2f), 0.5f, 1e-4);
    /* the mean over a footprint against many sample points */
    for (int k = 0; k < 20; k++) {
        double u = 3 * weft_random(1, (uint64_t)k), v = 3 * weft_random(2, (uint64_t)k),
               w = 0.1 + 2 * weft_random(3, (uint64_t)k);
        double sum = 0;
        for (int j = 0; j < 200; j++)
            for (int i = 0; i < 200; i++) {
                double a = u + w * ((i + 0.5) / 200 - 0.5), b = v + w * ((j + 0.5) / 200 - 0.5);
                sum += ((int)floor(a) + (int)floor(b)) & 1;
            }
        assert_float_equal(weft_texture_checker((float)u, (float)v, (float)w), sum / 40000, 0.01);
    }
}

static void weave_texture_has_mean_one_and_fades(void **state) {
    (void)state;
    double sum = 0, most = 0;
    int n = 400;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            float shade = weft_texture_weave(64.0f * (float)i / (float)n, 64.0f * (float)j / (float)n, 0.1f).shade;
            sum += shade;
            most = fmax(most, fabsf(shade - 1));
        }
    assert_float_equal(sum / n / n, 1, 0.02);
    assert_true(most > 0.1);
    weft_weave_look far = weft_texture_weave(3.3f, 4.4f, 1.0f);
    assert_float_equal(far.shade, 1, 0);
    assert_float_equal(far.tilt_u, 0, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(written_png_reads_back),
        cmocka_unit_test(palette_approximates_picture),
        cmocka_unit_test(shrinking_averages_pixels),
        cmocka_unit_test(bad_files_are_reported_in_one_line),
        cmocka_unit_test(difference_is_mean_square),
        cmocka_unit_test(tiling_places_all_pictures_and_labels),
        cmocka_unit_test(text_is_clipped_to_picture),
        cmocka_unit_test(tone_mapping_inverts),
        cmocka_unit_test(colormap_lightness_rises_evenly),
        cmocka_unit_test(samples_are_stratified),
        cmocka_unit_test(hilbert_curve_visits_neighbours),
        cmocka_unit_test(checker_texture_is_filtered),
        cmocka_unit_test(weave_texture_has_mean_one_and_fades),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
