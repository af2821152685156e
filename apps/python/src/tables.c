/* The parameter tables and the registry, as Python values. The package makes its classes from them. */
#include "extension.h"

#include "render/render.h"

static PyObject *choices_of(const weft_param *row) {
    PyObject *list = PyList_New(0);
    for (int i = 0; list && row->choices && row->choices[i]; i++) {
        PyObject *text = PyUnicode_FromString(row->choices[i]);
        if (!text || PyList_Append(list, text) != 0)
            Py_CLEAR(list);
        Py_XDECREF(text);
    }
    return list;
}

static const char *type_name(weft_param_type type) {
    switch (type) {
    case WEFT_REAL:
        return "real";
    case WEFT_INT:
        return "int";
    case WEFT_BOOL:
        return "bool";
    case WEFT_PAIR:
        return "pair";
    case WEFT_VECTOR:
        return "vector";
    case WEFT_CHOICE:
        return "choice";
    case WEFT_STRING:
        return "string";
    case WEFT_MAP:
        return "map";
    }
    return "";
}

/* A list of rows: (name, type, low, high, default, unit, help, choices, fixed, former name or None) */
static PyObject *rows_of(const weft_param *table) {
    PyObject *list = PyList_New(0);
    for (const weft_param *row = table; list && row && row->name; row++) {
        PyObject *item = Py_BuildValue("(ssddsssNNz)", row->name, type_name(row->type), row->low, row->high,
                                       row->fallback, row->unit, row->help, choices_of(row),
                                       PyBool_FromLong((row->flags & WEFT_FIXED) != 0), row->was);
        if (!item || PyList_Append(list, item) != 0)
            Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

/* A dict of the tables that belong to no component. */
PyObject *python_tables(PyObject *module, PyObject *unused) {
    (void)module;
    (void)unused;
    return Py_BuildValue("{s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N}", "device", rows_of(weft_device_params()), "time",
                         rows_of(weft_clock_params()), "air", rows_of(weft_environment_params()), "contact",
                         rows_of(weft_contact_params()), "fabric", rows_of(weft_fabric_params()), "grid",
                         rows_of(weft_grid_params()), "maps", rows_of(weft_map_params()), "cut",
                         rows_of(weft_cut_params()), "view", rows_of(weft_view_params()));
}

/* A list of (kind, name, help, paper, rows). The force "python" is left out: add_force takes a function. */
PyObject *python_components(PyObject *module, PyObject *unused) {
    (void)module;
    (void)unused;
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < weft_registry_count(python_registry); i++) {
        const weft_component *component = weft_registry_at(python_registry, i);
        if (component == &python_force_component)
            continue;
        PyObject *item = Py_BuildValue("(ssssN)", weft_kind_name(component->kind), component->name, component->help,
                                       component->paper ? component->paper : "", rows_of(component->params));
        if (!item || PyList_Append(list, item) != 0)
            Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

/* A list of (name, help, source, {property: value as text}) */
PyObject *python_presets(PyObject *module, PyObject *unused) {
    (void)module;
    (void)unused;
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < weft_fabric_preset_count(); i++) {
        const weft_fabric_preset *preset = weft_fabric_preset_at(i);
        PyObject *values = PyDict_New();
        for (const weft_param *row = weft_fabric_params(); values && row->name; row++) {
            PyObject *number = PyFloat_FromDouble(*(const double *)((const char *)&preset->fabric + row->offset));
            if (!number || PyDict_SetItemString(values, row->name, number) != 0)
                Py_CLEAR(values);
            Py_XDECREF(number);
        }
        PyObject *item = values ? Py_BuildValue("(sssN)", preset->name, preset->help, preset->source, values) : NULL;
        if (!item || PyList_Append(list, item) != 0)
            Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}
