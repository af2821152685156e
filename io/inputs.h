/* Recorded user inputs, by time step. The studio writes them; `weft run` replays them (`inputs:` of a scene).
 *
 * The format is text. The first line is "weft inputs 1". Each further line is one input. Lines are sorted by STEP; an
 * input takes effect before that step.
 *   STEP set PATH VALUE                     sets a parameter, as weft_sim_set
 *   STEP drag CLOTH [VERTEX X Y Z]...       m
 *   STEP release CLOTH [VERTEX]...          without vertices: all dragged vertices
 *   STEP pin CLOTH [VERTEX X Y Z]...        pins vertices at these positions, m
 *   STEP free CLOTH [VERTEX]...
 *   STEP cut CLOTH EYE-X Y Z [RAY-X Y Z]...
 *   STEP add-force NAME
 *   STEP remove-force INDEX
 *   STEP move-body INDEX X Y Z  RX RY RZ    m, and rad about x, then y, then z */
#ifndef WEFT_IO_INPUTS_H
#define WEFT_IO_INPUTS_H

#include "weft/sim.h"

typedef enum weft_input_kind {
    WEFT_INPUT_SET,
    WEFT_INPUT_DRAG,
    WEFT_INPUT_RELEASE,
    WEFT_INPUT_PIN,
    WEFT_INPUT_FREE,
    WEFT_INPUT_CUT,
    WEFT_INPUT_ADD_FORCE,
    WEFT_INPUT_REMOVE_FORCE,
    WEFT_INPUT_MOVE_BODY
} weft_input_kind;

/* Arrays that the kind does not use are null. */
typedef struct weft_input {
    int64_t step; /* applied after this many steps */
    weft_input_kind kind;
    int32_t line;          /* line in the file, 0 without a file */
    int32_t index;         /* index of the cloth, force or body */
    const char *text;      /* path for set, name for add-force */
    const char *value;     /* for set */
    const int32_t *vertex; /* for drag, release, pin and free (vertex_count) */
    /* For drag and pin: positions. For cut: the eye, then the rays. For move-body: position and angles.
     * (point_count) */
    const weft_vec3 *point;
    int32_t vertex_count, point_count;
} weft_input;

typedef struct weft_inputs {
    char name[256]; /* file name, for messages */
    weft_input *input;
    int32_t count, room;
    int32_t next; /* the first input that weft_inputs_apply has not applied yet */
} weft_inputs;

/* Applies an input to the simulation. A refused input leaves the simulation unchanged. `cut` receives the number of
 * links that a cut broke; it may be null. */
weft_result weft_input_apply(weft_sim *sim, const weft_input *input, int32_t *cut);

/* Appends a copy. Its step must not be less than that of the last input. */
weft_result weft_inputs_add(weft_inputs *inputs, const weft_input *input);
/* Removes the inputs from `first` on. */
void weft_inputs_cut_off(weft_inputs *inputs, int32_t first);
void weft_inputs_free(weft_inputs *inputs);

/* Refuses malformed files; the message names file, line and word. `inputs` must be freed even if this fails. */
weft_result weft_inputs_read(const char *path, weft_inputs *inputs);
weft_result weft_inputs_read_memory(const char *bytes, size_t size, const char *name, weft_inputs *inputs);
/* Writes the inputs before `step`. Numbers are read back bit-identical. */
weft_result weft_inputs_write(const weft_inputs *inputs, int64_t step, const char *path);

/* Announces the cuts to the simulation, before its first frame is written. */
weft_result weft_inputs_allow_cuts(const weft_inputs *inputs, weft_sim *sim);
/* Refuses inputs that a run could not apply: unknown parameters, values out of range, vertices that do not exist.
 * Applies them to `sim`, which must be prepared and is of no use afterwards. Vertices that a run inserts pass. */
weft_result weft_inputs_check(const weft_inputs *inputs, weft_sim *sim);
/* Applies all inputs that are due before the next step. */
weft_result weft_inputs_apply(weft_inputs *inputs, weft_sim *sim);
/* Catches up with the inputs before `step`, at the start of a run that then restores a snapshot of that step. Applies
 * what snapshots do not contain: parameters, forces and pins. Cuts only make the meshes changeable. Drags and moves of
 * bodies are in the snapshot. Fails for a pin of a vertex that adaptation, tearing or a cut inserted. */
weft_result weft_inputs_catch_up(weft_inputs *inputs, weft_sim *sim, int64_t step);
/* 64-bit hash of all inputs, continued from `hash` (io/checkpoint.h). */
uint64_t weft_inputs_hash(const weft_inputs *inputs, uint64_t hash);

#endif
