/* Makes the file of an export from recorded frames. */
#include "apps/studio/server/job.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "apps/studio/server/tree.h"
#include "io/file.h"
#include "weft-io/take.h"
#include "weft-io/writer.h"
#include "weft/hooks.h"
#include "weft/text.h"

/* -- the export's own simulation (its twin), and frames from it -- */

typedef struct twin {
    weft_sim *sim;
    weft_frame_cloth *cloth;
    weft_frame_body *body;
    weft_body_surface *surface; /* (body_count) */
    weft_take_links *links;     /* empty, one per cloth */
    int32_t **generation;       /* of the triangles of changing meshes, in an export of several frames (cloth_count) */
    int32_t cloth_count, body_count;
} twin;

static void free_surfaces(twin *t) {
    for (int32_t i = 0; t->surface && i < t->body_count; i++) {
        weft_memory_free(t->surface[i].triangle);
        weft_memory_free(t->surface[i].position);
        t->surface[i] = (weft_body_surface){0};
    }
}

static void close_twin(twin *t) {
    free_surfaces(t);
    for (int32_t i = 0; t->generation && i < t->cloth_count; i++)
        free(t->generation[i]);
    free(t->generation);
    free(t->links);
    free(t->surface);
    free(t->body);
    free(t->cloth);
    weft_sim_destroy(t->sim);
}

static weft_result open_twin(studio_job *job, twin *t) {
    const studio_host *host = &job->session->host;
    WEFT_TRY(studio_read_scene(host, job->tree, NULL, &t->sim));
    weft_sim_set_threads(t->sim, 1);
    const char *path;
    json_t *value;
    json_object_foreach(job->bodies, path, value) { (void)weft_sim_set(t->sim, path, json_string_value(value)); }
    t->cloth_count = weft_sim_cloth_count(t->sim);
    t->body_count = weft_sim_body_count(t->sim);
    t->cloth = calloc((size_t)t->cloth_count + 1, sizeof *t->cloth);
    t->links = calloc((size_t)t->cloth_count + 1, sizeof *t->links);
    t->generation = calloc((size_t)t->cloth_count + 1, sizeof *t->generation);
    t->body = calloc((size_t)t->body_count + 1, sizeof *t->body);
    t->surface = calloc((size_t)t->body_count + 1, sizeof *t->surface);
    if (!t->cloth || !t->links || !t->generation || !t->body || !t->surface)
        return weft_fail_memory("an export", (size_t)t->cloth_count * sizeof *t->cloth);
    return weft_ok();
}

/* Restoring the last frame tells which meshes change during the export: a writer must know it at the first frame. */
static weft_result restore(const studio_job *job, twin *t, int64_t index) {
    const studio_moment *moment = job->moment[index];
    return weft_sim_restore(t->sim, moment->snapshot[job->pane], moment->size[job->pane]);
}

static weft_result show_generations(const studio_job *job, twin *t, int32_t cloth) {
    if (job->count == 1 || !weft_sim_changes(t->sim, cloth))
        return weft_ok();
    size_t size = (size_t)weft_sim_cloth(t->sim, cloth)->mesh->triangle_count * sizeof **t->generation;
    int32_t *grown = realloc(t->generation[cloth], size);
    if (!grown)
        return weft_fail_memory("an export", size);
    t->generation[cloth] = grown;
    return weft_sim_generations(t->sim, cloth, grown);
}

static weft_result show_bodies(twin *t) {
    free_surfaces(t);
    for (int32_t i = 0; i < t->body_count; i++) {
        weft_body_surface *surface = &t->surface[i];
        WEFT_TRY(weft_sim_body_surface(t->sim, i, surface));
        t->body[i] = (weft_frame_body){.name = weft_sim_body_name(t->sim, i),
                                       .position = surface->position,
                                       .vertex_count = surface->vertex_count,
                                       .triangle = (const int32_t(*)[3])surface->triangle,
                                       .triangle_count = surface->triangle_count,
                                       .moves = weft_sim_body_moves(t->sim, i)};
    }
    return weft_ok();
}

static weft_result frame_at(const studio_job *job, twin *t, int64_t index, weft_frame *frame) {
    const studio_moment *moment = job->moment[index];
    if (studio_job_stops(job))
        return weft_fail(WEFT_UNSUPPORTED, "the export was cancelled");
    if (index == 0)
        WEFT_TRY(restore(job, t, job->count - 1));
    WEFT_TRY(restore(job, t, index));
    for (int32_t i = 0; i < t->cloth_count; i++) {
        WEFT_TRY(show_generations(job, t, i));
        t->cloth[i] = (weft_frame_cloth){.name = weft_sim_cloth(t->sim, i)->name,
                                         .mesh = weft_sim_cloth(t->sim, i)->mesh,
                                         .position = weft_sim_positions(t->sim, i),
                                         .open_face = weft_sim_open_faces(t->sim, i),
                                         .generation = t->generation[i]};
    }
    WEFT_TRY(show_bodies(t));
    *frame = (weft_frame){.index = index,
                          .time = moment->time - job->moment[0]->time,
                          .cloth_count = t->cloth_count,
                          .cloth = t->cloth,
                          .body_count = t->body_count,
                          .body = t->body};
    return weft_ok();
}

