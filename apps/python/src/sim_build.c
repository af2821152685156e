/* Methods of Sim that build a simulation, and its parameters. */
#include "extension.h"

#include "weft-io/scene_files.h"

static PyObject *index_of(weft_result result, int32_t index) {
    return result.code == WEFT_OK ? PyLong_FromLong(index) : python_fail(result);
}

/* Reads a fabric as a scene does: JSON of a name or a map. Names of fabric files are looked up too. */
static int read_fabric(const char *text, Py_ssize_t size, weft_fabric *fabric) {
    weft_tree *tree = python_read_json(text, size, "fabric");
    if (!tree)
        return 0;
    weft_scene_files files = weft_scene_files_make(NULL);
    weft_result result = weft_scene_fabric_read(weft_tree_root(tree), &files, fabric);
    weft_tree_destroy(tree);
    if (result.code != WEFT_OK)
        python_fail(result);
    return result.code == WEFT_OK;
}

/* _add_cloth(name, mesh, fabric, model or None) */
static PyObject *add_cloth(PyObject *self, PyObject *arguments) {
    const char *name, *text, *model;
    Py_ssize_t size;
    PyObject *mesh;
    weft_fabric fabric;
    int32_t cloth = 0;
    if (!PyArg_ParseTuple(arguments, "sOs#z", &name, &mesh, &text, &size, &model) || !read_fabric(text, size, &fabric))
        return NULL;
    weft_sim *sim = python_sim_change(self);
    weft_mesh *taken = sim ? python_mesh_take(mesh) : NULL;
    if (!taken)
        return NULL;
    weft_result result = weft_sim_add_cloth(sim, name, taken, &fabric, model, &cloth);
    return index_of(result, cloth);
}

/* _add_body(name, mesh or None) */
static PyObject *add_body(PyObject *self, PyObject *arguments) {
    const char *name;
    PyObject *mesh;
    int32_t body = 0;
    if (!PyArg_ParseTuple(arguments, "sO", &name, &mesh))
        return NULL;
    weft_sim *sim = python_sim_change(self);
    weft_mesh *taken = sim && mesh != Py_None ? python_mesh_take(mesh) : NULL;
    if (!sim || PyErr_Occurred())
        return NULL;
    weft_result result = weft_sim_add_body(sim, name, taken, &body);
    return index_of(result, body);
}

static PyObject *add_force(PyObject *self, PyObject *arguments) {
    const char *name;
    int32_t force = 0;
    if (!PyArg_ParseTuple(arguments, "s", &name))
        return NULL;
    weft_sim *sim = python_sim_change(self);
    if (!sim)
        return NULL;
    weft_result result = weft_sim_add_force(sim, name, &force);
    return index_of(result, force);
}

/* _add_function(function): a force that calls it. The caller keeps the function alive. */
static PyObject *add_function(PyObject *self, PyObject *function) {
    char path[64];
    int32_t force = 0;
    weft_sim *sim = python_sim_change(self);
    int slot = sim ? python_force_take((python_sim *)self, function) : -1;
    if (slot < 0)
        return NULL;
    weft_result result = weft_sim_add_force(sim, "python", &force);
    weft_format(path, sizeof path, "forces.%d.slot", force);
    if (result.code == WEFT_OK)
        result = weft_sim_set_real(sim, path, slot);
    return index_of(result, force);
}

/* Calls a function of (simulation, index). */
static PyObject *with_index(PyObject *self, PyObject *number, weft_result (*call)(weft_sim *sim, int32_t index)) {
    long index = PyLong_AsLong(number);
    weft_sim *sim = PyErr_Occurred() ? NULL : python_sim_change(self);
    return sim ? python_done(call(sim, (int32_t)index)) : NULL;
}

static PyObject *remove_cloth(PyObject *self, PyObject *number) {
    return with_index(self, number, weft_sim_remove_cloth);
}
static PyObject *remove_force(PyObject *self, PyObject *number) {
    return with_index(self, number, weft_sim_remove_force);
}
static PyObject *remove_body(PyObject *self, PyObject *number) {
    return with_index(self, number, weft_sim_remove_body);
}

