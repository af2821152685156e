#include "apps/cli/pictures.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "apps/cli/interrupt.h"
#include "apps/cli/progress.h"
#include "apps/cli/run_folder.h"
#include "apps/cli/say.h"
#include "io/file.h"
#include "render/video.h"
#include "weft-io/checkpoint.h"
#include "weft/text.h"

enum { PATH_SIZE = 1024 };

/* -- the take -- */

static weft_result find_take(const char *directory, char *path, size_t size, int *unfinished) {
    *unfinished = !weft_run_folder_has(directory, WEFT_TAKE_FILE);
    if (!*unfinished)
        return weft_run_folder_path(directory, WEFT_TAKE_FILE, path, size);
    if (weft_run_folder_has(directory, WEFT_TAKE_FILE ".part"))
        return weft_run_folder_path(directory, WEFT_TAKE_FILE ".part", path, size);
    if (access(directory, F_OK) != 0)
        return weft_fail(WEFT_BAD_FILE, "%.300s: %s", directory, strerror(errno));
    if (weft_run_folder_has(directory, "report.json"))
        return weft_fail(WEFT_BAD_FILE,
                         "%.300s: this run kept no frames for pictures: that needs output.take: true, "
                         "also beside --write none",
                         directory);
    return weft_fail(WEFT_BAD_FILE, "%.300s: no run of weft is here: there is no " WEFT_TAKE_FILE, directory);
}

weft_result weft_pictures_open(weft_pictures *pictures, const char *directory) {
    char path[PATH_SIZE];
    int unfinished;
    *pictures = (weft_pictures){0};
    WEFT_TRY(find_take(directory, path, sizeof path, &unfinished));
    WEFT_TRY(weft_take_reader_open(path, unfinished, &pictures->take));
    pictures->range = (weft_frame_range){0, pictures->take.frame_count - 1, 1};
    pictures->view = weft_view_default();
    return weft_ok();
}

void weft_pictures_close(weft_pictures *pictures) { weft_take_reader_close(&pictures->take); }

static int thread_count(const weft_pictures *pictures) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return pictures->threads > 0 ? pictures->threads : processors > 0 ? (int)processors : 1;
}

static weft_result open_reel(weft_pictures *pictures, const weft_view *view, weft_reel **reel) {
    return weft_reel_open(&pictures->take, view, &pictures->range, thread_count(pictures), reel);
}

/* -- one picture, one sheet -- */

weft_result weft_pictures_still(weft_pictures *pictures, int64_t frame, const char *path) {
    weft_reel *reel;
    weft_picture picture = {0};
    WEFT_TRY(open_reel(pictures, &pictures->view, &reel));
    weft_result result = weft_reel_picture(reel, frame, &picture);
    if (result.code == WEFT_OK)
        result = weft_picture_write_png(&picture, path);
    weft_picture_destroy(&picture);
    weft_reel_close(reel);
    return result;
}

static int64_t sheet_frame(const weft_pictures *pictures, int index, int count) {
    int64_t last = weft_frame_range_count(&pictures->range) - 1;
    int64_t at = count > 1 ? (last * index + (count - 1) / 2) / (count - 1) : last;
    return pictures->range.first + at * pictures->range.step;
}

/* Prefers full rows. */
static int sheet_columns(int count) {
    int least = 1;
    while (least * least < count)
        least++;
    for (int columns = least; columns * columns < 4 * count; columns++)
        if (count % columns == 0)
            return columns;
    return least;
}

typedef struct sheet {
    weft_picture *picture;
    const char **label;
    char (*text)[48];
} sheet;

