/* The export command: reads the request and starts the thread that makes the file. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "apps/studio/server/fields.h"
#include "apps/studio/server/job.h"
#include "apps/studio/server/tree.h"
#include "render/render.h"

void studio_job_free(studio_job *job) {
    if (!job)
        return;
    for (int64_t i = 0; i < job->count; i++)
        studio_moment_drop(job->moment[i]);
    free(job->moment);
    json_decref(job->bodies);
    weft_tree_destroy(job->tree);
    free(job);
}

static void post(const studio_job *job, json_t *fields) {
    const studio_host *host = &job->session->host;
    if (fields)
        json_object_set_new(fields, "event", json_string("export"));
    char *text = fields ? json_dumps(fields, JSON_COMPACT) : NULL;
    json_decref(fields);
    if (text)
        host->post(host->context, 0, text, 0);
}

void studio_job_tell(const studio_job *job, double progress) {
    post(job, json_pack("{s:i, s:f}", "job", job->number, "progress", progress));
}

int studio_job_stops(const studio_job *job) {
    return atomic_load(&job->session->stopping) || atomic_load(&job->session->job[job->slot].cancelled);
}

static void tell_failure(const studio_job *job, const weft_result *result) {
    char text[512];
    snprintf(text, sizeof text, "%s", result->message);
    studio_shorten_names(&job->session->host, text);
    post(job, json_pack("{s:i, s:f, s:b, s:s}", "job", job->number, "progress", 1.0, "cancelled", studio_job_stops(job),
                        "error", text));
}

/* Tells the addresses of the finished files. */
static weft_result tell_files(const studio_job *job) {
    int64_t size = 0;
    json_t *urls = json_array();
    for (int i = 0; i < job->file_count; i++) {
        char path[STUDIO_PATH_SIZE], url[320];
        struct stat info;
        snprintf(path, sizeof path, "%.800s/%s", job->folder, job->file[i]);
        if (stat(path, &info) != 0) {
            json_decref(urls);
            return weft_fail(WEFT_BAD_FILE, "%.100s was not made", job->file[i]);
        }
        size += (int64_t)info.st_size;
        snprintf(url, sizeof url, "/download/%d/%s", job->number, job->file[i]);
        json_array_append_new(urls, json_string(url));
    }
    post(job, json_pack("{s:i, s:f, s:O, s:o, s:I}", "job", job->number, "progress", 1.0, "url",
                        json_array_get(urls, 0), "urls", urls, "size", (json_int_t)size));
    return weft_ok();
}

static void *work(void *context) {
    studio_job *job = context;
    studio_session *session = job->session;
    studio_job_tell(job, 0);
    weft_result result = studio_job_make(job);
    if (result.code == WEFT_OK)
        result = tell_files(job);
    if (result.code != WEFT_OK) {
        tell_failure(job, &result);
    }
    atomic_store(&session->job[job->slot].number, 0);
    studio_job_free(job);
    atomic_fetch_sub(&session->jobs_running, 1);
    return NULL;
}

/* -- the request -- */

static int is_one_of(const char *word, const char *const *words) {
    for (; *words; words++)
        if (strcmp(word, *words) == 0)
            return 1;
    return 0;
}

static weft_result read_camera(const json_t *camera, studio_job *job) {
    if (!camera)
        return weft_ok();
    job->fov = 40;
    WEFT_TRY(studio_field_require(camera, "eye"));
    WEFT_TRY(studio_field_require(camera, "target"));
    WEFT_TRY(studio_field_vector(camera, "eye", &job->eye));
    WEFT_TRY(studio_field_vector(camera, "target", &job->target));
    WEFT_TRY(studio_field_real(camera, "fov", 1, 170, &job->fov));
    job->has_camera = 1;
    return weft_ok();
}

static weft_result read_request(const studio_session *session, const json_t *message, studio_job *job, int *take) {
    static const char *const OF_FRAME[] = {"obj", "ply", "glb", "png", NULL}, *const OF_TAKE[] = {"glb", "pc2", "mp4",
                                                                                                  NULL};
    const char *what = NULL, *format = NULL;
    int64_t pane = 0;
    double size[2] = {1280, 720};
    WEFT_TRY(studio_field_require(message, "what"));
    WEFT_TRY(studio_field_require(message, "format"));
    WEFT_TRY(studio_field_text(message, "what", &what));
    WEFT_TRY(studio_field_text(message, "format", &format));
    WEFT_TRY(studio_field_int(message, "pane", 0, session->pane_count - 1, &pane));
    WEFT_TRY(studio_field_pair(message, "size", 16, 4096, size));
    *take = strcmp(what, "take") == 0;
    if (!*take && strcmp(what, "frame") != 0)
        return weft_fail(WEFT_BAD_INPUT, "'what' is 'frame' or 'take', not '%.40s'", what);
    if (!is_one_of(format, *take ? OF_TAKE : OF_FRAME))
        return weft_fail(WEFT_BAD_INPUT, "'format' of a %s is %s, not '%.40s'", what,
                         *take ? "glb, pc2 or mp4" : "obj, ply, glb or png", format);
    if (!session->host.program && (strcmp(format, "png") == 0 || strcmp(format, "mp4") == 0))
        return weft_fail(WEFT_UNSUPPORTED, "no pictures can be made here");
    snprintf(job->format, sizeof job->format, "%s", format);
    job->pane = (int)pane;
    job->width = (int)size[0] & ~1; /* video codecs need even sides */
    job->height = (int)size[1] & ~1;
    return read_camera(json_object_get(message, "camera"), job);
}

