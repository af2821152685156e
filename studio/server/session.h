/* The simulation as viewers see it: one scene in one, two or four panes, its past, and what may be done to it. Used by
 * one thread; `studio_session_execute` answers a message, `studio_session_go_on` lets time pass. */
#ifndef WEFT_STUDIO_SESSION_H
#define WEFT_STUDIO_SESSION_H

#include <jansson.h>
#include <stdatomic.h>

#include "io/inputs.h"
#include "studio/server/folder.h"
#include "studio/server/frame.h"
#include "studio/server/studio.h"

enum {
    STUDIO_POST_BEGIN = 1,   /* the viewer gets frames from now on */
    STUDIO_POST_REPLACED = 2 /* another one will come soon: it may be left out for a viewer that is behind */
};

/* What a session needs from outside. The functions may be called from the threads of exports too. */
typedef struct studio_host {
    const weft_registry *registry;
    const weft_studio_scene *scene;
    int scene_count;
    studio_folder folder;
    const char *program; /* null: no pictures */
    const char *work;    /* a folder for exports, below `folder`; null: none are made */
    int threads;
    void *context;
    /* To a viewer, or to all (0). Takes the text over. */
    void (*post)(void *context, uint64_t viewer, char *text, unsigned flags);
    /* Takes the frame over. */
    void (*show)(void *context, studio_frame *frame);
} studio_host;

/* The state at the end of a frame, shared by counting. */
typedef struct studio_moment {
    atomic_int users;
    int64_t frame, step;
    double time;
    uint64_t hash;
    int pane_count;
    void *snapshot[STUDIO_MOST_PANES];
    size_t size[STUDIO_MOST_PANES];
} studio_moment;

void studio_moment_drop(studio_moment *moment);

typedef struct studio_history {
    studio_moment **moment; /* frames ascending (count) */
    int64_t count, room;
    size_t bytes;
} studio_history;

typedef struct studio_pane {
    char model[64], integrator[64]; /* chosen by a viewer; "": the scene's */
    weft_tree *tree;                /* the scene with these */
    weft_sim *sim;
    weft_report report; /* of the last frame */
    json_t *own;        /* path -> text: the parameters as the scene has them */
    studio_shape **cloth, **body;
    int32_t cloth_count, body_count;
    int changed;        /* the cloths' shapes are out of date */
    int failed;         /* it could not go on, and is left behind */
    int32_t changes;    /* of the mesh and its links in this frame */
    int bodies_changed; /* and the bodies' */
} studio_pane;

typedef struct studio_grip studio_grip;

typedef struct studio_session {
    studio_host host;
    char name[128]; /* of the scene */
    weft_tree *base;
    json_t *fixed;   /* path -> text: parameters that only a new start can take */
    json_t *unfixed; /* and what they were in the scene */
    studio_pane pane[STUDIO_MOST_PANES];
    int pane_count;

    weft_inputs log;     /* since the start, of pane 0 */
    weft_inputs script;  /* the scene's own inputs; their lines tell them from those of hands in the log */
    int32_t script_done; /* so many of them have been done since the start, at most */
    int32_t wind;        /* the force that blows by hand, or WEFT_NONE */
    json_t *undo, *redo;
    double undo_time;
    int undo_off; /* while something is undone */

    studio_history history;
    int64_t shown; /* index in the history while scrubbed */
    int scrubbed;
    int playing;
    int64_t pending; /* steps or frames still to go by `step` */
    int pending_frames;
    double speed;
    double anchor_wall, anchor_time; /* then the simulation was at that time */
    double now;

    char scalar[32];
    uint32_t sequence, version;
    int dirty, urgent; /* something is to be shown; at the next step */
    double shown_at, stats_at, fps_at;
    int64_t fps_frame;
    double fps;
    struct {
        uint64_t viewer;
        uint32_t id;
    } viewer[STUDIO_MOST_VIEWERS];
    studio_grip *grips;

    int job_count;
    atomic_int jobs_running;
    atomic_int stopping;
} studio_session;