static weft_result draw_sheet(weft_pictures *pictures, weft_reel *reel, int count, sheet *s, const char *path) {
    weft_progress progress;
    weft_progress_begin(&progress, pictures->take.name, pictures->quiet, 0, count, 0);
    weft_result result = weft_ok();
    for (int i = 0; i < count && result.code == WEFT_OK && !weft_interrupt_signal(); i++) {
        int64_t frame = sheet_frame(pictures, i, count);
        weft_format(s->text[i], sizeof s->text[i], "frame %lld  %.2f s", (long long)frame,
                    (double)frame / pictures->take.rate);
        s->label[i] = s->text[i];
        result = weft_reel_picture(reel, frame, &s->picture[i]);
        pictures->made = i + 1;
        weft_progress_show(&progress, i + 1);
    }
    weft_progress_end(&progress);
    if (result.code != WEFT_OK || weft_interrupt_signal())
        return result;
    weft_picture whole = {0};
    result = weft_picture_tile(s->picture, s->label, count, sheet_columns(count), pictures->view.background, &whole);
    if (result.code == WEFT_OK)
        result = weft_picture_write_png(&whole, path);
    weft_picture_destroy(&whole);
    return result;
}

weft_result weft_pictures_sheet(weft_pictures *pictures, int count, const char *path) {
    int64_t frames = weft_frame_range_count(&pictures->range);
    count = count > frames ? (int)frames : count;
    size_t room = count > 0 ? (size_t)count : 1;
    pictures->made = 0;
    pictures->wanted = count;
    weft_reel *reel;
    WEFT_TRY(open_reel(pictures, &pictures->view, &reel));
    sheet s = {calloc(room, sizeof *s.picture), calloc(room, sizeof *s.label), calloc(room, sizeof *s.text)};
    weft_result result = s.picture && s.label && s.text
                             ? draw_sheet(pictures, reel, count, &s, path)
                             : weft_fail_memory("a contact sheet", room * (sizeof *s.picture + sizeof *s.text));
    for (size_t i = 0; s.picture && i < room; i++)
        weft_picture_destroy(&s.picture[i]);
    free(s.text);
    free(s.label);
    free(s.picture);
    weft_reel_close(reel);
    return result;
}

/* -- numbered pictures -- */

static weft_result frame_path(const weft_pictures *pictures, const char *folder, int64_t frame, char path[PATH_SIZE]) {
    if (snprintf(path, PATH_SIZE, "%s/%s_%04lld.png", folder, pictures->take.name, (long long)frame) >= PATH_SIZE)
        return weft_fail(WEFT_BAD_FILE, "%.300s...: the path is too long", folder);
    return weft_ok();
}

static weft_result hash_body(weft_pictures *pictures, int32_t body, uint64_t *hash) {
    size_t size = (size_t)pictures->take.body[body].vertex_count * sizeof(weft_vec3);
    weft_vec3 *position = malloc(size + 1);
    if (!position)
        return weft_fail_memory("the last frame", size);
    weft_result result = weft_take_reader_read_body(&pictures->take, pictures->range.last, body, position);
    if (result.code == WEFT_OK)
        *hash = weft_hash_bytes(*hash, position, size);
    free(position);
    return result;
}

/* Hashes everything that determines the pictures: the settings, the frame range, and the run, represented by its last
 * shape. */
