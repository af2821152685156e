/* The type Sim: a simulation. weft.Sim in Python inherits from it. */
#include "extension.h"

#include "weft-io/scene_files.h"
#include "weft-io/yaml.h"

/* -- use by one thread at a time -- */

static void raise_busy(void) {
    python_fail(weft_fail(WEFT_UNSUPPORTED,
                          "the simulation is in use: by a step in another thread, or by the step that "
                          "called this function"));
}

weft_sim *python_sim_use(PyObject *self) {
    const python_sim *sim = (const python_sim *)self;
    if (!sim->sim) {
        PyErr_SetString(PyExc_RuntimeError, "Sim.__init__ was not called");
        return NULL;
    }
    if (sim->busy) {
        raise_busy();
        return NULL;
    }
    return sim->sim;
}

weft_sim *python_sim_change(PyObject *self) {
    weft_sim *sim = python_sim_use(self);
    if (sim)
        ((python_sim *)self)->generation++;
    return sim;
}

weft_sim *python_sim_begin(PyObject *self, PyThreadState **state) {
    weft_sim *sim = python_sim_change(self);
    if (sim) {
        ((python_sim *)self)->busy = 1;
        *state = PyEval_SaveThread();
    }
    return sim;
}

/* Raises what a force in Python raised during the call, if anything. */
static int raise_kept(python_sim *sim) {
    if (!sim->stopped)
        return 0;
    sim->stopped = 0;
    PyErr_Restore(sim->exception[0], sim->exception[1], sim->exception[2]);
    for (int i = 0; i < 3; i++)
        sim->exception[i] = NULL;
    return 1;
}

PyObject *python_sim_end(PyObject *self, PyThreadState *state, weft_result result) {
    PyEval_RestoreThread(state);
    ((python_sim *)self)->busy = 0;
    return raise_kept((python_sim *)self) ? NULL : python_done(result);
}

const weft_cloth *python_sim_cloth(weft_sim *sim, int cloth) {
    const weft_cloth *found = weft_sim_cloth(sim, cloth);
    if (cloth < 0 || cloth >= weft_sim_cloth_count(sim))
        PyErr_Format(PyExc_IndexError, "there is no cloth %d", cloth);
    else if (!found)
        python_fail(weft_fail(WEFT_UNSUPPORTED, "the simulation is not prepared: call prepare() first"));
    return found;
}

/* -- life -- */

static int start(PyObject *self, PyObject *arguments, PyObject *keywords) {
    python_sim *sim = (python_sim *)self;
    (void)arguments;
    (void)keywords;
    if (sim->sim)
        return 0;
    weft_result result = weft_sim_create(python_registry, &sim->sim);
    return result.code == WEFT_OK ? 0 : (python_fail(result), -1);
}

