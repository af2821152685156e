/* Methods of Sim that act on it: pins, drags, cuts, moved bodies and placed vertices. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "extension.h"

/* _select(cloth, kind, name or None, a, b, radius, vertices): bytes of int32 */
static PyObject *select_vertices(PyObject *self, PyObject *arguments) {
    weft_select select = {.kind = WEFT_SELECT_ALL};
    const char *bytes;
    Py_ssize_t size;
    int cloth, kind;
    int32_t count = 0;
    if (!PyArg_ParseTuple(arguments, "iiz(ddd)(ddd)dy#", &cloth, &kind, &select.name, &select.a.x, &select.a.y,
                          &select.a.z, &select.b.x, &select.b.y, &select.b.z, &select.radius, &bytes, &size))
        return NULL;
    weft_sim *sim = python_sim_use(self);
    const weft_cloth *found = sim ? python_sim_cloth(sim, cloth) : NULL;
    if (!found)
        return NULL;
    select.kind = (weft_select_kind)kind;
    select.vertices = (const int32_t *)bytes;
    select.vertex_count = (int32_t)(size / (Py_ssize_t)sizeof(int32_t));
    int32_t *vertices = malloc(((size_t)found->mesh->vertex_count + 1) * sizeof *vertices);
    if (!vertices)
        return PyErr_NoMemory();
    weft_result result = weft_sim_select(sim, cloth, &select, vertices, &count);
    PyObject *made = result.code == WEFT_OK
                         ? PyBytes_FromStringAndSize((const char *)vertices, count * (Py_ssize_t)sizeof *vertices)
                         : python_fail(result);
    free(vertices);
    return made;
}

/* _add_pin(cloth, vertices, release, keys of five numbers, axis, centre) */
static PyObject *add_pin(PyObject *self, PyObject *arguments) {
    weft_pin pin = weft_pin_default();
    const char *vertices, *keys;
    Py_ssize_t size, keys_size;
    int cloth;
    if (!PyArg_ParseTuple(arguments, "iy#dy#(ddd)(ddd)", &cloth, &vertices, &size, &pin.release, &keys, &keys_size,
                          &pin.axis.x, &pin.axis.y, &pin.axis.z, &pin.centre.x, &pin.centre.y, &pin.centre.z))
        return NULL;
    weft_sim *sim = python_sim_change(self);
    if (!sim)
        return NULL;
    pin.key_count = (int32_t)(keys_size / (Py_ssize_t)sizeof(weft_key));
    pin.key = pin.key_count > 0 ? (const weft_key *)keys : NULL;
    return python_done(
        weft_sim_add_pin(sim, cloth, &pin, (const int32_t *)vertices, (int32_t)(size / (Py_ssize_t)sizeof(int32_t))));
}

static PyObject *unpin(PyObject *self, PyObject *arguments) {
    const char *vertices;
    Py_ssize_t size;
    int cloth;
    if (!PyArg_ParseTuple(arguments, "iy#", &cloth, &vertices, &size))
        return NULL;
    weft_sim *sim = python_sim_change(self);
    return sim ? python_done(weft_sim_unpin(sim, cloth, (const int32_t *)vertices,
                                            (int32_t)(size / (Py_ssize_t)sizeof(int32_t))))
               : NULL;
}

static PyObject *drag(PyObject *self, PyObject *arguments) {
    weft_vec3 to;
    int cloth, vertex;
    if (!PyArg_ParseTuple(arguments, "ii(ddd)", &cloth, &vertex, &to.x, &to.y, &to.z))
        return NULL;
    weft_sim *sim = python_sim_change(self);
    return sim ? python_done(weft_sim_drag(sim, cloth, vertex, to)) : NULL;
}

static PyObject *release(PyObject *self, PyObject *arguments) {
    int cloth, vertex;
    if (!PyArg_ParseTuple(arguments, "ii", &cloth, &vertex))
        return NULL;
    weft_sim *sim = python_sim_change(self);
    return sim ? python_done(weft_sim_release(sim, cloth, vertex)) : NULL;
}