/* Calls a function of (simulation, name). */
static PyObject *with_name(PyObject *self, PyObject *text, weft_result (*call)(weft_sim *sim, const char *name)) {
    const char *name = NULL;
    if (!PyArg_Parse(text, "s", &name))
        return NULL;
    weft_sim *sim = name ? python_sim_change(self) : NULL;
    return sim ? python_done(call(sim, name)) : NULL;
}

static PyObject *set_integrator(PyObject *self, PyObject *name) {
    return with_name(self, name, weft_sim_set_integrator);
}
static PyObject *set_adapt(PyObject *self, PyObject *name) { return with_name(self, name, weft_sim_set_adapt); }

/* _set_body_keys(body, bytes of weft_body_key) */
static PyObject *set_body_keys(PyObject *self, PyObject *arguments) {
    const char *bytes;
    Py_ssize_t size;
    int body;
    if (!PyArg_ParseTuple(arguments, "iy#", &body, &bytes, &size))
        return NULL;
    weft_sim *sim = python_sim_change(self);
    return sim ? python_done(weft_sim_set_body_keys(sim, body, (const weft_body_key *)bytes,
                                                    (int32_t)(size / (Py_ssize_t)sizeof(weft_body_key))))
               : NULL;
}

/* _set_body_frames(body, positions, vertices, rate, start) */
static PyObject *set_body_frames(PyObject *self, PyObject *arguments) {
    const char *bytes;
    Py_ssize_t size;
    int body;
    weft_body_frames frames = {.position = NULL};
    if (!PyArg_ParseTuple(arguments, "iy#idd", &body, &bytes, &size, &frames.vertex_count, &frames.rate, &frames.start))
        return NULL;
    weft_sim *sim = python_sim_change(self);
    if (!sim || frames.vertex_count < 1)
        return sim ? python_fail(weft_fail(WEFT_BAD_INPUT, "frames: there are no vertices")) : NULL;
    frames.position = (const weft_vec3 *)bytes;
    frames.frame_count = (int32_t)(size / (Py_ssize_t)sizeof(weft_vec3) / frames.vertex_count);
    return python_done(weft_sim_set_body_frames(sim, body, &frames));
}

/* _set_map(cloth, map, bytes of doubles) */
static PyObject *set_map(PyObject *self, PyObject *arguments) {
    const char *bytes, *name;
    Py_ssize_t size;
    int cloth;
    if (!PyArg_ParseTuple(arguments, "isy#", &cloth, &name, &bytes, &size))
        return NULL;
    const weft_param *row = weft_params_find(weft_map_params(), name);
    weft_sim *sim = python_sim_change(self);
    if (!row || !sim)
        return sim ? python_fail(weft_fail(WEFT_BAD_INPUT, "maps: there is no map '%.40s'", name)) : NULL;
    return python_done(weft_sim_set_map(sim, cloth, (weft_map)(row - weft_map_params()), (const double *)bytes,
                                        (int32_t)(size / (Py_ssize_t)sizeof(double))));
}

static PyObject *set_velocity(PyObject *self, PyObject *arguments) {
    int cloth;
    weft_vec3 v;
    if (!PyArg_ParseTuple(arguments, "i(ddd)", &cloth, &v.x, &v.y, &v.z))
        return NULL;
    weft_sim *sim = python_sim_change(self);
    return sim ? python_done(weft_sim_set_velocity(sim, cloth, v)) : NULL;
}

/* -- parameters -- */

static PyObject *set(PyObject *self, PyObject *arguments) {
    const char *path, *value;
    if (!PyArg_ParseTuple(arguments, "ss", &path, &value))
        return NULL;
    weft_sim *sim = python_sim_use(self);
    return sim ? python_done(weft_sim_set(sim, path, value)) : NULL;
}

