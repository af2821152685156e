/* Array objects: memory of the engine, or their own, that numpy shows through __array_interface__. */
#include <stdlib.h>

#include "extension.h"

typedef struct python_array {
    PyObject_HEAD python_array_kind kind;
    PyObject *sim; /* kept alive by the array; null for owned memory */
    int cloth;
    uint64_t generation; /* of the simulation when the array was made */
    const void *data;
    void *owned;
    const char *type;
    Py_ssize_t rows, columns;
} python_array;

static PyObject *array_type;

/* Where an array of the engine is now. */
typedef struct place {
    const void *data;
    const char *type;
    Py_ssize_t rows, columns;
    int steps; /* 1: every step replaces it */
} place;

static place find(weft_sim *sim, python_array_kind kind, int index) {
    const weft_cloth *cloth = weft_sim_cloth(sim, index);
    const weft_mesh *mesh = cloth ? cloth->mesh : NULL;
    if (!mesh)
        return (place){.data = NULL};
    switch (kind) {
    case PYTHON_POSITIONS:
        return (place){weft_sim_positions(sim, index), "<f8", mesh->vertex_count, 3, 1};
    case PYTHON_VELOCITIES:
        return (place){weft_sim_velocities(sim, index), "<f8", mesh->vertex_count, 3, 1};
    case PYTHON_HELD:
        return (place){weft_sim_held(sim, index), "|b1", mesh->vertex_count, 0, 0};
    case PYTHON_MASS:
        return (place){cloth->mass, "<f8", mesh->vertex_count, 0, 0};
    case PYTHON_AREA:
        return (place){cloth->area, "<f8", mesh->vertex_count, 0, 0};
    case PYTHON_REST:
        return (place){mesh->position, "<f8", mesh->vertex_count, 3, 0};
    case PYTHON_UV:
        return (place){mesh->uv, "<f8", mesh->vertex_count, 2, 0};
    case PYTHON_TRIANGLES:
        return (place){mesh->triangle, "<i4", mesh->triangle_count, 3, 0};
    case PYTHON_OPEN_FACES:
        return (place){weft_sim_open_faces(sim, index), "|b1", mesh->face_count, 0, 0};
    case PYTHON_COPY:
        break;
    }
    return (place){.data = NULL};
}

static python_array *make(void) {
    PyObject *self = PyType_GenericAlloc((PyTypeObject *)array_type, 0);
    return (python_array *)self;
}

PyObject *python_array_new(const char *type, Py_ssize_t rows, Py_ssize_t columns, void **data) {
    python_array *self = make();
    if (!self)
        return NULL;
    size_t size = type[2] == '8' ? 8 : type[2] == '4' ? 4 : 1;
    self->owned = calloc((size_t)rows * (size_t)(columns > 0 ? columns : 1) + 1, size);
    if (!self->owned) {
        Py_DECREF(self);
        return PyErr_NoMemory();
    }
    self->kind = PYTHON_COPY;
    self->data = *data = self->owned;
    self->type = type;
    self->rows = rows;
    self->columns = columns;
    return (PyObject *)self;
}

PyObject *python_array_view(PyObject *sim, python_array_kind kind, int cloth) {
    weft_sim *engine = python_sim_use(sim);
    if (!engine || !python_sim_cloth(engine, cloth))
        return NULL;
    place now = find(engine, kind, cloth);
    if (!now.data)
        Py_RETURN_NONE;
    python_array *self = make();
    if (!self)
        return NULL;
    if (!python_memory_hold(now.data)) {
        Py_DECREF(self);
        return PyErr_NoMemory();
    }
    Py_INCREF(sim);
    self->kind = kind;
    self->sim = sim;
    self->cloth = cloth;
    self->generation = ((python_sim *)sim)->generation;
    self->data = now.data;
    self->type = now.type;
    self->rows = now.rows;
    self->columns = now.columns;
    return (PyObject *)self;
}

static void finish(PyObject *object) {
    python_array *self = (python_array *)object;
    PyTypeObject *type = Py_TYPE(object);
    if (self->sim)
        python_memory_let_go(self->data);
    Py_XDECREF(self->sim);
    free(self->owned);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(object);
    Py_DECREF(type);
}

static PyObject *get_interface(PyObject *object, void *unused) {
    const python_array *self = (const python_array *)object;
    (void)unused;
    PyObject *shape =
        self->columns > 0 ? Py_BuildValue("(nn)", self->rows, self->columns) : Py_BuildValue("(n)", self->rows);
    PyObject *address = shape ? PyLong_FromVoidPtr((void *)self->data) : NULL;
    PyObject *read_only = self->sim ? Py_True : Py_False;
    if (!address) {
        Py_XDECREF(shape);
        return NULL;
    }
    return Py_BuildValue("{s:N,s:s,s:(NO),s:i}", "shape", shape, "typestr", self->type, "data", address, read_only,
                         "version", 3);
}

/* Whether the memory is no longer the present state. While a step runs in another thread it cannot be told. */
static PyObject *get_stale(PyObject *object, void *unused) {
    const python_array *self = (const python_array *)object;
    (void)unused;
    if (!self->sim)
        Py_RETURN_FALSE;
    const python_sim *sim = (const python_sim *)self->sim;
    if (sim->busy)
        return PyBool_FromLong(self->kind == PYTHON_POSITIONS || self->kind == PYTHON_VELOCITIES);
    place now = find(sim->sim, self->kind, self->cloth);
    int stale = now.data != self->data || now.rows != self->rows || (now.steps && sim->generation != self->generation);
    return PyBool_FromLong(stale);
}

int python_array_register(PyObject *module) {
    static PyGetSetDef getters[] = {
        {"__array_interface__", get_interface, NULL, "Address, type and shape, for numpy.", NULL},
        {"stale", get_stale, NULL, "True if the memory is no longer the present state of the simulation.", NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    static PyType_Slot slots[] = {
        {Py_tp_dealloc, (void *)finish},
        {Py_tp_getset, getters},
        {Py_tp_doc, (void *)"An array of the engine. numpy.asarray() shows it without a copy."},
        {0, NULL},
    };
    static PyType_Spec spec = {"weft._engine.Array", (int)sizeof(python_array), 0, Py_TPFLAGS_DEFAULT, slots};
    array_type = python_add_type(module, &spec, "Array");
    return array_type ? 0 : -1;
}
