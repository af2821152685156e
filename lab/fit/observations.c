/* Loads the data of observations: curves, shadows, markers and point clouds. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/columns.h"
#include "io/file.h"
#include "lab/fit/drape_shadow.h"
#include "lab/fit/fit.h"
#include "weft-io/mesh_file.h"
#include "weft/vec.h"

static weft_result make_room(weft_fit_observation *o, int64_t count) {
    o->x = calloc((size_t)count, sizeof *o->x);
    o->y = calloc((size_t)count, sizeof *o->y);
    o->count = count;
    return o->x && o->y ? weft_ok() : weft_fail_memory("observations", (size_t)count * sizeof *o->y);
}

/* -- curves -- */

static weft_result take_curve(const weft_columns *c, weft_fit_observation *o) {
    static const char *const X[3][4] = {
        {"strain", "extension", "elongation", NULL}, {"shear", "angle", "shear angle", NULL}, {"curvature", "k", NULL}};
    static const char *const Y[3][5] = {{"tension", "load", "force", "stress", NULL},
                                        {"stress", "force", "load", "shear force", NULL},
                                        {"moment", "m", "bending moment", NULL}};
    static const char *const X_UNIT[3] = {"", "rad", "1/m"}, *const Y_UNIT[3] = {"N/m", "N/m", "N"};
    int column[2];
    double factor[2], largest = 0;
    WEFT_TRY(weft_columns_find(c, X[o->kind], X_UNIT[o->kind], &column[0], &factor[0]));
    WEFT_TRY(weft_columns_find(c, Y[o->kind], Y_UNIT[o->kind], &column[1], &factor[1]));
    WEFT_TRY(make_room(o, c->rows));
    for (int64_t i = 0; i < c->rows; i++) {
        o->x[i] = factor[0] * c->value[i * c->count + column[0]];
        o->y[i] = factor[1] * c->value[i * c->count + column[1]];
        largest = fmax(largest, fabs(o->y[i]));
    }
    if (!(largest > 0))
        return weft_fail(WEFT_BAD_INPUT, "%s: all values of %s are 0", c->path, c->name[column[1]]);
    o->sigma *= largest;
    return weft_ok();
}

/* -- markers and points -- */

static weft_result take_rows(const weft_columns *c, weft_fit_observation *o) {
    static const char *const NAMES[5][4] = {
        {"time", "t", NULL}, {"x", NULL}, {"y", NULL}, {"z", NULL}, {"vertex", "marker", "index", NULL}};
    int column[5], markers = o->kind == WEFT_FIT_MARKERS;
    double factor[5];
    for (int k = 0; k < 4 + markers; k++)
        WEFT_TRY(weft_columns_find(c, NAMES[k], k == 0 ? "s" : k < 4 ? "m" : "", &column[k], &factor[k]));
    WEFT_TRY(make_room(o, markers ? 3 * c->rows : c->rows));
    o->vertex = markers ? calloc((size_t)c->rows, sizeof *o->vertex) : NULL;
    o->point = markers ? NULL : calloc((size_t)c->rows, sizeof *o->point);
    if (!o->vertex && !o->point)
        return weft_fail_memory("observations", (size_t)c->rows * sizeof *o->point);
    for (int64_t i = 0; i < c->rows; i++) {
        const double *row = &c->value[i * c->count];
        double time = factor[0] * row[column[0]], p[3];
        for (int k = 0; k < 3; k++)
            p[k] = factor[k + 1] * row[column[k + 1]];
        if (!(time >= 0))
            return weft_fail(WEFT_BAD_INPUT, "%s: time %g is below 0", c->path, time);
        if (!markers) {
            o->x[i] = time;
            o->point[i] = weft_vec3_make(p[0], p[1], p[2]);
            continue;
        }
        double vertex = row[column[4]];
        if (!(vertex >= 0 && vertex < INT32_MAX) || vertex != floor(vertex))
            return weft_fail(WEFT_BAD_INPUT, "%s: vertex %g is not the index of a vertex", c->path, vertex);
        o->vertex[i] = (int32_t)vertex;
        for (int k = 0; k < 3; k++) {
            o->x[3 * i + k] = time;
            o->y[3 * i + k] = p[k];
        }
    }
    return weft_ok();
}

