/* Simulated values of observations.
 *
 * The curves of Kawabata's instruments and the bending length are evaluated by their exact laws, because these tests
 * are homogeneous: tests/unit/test_fit.c shows that the virtual instruments give the same. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/closest.h"
#include "lab/fit/drape_shadow.h"
#include "lab/fit/fit.h"
#include "lab/study/case_runner.h"
#include "lab/study/positions.h"
#include "lab/textile/bending_length.h"
#include "lab/textile/drapemeter.h"
#include "weft/param.h"
#include "weft/text.h"

weft_result weft_fit_fabric(const weft_fit *fit, const double *z, weft_fabric *fabric) {
    *fabric = fit->fabric->fabric;
    for (int i = 0; i < fit->parameter_count; i++)
        for (int k = 0; k < fit->parameter[i].field_count; k++) {
            char text[64];
            weft_format(text, sizeof text, "%.17g", exp(z[i]) * fit->parameter[i].ratio[k]);
            WEFT_TRY(weft_fabric_set(fabric, fit->parameter[i].field[k], text, fit->parameter[i].name));
        }
    return weft_ok();
}

static void predict_curve(const weft_fit_observation *o, const weft_fabric *f, double *value) {
    double modulus = o->kind == WEFT_FIT_TENSILE ? (o->along ? f->stretch_warp : f->stretch_weft)
                     : o->kind == WEFT_FIT_SHEAR ? f->shear
                                                 : (o->along ? f->bend_warp : f->bend_weft);
    for (int64_t i = 0; i < o->count; i++)
        value[i] = modulus * o->x[i];
}

/* -- drape -- */

static weft_result predict_drape(const weft_fit_observation *o, const weft_fabric *f, double *value) {
    weft_specimen specimen = weft_drape_specimen(weft_drape_row(f), o->grid);
    for (int64_t i = 0; i < o->count; i++)
        value[i] = 0;
    for (int k = 0; k < o->starts; k++) {
        weft_shadow shadow;
        double feature[WEFT_FIT_FEATURES];
        WEFT_TRY(weft_drape_test(f, specimen, (uint64_t)(o->first_start + k), &shadow, NULL));
        weft_fit_shadow_features(&shadow, feature);
        for (int64_t i = 0; i < o->count; i++)
            value[i] += (o->kind == WEFT_FIT_DRAPE ? weft_drape_coefficient(shadow.area) : feature[i]) / o->starts;
    }
    return weft_ok();
}

/* -- scenes -- */

/* The positions of a cloth in all frames. */
typedef struct film {
    const float **frame;
    double *time;
    int count, room;
    int32_t vertex_count, triangle_count;
    const int32_t *triangle;
} film;

static int add_frame(film *f, const weft_positions *p) {
    if (f->count == f->room) {
        int room = f->room ? 2 * f->room : 128;
        const float **frame = realloc(f->frame, (size_t)room * sizeof *frame);
        f->frame = frame ? frame : f->frame;
        double *time = realloc(f->time, (size_t)room * sizeof *time);
        f->time = time ? time : f->time;
        if (!frame || !time)
            return 0;
        f->room = room;
    }
    f->frame[f->count] = p->position;
    f->time[f->count++] = p->time;
    return 1;
}

static weft_result gather(const weft_fit_observation *o, const weft_case_outcome *outcome, film *f) {
    weft_positions p;
    size_t at = 0;
    while (weft_positions_next(outcome->block, outcome->block_size, &at, &p)) {
        if (o->cloth[0] ? strcmp(o->cloth, p.name) != 0 : p.cloth != 0)
            continue;
        if (f->count > 0 && (p.triangle_count > 0 || p.vertex_count != f->vertex_count))
            return weft_fail(WEFT_UNSUPPORTED, "%.300s: the mesh changes; a fit needs one that does not", o->scene);
        if (f->count == 0) {
            f->vertex_count = p.vertex_count;
            f->triangle = p.triangle;
            f->triangle_count = p.triangle_count;
        }
        if (!add_frame(f, &p))
            return weft_fail_memory("frames", sizeof *f->frame);
    }
    return f->count > 1 ? weft_ok()
                        : weft_fail(WEFT_BAD_INPUT, "%.300s: has no cloth '%.60s' with frames", o->scene, o->cloth);
}

/* The frame before a time, and the weight of the next one. */
static weft_result find_time(const film *f, const weft_fit_observation *o, double time, int *frame, double *weight) {
    if (time > f->time[f->count - 1] * (1 + 1e-9) + 1e-9)
        return weft_fail(WEFT_BAD_INPUT, "%.300s: observed at %g s, but the scene ends at %g s", o->file, time,
                         f->time[f->count - 1]);
    int low = 0;
    while (low + 2 < f->count && f->time[low + 1] <= time)
        low++;
    *frame = low;
    *weight = fmin(1, (time - f->time[low]) / (f->time[low + 1] - f->time[low]));
    return weft_ok();
}

