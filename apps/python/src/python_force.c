/* Forces in Python. One component, "python", is registered before the first simulation. Each of its instances has a
 * slot that names the function which it calls.
 *
 * The engine calls a force for blocks of vertices, from several threads. Each call takes the interpreter lock. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "extension.h"

typedef struct force_settings {
    int32_t slot;
} force_settings;

typedef struct force_slot {
    python_sim *owner;  /* null: free */
    PyObject *function; /* kept alive by the owner */
} force_slot;

static force_slot *slots; /* changed and read with the interpreter lock only */
static int slot_count;

int python_force_take(python_sim *owner, PyObject *function) {
    int i = 0;
    while (i < slot_count && slots[i].owner)
        i++;
    if (i == slot_count) {
        force_slot *grown = realloc(slots, ((size_t)slot_count + 1) * sizeof *slots);
        if (!grown)
            return PyErr_NoMemory(), -1;
        slots = grown;
        slot_count++;
    }
    slots[i] = (force_slot){owner, function};
    return i;
}

void python_force_release(const python_sim *owner) {
    for (int i = 0; i < slot_count; i++)
        if (slots[i].owner == owner)
            slots[i] = (force_slot){NULL, NULL};
}

static PyObject *copy_array(const void *data, Py_ssize_t rows, Py_ssize_t columns) {
    void *copy;
    PyObject *array = python_array_new("<f8", rows, columns, &copy);
    if (array)
        memcpy(copy, data, (size_t)(rows * (columns > 0 ? columns : 1)) * sizeof(double));
    return array;
}

/* function(time, x, v, mass, area, f) adds to f. */
static int call(PyObject *function, const weft_force_input *input, weft_vec3 *f) {
    void *added;
    PyObject *sum = python_array_new("<f8", input->count, 3, &added);
    if (!sum)
        return 0;
    PyObject *done = PyObject_CallFunction(
        function, "dNNNNO", input->time, copy_array(input->x, input->count, 3), copy_array(input->v, input->count, 3),
        copy_array(input->mass, input->count, 0), copy_array(input->area, input->count, 0), sum);
    for (int32_t i = 0; done && i < input->count; i++)
        f[i] = weft_add(f[i], ((const weft_vec3 *)added)[i]);
    Py_DECREF(sum);
    Py_XDECREF(done);
    return done != NULL;
}

static void keep_exception(python_sim *sim) {
    if (sim->stopped) {
        PyErr_Clear(); /* the first one counts */
        return;
    }
    sim->stopped = 1;
    PyErr_Fetch(&sim->exception[0], &sim->exception[1], &sim->exception[2]);
}

/* After an exception the forces are not finite, so that the step is undone. */
static void apply(const void *settings, const weft_work *work, const weft_force_input *input, weft_vec3 *f) {
    int slot = ((const force_settings *)settings)->slot;
    (void)work;
    PyGILState_STATE state = PyGILState_Ensure();
    python_sim *owner = slot >= 0 && slot < slot_count ? slots[slot].owner : NULL;
    int done = 0;
    if (owner && !owner->stopped) {
        done = call(slots[slot].function, input, f);
        if (!done)
            keep_exception(owner);
    }
    PyGILState_Release(state);
    for (int32_t i = 0; !done && owner && i < input->count; i++)
        f[i] = weft_vec3_make(NAN, NAN, NAN);
}

static const weft_param PARAMS[] = {
    {.name = "slot",
     .type = WEFT_INT,
     .offset = offsetof(force_settings, slot),
     .low = -1,
     .high = 1e9,
     .fallback = "-1",
     .unit = "",
     .help = "number of the function; set by the package"},
    {0},
};

static const weft_force_functions FUNCTIONS = {.apply = apply};

const weft_component python_force_component = {
    .abi = WEFT_ABI,
    .kind = WEFT_FORCE,
    .name = "python",
    .help = "a function in Python",
    .settings_size = sizeof(force_settings),
    .params = PARAMS,
    .functions = &FUNCTIONS,
    .paper = "",
};
