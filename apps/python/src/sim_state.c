/* Methods of Sim that read its state: arrays, energies, intersections, snapshots. */
#include <stdlib.h>
#include <string.h>

#include "extension.h"

/* _array(kind, cloth) */
static PyObject *array(PyObject *self, PyObject *arguments) {
    static const char *const NAMES[] = {"positions", "velocities", "held",      "mass",      "area",
                                        "rest",      "uv",         "triangles", "open_faces"};
    const char *kind;
    int cloth;
    if (!PyArg_ParseTuple(arguments, "si", &kind, &cloth))
        return NULL;
    for (int i = 0; i < (int)(sizeof NAMES / sizeof NAMES[0]); i++)
        if (strcmp(kind, NAMES[i]) == 0)
            return python_array_view(self, (python_array_kind)i, cloth);
    PyErr_Format(PyExc_ValueError, "there is no array '%s'", kind);
    return NULL;
}

/* A method with a cloth as argument that needs its mesh. */
static const weft_mesh *mesh_of(PyObject *self, PyObject *number, weft_sim **sim, int *cloth) {
    *cloth = (int)PyLong_AsLong(number);
    *sim = PyErr_Occurred() ? NULL : python_sim_use(self);
    const weft_cloth *found = *sim ? python_sim_cloth(*sim, *cloth) : NULL;
    return found ? found->mesh : NULL;
}

/* Returns the array, or drops it and raises. */
static PyObject *filled(weft_result result, PyObject *made) {
    if (result.code == WEFT_OK)
        return made;
    Py_DECREF(made);
    return python_fail(result);
}

/* _strains(cloth): strain and stress, (triangles, 6) */
static PyObject *strains(PyObject *self, PyObject *number) {
    int cloth;
    void *data;
    weft_sim *sim;
    const weft_mesh *mesh = mesh_of(self, number, &sim, &cloth);
    PyObject *made = mesh ? python_array_new("<f8", mesh->triangle_count, 6, &data) : NULL;
    return made ? filled(weft_sim_strains(sim, cloth, data), made) : NULL;
}

/* _pressures(cloth): contact pressure, Pa (vertices, 1) */
static PyObject *pressures(PyObject *self, PyObject *number) {
    int cloth;
    void *data;
    weft_sim *sim;
    const weft_mesh *mesh = mesh_of(self, number, &sim, &cloth);
    PyObject *made = mesh ? python_array_new("<f8", mesh->vertex_count, 1, &data) : NULL;
    return made ? filled(weft_sim_pressures(sim, cloth, data), made) : NULL;
}

static PyObject *reactions(PyObject *self, PyObject *number) {
    int cloth;
    void *data;
    weft_sim *sim;
    const weft_mesh *mesh = mesh_of(self, number, &sim, &cloth);
    PyObject *made = mesh ? python_array_new("<f8", mesh->vertex_count, 3, &data) : NULL;
    return made ? filled(weft_sim_reactions(sim, cloth, data), made) : NULL;
}

static PyObject *generations(PyObject *self, PyObject *number) {
    int cloth;
    void *data;
    weft_sim *sim;
    const weft_mesh *mesh = mesh_of(self, number, &sim, &cloth);
    PyObject *made = mesh ? python_array_new("<i4", mesh->triangle_count, 0, &data) : NULL;
    return made ? filled(weft_sim_generations(sim, cloth, data), made) : NULL;
}

static PyObject *normals(PyObject *self, PyObject *number) {
    int cloth;
    void *data;
    weft_sim *sim;
    const weft_mesh *mesh = mesh_of(self, number, &sim, &cloth);
    const weft_vec3 *x = mesh ? weft_sim_positions(sim, cloth) : NULL;
    if (mesh && !x)
        return python_fail(weft_fail(WEFT_UNSUPPORTED, "normals: the simulation is not prepared"));
    PyObject *made = mesh ? python_array_new("<f8", mesh->vertex_count, 3, &data) : NULL;
    if (made)
        weft_mesh_vertex_normals(mesh, x, data);
    return made;
}

