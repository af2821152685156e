#include "lab/study/tracker.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/shadow.h"
#include "weft/param.h"
#include "weft/vec.h"

/* -- preparation -- */

static weft_result find_cloth(const weft_figure *figure, const weft_sim *sim, int32_t *cloth) {
    for (int32_t i = 0; i < weft_sim_cloth_count(sim); i++)
        if (!figure->cloth[0] || strcmp(weft_sim_cloth(sim, i)->name, figure->cloth) == 0) {
            *cloth = i;
            return weft_ok();
        }
    return weft_fail(WEFT_BAD_INPUT, "record.%s: the scene has no cloth '%s'", figure->name, figure->cloth);
}

static weft_result find_vertex(const weft_figure *figure, const weft_sim *sim, weft_tracked *tracked) {
    const weft_mesh *mesh = weft_sim_cloth(sim, tracked->cloth)->mesh;
    const weft_vec3 *x = weft_sim_positions(sim, tracked->cloth);
    tracked->vertex = figure->vertex;
    if (figure->vertex >= mesh->vertex_count)
        return weft_fail(WEFT_BAD_INPUT, "record.%s: vertex %d is not in 0 to %d", figure->name, figure->vertex,
                         mesh->vertex_count - 1);
    double nearest = INFINITY;
    for (int32_t i = 0; figure->vertex < 0 && i < mesh->vertex_count; i++) {
        double distance = weft_length(weft_sub(x[i], figure->near));
        if (distance < nearest) {
            nearest = distance;
            tracked->vertex = i;
        }
    }
    tracked->start = x[tracked->vertex];
    return weft_ok();
}

