/* Pictures of a simulation. Its present state goes through a take in a temporary folder, so that all choices of the
 * view work as in `weft render`. */
#include "extension.h"

#include <stdio.h>

#include "render/reel.h"
#include "weft-io/recorder.h"

static weft_result write_take(weft_sim *sim, const char *folder, int color) {
    weft_take take = {.directory = folder, .name = "picture", .rate = 1, .frame_count = 1};
    weft_recorder *recorder;
    WEFT_TRY(weft_sim_prepare(sim));
    WEFT_TRY(weft_recorder_create(sim, &take, &recorder));
    weft_recorder_use_take(recorder);
    if (color >= WEFT_COLOR_STRAIN_WEFT)
        weft_recorder_use_strain(recorder);
    if (color == WEFT_COLOR_PRESSURE)
        weft_recorder_use_pressure(recorder);
    weft_result result = weft_recorder_write_frame(recorder);
    weft_result closed = weft_recorder_close(recorder, result.code == WEFT_OK);
    return result.code == WEFT_OK ? closed : result;
}

static weft_result draw(const char *take_path, const weft_view *view, int threads, const char *png_path) {
    weft_take_reader take = {.self = NULL};
    weft_reel *reel = NULL;
    weft_picture picture = {0};
    const weft_frame_range range = {.first = 0, .last = 0, .step = 1};
    WEFT_TRY(weft_take_reader_open(take_path, 0, &take));
    weft_result result = weft_reel_open(&take, view, &range, threads, &reel);
    if (result.code == WEFT_OK)
        result = weft_reel_picture(reel, 0, &picture);
    if (result.code == WEFT_OK)
        result = weft_picture_write_png(&picture, png_path);
    weft_picture_destroy(&picture);
    weft_reel_close(reel);
    weft_take_reader_close(&take);
    return result;
}

static weft_result make(weft_sim *sim, const char *folder, const weft_view *view) {
    char take[1024], png[1024];
    if (snprintf(take, sizeof take, "%s/%s", folder, WEFT_TAKE_FILE) >= (int)sizeof take)
        return weft_fail(WEFT_BAD_FILE, "%.300s: the path is too long", folder);
    snprintf(png, sizeof png, "%.1000s/picture.png", folder);
    WEFT_TRY(write_take(sim, folder, view->color));
    return draw(take, view, weft_sim_threads(sim), png);
}

/* _picture(folder, JSON of the view): writes FOLDER/picture.png */
PyObject *python_picture(PyObject *self, PyObject *arguments) {
    const char *text;
    Py_ssize_t size;
    PyObject *folder = NULL;
    PyThreadState *state;
    weft_view view;
    if (!PyArg_ParseTuple(arguments, "O&s#", PyUnicode_FSConverter, &folder, &text, &size))
        return NULL;
    weft_tree *tree = python_read_json(text, size, "view");
    weft_sim *sim = NULL;
    if (tree) {
        weft_result read = weft_view_read(weft_tree_root(tree), "view", &view);
        if (read.code == WEFT_OK)
            read = weft_view_check(&view);
        if (read.code != WEFT_OK)
            python_fail(read);
        else
            sim = python_sim_begin(self, &state);
        weft_tree_destroy(tree);
    }
    PyObject *done = NULL;
    if (sim) {
        weft_result result = make(sim, PyBytes_AsString(folder), &view);
        ((python_sim *)self)->generation--; /* a picture changes no array */
        done = python_sim_end(self, state, result);
    }
    Py_DECREF(folder);
    return done;
}