typedef struct studio_request {
    uint64_t viewer;
    const json_t *message;
    json_t *reply;
} studio_request;

/* -- session.c -- */
weft_result studio_session_create(const studio_host *host, const char *start, studio_session **session);
void studio_session_destroy(studio_session *session); /* null is allowed; waits for exports */
/* Answers a message of a viewer. */
void studio_session_execute(studio_session *session, uint64_t viewer, const char *bytes, size_t size);
/* A viewer is gone. */
void studio_session_forget(studio_session *session, uint64_t viewer);
/* Does what is due at `now` (s, a steady clock). Returns how long until something is due again, s. */
double studio_session_go_on(studio_session *session, double now);
/* Sends {"event": name, ...}; takes `fields` over. viewer 0: all. */
void studio_session_event(studio_session *session, uint64_t viewer, const char *name, json_t *fields, unsigned flags);

/* -- build.c: from a scene to panes -- */
weft_result studio_session_load(studio_session *session, const char *scene);
/* Makes all panes anew, at frame 0. Keeps parameters, and pins when asked to; on failure everything stays as it was. */
weft_result studio_session_restart(studio_session *session, int keep_pins);
/* The same for a changed scene, which is taken over when it can be built. */
weft_result studio_session_rebase(studio_session *session, weft_tree *base, int keep_pins);
/* Parameters that are new, as a force's, have their present value for their own. */
void studio_pane_note_values(studio_pane *pane);
void studio_pane_destroy(studio_pane *pane);
/* With files from where the host allows. */
weft_result studio_read_scene(const studio_host *host, const weft_tree *tree, weft_sim **sim);
/* Refuses a file that a scene may not read; `name` is what the scene calls it, a null path is not there. */
weft_result studio_check_file(const studio_host *host, const char *name, const char *path);

/* -- act.c: inputs -- */
/* Applies to the pane, or to all (-1), and writes it down. `cut` may be null. */
weft_result studio_session_act(studio_session *session, int pane, weft_input *input, int32_t *cut);
weft_result studio_request_pane(const studio_session *session, const studio_request *request, int *pane);
/* What is done next is part of the past from the frame shown; what came after it is forgotten. */
weft_result studio_session_take_up(studio_session *session);
/* Whether it stays when the simulation starts anew: parameters, pins and forces do, what is state does not. */
int studio_input_outlasts(const weft_input *input);
/* Whether it stays as it is when an earlier frame is taken up. */
int studio_input_stays(const weft_input *input);

/* -- script.c: inputs that a scene brings along -- */
/* Free it also when this fails. */
weft_result studio_script_read(const studio_host *host, weft_tree *tree, weft_inputs *script);
void studio_script_begin(studio_session *session);
void studio_script_rewind(studio_session *session, int64_t step);
/* Does those that are due before the next step. */
void studio_script_act(studio_session *session);

/* -- params.c -- */
weft_result studio_do_set(studio_session *session, studio_request *request);
weft_result studio_do_reset(studio_session *session, studio_request *request);
weft_result studio_do_fabric(studio_session *session, studio_request *request);
weft_result studio_do_force(studio_session *session, studio_request *request);
weft_result studio_do_wind(studio_session *session, studio_request *request);
/* Sets one parameter; adds to `changes` what undoing it takes (may be null). */
weft_result studio_session_set(studio_session *session, int pane, const char *path, const char *value, json_t *changes,
                               int *restarted);
/* After a change of values, tells them to all. */
void studio_session_tell_params(studio_session *session, const json_t *changes);

/* -- undo.c -- */
void studio_session_did(studio_session *session, const char *what, json_t *changes); /* takes changes over */
void studio_session_tell_history(studio_session *session, uint64_t viewer);
void studio_session_forget_undo(studio_session *session);
weft_result studio_do_undo(studio_session *session, studio_request *request);
weft_result studio_do_redo(studio_session *session, studio_request *request);

