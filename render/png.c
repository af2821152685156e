/* Reads and writes PNG files with the simplified interface of libpng. It reports errors in the image struct instead of
 * using longjmp. */
#include <errno.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/file.h"
#include "render/render.h"

weft_result weft_picture_write_png(const weft_picture *picture, const char *path) {
    weft_output output;
    WEFT_TRY(weft_output_open(&output, path));
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)picture->width,
                       .height = (png_uint_32)picture->height,
                       .format = PNG_FORMAT_RGBA};
    errno = 0;
    int written = png_image_write_to_stdio(&image, output.file, 0, picture->rgba, 0, NULL);
    int cause = errno;
    png_image_free(&image);
    if (written)
        return weft_output_commit(&output);
    weft_output_discard(&output);
    return weft_fail(WEFT_BAD_FILE, "%.400s: %s", path, cause ? strerror(cause) : image.message);
}

weft_result weft_picture_read_png(weft_picture *picture, const char *path) {
    *picture = (weft_picture){0};
    WEFT_TRY(weft_file_check(path));
    FILE *file = fopen(path, "rb");
    if (!file)
        return weft_fail(WEFT_BAD_FILE, "%.400s: %s", path, strerror(errno));
    png_image image = {.version = PNG_IMAGE_VERSION};
    weft_result result;
    if (!png_image_begin_read_from_stdio(&image, file)) {
        result = weft_fail(WEFT_BAD_FILE, "%.400s: not a PNG file: %s", path, image.message);
    } else {
        image.format = PNG_FORMAT_RGBA;
        int32_t width = image.width > INT32_MAX ? INT32_MAX : (int32_t)image.width;
        int32_t height = image.height > INT32_MAX ? INT32_MAX : (int32_t)image.height;
        result = weft_picture_create(picture, width, height);
        if (result.code == WEFT_OK && !png_image_finish_read(&image, NULL, picture->rgba, 0, NULL)) {
            result = weft_fail(WEFT_BAD_FILE, "%.400s: damaged PNG file: %s", path, image.message);
            weft_picture_destroy(picture);
        }
    }
    png_image_free(&image);
    fclose(file);
    return result;
}
