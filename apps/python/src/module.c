/* The extension module weft._engine: results become exceptions, and the module itself. */
#include "extension.h"

#include "wear/mannequin/mannequin_body.h"
#include "weft-io/writer.h"
#include "weft-io/yaml.h"

weft_registry *python_registry;

enum { CODES = WEFT_INTERSECTS + 1 };
static PyObject *exceptions[CODES]; /* by weft_code; set by the package */

PyObject *python_fail(weft_result result) {
    PyObject *type = exceptions[result.code];
    PyErr_SetString(type ? type : PyExc_RuntimeError, result.message);
    return NULL;
}

PyObject *python_done(weft_result result) {
    if (result.code != WEFT_OK)
        return python_fail(result);
    Py_RETURN_NONE;
}

weft_tree *python_read_json(const char *text, Py_ssize_t size, const char *name) {
    weft_tree *tree = NULL;
    weft_result result = weft_yaml_read_memory(text, (size_t)size, name, &tree);
    if (result.code != WEFT_OK)
        python_fail(result);
    return tree;
}

PyObject *python_add_type(PyObject *module, PyType_Spec *spec, const char *name) {
    PyObject *type = PyType_FromSpec(spec);
    if (!type)
        return NULL;
    Py_INCREF(type); /* for the module */
    if (PyModule_AddObject(module, name, type) != 0) {
        Py_DECREF(type);
        Py_DECREF(type);
        return NULL;
    }
    return type; /* this reference stays with the extension */
}

/* use_exceptions(list): one class for each code from WEFT_BAD_INPUT on */
static PyObject *use_exceptions(PyObject *module, PyObject *list) {
    (void)module;
    if (!PyList_Check(list) || PyList_Size(list) != CODES - 1) {
        PyErr_Format(PyExc_ValueError, "%d exceptions are needed", CODES - 1);
        return NULL;
    }
    for (int i = 1; i < CODES; i++) {
        Py_XDECREF(exceptions[i]);
        exceptions[i] = PyList_GetItem(list, i - 1);
        Py_INCREF(exceptions[i]);
    }
    Py_RETURN_NONE;
}

static PyObject *make_registry(void) {
    weft_result result = weft_registry_create(&python_registry);
    if (result.code == WEFT_OK)
        result = weft_writers_register(python_registry);
    if (result.code == WEFT_OK)
        result = mannequin_register(python_registry);
    if (result.code == WEFT_OK)
        result = weft_registry_add(python_registry, &python_force_component);
    return python_done(result);
}

static PyMethodDef FUNCTIONS[] = {
    {"use_exceptions", use_exceptions, METH_O, NULL},
    {"checkpoint_write", python_checkpoint_write, METH_VARARGS, NULL},
    {"checkpoint_read", python_checkpoint_read, METH_VARARGS, NULL},
    {"tables", python_tables, METH_NOARGS, NULL},
    {"components", python_components, METH_NOARGS, NULL},
    {"presets", python_presets, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

PyMODINIT_FUNC PyInit__engine(void);

PyMODINIT_FUNC PyInit__engine(void) {
    static PyModuleDef definition = {
        PyModuleDef_HEAD_INIT, "weft._engine", "The engine of Weft.", -1, FUNCTIONS, NULL, NULL, NULL, NULL};
    PyObject *module = PyModule_Create(&definition);
    if (!module)
        return NULL;
    python_memory_install(); /* before the engine allocates anything */
    PyObject *made = python_registry ? PyLong_FromLong(0) : make_registry();
    Py_XDECREF(made);
    if (!made || python_array_register(module) != 0 || python_report_register(module) != 0 ||
        python_mesh_register(module) != 0 || python_sim_register(module) != 0 ||
        python_recorder_register(module) != 0 || PyModule_AddStringConstant(module, "version", weft_version()) != 0)
        Py_CLEAR(module);
    return module;
}