static PyObject *pieces(PyObject *self, PyObject *number) {
    int cloth;
    int32_t count = 0;
    weft_sim *sim;
    if (!mesh_of(self, number, &sim, &cloth))
        return NULL;
    weft_result result = weft_sim_pieces(sim, cloth, &count);
    return result.code == WEFT_OK ? PyLong_FromLong(count) : python_fail(result);
}

/* _changes(cloth): whether its mesh may change */
static PyObject *changes(PyObject *self, PyObject *number) {
    int cloth;
    weft_sim *sim;
    return mesh_of(self, number, &sim, &cloth) ? PyBool_FromLong(weft_sim_changes(sim, cloth)) : NULL;
}

/* _body_surface(body): (positions, triangles) */
static PyObject *body_surface(PyObject *self, PyObject *number) {
    long body = PyLong_AsLong(number);
    weft_body_surface surface = {0};
    void *x, *t;
    weft_sim *sim = PyErr_Occurred() ? NULL : python_sim_use(self);
    if (!sim)
        return NULL;
    weft_result result = weft_sim_body_surface(sim, (int32_t)body, &surface);
    if (result.code != WEFT_OK)
        return python_fail(result);
    PyObject *positions = python_array_new("<f8", surface.vertex_count, 3, &x);
    PyObject *triangles = positions ? python_array_new("<i4", surface.triangle_count, 3, &t) : NULL;
    if (triangles) {
        memcpy(x, surface.position, (size_t)surface.vertex_count * sizeof *surface.position);
        memcpy(t, surface.triangle, (size_t)surface.triangle_count * sizeof *surface.triangle);
    } else
        Py_CLEAR(positions);
    weft_memory_free(surface.position);
    weft_memory_free(surface.triangle);
    return positions ? Py_BuildValue("(NN)", positions, triangles) : NULL;
}

/* -- numbers -- */

static PyObject *measure(PyObject *self, PyObject *unused) {
    PyThreadState *state;
    weft_measures m = {0};
    (void)unused;
    weft_sim *sim = python_sim_use(self) ? python_sim_begin(self, &state) : NULL;
    if (!sim)
        return NULL;
    weft_result result = weft_sim_measure(sim, &m);
    ((python_sim *)self)->generation--; /* measuring changes no array */
    PyObject *done = python_sim_end(self, state, result);
    if (!done)
        return NULL;
    Py_DECREF(done);
    return Py_BuildValue("ddd(ddd)(ddd)dddL", m.kinetic, m.elastic, m.potential, m.momentum.x, m.momentum.y,
                         m.momentum.z, m.centre.x, m.centre.y, m.centre.z, m.stretch_mean, m.stretch_max, m.mass,
                         (long long)m.links_broken);
}

static PyObject *intersections(PyObject *self, PyObject *unused) {
    weft_intersections found = {0};
    (void)unused;
    weft_sim *sim = python_sim_use(self);
    if (!sim)
        return NULL;
    weft_result result = weft_sim_intersections(sim, &found);
    return result.code == WEFT_OK
               ? Py_BuildValue("LLL", (long long)found.self, (long long)found.cloths, (long long)found.bodies)
               : python_fail(result);
}

static PyObject *events(PyObject *self, PyObject *unused) {
    (void)unused;
    const weft_sim *sim = python_sim_use(self);
    PyObject *list = sim ? PyList_New(0) : NULL;
    for (int64_t i = 0; list && i < weft_sim_event_count(sim); i++) {
        const weft_sim_event *event = weft_sim_event_at(sim, i);
        if (!event) /* only the first are kept */
            break;
        PyObject *row = Py_BuildValue("diiiLLL", event->time, event->cloth, event->other, event->body,
                                      (long long)event->crossings, (long long)event->left, (long long)event->touches);
        if (!row || PyList_Append(list, row) != 0)
            Py_CLEAR(list);
        Py_XDECREF(row);
    }
    return list;
}