static weft_result predict_markers(const weft_fit_observation *o, const film *f, double *value) {
    for (int64_t i = 0; i < o->count / 3; i++) {
        int frame;
        double weight;
        WEFT_TRY(find_time(f, o, o->x[3 * i], &frame, &weight));
        if (o->vertex[i] >= f->vertex_count)
            return weft_fail(WEFT_BAD_INPUT, "%.300s: vertex %d, but the cloth has %d vertices", o->file, o->vertex[i],
                             f->vertex_count);
        const float *a = f->frame[frame] + 3 * (size_t)o->vertex[i],
                    *b = f->frame[frame + 1] + 3 * (size_t)o->vertex[i];
        for (int k = 0; k < 3; k++)
            value[3 * i + k] = (1 - weight) * (double)a[k] + weight * (double)b[k];
    }
    return weft_ok();
}

/* Distances of the points from the cloth. Points of the same time are consecutive. */
static weft_result predict_points(const weft_fit_observation *o, const film *f, double *value) {
    weft_vec3 *x = calloc((size_t)f->vertex_count + 1, sizeof *x);
    weft_closest *closest = NULL;
    weft_result result = x ? weft_ok() : weft_fail_memory("a cloth", sizeof *x);
    for (int64_t i = 0; i < o->count && result.code == WEFT_OK; i++) {
        if (i == 0 || o->x[i] != o->x[i - 1]) {
            int frame;
            double weight;
            result = find_time(f, o, o->x[i], &frame, &weight);
            if (result.code != WEFT_OK)
                break;
            const float *a = f->frame[frame], *b = f->frame[frame + 1];
            for (size_t v = 0; v < (size_t)f->vertex_count; v++)
                for (size_t k = 0; k < 3; k++)
                    (&x[v].x)[k] = (1 - weight) * (double)a[3 * v + k] + weight * (double)b[3 * v + k];
            weft_closest_destroy(closest);
            closest = NULL;
            result = weft_closest_create(x, (const int32_t(*)[3])f->triangle, f->triangle_count, &closest);
        }
        if (result.code == WEFT_OK)
            value[i] = sqrt(weft_closest_find(closest, o->point[i]).squared);
    }
    weft_closest_destroy(closest);
    free(x);
    return result;
}

/* "cloth.fabric={density: 0.1, ...}" */
static void write_set(const weft_fit_observation *o, const weft_fabric *fabric, char text[2048]) {
    size_t used = (size_t)snprintf(text, 2048, o->cloth[0] ? "cloth.%s.fabric={" : "cloth.fabric={", o->cloth);
    for (const weft_param *row = weft_fabric_params(); row->name && used < 2000; row++) {
        char value[WEFT_STRING_SIZE];
        weft_param_write(row, fabric, value, sizeof value);
        used += (size_t)snprintf(text + used, 2048 - used, "%s: %.60s, ", row->name, value);
    }
    if (used < 2047)
        strcpy(text + used, "}");
}

static weft_result predict_scene(const weft_fit_observation *o, const weft_fabric *fabric, double *value) {
    char set[2048];
    const char *sets[] = {set};
    weft_case_setup setup = {.scene = o->scene, .recording = {.positions = WEFT_KEEP_ALL, .every = 1}};
    weft_case one = {.set = sets, .set_count = 1};
    weft_case_outcome outcome = {0};
    film f = {0};
    write_set(o, fabric, set);
    weft_case_simulate(&setup, &one, 1, &outcome);
    weft_result result = outcome.status == WEFT_CASE_OK ? gather(o, &outcome, &f)
                         : outcome.status == WEFT_CASE_BAD_INPUT
                             ? weft_fail(WEFT_BAD_INPUT, "%.250s", outcome.reason)
                             : weft_fail(WEFT_DIVERGED, "%.200s: %s: %.200s", o->scene,
                                         weft_case_status_name(outcome.status), outcome.reason);
    if (result.code == WEFT_OK)
        result = o->kind == WEFT_FIT_MARKERS ? predict_markers(o, &f, value) : predict_points(o, &f, value);
    free(f.frame);
    free(f.time);
    weft_case_outcome_free(&outcome);
    return result;
}

weft_result weft_fit_predict(const weft_fit *fit, const weft_fabric *fabric, double *value) {
    for (int i = 0; i < fit->observation_count; i++) {
        const weft_fit_observation *o = &fit->observation[i];
        if (o->kind <= WEFT_FIT_BENDING)
            predict_curve(o, fabric, value);
        else if (o->kind == WEFT_FIT_LENGTH)
            value[0] = weft_bending_length(o->along ? fabric->bend_warp : fabric->bend_weft, fabric->density);
        else
            WEFT_TRY(o->kind <= WEFT_FIT_SHADOW ? predict_drape(o, fabric, value) : predict_scene(o, fabric, value));
        value += o->count;
    }
    return weft_ok();
}

void weft_fit_residuals(const weft_fit *fit, const double *value, double *residual) {
    for (int i = 0; i < fit->observation_count; i++) {
        const weft_fit_observation *o = &fit->observation[i];
        for (int64_t k = 0; k < o->count; k++)
            residual[k] = (value[k] - o->y[k]) / o->sigma;
        value += o->count;
        residual += o->count;
    }
}
