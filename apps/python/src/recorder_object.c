/* The type Recorder: writes the frames of a simulation to files (weft-io/recorder.h). */
#include "extension.h"

#include <stdlib.h>

#include "weft-io/checkpoint.h"
#include "weft-io/recorder.h"

typedef struct python_recorder {
    PyObject_HEAD weft_recorder *recorder; /* null once closed */
    PyObject *sim;
} python_recorder;

static PyObject *recorder_type;

static void finish(PyObject *object) {
    python_recorder *self = (python_recorder *)object;
    PyTypeObject *type = Py_TYPE(object);
    weft_recorder_close(self->recorder, 0);
    Py_XDECREF(self->sim);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(object);
    Py_DECREF(type);
}

/* Adds [(name, JSON of its settings), ...]. */
static weft_result add_writers(weft_recorder *recorder, PyObject *list) {
    for (Py_ssize_t i = 0; i < PyList_Size(list); i++) {
        const char *name, *text;
        Py_ssize_t size;
        if (!PyArg_ParseTuple(PyList_GetItem(list, i), "ss#", &name, &text, &size))
            return weft_fail(WEFT_BAD_INPUT, "write: needs names and settings");
        weft_tree *tree = python_read_json(text, size, "write");
        if (!tree)
            return weft_fail(WEFT_BAD_INPUT, "write: bad settings");
        weft_result result = weft_recorder_add_writer(recorder, python_registry, name, weft_tree_root(tree));
        weft_tree_destroy(tree);
        WEFT_TRY(result);
    }
    return weft_ok();
}

/* record(sim, folder, name, rate, frames, take, strain, writers) */
static PyObject *record(PyObject *unused, PyObject *arguments) {
    PyObject *sim, *folder = NULL, *writers;
    weft_take take = {.directory = NULL};
    long long frames;
    int with_take, with_strain;
    (void)unused;
    if (!PyArg_ParseTuple(arguments, "OO&sdLppO!", &sim, PyUnicode_FSConverter, &folder, &take.name, &take.rate,
                          &frames, &with_take, &with_strain, &PyList_Type, &writers))
        return NULL;
    take.directory = PyBytes_AsString(folder);
    take.frame_count = frames;
    weft_sim *engine = python_sim_use(sim);
    python_recorder *self = engine ? (python_recorder *)PyType_GenericAlloc((PyTypeObject *)recorder_type, 0) : NULL;
    if (!self) {
        Py_DECREF(folder);
        return NULL;
    }
    Py_INCREF(sim);
    self->sim = sim;
    weft_result result = weft_sim_prepare(engine);
    if (result.code == WEFT_OK)
        result = weft_recorder_create(engine, &take, &self->recorder);
    Py_DECREF(folder);
    if (result.code == WEFT_OK && with_take)
        weft_recorder_use_take(self->recorder);
    if (result.code == WEFT_OK && with_strain)
        weft_recorder_use_strain(self->recorder);
    if (result.code == WEFT_OK)
        result = add_writers(self->recorder, writers);
    if (result.code == WEFT_OK)
        return (PyObject *)self;
    Py_DECREF(self);
    return PyErr_Occurred() ? NULL : python_fail(result);
}

static weft_recorder *opened(const python_recorder *self) {
    if (!self->recorder)
        PyErr_SetString(PyExc_ValueError, "the recorder is closed");
    else if (python_sim_use(self->sim))
        return self->recorder;
    return NULL;
}

static PyObject *write_frame(PyObject *self, PyObject *unused) {
    (void)unused;
    weft_recorder *recorder = opened((python_recorder *)self);
    return recorder ? python_done(weft_recorder_write_frame(recorder)) : NULL;
}

static PyObject *close_files(PyObject *self, PyObject *finished) {
    weft_recorder *recorder = ((python_recorder *)self)->recorder;
    ((python_recorder *)self)->recorder = NULL;
    return python_done(weft_recorder_close(recorder, PyObject_IsTrue(finished)));
}

/* checkpoint_write(path, frame, snapshot) */
PyObject *python_checkpoint_write(PyObject *module, PyObject *arguments) {
    PyObject *path = NULL;
    char *bytes;
    Py_ssize_t size;
    long long frame;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O&Ly#", PyUnicode_FSConverter, &path, &frame, &bytes, &size))
        return NULL;
    weft_checkpoint checkpoint = {.frame = frame, .size = (size_t)size, .snapshot = bytes};
    weft_result result = weft_checkpoint_write(PyBytes_AsString(path), &checkpoint);
    Py_DECREF(path);
    return python_done(result);
}

/* checkpoint_read(path): the snapshot */
PyObject *python_checkpoint_read(PyObject *module, PyObject *arguments) {
    PyObject *path = NULL;
    weft_checkpoint checkpoint = {0};
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O&", PyUnicode_FSConverter, &path))
        return NULL;
    weft_result result = weft_checkpoint_read(PyBytes_AsString(path), &checkpoint);
    Py_DECREF(path);
    if (result.code != WEFT_OK)
        return python_fail(result);
    PyObject *bytes = PyBytes_FromStringAndSize(checkpoint.snapshot, (Py_ssize_t)checkpoint.size);
    free(checkpoint.snapshot);
    return bytes;
}

int python_recorder_register(PyObject *module) {
    static PyMethodDef methods[] = {
        {"record", record, METH_VARARGS | METH_STATIC, NULL},
        {"write", write_frame, METH_NOARGS, NULL},
        {"close", close_files, METH_O, NULL},
        {NULL, NULL, 0, NULL},
    };
    static PyType_Slot slots[] = {{Py_tp_dealloc, (void *)finish}, {Py_tp_methods, methods}, {0, NULL}};
    static PyType_Spec spec = {"weft._engine.Recorder", (int)sizeof(python_recorder), 0, Py_TPFLAGS_DEFAULT, slots};
    recorder_type = python_add_type(module, &spec, "Recorder");
    return recorder_type ? 0 : -1;
}