static PyObject *hash(PyObject *self, PyObject *unused) {
    (void)unused;
    const weft_sim *sim = python_sim_use(self);
    return sim ? PyLong_FromUnsignedLongLong(weft_sim_hash(sim)) : NULL;
}

static PyObject *stable_step(PyObject *self, PyObject *unused) {
    (void)unused;
    weft_sim *sim = python_sim_use(self);
    return sim ? PyFloat_FromDouble(weft_sim_stable_step(sim)) : NULL;
}

static PyObject *cast_ray(PyObject *self, PyObject *arguments) {
    weft_vec3 from, direction;
    double farthest;
    weft_ray_hit hit;
    if (!PyArg_ParseTuple(arguments, "(ddd)(ddd)d", &from.x, &from.y, &from.z, &direction.x, &direction.y, &direction.z,
                          &farthest))
        return NULL;
    weft_sim *sim = python_sim_use(self);
    if (!sim)
        return NULL;
    weft_result result = weft_sim_ray(sim, from, direction, farthest, &hit);
    if (result.code != WEFT_OK)
        return python_fail(result);
    return Py_BuildValue("iii(ddd)d(ddd)(ddd)", hit.cloth, hit.body, hit.triangle, hit.barycentric[0],
                         hit.barycentric[1], hit.barycentric[2], hit.distance, hit.position.x, hit.position.y,
                         hit.position.z, hit.normal.x, hit.normal.y, hit.normal.z);
}

/* -- snapshots -- */

static PyObject *snapshot(PyObject *self, PyObject *unused) {
    (void)unused;
    weft_sim *sim = python_sim_use(self);
    weft_result result = sim ? weft_sim_prepare(sim) : weft_ok();
    if (!sim || result.code != WEFT_OK)
        return sim ? python_fail(result) : NULL;
    size_t size = weft_sim_snapshot_size(sim);
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size);
    if (bytes)
        weft_sim_snapshot(sim, PyBytes_AsString(bytes));
    return bytes;
}

/* restore(bytes, forget): `forget` if the integrator differs from that of the snapshot */
static PyObject *restore(PyObject *self, PyObject *arguments, PyObject *keywords) {
    static char *names[] = {"snapshot", "forget", NULL};
    const char *bytes;
    Py_ssize_t size;
    int forget = 0;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "y#|p", names, &bytes, &size, &forget))
        return NULL;
    weft_sim *sim = python_sim_change(self);
    if (!sim)
        return NULL;
    weft_result result = weft_sim_restore(sim, bytes, (size_t)size);
    if (result.code == WEFT_OK && forget)
        weft_sim_forget_steps(sim);
    return python_done(result);
}

PyMethodDef python_sim_state_methods[] = {
    {"_array", array, METH_VARARGS, NULL},
    {"_strains", strains, METH_O, NULL},
    {"_pressures", pressures, METH_O, NULL},
    {"_reactions", reactions, METH_O, NULL},
    {"_generations", generations, METH_O, NULL},
    {"_normals", normals, METH_O, NULL},
    {"_pieces", pieces, METH_O, NULL},
    {"_changes", changes, METH_O, NULL},
    {"_body_surface", body_surface, METH_O, NULL},
    {"_measure", measure, METH_NOARGS, NULL},
    {"_intersections", intersections, METH_NOARGS, NULL},
    {"_events", events, METH_NOARGS, NULL},
    {"_hash", hash, METH_NOARGS, NULL},
    {"_stable_step", stable_step, METH_NOARGS, NULL},
    {"_ray", cast_ray, METH_VARARGS, NULL},
    {"snapshot", snapshot, METH_NOARGS, "snapshot()\n--\n\nReturn the state as bytes, for restore()."},
    {"restore", (PyCFunction)(void (*)(void))restore, METH_VARARGS | METH_KEYWORDS,
     "restore(snapshot, forget=False)\n--\n\nReturn to the state of a snapshot of this simulation. Give forget=True if "
     "the integrator has changed since."},
    {NULL, NULL, 0, NULL},
};
