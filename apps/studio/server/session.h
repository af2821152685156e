/* A session: one scene in one, two or four panes, its recorded frames, and the commands that change it.
 *
 * Only the simulation thread uses a session. `studio_session_execute` answers a message, `studio_session_go_on`
 * advances time. */
#ifndef WEFT_STUDIO_SESSION_H
#define WEFT_STUDIO_SESSION_H

#include <jansson.h>
#include <stdatomic.h>

#include "apps/studio/server/folder.h"
#include "apps/studio/server/frame.h"
#include "apps/studio/server/studio.h"
#include "io/inputs.h"

enum { STUDIO_MOST_JOBS = 2 };

enum {
    STUDIO_POST_BEGIN = 1,   /* the viewer receives frames from now on */
    STUDIO_POST_REPLACED = 2 /* a newer one follows soon: may be skipped for a viewer that is behind */
};

/* What a session needs from its owner. Export threads may call the functions too. */
typedef struct studio_host {
    const weft_registry *registry;
    const weft_studio_scene *scene;
    int scene_count;
    studio_folder folder;
    const char *program; /* the weft command, which renders pictures; null: no pictures */
    const char *work;    /* a folder for exports, below `folder`; null: no exports */
    int no_threads;      /* 1: no thread can be started, so the command `export` makes the file before it returns */
    int threads;
    void *context;
    /* Sends to a viewer, or to all (0). Takes ownership of the text. */
    void (*post)(void *context, uint64_t viewer, char *text, unsigned flags);
    /* Takes ownership of the frame. */
    void (*show)(void *context, studio_frame *frame);
} studio_host;

/* The state of all panes at the end of a frame; reference-counted. */
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
    studio_moment **moment; /* in order of frames (count) */
    int64_t count, room;
    size_t bytes;
} studio_history;

/* A rectangular cloth as the scene makes it. */
typedef struct studio_grid {
    int32_t cells[2]; /* 0 if the cloth is no grid */
    double size[2];   /* m */
} studio_grid;

typedef struct studio_pane {
    char model[64], integrator[64]; /* chosen by a viewer; "": as in the scene */
    weft_tree *tree;                /* the scene with these choices */
    weft_sim *sim;
    weft_report report; /* of the last frame */
    json_t *own;        /* the scene's own parameter values: path -> text */
    int other_method;   /* model or integrator is not the scene's */
    double wanted_step; /* s, the time step that the method could not take; 0 if it was not shortened */
    studio_shape **cloth, **body;
    int32_t cloth_count, body_count;
    int changed;         /* the shapes of the cloths are out of date */
    int failed;          /* a step failed: the pane is no longer stepped */
    int32_t changes;     /* changes of the mesh and its links so far in this frame */
    studio_grid *grid;   /* of the cloths before any cut or adaptation (cloth_count) */
    json_t *notices;     /* on the scene as it was read: [{"text", "remedies"}] */
    json_t *told;        /* the texts of the events that viewers know, as keys */
    int64_t event_count; /* events of the simulation that were looked at */
    int bodies_changed;  /* the shapes of the bodies are out of date */
    weft_inputs lasting; /* inputs that survive a restart; those of pane 0 are in the session's log */
} studio_pane;

typedef struct studio_grip studio_grip;
typedef struct studio_former studio_former;