static weft_result find_column(const weft_figure *figure, weft_tracked *tracked) {
    enum { MOST = 64 };
    const char *names[MOST];
    int count = 0;
    for (weft_frame_column c; count < MOST && (c = weft_frame_column_at(count)).name; count++) {
        names[count] = c.name;
        if (strcmp(c.name, figure->path) == 0) {
            tracked->column = count;
            return weft_ok();
        }
    }
    const char *nearest = weft_nearest(figure->path, names, count);
    return weft_fail(WEFT_BAD_INPUT, "record.%s: frames.csv has no column '%s'%s%s%s", figure->name, figure->path,
                     nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
}

weft_result weft_tracker_open(weft_tracker *tracker, const weft_recording *recording, weft_sim *sim) {
    size_t count = (size_t)recording->figure_count;
    *tracker = (weft_tracker){.recording = recording, .tracked = calloc(count + 1, sizeof *tracker->tracked)};
    if (!tracker->tracked)
        return weft_fail_memory("figures", (count + 1) * sizeof *tracker->tracked);
    for (size_t i = 0; i < count; i++) {
        const weft_figure *figure = &recording->figure[i];
        weft_tracked *tracked = &tracker->tracked[i];
        *tracked = (weft_tracked){.low = INFINITY, .high = -INFINITY, .last = NAN, .at = NAN};
        if (figure->kind == WEFT_FIGURE_REPORT) {
            tracker->report = 1;
        } else if (figure->kind == WEFT_FIGURE_FRAMES) {
            tracker->measures = 1;
            WEFT_TRY(find_column(figure, tracked));
        } else {
            WEFT_TRY(find_cloth(figure, sim, &tracked->cloth));
            if (figure->kind == WEFT_FIGURE_POINT)
                WEFT_TRY(find_vertex(figure, sim, tracked));
        }
    }
    return weft_ok();
}

void weft_tracker_close(weft_tracker *tracker) {
    free(tracker->tracked);
    *tracker = (weft_tracker){0};
}

/* -- frames -- */

static double measure_point(const weft_figure *figure, const weft_tracked *tracked, const weft_sim *sim) {
    weft_vec3 x = weft_sim_positions(sim, tracked->cloth)[tracked->vertex];
    switch (figure->measure) {
    case WEFT_POINT_X:
        return x.x;
    case WEFT_POINT_Y:
        return x.y;
    case WEFT_POINT_Z:
        return x.z;
    case WEFT_POINT_SPEED:
        return weft_length(weft_sim_velocities(sim, tracked->cloth)[tracked->vertex]);
    default:
        return weft_length(weft_sub(x, tracked->start));
    }
}

/* The share of the overhanging ring that the shadow covers, in percent: G. E. Cusick, Journal of the Textile Institute
 * 59, 1968. The shadow is cast about the axis of the support. */
static weft_result measure_drape(const weft_figure *figure, int32_t cloth, const weft_sim *sim, double *percent) {
    const weft_mesh *mesh = weft_sim_cloth(sim, cloth)->mesh;
    const weft_vec3 *x = weft_sim_positions(sim, cloth);
    size_t size = (size_t)mesh->vertex_count * sizeof *x;
    weft_vec3 *moved = malloc(size);
    weft_shadow shadow;
    if (!moved)
        return weft_fail_memory("a shadow", size);
    for (int32_t i = 0; i < mesh->vertex_count; i++)
        moved[i] = weft_sub(x[i], figure->centre);
    weft_result result = weft_shadow_cast(mesh, moved, 1.05 * figure->radius, 0.002, &shadow);
    free(moved);
    WEFT_TRY(result);
    double inner = figure->support * figure->support, outer = figure->radius * figure->radius;
    *percent = 100 * (shadow.area / acos(-1) - inner) / (outer - inner);
    return weft_ok();
}

static void take(const weft_figure *figure, weft_tracked *tracked, double time, double value) {
    if (tracked->count == 0 && time >= figure->time)
        tracked->at = value;
    else if (isnan(tracked->at) && time >= figure->time - 1e-9) {
        double share =
            time > tracked->time_before ? (figure->time - tracked->time_before) / (time - tracked->time_before) : 1;
        tracked->at = share >= 1 ? value : tracked->before + share * (value - tracked->before);
    }
    tracked->count++;
    tracked->sum += value;
    tracked->low = fmin(tracked->low, value);
    tracked->high = fmax(tracked->high, value);
    tracked->last = tracked->before = value;
    tracked->time_before = time;
}

/* The shadow takes milliseconds, so it is cast only in frames that count. */
static int is_needed(const weft_figure *figure, const weft_sim *sim) {
    const weft_clock *clock = weft_sim_clock(sim);
    if (figure->kind != WEFT_FIGURE_DRAPE)
        return 1;
    if (figure->reduce == WEFT_REDUCE_LAST)
        return weft_sim_frame(sim) == clock->frames;
    return figure->reduce != WEFT_REDUCE_AT || fabs(weft_sim_time(sim) - figure->time) <= 1 / clock->rate;
}

weft_result weft_tracker_frame(weft_tracker *tracker, weft_sim *sim, const weft_frame_log *row) {
    for (int i = 0; i < tracker->recording->figure_count; i++) {
        const weft_figure *figure = &tracker->recording->figure[i];
        weft_tracked *tracked = &tracker->tracked[i];
        double value = NAN;
        if (figure->kind == WEFT_FIGURE_REPORT || !is_needed(figure, sim))
            continue;
        if (figure->kind == WEFT_FIGURE_FRAMES)
            value = weft_frame_column_value(row, tracked->column);
        else if (figure->kind == WEFT_FIGURE_POINT)
            value = measure_point(figure, tracked, sim);
        else
            WEFT_TRY(measure_drape(figure, tracked->cloth, sim, &value));
        take(figure, tracked, weft_sim_time(sim), value);
    }
    return weft_ok();
}

/* -- the end -- */

static double reduced(const weft_figure *figure, const weft_tracked *tracked) {
    if (tracked->count == 0)
        return NAN;
    switch (figure->reduce) {
    case WEFT_REDUCE_MAX:
        return tracked->high;
    case WEFT_REDUCE_MIN:
        return tracked->low;
    case WEFT_REDUCE_MEAN:
        return tracked->sum / (double)tracked->count;
    case WEFT_REDUCE_SUM:
        return tracked->sum;
    case WEFT_REDUCE_AT:
        return tracked->at;
    default:
        return tracked->last;
    }
}

/* "energy.kinetic", "cloths.0.pieces" or "settings.time.step": keys may hold points, so the longest one counts. */
static const json_t *find_path(const json_t *value, const char *path) {
    char key[128];
    if (!path[0])
        return value;
    if (json_is_array(value)) {
        char *end;
        size_t index = strtoul(path, &end, 10);
        if (end == path || (*end != '.' && *end))
            return NULL;
        const json_t *item = json_array_get(value, index);
        return item ? find_path(item, end + (*end == '.')) : NULL;
    }
    for (size_t length = strlen(path); length > 0; length--) {
        if (path[length] != '.' && path[length])
            continue;
        snprintf(key, sizeof key, "%.*s", (int)length, path);
        const json_t *item = json_object_get(value, key);
        const json_t *found = item ? find_path(item, path + length + (path[length] == '.')) : NULL;
        if (found)
            return found;
    }
    return NULL;
}

static weft_result report_value(const weft_figure *figure, const json_t *report, double *value) {
    const json_t *found = find_path(report, figure->path);
    if (!found)
        return weft_fail(WEFT_BAD_INPUT, "record.%s: report.json of this scene has no '%s'", figure->name,
                         figure->path);
    if (json_is_boolean(found))
        *value = json_is_true(found);
    else if (json_is_number(found))
        *value = json_number_value(found);
    else if (json_is_null(found))
        *value = NAN;
    else
        return weft_fail(WEFT_BAD_INPUT, "record.%s: '%s' of report.json is not a number", figure->name, figure->path);
    return weft_ok();
}

weft_result weft_tracker_values(const weft_tracker *tracker, const char *report, int strict, double *value) {
    json_t *tree = report ? json_loads(report, 0, NULL) : NULL;
    weft_result result = weft_ok();
    for (int i = 0; i < tracker->recording->figure_count && result.code == WEFT_OK; i++) {
        const weft_figure *figure = &tracker->recording->figure[i];
        if (figure->kind != WEFT_FIGURE_REPORT)
            value[i] = reduced(figure, &tracker->tracked[i]);
        else if (tree && report_value(figure, tree, &value[i]).code != WEFT_OK && strict)
            result = report_value(figure, tree, &value[i]);
    }
    json_decref(tree);
    return result;
}
