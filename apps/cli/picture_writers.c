#include "apps/cli/picture_writers.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "apps/cli/interrupt.h"
#include "apps/cli/run_folder.h"
#include "render/video.h"
#include "weft-io/writer.h"

typedef struct settings {
    int32_t every; /* frames 0, every, 2 every, ... */
} settings;

static const weft_param PARAMS[] = {
    {.name = "every",
     .type = WEFT_INT,
     .offset = offsetof(settings, every),
     .low = 1,
     .high = 1e6,
     .fallback = "1",
     .unit = "",
     .help = "write every n-th frame"},
    {0},
};

/* -- during the run: nothing to do -- */

static weft_result open_nothing(const void *own, const weft_take *take, const weft_frame *first, void **self) {
    (void)own, (void)take, (void)first;
    *self = NULL;
    return weft_ok();
}

static weft_result frame_nothing(void *self, const weft_frame *frame) {
    (void)self, (void)frame;
    return weft_ok();
}

static weft_result close_nothing(void *self, int finished) {
    (void)self, (void)finished;
    return weft_ok();
}

static const weft_writer_functions FUNCTIONS = {open_nothing, frame_nothing, NULL, close_nothing, NULL};

static const weft_component PNG = {.abi = WEFT_ABI,
                                   .kind = WEFT_WRITER,
                                   .name = "png",
                                   .help = "one picture per frame; view: controls the look",
                                   .settings_size = sizeof(settings),
                                   .params = PARAMS,
                                   .functions = &FUNCTIONS,
                                   .paper = ""};
static const weft_component MP4 = {.abi = WEFT_ABI,
                                   .kind = WEFT_WRITER,
                                   .name = "mp4",
                                   .help = "an H.264 video; view: controls the look; needs ffmpeg",
                                   .settings_size = sizeof(settings),
                                   .params = PARAMS,
                                   .functions = &FUNCTIONS,
                                   .paper = ""};

weft_result weft_picture_writers_register(weft_registry *registry) {
    WEFT_TRY(weft_registry_add(registry, &PNG));
    return weft_registry_add(registry, &MP4);
}

int weft_picture_writers_wanted(const weft_output_plan *plan) {
    return weft_output_plan_find(plan, PNG.name) || weft_output_plan_find(plan, MP4.name);
}

weft_result weft_picture_writers_check(const weft_output_plan *plan) {
    return weft_output_plan_find(plan, MP4.name) ? weft_video_check() : weft_ok();
}

/* -- after the run -- */

static weft_result video_path(const char *directory, const char *name, char *path, size_t size) {
    if (snprintf(path, size, "%s/%s.mp4", directory, name) >= (int)size)
        return weft_fail(WEFT_BAD_FILE, "%.300s...: the path is too long", directory);
    return weft_ok();
}

weft_result weft_picture_writers_clear(const weft_output_plan *plan, const char *directory, const char *name) {
    char path[1024];
    WEFT_TRY(video_path(directory, name, path, sizeof path));
    if (weft_output_plan_find(plan, MP4.name) && unlink(path) != 0 && errno != ENOENT)
        return weft_fail(WEFT_BAD_FILE, "%.300s: %s", path, strerror(errno));
    return weft_ok();
}

static void choose(weft_pictures *pictures, int32_t every) {
    int64_t last = pictures->take.frame_count - 1;
    pictures->range = (weft_frame_range){0, last - last % every, every};
}

weft_result weft_picture_writers_run(const weft_output_plan *plan, weft_pictures *pictures, const char *directory) {
    const settings *png = weft_output_plan_find(plan, PNG.name), *mp4 = weft_output_plan_find(plan, MP4.name);
    char folder[1024], path[1024];
    WEFT_TRY(weft_run_folder_path(directory, "png", folder, sizeof folder));
    WEFT_TRY(video_path(directory, pictures->take.name, path, sizeof path));
    if (png) {
        choose(pictures, png->every);
        WEFT_TRY(weft_pictures_sequence(pictures, folder));
    }
    if (!mp4 || weft_interrupt_signal() || (pictures->resume && access(path, F_OK) == 0))
        return weft_ok();
    choose(pictures, mp4->every);
    return weft_pictures_video(pictures, path, png && png->every == mp4->every ? folder : NULL);
}