static weft_take take_of(const studio_job *job) {
    return (weft_take){.directory = job->folder, .name = job->name, .rate = job->rate, .frame_count = job->count};
}

/* -- meshes -- */

/* Tells that frame `index` is done, of those that are `share` of the job; about 20 times per job. */
static void tell_frame(const studio_job *job, int64_t index, double share) {
    int64_t every = job->count / 20 + 1;
    if (index % every == every - 1)
        studio_job_tell(job, share * (double)(index + 1) / (double)job->count);
}

static weft_result write_frames(const studio_job *job, twin *t, const weft_writer_functions *writer, void *self) {
    for (int64_t i = 0; i < job->count; i++) {
        weft_frame frame;
        WEFT_TRY(frame_at(job, t, i, &frame));
        WEFT_TRY(writer->frame(self, &frame));
        tell_frame(job, i, 0.9);
    }
    return weft_ok();
}

static weft_result name_file(studio_job *job, const char *name, const char *ending) {
    if (job->file_count == STUDIO_MOST_FILES || strlen(name) >= STUDIO_NAME_SIZE)
        return weft_fail(WEFT_UNSUPPORTED, "'%.40s': the name is too long, or there are more than %d files", name,
                         STUDIO_MOST_FILES);
    snprintf(job->file[job->file_count++], sizeof job->file[0], "%s.%s", name, ending);
    return weft_ok();
}

/* The obj and ply writers number their files, in a folder of their own. */
static weft_result take_numbered(studio_job *job, const char *name) {
    char made[STUDIO_PATH_SIZE], path[STUDIO_PATH_SIZE];
    WEFT_TRY(name_file(job, name, job->format));
    snprintf(made, sizeof made, "%.600s/%s/%.200s_0000.%s", job->folder, job->format, name, job->format);
    snprintf(path, sizeof path, "%.700s/%s", job->folder, job->file[job->file_count - 1]);
    return rename(made, path) == 0 ? weft_ok() : weft_fail(WEFT_BAD_FILE, "%.200s: %s", made, strerror(errno));
}

/* Names the files that the writer has made (weft-io/writer.h). */
static weft_result take_files(studio_job *job, const twin *t) {
    char path[STUDIO_PATH_SIZE];
    if (strcmp(job->format, "obj") == 0)
        return take_numbered(job, job->name);
    if (strcmp(job->format, "glb") == 0) {
        WEFT_TRY(name_file(job, job->name, "glb"));
        snprintf(path, sizeof path, "%.700s/%s", job->folder, job->file[0]);
        return studio_glb_colour(path, job->front);
    }
    for (int32_t i = 0; i < t->cloth_count; i++) {
        if (strcmp(job->format, "ply") == 0)
            WEFT_TRY(take_numbered(job, t->cloth[i].name));
        else
            WEFT_TRY(name_file(job, t->cloth[i].name, "pc2"));
        if (strcmp(job->format, "pc2") == 0)
            WEFT_TRY(name_file(job, t->cloth[i].name, "obj")); /* the mesh that the cache moves */
    }
    return weft_ok();
}

static weft_result write_shapes(studio_job *job, twin *t) {
    const weft_component *component;
    const studio_host *host = &job->session->host;
    WEFT_TRY(weft_registry_require(host->registry, WEFT_WRITER, job->format, "", &component));
    const weft_writer_functions *writer = component->functions;
    void *settings = calloc(1, component->settings_size + 1), *self = NULL;
    if (!settings)
        return weft_fail_memory("an export", component->settings_size);
    weft_params_default(component->params, settings);
    weft_take take = take_of(job);
    weft_frame first;
    weft_result result = frame_at(job, t, 0, &first);
    if (result.code == WEFT_OK)
        result = writer->open(settings, &take, &first, &self);
    if (result.code == WEFT_OK) {
        result = write_frames(job, t, writer, self);
        weft_result closed = writer->close(self, result.code == WEFT_OK);
        result = result.code == WEFT_OK ? closed : result;
    }
    free(settings);
    return result.code == WEFT_OK ? take_files(job, t) : result;
}

/* -- pictures, made by `weft render` -- */

static weft_result write_take(const studio_job *job, twin *t) {
    weft_take take = take_of(job);
    weft_take_writer *writer;
    weft_frame frame;
    WEFT_TRY(frame_at(job, t, 0, &frame));
    WEFT_TRY(weft_take_writer_open(&take, &frame, t->links, &writer));
    weft_result result = weft_ok();
    for (int64_t i = 0; i < job->count && result.code == WEFT_OK; i++) {
        result = frame_at(job, t, i, &frame);
        if (result.code == WEFT_OK)
            result = weft_take_writer_write_frame(writer, &frame, t->links);
        tell_frame(job, i, 0.1);
    }
    weft_result closed = weft_take_writer_close(writer, result.code == WEFT_OK);
    return result.code == WEFT_OK ? closed : result;
}

