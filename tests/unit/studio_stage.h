/* A studio session without a server, for tests: it keeps what the session sends. */
#ifndef WEFT_TESTS_STUDIO_STAGE_H
#define WEFT_TESTS_STUDIO_STAGE_H

#include <jansson.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support.h"

#include "apps/studio/server/session.h"
#include "weft-io/writer.h"

static const char SCENE[] = "time: {step: 2 ms, frames: 100, rate: 60}\n"
                            "integrator: implicit-euler\n"
                            "cloth:\n"
                            "  - name: sheet\n"
                            "    grid: {cells: [8, 8], size: [1, 1], axes: [x, z], origin: [0, 1, 0]}\n"
                            "    model: {name: springs, stiffness: fabric}\n"
                            "    pins: [{corner: top-left}, {corner: top-right}]\n"
                            "forces: [gravity]\n"
                            "bodies:\n"
                            "  - sphere: {radius: 0.2, at: [0.5, 0.6, 0.5]}\n"
                            "contact: {self: false, thickness: 2 mm}\n"; /* the tests drag vertices onto each other */

enum { MOST_TEXTS = 4096 };

/* Collects the messages of the session since the last command. */
typedef struct stage {
    weft_registry *registry;
    studio_session *session;
    char folder[64], work[80];
    pthread_mutex_t lock; /* exports post from their own threads */
    json_t *answer;
    json_t *event[MOST_TEXTS];
    int event_count;
    studio_frame *frame;
    double now;
    int id;
} stage;

static inline void keep_text(void *context, uint64_t viewer, char *text, unsigned flags) {
    stage *s = context;
    (void)viewer, (void)flags;
    json_t *message = json_loads(text, 0, NULL);
    assert_non_null(message);
    free(text);
    pthread_mutex_lock(&s->lock);
    if (json_object_get(message, "re")) {
        json_decref(s->answer);
        s->answer = message;
    } else if (s->event_count < MOST_TEXTS) {
        s->event[s->event_count++] = message;
    } else {
        json_decref(message);
    }
    pthread_mutex_unlock(&s->lock);
}

static inline void keep_frame(void *context, studio_frame *frame) {
    stage *s = context;
    studio_frame_drop(s->frame);
    s->frame = frame;
}

static inline void forget_events(stage *s) {
    while (s->event_count > 0)
        json_decref(s->event[--s->event_count]);
}

static inline void write_scene(const stage *s, const char *name, const char *text) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", s->folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static inline stage *open_stage(void) {
    stage *s = calloc(1, sizeof *s);
    assert_non_null(s);
    pthread_mutex_init(&s->lock, NULL);
    strcpy(s->folder, "/tmp/weft-session-XXXXXX");
    assert_non_null(mkdtemp(s->folder));
    must(weft_registry_create(&s->registry));
    must(weft_writers_register(s->registry));
    write_scene(s, "scene.yaml", SCENE);
    studio_host host = {.registry = s->registry, .threads = 1, .context = s, .post = keep_text, .show = keep_frame};
    must(studio_folder_open(s->folder, &host.folder));
    snprintf(s->work, sizeof s->work, "%s/work", s->folder);
    assert_int_equal(mkdir(s->work, 0777), 0);
    host.work = s->work;
    host.program = WEFT_PROGRAM;
    must(studio_session_create(&host, "scene.yaml", &s->session));
    return s;
}

static inline void close_stage(stage *s) {
    char command[128];
    forget_events(s);
    json_decref(s->answer);
    studio_session_destroy(s->session);
    studio_frame_drop(s->frame);
    weft_registry_destroy(s->registry);
    snprintf(command, sizeof command, "rm -r '%s'", s->folder);
    assert_int_equal(system(command), 0);
    free(s);
}

static inline const json_t *ask(stage *s, const char *fields) {
    char text[4096];
    int length = snprintf(text, sizeof text, "{\"id\":%d,%s}", ++s->id, fields);
    studio_session_execute(s->session, 1, text, (size_t)length);
    assert_int_equal(json_integer_value(json_object_get(s->answer, "re")), s->id);
    return s->answer;
}

static inline const json_t *order(stage *s, const char *fields) {
    const json_t *answer = ask(s, fields);
    const char *error = json_string_value(json_object_get(answer, "error"));
    if (error)
        fail_msg("%s: %s", fields, error);
    return answer;
}

static inline void refuse(stage *s, const char *fields, const char *excerpt) {
    const char *error = json_string_value(json_object_get(ask(s, fields), "error"));
    if (!error || !strstr(error, excerpt))
        fail_msg("%s: '%s' does not contain '%s'", fields, error ? error : "no error", excerpt);
}

static inline weft_sim *sim_of(const stage *s) { return s->session->pane[0].sim; }

/* Plays until this many further frames exist. */
static inline void play_frames(stage *s, int64_t frames) {
    int64_t until = weft_sim_frame(sim_of(s)) + frames;
    order(s, "\"do\":\"play\"");
    for (int i = 0; i < 100000 && weft_sim_frame(sim_of(s)) < until; i++) {
        s->now += 0.001;
        studio_session_go_on(s->session, s->now);
    }
    assert_int_equal(weft_sim_frame(sim_of(s)), until);
    order(s, "\"do\":\"pause\"");
}

static inline const json_t *last_event(const stage *s, const char *name) {
    for (int i = s->event_count; i-- > 0;)
        if (strcmp(json_string_value(json_object_get(s->event[i], "event")), name) == 0)
            return s->event[i];
    fail_msg("no event '%s'", name);
    return NULL;
}

static inline double parameter(const stage *s, const char *path) {
    char text[64];
    must(weft_sim_get(sim_of(s), path, text, sizeof text));
    return strtod(text, NULL);
}

#endif