static weft_result add_cloud(weft_fit_observation *o, const char *path, double time) {
    char *bytes;
    size_t size;
    weft_vec3 *point = NULL;
    int32_t count = 0;
    WEFT_TRY(weft_file_read_most(path, WEFT_MESH_FILE_MOST, &bytes, &size));
    weft_result result = weft_ply_read_points(bytes, size, path, &point, &count);
    free(bytes);
    if (result.code == WEFT_OK && count > 0) {
        size_t total = (size_t)o->count + (size_t)count;
        double *x = realloc(o->x, total * sizeof *x), *y = realloc(o->y, total * sizeof *y);
        o->x = x ? x : o->x;
        o->y = y ? y : o->y;
        weft_vec3 *all = realloc(o->point, total * sizeof *all);
        o->point = all ? all : o->point;
        if (x && y && all) {
            memcpy(all + o->count, point, (size_t)count * sizeof *point);
            for (int32_t i = 0; i < count; i++) {
                x[o->count + i] = time;
                y[o->count + i] = 0;
            }
            o->count += count;
        } else
            result = weft_fail_memory("a point cloud", total * sizeof *all);
    }
    free(point);
    return result;
}

/* "cloud-%04d.ply" names a sequence from 0 on; its first file must exist. */
static weft_result load_clouds(weft_fit_observation *o, const char *path) {
    const char *percent = strchr(path, '%');
    size_t digits = percent ? strspn(percent + 1, "0123456789") : 0;
    char file[1024];
    if (percent && (percent[1 + digits] != 'd' || digits > 3 || strchr(percent + 1, '%')))
        return weft_fail(WEFT_BAD_INPUT, "%.300s: a sequence has one number such as %%04d", path);
    for (int frame = 0; frame < 100000; frame++) {
        if (percent)
            snprintf(file, sizeof file, "%.*s%0*d%s", (int)(percent - path), path, (int)strtol(percent + 1, NULL, 10),
                     frame, percent + 2 + digits);
        else
            snprintf(file, sizeof file, "%s", path);
        FILE *there = frame > 0 ? fopen(file, "rb") : NULL;
        if (frame > 0 && (!percent || !there))
            break;
        if (there)
            fclose(there);
        WEFT_TRY(add_cloud(o, file, frame / o->rate));
    }
    return o->count > 0 ? weft_ok() : weft_fail(WEFT_BAD_INPUT, "%.300s: has no points", path);
}

/* -- */

static weft_result load_table(weft_fit_observation *o, const char *path) {
    weft_columns columns;
    WEFT_TRY(weft_columns_read(path, &columns));
    weft_result result = o->kind <= WEFT_FIT_BENDING ? take_curve(&columns, o) : take_rows(&columns, o);
    weft_columns_clear(&columns);
    return result;
}

static int ends_with(const char *text, const char *ending) {
    size_t length = strlen(text), size = strlen(ending);
    return length >= size && strcmp(text + length - size, ending) == 0;
}

weft_result weft_fit_load(const weft_fit *fit, weft_fit_observation *o) {
    char path[1024];
    if (o->scene[0]) {
        WEFT_TRY(weft_path_beside(fit->path, o->scene, path, sizeof path));
        strcpy(o->scene, path);
    }
    if (!o->file[0])
        return weft_ok();
    WEFT_TRY(weft_path_beside(fit->path, o->file, path, sizeof path));
    strcpy(o->file, path);
    if (o->kind == WEFT_FIT_SHADOW) {
        WEFT_TRY(make_room(o, WEFT_FIT_FEATURES));
        return weft_fit_shadow_read(o->file, o->width, o->y);
    }
    return o->kind == WEFT_FIT_POINTS && ends_with(path, ".ply") ? load_clouds(o, path) : load_table(o, path);
}