static weft_result hash_settings(weft_pictures *pictures, uint64_t *hash) {
    *hash = WEFT_HASH_START;
    for (const weft_param *row = weft_view_params(); row->name; row++) {
        char value[WEFT_STRING_SIZE];
        weft_param_write(row, &pictures->view, value, sizeof value);
        *hash = weft_hash_bytes(*hash, value, strlen(value) + 1);
    }
    *hash = weft_hash_bytes(*hash, &pictures->range, sizeof pictures->range);
    const weft_take_reader *take = &pictures->take;
    WEFT_TRY(weft_take_reader_read_mesh(&pictures->take, pictures->range.last));
    weft_take_state *state = calloc((size_t)take->cloth_count, sizeof *state);
    int complete = state != NULL;
    for (int32_t i = 0; complete && i < take->cloth_count; i++) {
        const weft_take_cloth *cloth = &take->cloth[i];
        state[i] = (weft_take_state){.position = malloc((size_t)cloth->vertex_count * sizeof(weft_vec3)),
                                     .open_face = malloc((size_t)cloth->face_count),
                                     .broken = malloc((size_t)cloth->link_count + 1)};
        complete = state[i].position && state[i].open_face && state[i].broken;
    }
    weft_result result = complete ? weft_take_reader_read_frame(&pictures->take, pictures->range.last, state)
                                  : weft_fail_memory("the last frame", sizeof *state);
    for (int32_t i = 0; state && i < take->cloth_count; i++) {
        if (result.code == WEFT_OK)
            *hash = weft_hash_bytes(*hash, state[i].position,
                                    (size_t)take->cloth[i].vertex_count * sizeof *state[i].position);
        free(state[i].broken);
        free(state[i].open_face);
        free(state[i].position);
    }
    free(state);
    for (int32_t i = 0; result.code == WEFT_OK && i < take->body_count; i++)
        result = hash_body(pictures, i, hash);
    return result;
}

/* FOLDER/NAME.settings identifies the settings of the pictures in FOLDER. A resumed sequence must use the same
 * settings. */
static weft_result settings_path(const weft_pictures *pictures, const char *folder, char path[PATH_SIZE]) {
    if (snprintf(path, PATH_SIZE, "%s/%s.settings", folder, pictures->take.name) >= PATH_SIZE)
        return weft_fail(WEFT_BAD_FILE, "%.300s...: the path is too long", folder);
    return weft_ok();
}

static weft_result check_settings(weft_pictures *pictures, const char *folder, const char *path, const char *text) {
    char *there;
    size_t size;
    WEFT_TRY(weft_file_read(path, &there, &size));
    int same = strcmp(there, text) == 0;
    free(there);
    if (!same)
        return weft_fail(WEFT_BAD_INPUT,
                         "%.250s: the pictures of '%.60s' here are of another run, view or choice of frames; render "
                         "them anew, without --resume",
                         folder, pictures->take.name);
    return weft_ok();
}

static weft_result start_sequence(weft_pictures *pictures, const char *folder) {
    char path[PATH_SIZE], text[32];
    uint64_t hash;
    WEFT_TRY(weft_directory_make(folder));
    WEFT_TRY(settings_path(pictures, folder, path));
    WEFT_TRY(hash_settings(pictures, &hash));
    snprintf(text, sizeof text, "%016llx\n", (unsigned long long)hash);
    if (pictures->resume && access(path, F_OK) == 0)
        return check_settings(pictures, folder, path, text);
    for (int64_t frame = pictures->range.first; frame <= pictures->range.last; frame += pictures->range.step) {
        char old[PATH_SIZE];
        WEFT_TRY(frame_path(pictures, folder, frame, old));
        if (unlink(old) != 0 && errno != ENOENT)
            return weft_fail(WEFT_BAD_FILE, "%.300s: %s", old, strerror(errno));
    }
    weft_output output;
    WEFT_TRY(weft_output_open(&output, path));
    weft_output_print(&output, "%s", text);
    return weft_output_commit(&output);
}

static weft_result make_frame(weft_pictures *pictures, weft_reel **reel, int64_t frame, const char *path) {
    if (!*reel)
        WEFT_TRY(open_reel(pictures, &pictures->view, reel));
    weft_picture picture = {0};
    weft_result result = weft_reel_picture(*reel, frame, &picture);
    if (result.code == WEFT_OK)
        result = weft_picture_write_png(&picture, path);
    weft_picture_destroy(&picture);
    return result;
}