/* _cut(cloth, eye, rays): number of edges */
static PyObject *cut(PyObject *self, PyObject *arguments) {
    const char *rays;
    Py_ssize_t size;
    weft_vec3 eye;
    int cloth;
    int32_t opened = 0;
    if (!PyArg_ParseTuple(arguments, "i(ddd)y#", &cloth, &eye.x, &eye.y, &eye.z, &rays, &size))
        return NULL;
    weft_sim *sim = python_sim_change(self);
    if (!sim)
        return NULL;
    weft_result result = weft_sim_cut(sim, cloth, eye, (const weft_vec3 *)rays,
                                      (int32_t)(size / (Py_ssize_t)sizeof(weft_vec3)), &opened);
    return result.code == WEFT_OK ? PyLong_FromLong(opened) : python_fail(result);
}

/* _add_cut(cloth, at, along, path) */
static PyObject *add_cut(PyObject *self, PyObject *arguments) {
    weft_cut plan = {.at = 0};
    const char *path;
    Py_ssize_t size;
    int cloth;
    if (!PyArg_ParseTuple(arguments, "id(ddd)y#", &cloth, &plan.at, &plan.along.x, &plan.along.y, &plan.along.z, &path,
                          &size))
        return NULL;
    weft_sim *sim = python_sim_change(self);
    plan.path = (const weft_vec3 *)path;
    plan.path_count = (int32_t)(size / (Py_ssize_t)sizeof(weft_vec3));
    return sim ? python_done(weft_sim_add_cut(sim, cloth, &plan)) : NULL;
}

static PyObject *move_body(PyObject *self, PyObject *arguments) {
    weft_vec3 at, rotate;
    int body;
    if (!PyArg_ParseTuple(arguments, "i(ddd)(ddd)", &body, &at.x, &at.y, &at.z, &rotate.x, &rotate.y, &rotate.z))
        return NULL;
    weft_sim *sim = python_sim_change(self);
    return sim ? python_done(weft_sim_move_body(sim, body, at, rotate)) : NULL;
}

static PyObject *place_body(PyObject *self, PyObject *arguments) {
    weft_vec3 at, rotate;
    int body;
    if (!PyArg_ParseTuple(arguments, "i(ddd)(ddd)", &body, &at.x, &at.y, &at.z, &rotate.x, &rotate.y, &rotate.z))
        return NULL;
    weft_sim *sim = python_sim_change(self);
    return sim ? python_done(weft_sim_place_body(sim, body, at, rotate)) : NULL;
}

/* _place(cloth, positions or None, velocities or None) of all vertices; None keeps them. The arrays stay in place. */
static PyObject *place(PyObject *self, PyObject *arguments) {
    const char *positions, *velocities;
    Py_ssize_t x_size, v_size;
    int cloth;
    if (!PyArg_ParseTuple(arguments, "iz#z#", &cloth, &positions, &x_size, &velocities, &v_size))
        return NULL;
    weft_sim *sim = python_sim_use(self);
    const weft_cloth *found = sim ? python_sim_cloth(sim, cloth) : NULL;
    if (!found)
        return NULL;
    weft_result result = weft_sim_prepare(sim);
    int32_t count = found->mesh->vertex_count;
    Py_ssize_t wanted = count * (Py_ssize_t)sizeof(weft_vec3);
    if (result.code == WEFT_OK && ((positions && x_size != wanted) || (velocities && v_size != wanted)))
        result = weft_fail(WEFT_BAD_INPUT, "cloth '%.64s': needs three numbers for each of its %d vertices",
                           found->name, count);
    for (int32_t i = 0; i < count && result.code == WEFT_OK; i++) {
        const weft_vec3 *x = positions ? (const weft_vec3 *)positions : weft_sim_positions(sim, cloth);
        const weft_vec3 *v = velocities ? (const weft_vec3 *)velocities : weft_sim_velocities(sim, cloth);
        result = weft_sim_place(sim, cloth, i, x[i], v[i]);
    }
    return python_done(result);
}

PyMethodDef python_sim_input_methods[] = {
    {"_select", select_vertices, METH_VARARGS, NULL},
    {"_add_pin", add_pin, METH_VARARGS, NULL},
    {"_unpin", unpin, METH_VARARGS, NULL},
    {"_drag", drag, METH_VARARGS, NULL},
    {"_release", release, METH_VARARGS, NULL},
    {"_cut", cut, METH_VARARGS, NULL},
    {"_add_cut", add_cut, METH_VARARGS, NULL},
    {"_move_body", move_body, METH_VARARGS, NULL},
    {"_place_body", place_body, METH_VARARGS, NULL},
    {"_place", place, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
