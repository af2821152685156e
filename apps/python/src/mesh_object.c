/* The type Mesh: a mesh on its way into a simulation, which takes ownership of it. */
#include "extension.h"

#include "weft-io/mesh_file.h"

typedef struct python_mesh {
    PyObject_HEAD weft_mesh *mesh; /* null once a simulation owns it */
} python_mesh;

static PyObject *mesh_type;

static PyObject *wrap(weft_result result, weft_mesh *mesh) {
    if (result.code != WEFT_OK)
        return python_fail(result);
    PyObject *self = PyType_GenericAlloc((PyTypeObject *)mesh_type, 0);
    if (self)
        ((python_mesh *)self)->mesh = mesh;
    else
        weft_mesh_destroy(mesh);
    return self;
}

weft_mesh *python_mesh_take(PyObject *mesh) {
    if (!PyObject_TypeCheck(mesh, (PyTypeObject *)mesh_type)) {
        PyErr_SetString(PyExc_TypeError, "a mesh is needed");
        return NULL;
    }
    weft_mesh *taken = ((python_mesh *)mesh)->mesh;
    ((python_mesh *)mesh)->mesh = NULL;
    if (!taken)
        PyErr_SetString(PyExc_ValueError, "the mesh belongs to a simulation already");
    return taken;
}

static void finish(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    weft_mesh_destroy(((python_mesh *)self)->mesh);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

/* grid(cells, size, origin, axis, axis, diagonals) */
static PyObject *make_grid(PyObject *unused, PyObject *arguments) {
    weft_grid grid = weft_grid_default();
    weft_mesh *mesh = NULL;
    long long cells[2];
    int diagonals;
    (void)unused;
    if (!PyArg_ParseTuple(arguments, "(LL)(dd)(ddd)(ddd)(ddd)i", &cells[0], &cells[1], &grid.size[0], &grid.size[1],
                          &grid.origin.x, &grid.origin.y, &grid.origin.z, &grid.axis[0].x, &grid.axis[0].y,
                          &grid.axis[0].z, &grid.axis[1].x, &grid.axis[1].y, &grid.axis[1].z, &diagonals))
        return NULL;
    grid.cells[0] = cells[0];
    grid.cells[1] = cells[1];
    grid.diagonals = (weft_diagonals)diagonals;
    weft_result result = weft_mesh_create_grid(&grid, &mesh);
    return wrap(result, mesh);
}

/* arrays(positions, corners, face sizes, uv of corners or None, for a body) from bytes */
static PyObject *make_arrays(PyObject *unused, PyObject *arguments) {
    const char *position, *corner, *face, *uv;
    Py_ssize_t position_size, corner_size, face_size, uv_size;
    int is_body;
    weft_mesh *mesh = NULL;
    weft_soup soup;
    (void)unused;
    if (!PyArg_ParseTuple(arguments, "y#y#y#z#p", &position, &position_size, &corner, &corner_size, &face, &face_size,
                          &uv, &uv_size, &is_body))
        return NULL;
    weft_polygons polygons = {.name = "mesh",
                              .position = (const weft_vec3 *)position,
                              .vertex_count = position_size / (Py_ssize_t)sizeof(weft_vec3),
                              .corner = (const int32_t *)corner,
                              .corner_count = corner_size / (Py_ssize_t)sizeof(int32_t),
                              .face_size = (const int32_t *)face,
                              .face_count = face_size / (Py_ssize_t)sizeof(int32_t),
                              .corner_uv = (const weft_vec2 *)uv};
    if (uv && uv_size / (Py_ssize_t)sizeof(weft_vec2) != polygons.corner_count) {
        PyErr_SetString(PyExc_ValueError, "uv: needs two numbers for each corner");
        return NULL;
    }
    weft_result result = is_body ? weft_mesh_create_soup(&polygons, &mesh, &soup) : weft_mesh_create(&polygons, &mesh);
    return wrap(result, mesh);
}

/* file(path, for a body) */
static PyObject *make_file(PyObject *unused, PyObject *arguments) {
    PyObject *path = NULL;
    int is_body;
    weft_mesh *mesh = NULL;
    weft_soup soup;
    (void)unused;
    if (!PyArg_ParseTuple(arguments, "O&p", PyUnicode_FSConverter, &path, &is_body))
        return NULL;
    const char *name = PyBytes_AsString(path);
    weft_result result = is_body ? weft_mesh_file_read_soup(name, &mesh, &soup) : weft_mesh_file_read(name, &mesh);
    Py_DECREF(path);
    return wrap(result, mesh);
}

/* add_group(name, vertices) */
static PyObject *add_group(PyObject *self, PyObject *arguments) {
    const char *name, *vertex;
    Py_ssize_t size;
    if (!PyArg_ParseTuple(arguments, "sy#", &name, &vertex, &size))
        return NULL;
    return python_done(weft_mesh_add_vertex_group(((python_mesh *)self)->mesh, name, (const int32_t *)vertex,
                                                  (int32_t)(size / (Py_ssize_t)sizeof(int32_t))));
}

/* (positions, triangles, uv or None) as copies */
static PyObject *arrays(PyObject *self, PyObject *unused) {
    const weft_mesh *mesh = ((python_mesh *)self)->mesh;
    void *x, *t, *uv = NULL;
    (void)unused;
    if (!mesh) {
        PyErr_SetString(PyExc_ValueError, "the mesh belongs to a simulation already");
        return NULL;
    }
    PyObject *positions = python_array_new("<f8", mesh->vertex_count, 3, &x);
    PyObject *triangles = python_array_new("<i4", mesh->triangle_count, 3, &t);
    PyObject *coordinates =
        mesh->uv ? python_array_new("<f8", mesh->vertex_count, 2, &uv) : (Py_INCREF(Py_None), Py_None);
    if (!positions || !triangles || !coordinates) {
        Py_XDECREF(positions);
        Py_XDECREF(triangles);
        Py_XDECREF(coordinates);
        return NULL;
    }
    memcpy(x, mesh->position, (size_t)mesh->vertex_count * sizeof *mesh->position);
    memcpy(t, mesh->triangle, (size_t)mesh->triangle_count * sizeof *mesh->triangle);
    if (uv)
        memcpy(uv, mesh->uv, (size_t)mesh->vertex_count * sizeof *mesh->uv);
    return Py_BuildValue("(NNN)", positions, triangles, coordinates);
}

int python_mesh_register(PyObject *module) {
    static PyMethodDef methods[] = {
        {"grid", make_grid, METH_VARARGS | METH_STATIC, NULL},
        {"arrays", make_arrays, METH_VARARGS | METH_STATIC, NULL},
        {"file", make_file, METH_VARARGS | METH_STATIC, NULL},
        {"add_group", add_group, METH_VARARGS, NULL},
        {"show", arrays, METH_NOARGS, NULL},
        {NULL, NULL, 0, NULL},
    };
    static PyType_Slot slots[] = {{Py_tp_dealloc, (void *)finish}, {Py_tp_methods, methods}, {0, NULL}};
    static PyType_Spec spec = {"weft._engine.Mesh", (int)sizeof(python_mesh), 0, Py_TPFLAGS_DEFAULT, slots};
    mesh_type = python_add_type(module, &spec, "Mesh");
    return mesh_type ? 0 : -1;
}