/* Writes view.yaml beside the take, with the scene's camera and lights. */
static weft_result write_view(const studio_job *job) {
    weft_tree *tree;
    char path[STUDIO_PATH_SIZE];
    WEFT_TRY(studio_tree_copy(job->tree, &tree));
    weft_value *root = weft_tree_root(tree), *next;
    for (weft_value *part = root->first; part; part = next) {
        next = part->next;
        if (strcmp(part->key, "view") != 0)
            studio_tree_remove(root, part->key);
    }
    weft_result result = weft_ok();
    if (root->count > 0) {
        snprintf(path, sizeof path, "%.900s/view.yaml", job->folder);
        weft_output output;
        result = weft_output_open(&output, path);
        if (result.code == WEFT_OK) {
            result = studio_tree_write(tree, job->folder, &output);
            weft_result committed = weft_output_commit(&output);
            result = result.code == WEFT_OK ? committed : result;
        }
    }
    weft_tree_destroy(tree);
    return result;
}

/* Counts the finished pictures of a video. */
static int64_t count_pictures(const char *video) {
    char folder[STUDIO_PATH_SIZE];
    snprintf(folder, sizeof folder, "%.*s.frames", (int)strlen(video) - 4, video);
    DIR *opened = opendir(folder);
    int64_t count = 0;
    const struct dirent *entry;
    while (opened && (entry = readdir(opened)))
        count += strstr(entry->d_name, ".png") != NULL;
    if (opened)
        closedir(opened);
    return count;
}

static weft_result wait_for(const studio_job *job, pid_t child, const char *path) {
    int status = 0;
    int64_t told = 0;
    while (waitpid(child, &status, WNOHANG) == 0) {
        if (studio_job_stops(job)) {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            return weft_fail(WEFT_UNSUPPORTED, "the export was cancelled");
        }
        int64_t done = strcmp(job->format, "mp4") == 0 ? count_pictures(path) : 0;
        if (done > told)
            studio_job_tell(job, 0.1 + 0.85 * (double)done / (double)job->count);
        told = done;
        nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return weft_ok();
    return weft_fail(WEFT_BAD_FILE, "the pictures could not be made (weft render ended with %d)",
                     WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

typedef struct argument_list {
    char text[12][STUDIO_PATH_SIZE];
    char *word[24];
    int count;
} argument_list;

static void put_word(argument_list *list, const char *word) { list->word[list->count++] = (char *)word; }

static void put_camera(const studio_job *job, argument_list *list) {
    const char *const KEYS[] = {"position", "target"};
    const weft_vec3 place[] = {job->eye, job->target};
    for (int i = 0; i < 2; i++) {
        weft_format(list->text[i], sizeof list->text[i], "view.%s=[%.9g, %.9g, %.9g]", KEYS[i], place[i].x, place[i].y,
                    place[i].z);
        put_word(list, "--set");
        put_word(list, list->text[i]);
    }
    weft_format(list->text[2], sizeof list->text[2], "view.field_of_view=%.9g deg", job->fov);
    put_word(list, "--set");
    put_word(list, list->text[2]);
}

static weft_result render(studio_job *job) {
    extern char **environ;
    char path[STUDIO_PATH_SIZE];
    WEFT_TRY(name_file(job, job->name, job->format));
    argument_list *list = calloc(1, sizeof *list);
    if (!list)
        return weft_fail_memory("an export", sizeof *list);
    const studio_host *host = &job->session->host;
    snprintf(path, sizeof path, "%.700s/%s", job->folder, job->file[0]);
    snprintf(list->text[3], sizeof list->text[3], "%dx%d", job->width, job->height);
    static const char *const FIRST[] = {"weft", "render", "--quiet", "--threads", "1", "--size"};
    for (size_t i = 0; i < sizeof FIRST / sizeof FIRST[0]; i++)
        put_word(list, FIRST[i]);
    put_word(list, list->text[3]);
    if (job->has_camera)
        put_camera(job, list);
    if (strcmp(job->format, "mp4") == 0) {
        put_word(list, "--video");
        put_word(list, path);
    }
    put_word(list, job->folder);
    pid_t child;
    int failure = posix_spawn(&child, host->program, NULL, NULL, list->word, environ);
    weft_result result = failure != 0 ? weft_fail(WEFT_BAD_FILE, "%.200s: %s", host->program, strerror(failure))
                                      : wait_for(job, child, path);
    free(list);
    return result;
}

weft_result studio_job_make(studio_job *job) {
    twin t = {0};
    WEFT_TRY(weft_directory_make(job->folder));
    int pictures = strcmp(job->format, "png") == 0 || strcmp(job->format, "mp4") == 0;
    weft_result result = open_twin(job, &t);
    if (result.code == WEFT_OK)
        result = pictures ? write_take(job, &t) : write_shapes(job, &t);
    close_twin(&t);
    if (result.code != WEFT_OK || !pictures)
        return result;
    WEFT_TRY(write_view(job));
    return render(job);
}
