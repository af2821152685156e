/* Shared by the files of the extension module weft._engine: the C side of the Python package.
 *
 * It uses only the limited API of Python 3.9, so one binary serves all later versions. That API has no buffer protocol:
 * arrays leave as objects with __array_interface__, and arrive as bytes. */
#ifndef WEFT_PYTHON_EXTENSION_H
#define WEFT_PYTHON_EXTENSION_H

#define Py_LIMITED_API 0x03090000
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "weft/weft.h"

/* -- module.c -- */

/* The registry that all simulations share: built-in components, writers, and the force "python". */
extern weft_registry *python_registry;
/* Raises the exception of a result's code, with the engine's message. Returns null. */
PyObject *python_fail(weft_result result);
/* None, or the exception of a failure. */
PyObject *python_done(weft_result result);
/* Reads JSON text into a value tree. `name` starts messages. Raises and returns null on failure. */
weft_tree *python_read_json(const char *text, Py_ssize_t size, const char *name);
/* Creates a type from its spec and adds it to the module. Returns a borrowed reference, or null. */
PyObject *python_add_type(PyObject *module, PyType_Spec *spec, const char *name);

/* -- keep_alive.c -- */

/* Sets the engine's allocator to one that does not free memory while an array shows it. */
void python_memory_install(void);
/* Marks an address as shown by an array, and unmarks it. */
int python_memory_hold(const void *address);
void python_memory_let_go(const void *address);

/* -- sim_object.c -- */

typedef struct python_sim {
    PyObject_HEAD weft_sim *sim; /* null until __init__ */
    int busy;                    /* 1: a call runs without the interpreter lock */
    uint64_t generation;         /* counts the calls that exchange or replace arrays */
    int stopped;                 /* 1: a force in Python raised; its exception follows */
    PyObject *exception[3];      /* type, value, traceback; null without one */
} python_sim;

/* Returns the simulation for a call that keeps the interpreter lock. Raises and returns null if another call uses it.
 */
weft_sim *python_sim_use(PyObject *self);
/* As python_sim_use, for calls that may exchange or replace arrays. */
weft_sim *python_sim_change(PyObject *self);
/* Begins and ends a call without the interpreter lock. `python_sim_begin` returns null if another call uses it. */
weft_sim *python_sim_begin(PyObject *self, PyThreadState **state);
/* Returns the result as python_done does. An exception of a force in Python takes precedence. */
PyObject *python_sim_end(PyObject *self, PyThreadState *state, weft_result result);
/* Checks the index of a cloth. Raises IndexError and returns null. */
const weft_cloth *python_sim_cloth(weft_sim *sim, int cloth);

int python_sim_register(PyObject *module);
extern PyMethodDef python_sim_build_methods[]; /* sim_build.c */
extern PyMethodDef python_sim_state_methods[]; /* sim_state.c */
extern PyMethodDef python_sim_input_methods[]; /* sim_input.c */

/* -- array.c -- */

/* An array of the engine, shown without a copy. */
typedef enum python_array_kind {
    PYTHON_POSITIONS,
    PYTHON_VELOCITIES,
    PYTHON_HELD,
    PYTHON_MASS,
    PYTHON_AREA,
    PYTHON_REST,
    PYTHON_UV,
    PYTHON_TRIANGLES,
    PYTHON_OPEN_FACES,
    PYTHON_COPY /* owned memory */
} python_array_kind;

/* A new array of `rows` x `columns` zeros that owns its memory, to be filled through *data. `type` is as in
 * __array_interface__: "<f8", "<i4". columns 0: one-dimensional. */
PyObject *python_array_new(const char *type, Py_ssize_t rows, Py_ssize_t columns, void **data);
/* A view of an array of a simulation; None if the cloth has none. */
PyObject *python_array_view(PyObject *sim, python_array_kind kind, int cloth);
int python_array_register(PyObject *module);

/* -- report.c -- */

/* A Report object with a copy of the report. */
PyObject *python_report_new(const weft_report *report, int steps);
int python_report_register(PyObject *module);

/* -- force.c -- */

/* The force component "python": each instance calls one Python function. */
extern const weft_component python_force_component;
/* Takes a slot for a function, which the caller keeps alive. Returns its number, or -1 with an exception. */
int python_force_take(python_sim *owner, PyObject *function);
/* Releases the slots of a simulation. */
void python_force_release(const python_sim *owner);

/* -- mesh_object.c, recorder_object.c, sim_picture.c, tables.c -- */

/* Takes the mesh out of a Mesh object. Raises and returns null if it was taken before. */
weft_mesh *python_mesh_take(PyObject *mesh);
int python_mesh_register(PyObject *module);
int python_recorder_register(PyObject *module);
PyObject *python_checkpoint_write(PyObject *module, PyObject *arguments);
PyObject *python_checkpoint_read(PyObject *module, PyObject *arguments);
PyObject *python_picture(PyObject *self, PyObject *arguments);
PyObject *python_tables(PyObject *module, PyObject *unused);
PyObject *python_components(PyObject *module, PyObject *unused);
PyObject *python_presets(PyObject *module, PyObject *unused);

#endif