static PyObject *get(PyObject *self, PyObject *text) {
    char value[WEFT_STRING_SIZE];
    const char *path = NULL;
    if (!PyArg_Parse(text, "s", &path))
        return NULL;
    const weft_sim *sim = path ? python_sim_use(self) : NULL;
    if (!sim)
        return NULL;
    weft_result result = weft_sim_get(sim, path, value, sizeof value);
    return result.code == WEFT_OK ? PyUnicode_FromString(value) : python_fail(result);
}

static PyObject *paths(PyObject *self, PyObject *unused) {
    char path[256];
    const weft_param *row;
    (void)unused;
    const weft_sim *sim = python_sim_use(self);
    PyObject *list = sim ? PyList_New(0) : NULL;
    for (int i = 0; list && weft_sim_param_at(sim, i, path, sizeof path, &row); i++) {
        PyObject *text = PyUnicode_FromString(path);
        if (!text || PyList_Append(list, text) != 0)
            Py_CLEAR(list);
        Py_XDECREF(text);
    }
    return list;
}

/* A list of the names that `name` gives for 0, 1, ... */
static PyObject *list_names(PyObject *self, int32_t (*count)(const weft_sim *sim),
                            const char *(*name)(const weft_sim *sim, int32_t index)) {
    const weft_sim *sim = python_sim_use(self);
    PyObject *list = sim ? PyList_New(0) : NULL;
    for (int32_t i = 0; list && i < count(sim); i++) {
        PyObject *text = PyUnicode_FromString(name(sim, i));
        if (!text || PyList_Append(list, text) != 0)
            Py_CLEAR(list);
        Py_XDECREF(text);
    }
    return list;
}

static const char *cloth_name(const weft_sim *sim, int32_t cloth) { return weft_sim_cloth(sim, cloth)->name; }

static PyObject *cloth_names(PyObject *self, PyObject *unused) {
    (void)unused;
    return list_names(self, weft_sim_cloth_count, cloth_name);
}
static PyObject *model_names(PyObject *self, PyObject *unused) {
    (void)unused;
    return list_names(self, weft_sim_cloth_count, weft_sim_model_name);
}
static PyObject *force_names(PyObject *self, PyObject *unused) {
    (void)unused;
    return list_names(self, weft_sim_force_count, weft_sim_force_name);
}
static PyObject *body_names(PyObject *self, PyObject *unused) {
    (void)unused;
    return list_names(self, weft_sim_body_count, weft_sim_body_name);
}

static PyObject *integrator_name(PyObject *self, PyObject *unused) {
    (void)unused;
    const weft_sim *sim = python_sim_use(self);
    return sim ? PyUnicode_FromString(weft_sim_integrator_name(sim)) : NULL;
}

PyMethodDef python_sim_build_methods[] = {
    {"_add_cloth", add_cloth, METH_VARARGS, NULL},
    {"_add_body", add_body, METH_VARARGS, NULL},
    {"_add_force", add_force, METH_VARARGS, NULL},
    {"_add_function", add_function, METH_O, NULL},
    {"_remove_cloth", remove_cloth, METH_O, NULL},
    {"_remove_force", remove_force, METH_O, NULL},
    {"_remove_body", remove_body, METH_O, NULL},
    {"_set_integrator", set_integrator, METH_O, NULL},
    {"_set_adapt", set_adapt, METH_O, NULL},
    {"_set_body_keys", set_body_keys, METH_VARARGS, NULL},
    {"_set_body_frames", set_body_frames, METH_VARARGS, NULL},
    {"_set_map", set_map, METH_VARARGS, NULL},
    {"_set_velocity", set_velocity, METH_VARARGS, NULL},
    {"_set", set, METH_VARARGS, NULL},
    {"_get", get, METH_O, NULL},
    {"_paths", paths, METH_NOARGS, NULL},
    {"_cloth_names", cloth_names, METH_NOARGS, NULL},
    {"_model_names", model_names, METH_NOARGS, NULL},
    {"_force_names", force_names, METH_NOARGS, NULL},
    {"_body_names", body_names, METH_NOARGS, NULL},
    {"_integrator_name", integrator_name, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};
