/* What a hand did to a simulation, by step: written by the studio, replayed by `weft run` (`inputs:` of a scene).
 *
 * A text file: "weft inputs 1", then one input a line, in the order of the steps before which they act:
 *   STEP set PATH VALUE                     a parameter, as weft_sim_set
 *   STEP drag CLOTH [VERTEX X Y Z]...       m
 *   STEP release CLOTH [VERTEX]...          without a vertex: all that are dragged
 *   STEP pin CLOTH [VERTEX X Y Z]...        held there, m
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

/* Arrays not used by the kind are null. */
typedef struct weft_input {
    int64_t step; /* acts when so many steps are done */
    weft_input_kind kind;
    int32_t line;           /* of the file; 0 without one */
    int32_t index;          /* of the cloth, force or body */
    const char *text;       /* path of set, name of add-force */
    const char *value;      /* of set */
    const int32_t *vertex;  /* drag, release, pin, free (vertex_count) */
    const weft_vec3 *point; /* drag, pin; cut: the eye, then the rays; move-body: place and angles (point_count) */
    int32_t vertex_count, point_count;
} weft_input;

typedef struct weft_inputs {
    char name[256]; /* of the file, for messages */
    weft_input *input;
    int32_t count, room;
    int32_t next; /* the first that weft_inputs_apply has not applied yet */
} weft_inputs;

/* Does it to the simulation; a refusal leaves that as it was. `cut` receives how many links a cut broke; may be null.
 */
weft_result weft_input_apply(weft_sim *sim, const weft_input *input, int32_t *cut);

/* Copies it to the end. Its step is at least that of the last one. */
weft_result weft_inputs_add(weft_inputs *inputs, const weft_input *input);
/* Forgets those from `first` on. */
void weft_inputs_cut_off(weft_inputs *inputs, int32_t first);
void weft_inputs_free(weft_inputs *inputs);

/* Refuses, naming file, line and word, what is not such a file. Free it also when this fails. */
weft_result weft_inputs_read(const char *path, weft_inputs *inputs);
weft_result weft_inputs_read_memory(const char *bytes, size_t size, const char *name, weft_inputs *inputs);
/* Those before `step`. Numbers read back as the same bits. */
weft_result weft_inputs_write(const weft_inputs *inputs, int64_t step, const char *path);

/* Applies the next ones that are due before the simulation's next step. */
weft_result weft_inputs_apply(weft_inputs *inputs, weft_sim *sim);

#endif
