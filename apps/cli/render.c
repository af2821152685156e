/* `weft render`: pictures and videos of a run, made from frames.weft. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "apps/cli/command.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options.h"
#include "apps/cli/pictures.h"
#include "apps/cli/progress.h"
#include "apps/cli/run_folder.h"
#include "apps/cli/say.h"
#include "apps/cli/view_file.h"
#include "io/file.h"

typedef struct weft_render_options {
    const char *directory, *out, *frames, *video, *size;
    int frame, sheet, threads; /* frame and sheet: -1 if not given */
    int resume, quiet;
    weft_words sets;
} weft_render_options;

/* -- frame range -- */

/* Reads a number at *at and advances *at. Uses `fallback` if there is none. Returns 0 if the number is too large. */
static int read_number(const char **at, int64_t fallback, int64_t *number) {
    char *end;
    *number = fallback;
    if (**at < '0' || **at > '9')
        return 1;
    unsigned long long value = strtoull(*at, &end, 10);
    *at = end;
    *number = value > INT32_MAX ? INT32_MAX : (int64_t)value;
    return value <= INT32_MAX;
}

/* "0..240", "0..240/2", "60..", "..60", "/4", "12" */
static weft_result read_range(const char *text, int64_t last, weft_frame_range *range) {
    const char *at = text;
    int good = *at != '\0' && read_number(&at, 0, &range->first);
    if (strncmp(at, "..", 2) == 0) {
        at += 2;
        good = good && read_number(&at, last, &range->last);
    } else {
        range->last = at == text ? last : range->first;
    }
    range->step = 1;
    if (*at == '/') {
        at++;
        good = good && read_number(&at, 0, &range->step);
    }
    if (!good || *at || range->step < 1 || range->first > range->last)
        return weft_fail(WEFT_BAD_INPUT, "--frames: '%.60s' is not of the form A..B or A..B/STEP, with A up to B",
                         text);
    if (range->last > last)
        return weft_fail(WEFT_BAD_INPUT, "--frames: there is no frame %lld; there are 0 to %lld",
                         (long long)range->last, (long long)last);
    range->last -= (range->last - range->first) % range->step;
    return weft_ok();
}

static weft_result choose_frames(const weft_render_options *options, weft_pictures *pictures) {
    int64_t last = pictures->take.frame_count - 1;
    if (options->frames)
        return read_range(options->frames, last, &pictures->range);
    if (options->frame > last)
        return weft_fail(WEFT_BAD_INPUT, "--frame: there is no frame %d; there are 0 to %lld", options->frame,
                         (long long)last);
    return weft_ok();
}

/* -- look -- */

static weft_result read_view(const weft_render_options *options, weft_view *view) {
    WEFT_TRY(weft_view_file_read(options->directory, &options->sets, view));
    if (options->size)
        WEFT_TRY(weft_view_set_size(view, options->size));
    return weft_ok();
}

/* The pictures of a contact sheet are small unless --size is given. */
static void shrink(weft_view *view) {
    enum { WIDTH = 480 };
    if (view->width <= WIDTH)
        return;
    int32_t height = (int32_t)((int64_t)view->height * WIDTH / view->width);
    view->height = height > 0 ? height : 1;
    view->width = WIDTH;
}

/* -- output -- */

static int is_picture(const char *path) {
    size_t length = strlen(path);
    return length > 4 && strcasecmp(path + length - 4, ".png") == 0;
}

/* Files of other kinds. A folder of that name would surprise. */
static int is_other_file(const char *path) {
    static const char *const ENDINGS[] = {".jpg", ".jpeg", ".gif", ".bmp", ".tif", ".tiff", ".tga", ".webp", ".exr",
                                          ".ppm", ".svg",  ".pdf", ".mp4", ".mov", ".avi",  ".mkv", ".webm"};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof ENDINGS / sizeof ENDINGS[0]; i++)
        if (strcasecmp(dot, ENDINGS[i]) == 0)
            return 1;
    return 0;
}

/* Makes the folder of a file that --out names. */
static weft_result take_name(const char *file, char *path, size_t size) {
    if (snprintf(path, size, "%s", file) >= (int)size)
        return weft_fail(WEFT_BAD_FILE, "%.300s...: the path is too long", file);
    char *slash = strrchr(path, '/');
    if (!slash || slash == path)
        return weft_ok();
    *slash = '\0';
    weft_result result = weft_directory_make(path);
    *slash = '/';
    return result;
}

/* --out names the picture itself if it ends in .png. */
static weft_result name_file(const weft_render_options *options, const weft_pictures *pictures, const char *ending,
                             char *path, size_t size) {
    const char *folder = options->out ? options->out : options->directory;
    if (options->out && is_picture(options->out))
        return take_name(options->out, path, size);
    WEFT_TRY(weft_directory_make(folder));
    if (snprintf(path, size, "%s/%s%s", folder, pictures->take.name, ending) >= (int)size)
        return weft_fail(WEFT_BAD_FILE, "%.300s...: the path is too long", folder);
    return weft_ok();
}

static void tell(const weft_render_options *options, const weft_pictures *pictures, const char *path) {
    if (!options->quiet && !weft_interrupt_signal())
        weft_say("%s: %s\n", pictures->take.name, path);
}

static weft_result make_sheet(const weft_render_options *options, weft_pictures *pictures) {
    char path[1024];
    if (!options->size)
        shrink(&pictures->view);
    WEFT_TRY(name_file(options, pictures, "_sheet.png", path, sizeof path));
    WEFT_TRY(weft_pictures_sheet(pictures, options->sheet, path));
    tell(options, pictures, path);
    return weft_ok();
}