/* -- hands.c -- */
weft_result studio_do_drag(studio_session *session, studio_request *request);
weft_result studio_do_release(studio_session *session, studio_request *request);
weft_result studio_do_pin(studio_session *session, studio_request *request);
weft_result studio_do_free(studio_session *session, studio_request *request);
weft_result studio_do_cut(studio_session *session, studio_request *request);
weft_result studio_do_body(studio_session *session, studio_request *request);
/* Tells all where a body is now, as parameters. */
void studio_session_tell_body(studio_session *session, int32_t body);
weft_result studio_session_hold(studio_session *session, int pinned, int32_t cloth, const int32_t *vertex,
                                int32_t count);

/* -- time.c -- */
weft_result studio_do_play(studio_session *session, studio_request *request);
weft_result studio_do_pause(studio_session *session, studio_request *request);
weft_result studio_do_restart(studio_session *session, studio_request *request);
weft_result studio_do_live(studio_session *session, studio_request *request);
weft_result studio_do_step(studio_session *session, studio_request *request);
weft_result studio_do_speed(studio_session *session, studio_request *request);
weft_result studio_do_scrub(studio_session *session, studio_request *request);
void studio_session_tell_time(studio_session *session, uint64_t viewer);
void studio_session_anchor(studio_session *session);
/* One step of all panes. */
void studio_session_step(studio_session *session);

/* -- history.c -- */
weft_result studio_history_add(studio_session *session);
/* -1 when the frame is not there. */
int64_t studio_history_find(const studio_session *session, int64_t frame);
weft_result studio_history_restore(studio_session *session, int64_t index);
void studio_history_cut_off(studio_session *session, int64_t count);

/* -- scene.c: what is chosen -- */
weft_result studio_do_load(studio_session *session, studio_request *request);
weft_result studio_do_target(studio_session *session, studio_request *request);
weft_result studio_do_algorithm(studio_session *session, studio_request *request);
weft_result studio_do_compare(studio_session *session, studio_request *request);

/* -- names.c -- */
/* Takes the folders of the studio and of its scenes from the names of files in a line. */
void studio_shorten_names(const studio_host *host, char *text);
void studio_session_tell_failed(studio_session *session, int pane, const char *message);

/* -- grip.c: `input` is a drag or a release that was done -- */
weft_result studio_grip_take(studio_session *session, uint64_t viewer, const weft_input *input);
void studio_grip_release(studio_session *session, const weft_input *input);
/* Lets go of what the viewer holds. */
void studio_grip_forget(studio_session *session, uint64_t viewer);
/* Nobody holds anything any more. */
void studio_grip_clear(studio_session *session);

/* -- describe.c -- */
enum { STUDIO_ENTRY_PATH = 128 };
/* What parameters call a body: "bodies.sphere", or "bodies.1" when there are several. Returns how many there are. */
int32_t studio_body_path(const weft_sim *sim, int32_t body, char path[STUDIO_ENTRY_PATH]);
weft_result studio_do_hello(studio_session *session, studio_request *request);
weft_result studio_do_state(studio_session *session, studio_request *request);
void studio_session_tell_scene(studio_session *session, uint64_t viewer);
void studio_session_tell_stats(studio_session *session);

/* -- show.c -- */
weft_result studio_do_show(studio_session *session, studio_request *request);
void studio_session_tell_show(studio_session *session, uint64_t viewer);
json_t *studio_scalar_names(void);
/* A value for each vertex (count). Unsupported: left out. */
weft_result studio_scalar(weft_sim *sim, int32_t cloth, const char *name, double *value);

/* -- capture.c -- */
/* Makes a frame of the present state and shows it. */
weft_result studio_session_capture(studio_session *session);

/* -- record.c, export.c -- */
weft_result studio_do_record(studio_session *session, studio_request *request);
weft_result studio_do_export(studio_session *session, studio_request *request);

#endif