typedef struct studio_session {
    studio_host host;
    char name[128];              /* of the scene */
    char path[STUDIO_PATH_SIZE]; /* as `load` was given it: a name of the gallery, or a path below the folder */
    weft_tree *base;
    int rebased;     /* the scene was changed since `load`, by a new target or body */
    json_t *fixed;   /* parameters that need a restart, as set by viewers: path -> text */
    json_t *unfixed; /* their values in the scene: path -> text */
    studio_pane pane[STUDIO_MOST_PANES];
    int pane_count;

    weft_inputs log;     /* inputs of pane 0 since the start */
    weft_inputs script;  /* the scene's own inputs; in the log their line is above 0, that of viewers' inputs is 0 */
    int32_t script_done; /* most script inputs applied so far since the start */
    int32_t wind;        /* the force that the wind tool added, or WEFT_NONE */
    json_t *undo, *redo;
    studio_former *formers; /* scenes that undo and redo may bring back, the last one first */
    double undo_time;
    int undo_off; /* set while undo or redo runs: changes are not recorded */

    int64_t run;   /* counts restarts */
    int recording; /* a viewer has started a recording and not saved it yet */

    studio_history history;
    int64_t shown; /* index in the history, valid while scrubbed */
    int scrubbed;
    int playing;
    int64_t pending; /* steps or frames that the `step` command has left to run */
    int pending_frames;
    double speed;
    double anchor_wall, anchor_time; /* s, a wall clock time and the simulated time at that moment */
    double now;

    char scalar[32];
    uint32_t sequence, version;
    int dirty, urgent; /* the state must be shown; it must be shown after the next step */
    double shown_at, stats_at, fps_at;
    int64_t fps_frame;
    double fps;
    struct {
        uint64_t viewer;
        uint32_t id;
    } viewer[STUDIO_MOST_VIEWERS];
    studio_grip *grips;

    int job_count;
    struct {
        atomic_int number;    /* of the export; 0: the slot is free */
        atomic_int cancelled; /* a viewer wants it to end */
    } job[STUDIO_MOST_JOBS];
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
/* Executes a message of a viewer and answers it. */
void studio_session_execute(studio_session *session, uint64_t viewer, const char *bytes, size_t size);
/* Forgets a viewer that has disconnected, and releases what it holds. */
void studio_session_forget(studio_session *session, uint64_t viewer);
/* Does what is due at `now` (s, a monotonic clock). Returns the seconds until something is due again. */
double studio_session_go_on(studio_session *session, double now);
/* Sends {"event": name, ...} to a viewer, or to all (0). Takes ownership of `fields`. */
void studio_session_event(studio_session *session, uint64_t viewer, const char *name, json_t *fields, unsigned flags);

/* -- build_scene.c: from a scene to panes -- */
weft_result studio_session_load(studio_session *session, const char *scene);
/* Rebuilds all panes at frame 0. Keeps parameters, and pins if asked to. On failure nothing changes. */
weft_result studio_session_restart(studio_session *session, int keep_pins);
/* Restarts with a changed scene. Takes ownership of `base` on success. `pins` are those of viewers to begin with, by
 * pane (STUDIO_MOST_PANES); null: the present ones. They replace the scene's own inputs, too. */
weft_result studio_session_rebase(studio_session *session, weft_tree *base, const weft_inputs *pins);
/* Stores the present values of new parameters, such as those of an added force, as the scene's own values. */
void studio_pane_note_values(studio_pane *pane);
/* Shortens the time step if a method that is not the scene's is unstable with it. */
weft_result studio_pane_shorten_step(studio_pane *pane);
void studio_pane_destroy(studio_pane *pane);
/* Builds a simulation from a scene. The scene may read only files that the host allows. `notes` receives texts on files
 * that are not used as they are; it may be null. */
weft_result studio_read_scene(const studio_host *host, const weft_tree *tree, json_t *notes, weft_sim **sim);
/* Fails if a scene may not read the file. `name` is the file's name in the scene; `path` is null if it does not exist.
 */
weft_result studio_check_file(const studio_host *host, const char *name, const char *path);

/* -- act.c: inputs -- */
/* Applies an input to a pane, or to all (-1), and logs it. `cut` receives the number of broken links; it may be
 * null. */
weft_result studio_session_act(studio_session *session, int pane, weft_input *input, int32_t *cut);
weft_result studio_request_pane(const studio_session *session, const studio_request *request, int *pane);
/* Continues from the frame on display: forgets the recorded frames after it. Does nothing unless scrubbed. */
weft_result studio_session_take_up(studio_session *session);
/* Returns whether an input survives a restart. Parameters, pins and forces do; changes of the state do not. */
int studio_input_outlasts(const weft_input *input);
/* Returns whether an input keeps its effect when an earlier frame is taken up. */
int studio_input_stays(const weft_input *input);

/* -- script.c: the scene's own inputs -- */
/* The caller frees `script`, even if this fails. */
weft_result studio_script_read(const studio_host *host, weft_tree *tree, weft_inputs *script);
void studio_script_begin(studio_session *session);
void studio_script_rewind(studio_session *session, int64_t step);
/* Applies the inputs that are due before the next step. */
void studio_script_act(studio_session *session);

/* -- methods.c -- */
/* Returns whether the integrator works with the model. */
int studio_methods_fit(const weft_component *model, const weft_component *integrator);
/* Returns the wanted integrator if it works with the model, or else the best one that does. */
const char *studio_method_for(const weft_registry *registry, const char *model, const char *wanted);

/* -- bodies.c -- */
/* Adds a plane, sphere or box where there is room below or beside the cloths, and restarts. Adds a note to `reply`. */
weft_result studio_session_add_body(studio_session *session, const char *component, json_t *reply);
/* Appends a body with these values (key -> text) to the scene, or removes the last one (null), and restarts. */
weft_result studio_session_change_bodies(studio_session *session, const char *component, const json_t *values);

/* -- panel_params.c -- */
weft_result studio_do_set(studio_session *session, studio_request *request);
weft_result studio_do_reset(studio_session *session, studio_request *request);
weft_result studio_do_fabric(studio_session *session, studio_request *request);
/* Sets one parameter in a pane, or in all (-1). Adds what undo needs to `changes`, which may be null. */
weft_result studio_session_set(studio_session *session, int pane, const char *path, const char *value, json_t *changes,
                               int *restarted);
/* Sends the new values of changed parameters to all viewers. */
void studio_session_tell_params(studio_session *session, const json_t *changes);

/* -- forces.c -- */
weft_result studio_do_force(studio_session *session, studio_request *request);
weft_result studio_do_wind(studio_session *session, studio_request *request);
/* Adds or removes the force of a change of undo.c again. */
weft_result studio_session_change_force(studio_session *session, json_t *change, int forward);

/* -- undo.c -- */
/* Adds an action to the undo stack. Takes ownership of `changes`. */
void studio_session_did(studio_session *session, const char *what, json_t *changes);
/* Adds a change of the state, such as a cut, which undo takes back by going back in time. `again` is the message that
 * repeats it; null if it cannot be repeated. `viewer` is above 0 while that viewer goes on with it, as in a drag. */
void studio_session_did_change_state(studio_session *session, const char *what, const json_t *again, uint64_t viewer);
/* Ends the drag of a viewer: its next drag is another action. */
void studio_session_end_drag(studio_session *session, uint64_t viewer);
/* Forgets changes of the state from `step` on, which a restart or going back in time has taken back. */
void studio_session_forget_states(studio_session *session, int64_t step);
void studio_session_tell_history(studio_session *session, uint64_t viewer);
void studio_session_forget_undo(studio_session *session);
weft_result studio_do_undo(studio_session *session, studio_request *request);
weft_result studio_do_redo(studio_session *session, studio_request *request);

/* -- former.c: the scenes before and after a new cloth -- */
/* Replaces the scene by one with another cloth, as an action that can be undone. Takes ownership of `base` on success.
 */
weft_result studio_session_retarget(studio_session *session, weft_tree *base, const char *what);
/* Undoes or repeats that. */
weft_result studio_session_exchange(studio_session *session, int64_t number);
/* Frees the scenes that no action names any more. */
void studio_session_forget_formers(studio_session *session);

/* -- hands.c -- */
weft_result studio_do_drag(studio_session *session, studio_request *request);
weft_result studio_do_release(studio_session *session, studio_request *request);
weft_result studio_do_pin(studio_session *session, studio_request *request);
weft_result studio_do_free(studio_session *session, studio_request *request);
weft_result studio_do_cut(studio_session *session, studio_request *request);
/* Cuts along the fan of rays of a message. `count` receives how many links or edges were cut. */
weft_result studio_session_cut(studio_session *session, const json_t *message, int32_t *count);
weft_result studio_do_body(studio_session *session, studio_request *request);
/* Sends a body's pose to all viewers, as parameters. */
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
/* Starts to measure the frame rate anew, after the simulation has gone back in time. */
void studio_session_forget_rate(studio_session *session);
/* Goes back to a recorded frame and continues from there. */
weft_result studio_session_go_back(studio_session *session, int64_t frame);
/* Runs one step of pane 0; the other panes catch up with it. */
void studio_session_step(studio_session *session);

/* -- history.c -- */
weft_result studio_history_add(studio_session *session);
/* Returns the index of a frame in the history, or -1 if it is not recorded. */
int64_t studio_history_find(const studio_session *session, int64_t frame);
weft_result studio_history_restore(studio_session *session, int64_t index);
/* Keeps the first `count` moments. */
void studio_history_cut_off(studio_session *session, int64_t count);

/* -- choose.c: what is simulated -- */
weft_result studio_do_load(studio_session *session, studio_request *request);
weft_result studio_do_target(studio_session *session, studio_request *request);
weft_result studio_do_algorithm(studio_session *session, studio_request *request);
weft_result studio_do_compare(studio_session *session, studio_request *request);
/* Restarts with these methods: a list of {"model", "integrator"} by pane, "" for the scene's. */
weft_result studio_session_use_methods(studio_session *session, const json_t *list);

/* -- names.c -- */
/* Removes the folders of the studio and of its scenes from the file names in a text. */
void studio_shorten_names(const studio_host *host, char *text);
/* Takes ownership of `remedies`, a list of {"text", "command"}; null for none. */
void studio_session_tell_failed(studio_session *session, int pane, const char *message, json_t *remedies);

/* -- failure.c -- */
/* Tells all viewers why a pane stopped, and which changes would help. */
void studio_session_tell_stopped(studio_session *session, int pane, const weft_result *result, weft_status status);

/* -- scene_notices.c -- */
/* Collects what the user should know about a scene that was read. `notes` is from studio_read_scene. */
json_t *studio_scene_notices(const studio_host *host, const weft_sim *sim, const json_t *notes);
/* Tells all viewers which objects of a pane began to intersect, once each. */
void studio_session_tell_events(studio_session *session, int pane);

/* -- grip.c: `input` is a drag or release that was applied -- */
weft_result studio_grip_take(studio_session *session, uint64_t viewer, const weft_input *input);
void studio_grip_release(studio_session *session, const weft_input *input);
/* Releases what the viewer holds. */
void studio_grip_forget(studio_session *session, uint64_t viewer);
/* Forgets all grips without releasing vertices. */
void studio_grip_clear(studio_session *session);

/* -- describe.c -- */
enum { STUDIO_ENTRY_PATH = 128 };
/* Writes the parameter path of a body: "bodies.sphere", or "bodies.1" if there are several spheres. Returns how many
 * bodies have that name. */
int32_t studio_body_path(const weft_sim *sim, int32_t body, char path[STUDIO_ENTRY_PATH]);
/* An object of path and reason, for the parameters that have no effect at present. */
json_t *studio_describe_idle(const weft_sim *sim);
weft_result studio_do_hello(studio_session *session, studio_request *request);
weft_result studio_do_state(studio_session *session, studio_request *request);
void studio_session_tell_scene(studio_session *session, uint64_t viewer);
void studio_session_tell_stats(studio_session *session);

/* -- show.c -- */
weft_result studio_do_show(studio_session *session, studio_request *request);
void studio_session_tell_show(studio_session *session, uint64_t viewer);
json_t *studio_scalar_names(void);
/* Computes a value per vertex. Fails with WEFT_UNSUPPORTED if the model does not provide the quantity. */
weft_result studio_scalar(weft_sim *sim, int32_t cloth, const char *name, double *value);

/* -- capture.c -- */
/* Makes a frame of the present state and passes it to the host. */
weft_result studio_session_capture(studio_session *session);

/* -- source.c -- */
weft_result studio_do_source(studio_session *session, studio_request *request);

/* -- record.c, export.c -- */
weft_result studio_do_record(studio_session *session, studio_request *request);
weft_result studio_do_recordings(studio_session *session, studio_request *request);
weft_result studio_do_export(studio_session *session, studio_request *request);
weft_result studio_do_cancel(studio_session *session, studio_request *request);

#endif