/* Holds all recorded frames for a take, or only the frame on display. */
static weft_result hold_moments(studio_session *session, studio_job *job, int take) {
    const studio_history *history = &session->history;
    int64_t shown = session->scrubbed ? session->shown : history->count - 1;
    int64_t first = take ? 0 : shown, count = take ? history->count : 1;
    job->moment = malloc((size_t)count * sizeof(studio_moment *));
    if (!job->moment)
        return weft_fail_memory("an export", (size_t)count * sizeof(studio_moment *));
    for (; job->count < count; job->count++) {
        job->moment[job->count] = history->moment[first + job->count];
        atomic_fetch_add(&job->moment[job->count]->users, 1);
    }
    return weft_ok();
}

/* Notes the sizes of bodies, which a viewer may have changed. Their poses are part of each snapshot. */
static weft_result note_bodies(const weft_sim *sim, studio_job *job) {
    char path[256], value[STUDIO_TEXT_SIZE];
    const weft_param *row;
    job->bodies = json_object();
    if (!job->bodies)
        return weft_fail_memory("an export", 64);
    for (int i = 0; weft_sim_param_at(sim, i, path, sizeof path, &row); i++)
        if (strncmp(path, "bodies.", 7) == 0 && !(row->flags & WEFT_FIXED) && row->type == WEFT_REAL &&
            strcmp(row->name, "scale") != 0 && weft_sim_get(sim, path, value, sizeof value).code == WEFT_OK)
            json_object_set_new(job->bodies, path, json_string(value));
    return weft_ok();
}

/* "flag" for a take, "flag-frame-12" for a frame. */
static void name_file(const studio_session *session, studio_job *job, int take) {
    const char *scene = studio_is_file_name(session->name) ? session->name : "scene";
    if (take)
        snprintf(job->name, sizeof job->name, "%.100s", scene);
    else
        snprintf(job->name, sizeof job->name, "%.100s-frame-%lld", scene, (long long)job->moment[0]->frame);
}

static weft_view view_of(weft_tree *tree) {
    weft_view view;
    weft_result result = weft_view_read(weft_value_find(weft_tree_root(tree), "view"), "view", &view);
    return result.code == WEFT_OK ? view : weft_view_default();
}

static weft_result prepare(studio_session *session, const json_t *message, studio_job *job) {
    int take = 0;
    job->session = session;
    WEFT_TRY(read_request(session, message, job, &take));
    WEFT_TRY(hold_moments(session, job, take));
    const studio_pane *pane = &session->pane[job->pane];
    WEFT_TRY(note_bodies(pane->sim, job));
    WEFT_TRY(studio_tree_copy(pane->tree, &job->tree));
    job->rate = weft_sim_clock(pane->sim)->rate;
    job->number = ++session->job_count;
    name_file(session, job, take);
    job->front = view_of(job->tree).cloth_front;
    snprintf(job->folder, sizeof job->folder, "%.900s/%d", session->host.work, job->number);
    return weft_ok();
}

/* Takes ownership of the job. */
static weft_result begin(studio_session *session, studio_job *job) {
    pthread_t thread;
    while (atomic_load(&session->job[job->slot].number) != 0)
        job->slot++; /* one is free, because fewer jobs run than there are slots */
    atomic_store(&session->job[job->slot].cancelled, 0);
    atomic_store(&session->job[job->slot].number, job->number);
    atomic_fetch_add(&session->jobs_running, 1);
    if (session->host.no_threads) {
        (void)work(job);
        return weft_ok();
    }
    if (pthread_create(&thread, NULL, work, job) != 0) {
        atomic_fetch_sub(&session->jobs_running, 1);
        atomic_store(&session->job[job->slot].number, 0);
        studio_job_free(job);
        return weft_fail(WEFT_NO_MEMORY, "no thread for the export");
    }
    pthread_detach(thread);
    return weft_ok();
}

weft_result studio_do_export(studio_session *session, studio_request *request) {
    if (!session->host.work)
        return weft_fail(WEFT_UNSUPPORTED, "nothing can be exported here");
    if (atomic_load(&session->jobs_running) >= STUDIO_MOST_JOBS)
        return weft_fail(WEFT_UNSUPPORTED, "%d exports are being made; wait for one to end", STUDIO_MOST_JOBS);
    studio_job *job = calloc(1, sizeof *job);
    weft_result result = job ? prepare(session, request->message, job) : weft_fail_memory("an export", sizeof *job);
    if (result.code != WEFT_OK) {
        studio_job_free(job);
        return result;
    }
    json_object_set_new(request->reply, "job", json_integer(job->number));
    return begin(session, job);
}

weft_result studio_do_cancel(studio_session *session, studio_request *request) {
    int64_t number = 0;
    WEFT_TRY(studio_field_require(request->message, "job"));
    WEFT_TRY(studio_field_int(request->message, "job", 1, INT32_MAX, &number));
    for (int i = 0; i < STUDIO_MOST_JOBS; i++)
        if (atomic_load(&session->job[i].number) == number) {
            atomic_store(&session->job[i].cancelled, 1);
            return weft_ok();
        }
    return weft_fail(WEFT_BAD_INPUT, "export %d has ended already", (int)number);
}