static weft_result make_sequence(const weft_render_options *options, weft_pictures *pictures) {
    char folder[1024];
    const char *out = options->out ? options->out : options->directory;
    WEFT_TRY(weft_run_folder_path(out, "png", folder, sizeof folder));
    WEFT_TRY(weft_pictures_sequence(pictures, folder));
    tell(options, pictures, folder);
    return weft_ok();
}

static weft_result make_still(const weft_render_options *options, weft_pictures *pictures) {
    char path[1024];
    int64_t frame = options->frame >= 0 ? options->frame : pictures->take.frame_count - 1;
    pictures->range = (weft_frame_range){frame, frame, 1};
    WEFT_TRY(name_file(options, pictures, ".png", path, sizeof path));
    WEFT_TRY(weft_pictures_still(pictures, frame, path));
    tell(options, pictures, path);
    return weft_ok();
}

static weft_result render(const weft_render_options *options, weft_pictures *pictures) {
    WEFT_TRY(weft_pictures_open(pictures, options->directory));
    WEFT_TRY(read_view(options, &pictures->view));
    WEFT_TRY(choose_frames(options, pictures));
    pictures->threads = options->threads;
    pictures->resume = options->resume;
    pictures->quiet = options->quiet;
    weft_interrupt_catch();
    if (options->video) {
        WEFT_TRY(weft_pictures_video(pictures, options->video, NULL));
        tell(options, pictures, options->video);
    }
    if (options->sheet >= 0 && !weft_interrupt_signal())
        WEFT_TRY(make_sheet(options, pictures));
    if (options->video || options->sheet >= 0)
        return weft_ok();
    return options->frames ? make_sequence(options, pictures) : make_still(options, pictures);
}

static const char NOTES[] =
    "DIR is the folder of a run. An unfinished run is rendered as far as it got. Without options, the command makes\n"
    "one still of the last frame, DIR/NAME.png. --frames makes numbered pictures, DIR/png/NAME_0042.png. With\n"
    "--video or --sheet, --frames selects their frames. The camera is framed once over all selected frames.\n"
    "A video is H.264 at the speed of the run and needs ffmpeg. Its pictures stay in FILE.frames until it is done.\n"
    "The scene's view: section controls the look (weft help view). The run stores it in DIR/view.yaml.";

static int check_usage(const weft_render_options *options) {
    const char *wrong = NULL;
    if (options->frame >= 0 && (options->frames || options->video || options->sheet >= 0))
        wrong = "--frame is for a still: it does not go with --frames, --video or --sheet";
    if (options->sheet == 0)
        wrong = "--sheet: a contact sheet needs at least 1 frame";
    if (options->out && is_picture(options->out) && (options->frames || options->video) && options->sheet < 0)
        wrong = "--out FILE.png takes one picture: choose it with --frame N, or name a folder";
    if (options->out && is_other_file(options->out))
        wrong = "--out: pictures are PNG files and videos MP4 files: use --out FILE.png, --video FILE.mp4, or a folder";
    if (wrong)
        weft_complain("render: %s (weft render --help)", wrong);
    return wrong ? WEFT_EXIT_USAGE : WEFT_EXIT_OK;
}

int weft_command_render(int argc, char **argv) {
    weft_render_options options = {.frame = -1, .sheet = -1};
    const weft_option table[] = {
        {"--out", WEFT_OPTION_TEXT, &options.out, "PATH",
         "write to this folder, or to this file if it ends in .png (default: the folder of the run)", 0},
        {"--frame", WEFT_OPTION_COUNT, &options.frame, "N", "make a still of this frame (default: the last)", 0},
        {"--frames", WEFT_OPTION_TEXT, &options.frames, "A..B/STEP", "select frames; A, B and /STEP are optional", 0},
        {"--video", WEFT_OPTION_TEXT, &options.video, "FILE.mp4", "make a video", 0},
        {"--sheet", WEFT_OPTION_COUNT, &options.sheet, "N", "make a contact sheet of N frames, DIR/NAME_sheet.png",
         1000},
        {"--size", WEFT_OPTION_TEXT, &options.size, "1280x720", "size of a picture in pixels; in a sheet 480 wide", 0},
        {"--set", WEFT_OPTION_WORDS, &options.sets, "view.KEY=VALUE",
         "change the view, for example view.wireframe=true", 0},
        {"--resume", WEFT_OPTION_FLAG, &options.resume, NULL, "keep existing pictures", 0},
        {"--threads", WEFT_OPTION_COUNT, &options.threads, "N", "number of threads; 0: one per processor (default)",
         1024},
        {"--quiet", WEFT_OPTION_FLAG, &options.quiet, NULL, "print errors only", 0},
        {0},
    };
    weft_usage usage = {"render", "DIR", 1, 1, "Makes pictures or a video from a run.", NOTES, table};
    weft_words words;
    int status = weft_usage_read(&usage, argc, argv, &words);
    if (status < 0)
        status = check_usage(&options);
    else
        return status;
    if (status != WEFT_EXIT_OK)
        return status;
    options.directory = words.word[0];
    weft_pictures pictures = {0};
    weft_result result = render(&options, &pictures);
    if (result.code != WEFT_OK)
        status = weft_command_failed(&result);
    else if (weft_interrupt_signal())
        status = weft_pictures_stopped(&pictures);
    weft_pictures_close(&pictures);
    return status;
}