static void finish(PyObject *self) {
    python_sim *sim = (python_sim *)self;
    PyTypeObject *type = Py_TYPE(self);
    python_force_release(sim);
    for (int i = 0; i < 3; i++)
        Py_CLEAR(sim->exception[i]);
    weft_sim *engine = sim->sim;
    sim->sim = NULL;
    weft_sim_destroy(engine);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

/* Replaces an empty simulation by one that was read from a scene. */
static PyObject *adopt(PyObject *self, weft_sim *made) {
    python_sim *sim = (python_sim *)self;
    if (!python_sim_change(self)) {
        weft_sim_destroy(made);
        return NULL;
    }
    weft_sim *old = sim->sim;
    sim->sim = made;
    weft_sim_destroy(old);
    Py_RETURN_NONE;
}

/* -- scenes -- */

static void take_note(void *list, const char *text) {
    PyObject *note = PyUnicode_FromString(text);
    if (!note || PyList_Append(list, note) != 0)
        PyErr_Clear(); /* a note is no reason to fail */
    Py_XDECREF(note);
}

/* A value as text, list or dict. */
static PyObject *plain_value(const weft_value *value) {
    if (value->kind == WEFT_VALUE_TEXT)
        return PyUnicode_FromString(value->text);
    PyObject *made = value->kind == WEFT_VALUE_LIST ? PyList_New(0) : PyDict_New();
    for (const weft_value *child = value->first; made && child; child = child->next) {
        PyObject *item = plain_value(child);
        int failed = !item || (value->kind == WEFT_VALUE_LIST ? PyList_Append(made, item)
                                                              : PyDict_SetItemString(made, child->key, item));
        Py_XDECREF(item);
        if (failed)
            Py_CLEAR(made);
    }
    return made;
}

/* Returns (notices, `view:` of the scene). Destroys the tree. */
static PyObject *read_tree(PyObject *self, weft_tree *tree) {
    const weft_value *section = weft_value_find(weft_tree_root(tree), "view");
    PyObject *view = section && section->kind == WEFT_VALUE_MAP ? plain_value(section) : PyDict_New();
    PyObject *notes = PyList_New(0);
    weft_sim *made = NULL;
    if (!notes || !view) {
        Py_XDECREF(notes);
        Py_XDECREF(view);
        weft_tree_destroy(tree);
        return NULL;
    }
    const weft_scene_source source = {.context = notes, .note = take_note};
    weft_scene_files files = weft_scene_files_make(&source);
    weft_result result = weft_scene_read(python_registry, tree, &files, &made);
    weft_tree_destroy(tree);
    PyObject *done = result.code == WEFT_OK ? adopt(self, made) : python_fail(result);
    if (done) {
        Py_DECREF(done);
        return Py_BuildValue("(NN)", notes, view);
    }
    Py_DECREF(notes);
    Py_DECREF(view);
    return NULL;
}

/* Applies [(path, text), ...] as --set of the command does. */
static int apply_changes(weft_tree *tree, PyObject *changes) {
    for (Py_ssize_t i = 0; i < PyList_Size(changes); i++) {
        const char *path, *text;
        if (!PyArg_ParseTuple(PyList_GetItem(changes, i), "ss", &path, &text))
            return 0;
        weft_result result = weft_yaml_set(tree, path, text);
        if (result.code != WEFT_OK) {
            python_fail(result);
            return 0;
        }
    }
    return 1;
}

static PyObject *load(PyObject *self, PyObject *arguments) {
    PyObject *path = NULL, *changes;
    weft_tree *tree;
    if (!PyArg_ParseTuple(arguments, "O&O!", PyUnicode_FSConverter, &path, &PyList_Type, &changes))
        return NULL;
    weft_result result = weft_yaml_read(PyBytes_AsString(path), &tree);
    Py_DECREF(path);
    if (result.code != WEFT_OK)
        return python_fail(result);
    if (!apply_changes(tree, changes)) {
        weft_tree_destroy(tree);
        return NULL;
    }
    return read_tree(self, tree);
}

static PyObject *load_text(PyObject *self, PyObject *arguments) {
    const char *text, *name;
    Py_ssize_t size;
    PyObject *changes;
    if (!PyArg_ParseTuple(arguments, "s#sO!", &text, &size, &name, &PyList_Type, &changes))
        return NULL;
    weft_tree *tree = python_read_json(text, size, name);
    if (tree && !apply_changes(tree, changes)) {
        weft_tree_destroy(tree);
        tree = NULL;
    }
    return tree ? read_tree(self, tree) : NULL;
}

/* -- running -- */

static PyObject *step(PyObject *self, PyObject *length) {
    double dt = PyFloat_AsDouble(length);
    PyThreadState *state;
    weft_report report;
    if (dt == -1 && PyErr_Occurred())
        return NULL;
    weft_sim *sim = python_sim_begin(self, &state);
    if (!sim)
        return NULL;
    PyObject *done = python_sim_end(self, state, weft_sim_step(sim, dt, &report));
    if (!done)
        return NULL;
    Py_DECREF(done);
    return python_report_new(&report, 1);
}

/* steps(dt, count): without returning to the interpreter between them */
static PyObject *make_steps(PyObject *self, PyObject *arguments) {
    double dt;
    int count;
    PyThreadState *state;
    weft_report report = {.dt = 0};
    weft_result result = weft_ok();
    if (!PyArg_ParseTuple(arguments, "di", &dt, &count))
        return NULL;
    weft_sim *sim = python_sim_begin(self, &state);
    if (!sim)
        return NULL;
    for (int i = 0; i < count && result.code == WEFT_OK; i++)
        result = weft_sim_step(sim, dt, &report);
    PyObject *done = python_sim_end(self, state, result);
    if (!done)
        return NULL;
    Py_DECREF(done);
    return python_report_new(&report, count);
}

static PyObject *advance_frame(PyObject *self, PyObject *unused) {
    PyThreadState *state;
    weft_report report;
    int32_t steps = 0;
    (void)unused;
    weft_sim *sim = python_sim_begin(self, &state);
    if (!sim)
        return NULL;
    PyObject *done = python_sim_end(self, state, weft_sim_advance_frame(sim, &report, &steps));
    if (!done)
        return NULL;
    Py_DECREF(done);
    return python_report_new(&report, steps);
}

/* Returns (report, frame is complete). */
static PyObject *advance_step(PyObject *self, PyObject *unused) {
    PyThreadState *state;
    weft_report report;
    int32_t complete = 0;
    (void)unused;
    weft_sim *sim = python_sim_begin(self, &state);
    if (!sim)
        return NULL;
    PyObject *done = python_sim_end(self, state, weft_sim_advance_step(sim, &report, &complete));
    if (!done)
        return NULL;
    Py_DECREF(done);
    return Py_BuildValue("(NN)", python_report_new(&report, 1), PyBool_FromLong(complete));
}

static PyObject *prepare(PyObject *self, PyObject *unused) {
    PyThreadState *state;
    (void)unused;
    weft_sim *sim = python_sim_begin(self, &state);
    return sim ? python_sim_end(self, state, weft_sim_prepare(sim)) : NULL;
}

/* Whether all cloths are part of the state. */
static PyObject *get_prepared(PyObject *self, void *unused) {
    (void)unused;
    const weft_sim *sim = python_sim_use(self);
    if (!sim)
        return NULL;
    int32_t count = weft_sim_cloth_count(sim);
    for (int32_t i = 0; i < count; i++)
        if (!weft_sim_cloth(sim, i))
            Py_RETURN_FALSE;
    return PyBool_FromLong(count > 0);
}

static PyObject *get_time(PyObject *self, void *unused) {
    (void)unused;
    const weft_sim *sim = python_sim_use(self);
    return sim ? PyFloat_FromDouble(weft_sim_time(sim)) : NULL;
}

static PyObject *get_frame(PyObject *self, void *unused) {
    (void)unused;
    const weft_sim *sim = python_sim_use(self);
    return sim ? PyLong_FromLongLong(weft_sim_frame(sim)) : NULL;
}

static PyObject *get_step_count(PyObject *self, void *unused) {
    (void)unused;
    const weft_sim *sim = python_sim_use(self);
    return sim ? PyLong_FromLongLong(weft_sim_step_count(sim)) : NULL;
}

static PyObject *get_threads(PyObject *self, void *unused) {
    (void)unused;
    const weft_sim *sim = python_sim_use(self);
    return sim ? PyLong_FromLong(weft_sim_threads(sim)) : NULL;
}

static int set_threads(PyObject *self, PyObject *value, void *unused) {
    (void)unused;
    long threads = value ? PyLong_AsLong(value) : -1;
    weft_sim *sim = python_sim_use(self);
    if (!sim || PyErr_Occurred())
        return -1;
    if (threads < 0 || threads > 1024) {
        python_fail(weft_fail(WEFT_BAD_INPUT, "threads: must be 0 (one per processor) to 1024"));
        return -1;
    }
    weft_sim_set_threads(sim, (int)threads);
    return 0;
}

static PyMethodDef METHODS[] = {
    {"_load", load, METH_VARARGS, NULL},
    {"_load_text", load_text, METH_VARARGS, NULL},
    {"step", step, METH_O,
     "step(dt)\n--\n\nMake one step of dt seconds and return its Report. Arrays of positions and velocities become "
     "stale."},
    {"steps", make_steps, METH_VARARGS,
     "steps(dt, count)\n--\n\nMake several steps of dt seconds without returning to Python between them. Returns the "
     "Report of the last one."},
    {"_advance_frame", advance_frame, METH_NOARGS, NULL},
    {"_advance_step", advance_step, METH_NOARGS, NULL},
    {"prepare", prepare, METH_NOARGS, "prepare()\n--\n\nPrepare models and masses. The first step does it if needed."},
    {"_picture", python_picture, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef GETTERS[] = {
    {"prepared", get_prepared, NULL, "Whether models and masses are prepared. Reading arrays prepares them.", NULL},
    {"seconds", get_time, NULL, "Simulated time, s.", NULL},
    {"frame", get_frame, NULL, "Number of complete frames.", NULL},
    {"step_count", get_step_count, NULL, "Number of steps made.", NULL},
    {"threads", get_threads, set_threads, "Number of CPU threads; 0: one per processor. Results do not depend on it.",
     NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

/* Each file has a table of methods; the type needs one. */
static int join_methods(PyMethodDef *all, int room) {
    PyMethodDef *const tables[] = {METHODS, python_sim_build_methods, python_sim_state_methods,
                                   python_sim_input_methods};
    int count = 0;
    for (int i = 0; i < (int)(sizeof tables / sizeof tables[0]); i++)
        for (const PyMethodDef *method = tables[i]; method->ml_name; method++) {
            if (count + 1 == room)
                return 0;
            all[count++] = *method;
        }
    all[count] = (PyMethodDef){NULL, NULL, 0, NULL};
    return 1;
}

int python_sim_register(PyObject *module) {
    static PyMethodDef all[80];
    static PyType_Slot slots[] = {
        {Py_tp_init, (void *)start},
        {Py_tp_dealloc, (void *)finish},
        {Py_tp_methods, all},
        {Py_tp_getset, GETTERS},
        {0, NULL},
    };
    static PyType_Spec spec = {"weft._engine.Sim", (int)sizeof(python_sim), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                               slots};
    if (!join_methods(all, (int)(sizeof all / sizeof all[0]))) {
        PyErr_SetString(PyExc_SystemError, "too many methods");
        return -1;
    }
    return python_add_type(module, &spec, "Sim") ? 0 : -1;
}