static weft_result make_frames(weft_pictures *pictures, const char *folder, weft_reel **reel) {
    weft_progress progress;
    char path[PATH_SIZE];
    weft_result result = weft_ok();
    int64_t done = 0;
    int begun = 0;
    const weft_frame_range *range = &pictures->range;
    for (int64_t frame = range->first; frame <= range->last && !weft_interrupt_signal(); frame += range->step) {
        result = frame_path(pictures, folder, frame, path);
        if (result.code == WEFT_OK && access(path, F_OK) != 0) {
            if (!begun)
                weft_progress_begin(&progress, pictures->take.name, pictures->quiet, done, pictures->wanted, 0);
            begun = 1;
            result = make_frame(pictures, reel, frame, path);
        }
        if (result.code != WEFT_OK)
            break;
        pictures->made = ++done;
        if (begun)
            weft_progress_show(&progress, done);
    }
    if (begun)
        weft_progress_end(&progress);
    return result;
}

weft_result weft_pictures_sequence(weft_pictures *pictures, const char *folder) {
    weft_reel *reel = NULL;
    pictures->made = 0;
    pictures->wanted = weft_frame_range_count(&pictures->range);
    WEFT_TRY(start_sequence(pictures, folder));
    weft_result result = make_frames(pictures, folder, &reel);
    weft_reel_close(reel);
    return result;
}

/* -- video -- */

static weft_result add_frames(weft_pictures *pictures, const char *folder, weft_video *video) {
    const weft_frame_range *range = &pictures->range;
    char path[PATH_SIZE];
    for (int64_t frame = range->first; frame <= range->last && !weft_interrupt_signal(); frame += range->step) {
        weft_picture picture;
        WEFT_TRY(frame_path(pictures, folder, frame, path));
        WEFT_TRY(weft_picture_read_png(&picture, path));
        weft_result result = weft_video_add(video, &picture);
        weft_picture_destroy(&picture);
        WEFT_TRY(result);
    }
    return weft_ok();
}

static void remove_sequence(const weft_pictures *pictures, const char *folder) {
    char path[PATH_SIZE];
    const weft_frame_range *range = &pictures->range;
    for (int64_t frame = range->first; frame <= range->last; frame += range->step)
        if (frame_path(pictures, folder, frame, path).code == WEFT_OK)
            unlink(path);
    if (settings_path(pictures, folder, path).code == WEFT_OK)
        unlink(path);
    rmdir(folder);
}

static weft_result encode(weft_pictures *pictures, const char *path, const char *folder) {
    weft_video *video;
    WEFT_TRY(weft_video_open(path, pictures->view.width, pictures->view.height,
                             pictures->take.rate / (double)pictures->range.step, &video));
    weft_result result = add_frames(pictures, folder, video);
    weft_result closed = weft_video_close(video, result.code == WEFT_OK && !weft_interrupt_signal());
    return result.code == WEFT_OK ? closed : result;
}

/* Reports an unwritable target before making any picture. */
static weft_result check_target(const char *path) {
    weft_output output;
    WEFT_TRY(weft_output_open(&output, path));
    weft_output_discard(&output);
    return weft_ok();
}

weft_result weft_pictures_video(weft_pictures *pictures, const char *path, const char *folder) {
    char own[PATH_SIZE];
    if (snprintf(own, sizeof own, "%s.frames", path) >= (int)sizeof own)
        return weft_fail(WEFT_BAD_FILE, "%.300s...: the path is too long", path);
    WEFT_TRY(weft_video_check());
    WEFT_TRY(check_target(path));
    if (!folder)
        WEFT_TRY(weft_pictures_sequence(pictures, own));
    if (weft_interrupt_signal())
        return weft_ok();
    WEFT_TRY(encode(pictures, path, folder ? folder : own));
    if (!folder && !weft_interrupt_signal())
        remove_sequence(pictures, own);
    return weft_ok();
}

int weft_pictures_stopped(const weft_pictures *pictures) {
    weft_complain("%s: stopped after picture %lld of %lld; --resume goes on from there", pictures->take.name,
                  (long long)pictures->made, (long long)pictures->wanted);
    return 128 + weft_interrupt_signal();
}
