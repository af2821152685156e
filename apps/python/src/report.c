/* Reports of steps. A table of members describes them, so that making one costs little more than a copy. */
#include "extension.h"

#include <stddef.h>
#include <structmember.h>

typedef struct python_report {
    PyObject_HEAD int steps;
    weft_report report;
} python_report;

static PyObject *report_type;

#define FIELD(name, type, field, help)                                                                                 \
    { name, type, (Py_ssize_t)(offsetof(python_report, report) + offsetof(weft_report, field)), READONLY, help }

static PyMemberDef MEMBERS[] = {
    {"steps", T_INT, offsetof(python_report, steps), READONLY, "number of steps"},
    FIELD("dt", T_DOUBLE, dt, "length of the last step, s; of its last part if it was halved"),
    FIELD("halvings", T_INT, halvings, "how often steps were halved"),
    FIELD("asleep", T_INT, asleep, "1: the last step changed nothing, because all cloth is at rest"),
    FIELD("torn", T_INT, torn, "links broken and edges opened"),
    FIELD("newton", T_INT, solve.newton, "linear solves"),
    FIELD("iterations", T_INT, solve.iterations, "iterations of the linear solver, summed over all solves"),
    FIELD("residual", T_DOUBLE, solve.residual, "relative residual of the last solve"),
    FIELD("not_converged", T_INT, solve.not_converged, "linear solves that stopped at the iteration limit"),
    FIELD("newton_not_converged", T_INT, solve.newton_not_converged,
          "steps whose Newton iteration stopped above its tolerance"),
    FIELD("contacts", T_INT, contact.contacts, "touching pairs and vertices that were pushed apart"),
    FIELD("impulses", T_INT, contact.impulses, "collisions within the step that were stopped"),
    FIELD("zones", T_INT, contact.zones, "impact zones: groups of vertices that moved rigidly"),
    FIELD("unresolved", T_INT, contact.unresolved, "collisions that remain"),
    FIELD("intersections", T_LONGLONG, contact.intersections, "edges through triangles, where counted"),
    FIELD("inserted", T_INT, adapt.inserted, "vertices inserted by adaptation"),
    FIELD("removed", T_INT, adapt.removed, "vertices removed by adaptation"),
    FIELD("slowest", T_DOUBLE, worst.seconds, "wall time of the longest step, s"),
    {NULL, 0, 0, 0, NULL},
};

PyObject *python_report_new(const weft_report *report, int steps) {
    PyObject *self = PyType_GenericAlloc((PyTypeObject *)report_type, 0);
    if (self) {
        ((python_report *)self)->report = *report;
        ((python_report *)self)->steps = steps;
    }
    return self;
}

static void finish(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyObject *get_status(PyObject *self, void *unused) {
    (void)unused;
    return PyUnicode_FromString(weft_status_name(((python_report *)self)->report.status));
}

static PyObject *get_seconds(PyObject *self, void *unused) {
    (void)unused;
    PyObject *seconds = PyDict_New();
    for (int i = 0; seconds && i < WEFT_PHASES; i++) {
        PyObject *value = PyFloat_FromDouble(((python_report *)self)->report.seconds[i]);
        if (!value || PyDict_SetItemString(seconds, weft_phase_name((weft_phase)i), value) != 0)
            Py_CLEAR(seconds);
        Py_XDECREF(value);
    }
    return seconds;
}

static PyObject *as_dict(PyObject *self, PyObject *unused) {
    (void)unused;
    PyObject *values = PyDict_New();
    PyObject *status = get_status(self, NULL);
    if (!values || !status || PyDict_SetItemString(values, "status", status) != 0)
        Py_CLEAR(values);
    Py_XDECREF(status);
    for (const PyMemberDef *member = MEMBERS; values && member->name; member++) {
        PyObject *value = PyObject_GetAttrString(self, member->name);
        if (!value || PyDict_SetItemString(values, member->name, value) != 0)
            Py_CLEAR(values);
        Py_XDECREF(value);
    }
    return values;
}

/* "Report(status='ok', steps=4, dt=0.004, newton=4, iterations=96)": without what is 0. */
static PyObject *represent(PyObject *self) {
    PyObject *status = get_status(self, NULL);
    PyObject *text = status ? PyUnicode_FromFormat("Report(status=%R", status) : NULL;
    Py_XDECREF(status);
    for (const PyMemberDef *member = MEMBERS; text && member->name; member++) {
        PyObject *value = PyObject_GetAttrString(self, member->name), *longer = NULL;
        int shown = value ? PyObject_IsTrue(value) : -1;
        if (shown > 0)
            longer = PyUnicode_FromFormat("%U, %s=%R", text, member->name, value);
        Py_XDECREF(value);
        if (shown == 0)
            continue;
        Py_DECREF(text);
        text = longer;
    }
    PyObject *closed = text ? PyUnicode_FromFormat("%U)", text) : NULL;
    Py_XDECREF(text);
    return closed;
}

int python_report_register(PyObject *module) {
    static PyGetSetDef getters[] = {
        {"status", get_status, NULL, "Numerical outcome of the last step: 'ok', 'diverged' or 'intersects'.", NULL},
        {"seconds", get_seconds, NULL, "Wall time by phase, s.", NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    static PyMethodDef methods[] = {
        {"_asdict", as_dict, METH_NOARGS, "The values as a dict, as of a named tuple."},
        {NULL, NULL, 0, NULL},
    };
    static PyType_Slot slots[] = {
        {Py_tp_dealloc, (void *)finish},
        {Py_tp_members, MEMBERS},
        {Py_tp_getset, getters},
        {Py_tp_methods, methods},
        {Py_tp_repr, (void *)represent},
        {Py_tp_doc, (void *)"What happened in a step, or in the steps of a frame."},
        {0, NULL},
    };
    static PyType_Spec spec = {"weft.Report", (int)sizeof(python_report), 0, Py_TPFLAGS_DEFAULT, slots};
    report_type = python_add_type(module, &spec, "Report");
    return report_type ? 0 : -1;
}
