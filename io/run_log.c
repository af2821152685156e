#include "io/run_log.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "weft/text.h"

static weft_result start(weft_run_log *log, const char *directory, char *path, size_t size) {
    *log = (weft_run_log){0};
    if (snprintf(path, size, "%s/frames.csv", directory) >= (int)size)
        return weft_fail(WEFT_BAD_FILE, "%.300s...: the path is too long", directory);
    return weft_ok();
}

/* -- the columns of frames.csv, in order -- */

typedef enum column_kind {
    COUNT,    /* int32_t */
    LARGE,    /* int64_t */
    TIME,     /* double, ten digits */
    REAL,     /* double, nine digits */
    HASH,     /* uint64_t, hexadecimal */
    PER_STEP, /* s per frame, written as ms per step */
    MS        /* s, written as ms */
} column_kind;

typedef struct column {
    const char *name, *unit;
    column_kind kind;
    size_t offset;
} column;

#define AT(field) offsetof(weft_frame_log, field)
static const column COLUMNS[] = {
    {"frame", "", LARGE, AT(frame)},
    {"time", "s", TIME, AT(time)},
    {"steps", "", COUNT, AT(steps)},
    {"halvings", "", COUNT, AT(halvings)},
    {"torn", "", COUNT, AT(torn)},
    {"solves", "", COUNT, AT(solves)},
    {"iterations", "", COUNT, AT(iterations)},
    {"not_converged", "", COUNT, AT(not_converged)},
    {"newton_not_converged", "", COUNT, AT(newton_not_converged)},
    {"contacts", "", COUNT, AT(contacts)},
    {"impulses", "", COUNT, AT(impulses)},
    {"zones", "", COUNT, AT(zones)},
    {"unresolved", "", COUNT, AT(unresolved)},
    {"intersections", "", LARGE, AT(intersections)},
    {"kinetic", "J", REAL, AT(measures.kinetic)},
    {"elastic", "J", REAL, AT(measures.elastic)},
    {"potential", "J", REAL, AT(measures.potential)},
    {"stretch_mean", "", REAL, AT(measures.stretch_mean)},
    {"stretch_max", "", REAL, AT(measures.stretch_max)},
    {"yarn_max", "", REAL, AT(measures.yarn_max)},
    {"shear_max", "rad", REAL, AT(measures.shear_max)},
    {"links_broken", "", LARGE, AT(measures.links_broken)},
    {"triangles", "", COUNT, AT(triangles)},
    {"inserted", "", COUNT, AT(inserted)},
    {"removed", "", COUNT, AT(removed)},
    {"turned", "", COUNT, AT(turned)},
    {"skipped", "", COUNT, AT(skipped)},
    {"state_hash", "", HASH, AT(hash)},
    {"step_ms", "ms", PER_STEP, AT(step_seconds)},
    {"slowest_ms", "ms", MS, AT(worst.seconds)},
    {"write_ms", "ms", MS, AT(write_seconds)},
};
enum { COLUMN_COUNT = sizeof COLUMNS / sizeof COLUMNS[0] };

/* Phases follow the table. */
static column column_at(int index) {
    if (index < COLUMN_COUNT)
        return COLUMNS[index];
    static char names[WEFT_PHASES][32];
    int phase = index - COLUMN_COUNT;
    if (phase >= WEFT_PHASES)
        return (column){0};
    snprintf(names[phase], sizeof names[phase], "%s_ms", weft_phase_name((weft_phase)phase));
    return (column){names[phase], "ms", PER_STEP, AT(phases) + (size_t)phase * sizeof(double)};
}

static double value_of(const weft_frame_log *row, const column *c) {
    const char *field = (const char *)row + c->offset;
    switch (c->kind) {
    case COUNT:
        return *(const int32_t *)field;
    case LARGE:
        return (double)*(const int64_t *)field;
    case PER_STEP:
        return row->steps > 0 ? 1000 * *(const double *)field / row->steps : 0;
    case MS:
        return 1000 * *(const double *)field;
    case HASH:
        return NAN;
    default:
        return *(const double *)field;
    }
}

/* Columns come in order, so the number of steps is known when times are read. */
static void set_value(weft_frame_log *row, const column *c, double value) {
    char *field = (char *)row + c->offset;
    switch (c->kind) {
    case COUNT:
        *(int32_t *)field = (int32_t)value;
        break;
    case LARGE:
        *(int64_t *)field = (int64_t)value;
        break;
    case PER_STEP:
        *(double *)field = value * row->steps / 1000;
        break;
    case MS:
        *(double *)field = value / 1000;
        break;
    case HASH:
        break;
    default:
        *(double *)field = value;
        break;
    }
}

static void print_value(weft_output *csv, const weft_frame_log *row, const column *c) {
    const char *field = (const char *)row + c->offset;
    switch (c->kind) {
    case COUNT:
        weft_output_print(csv, "%d", *(const int32_t *)field);
        break;
    case LARGE:
        weft_output_print(csv, "%" PRId64, *(const int64_t *)field);
        break;
    case HASH:
        weft_output_print(csv, "%016" PRIx64, *(const uint64_t *)field);
        break;
    default:
        weft_output_print(csv, c->kind == TIME ? "%.10g" : c->kind == REAL ? "%.9g" : "%.6g", value_of(row, c));
        break;
    }
}

/* Index in the file of a public index, which leaves the hash out. */
static int with_hash(int index) {
    int hash = 0;
    while (COLUMNS[hash].kind != HASH)
        hash++;
    return index < hash ? index : index + 1;
}

weft_frame_column weft_frame_column_at(int index) {
    column c = column_at(with_hash(index));
    return (weft_frame_column){c.name, c.unit, c.kind == PER_STEP || c.kind == MS};
}

double weft_frame_column_value(const weft_frame_log *row, int index) {
    column c = column_at(with_hash(index));
    return value_of(row, &c);
}

weft_frame_log weft_frame_log_of(const weft_sim *sim, const weft_report *report, int32_t steps, double seconds) {
    weft_frame_log row = {.frame = weft_sim_frame(sim),
                          .time = weft_sim_time(sim),
                          .steps = steps,
                          .halvings = report->halvings,
                          .torn = report->torn,
                          .solves = report->solve.newton,
                          .iterations = report->solve.iterations,
                          .not_converged = report->solve.not_converged,
                          .newton_not_converged = report->solve.newton_not_converged,
                          .contacts = report->contact.contacts,
                          .impulses = report->contact.impulses,
                          .zones = report->contact.zones,
                          .unresolved = report->contact.unresolved,
                          .inserted = report->adapt.inserted,
                          .removed = report->adapt.removed,
                          .turned = report->adapt.turned,
                          .skipped = report->adapt.skipped,
                          .intersections = report->contact.intersections,
                          .hash = weft_sim_hash(sim),
                          .worst = report->worst,
                          .step_seconds = seconds};
    for (int32_t i = 0; i < weft_sim_cloth_count(sim); i++)
        row.triangles += weft_sim_cloth(sim, i)->mesh->triangle_count;
    for (int i = 0; i < WEFT_PHASES; i++)
        row.phases[i] = report->seconds[i];
    return row;
}

/* -- the file -- */

static void print_header(weft_run_log *log) {
    for (int i = 0; column_at(i).name; i++)
        weft_output_print(&log->csv, "%s%s", i > 0 ? "," : "", column_at(i).name);
    weft_output_print(&log->csv, "\n");
}

weft_result weft_run_log_open(weft_run_log *log, const char *directory) {
    char path[1024];
    WEFT_TRY(start(log, directory, path, sizeof path));
    WEFT_TRY(weft_output_open(&log->csv, path));
    log->is_open = 1;
    print_header(log);
    return weft_ok();
}

static const double SHORTEST = 1e-7; /* s */
enum { PER_DECADE = 100 };

static int class_of(double seconds) {
    double c = seconds > SHORTEST ? PER_DECADE * log10(seconds / SHORTEST) : 0;
    return c < WEFT_TIME_CLASSES - 1 ? (int)c : WEFT_TIME_CLASSES - 1;
}

void weft_run_log_step(weft_run_log *log, double seconds) { log->by_time[class_of(seconds)]++; }

void weft_run_log_count(weft_run_log *log, const weft_frame_log *row) {
    log->count++;
    log->last = *row;
    log->steps += row->steps;
    log->halvings += row->halvings;
    log->torn += row->torn;
    log->solves += row->solves;
    log->iterations += row->iterations;
    log->not_converged += row->not_converged;
    log->newton_not_converged += row->newton_not_converged;
    log->contacts += row->contacts;
    log->impulses += row->impulses;
    log->zones += row->zones;
    log->unresolved += row->unresolved;
    log->inserted += row->inserted;
    log->removed += row->removed;
    log->turned += row->turned;
    log->skipped += row->skipped;
    log->triangle_steps += (double)row->triangles * row->steps;
    log->step_seconds += row->step_seconds;
    if (row->worst.seconds > log->worst.seconds)
        log->worst = row->worst;
    log->write_seconds += row->write_seconds;
    for (int i = 0; i < WEFT_PHASES; i++)
        log->phases[i] += row->phases[i];
}

/* Returns 0 if the line is not a valid row. */
static int read_row(const char *line, weft_frame_log *row) {
    *row = (weft_frame_log){0};
    for (int i = 0; column_at(i).name; i++) {
        column c = column_at(i);
        const char *end;
        double value = weft_real_parse(line, &end);
        if (c.kind == HASH)
            end = line + strcspn(line, ",\n");
        if (end == line || (*end != ',' && *end != '\n'))
            return 0;
        set_value(row, &c, value);
        line = end + 1;
    }
    row->worst.time = row->time;
    return 1;
}

/* Keeps the first `size` bytes of frames.csv, whether finished or not. */
static weft_result take_over(weft_run_log *log, const char *path, int64_t size) {
    char part[1100];
    snprintf(part, sizeof part, "%s.part", path);
    char *bytes;
    size_t there;
    weft_result result = weft_file_read(part, &bytes, &there);
    if (result.code != WEFT_OK && weft_file_read(path, &bytes, &there).code != WEFT_OK)
        return result;
    result = weft_ok();
    if ((int64_t)there < size)
        result =
            weft_fail(WEFT_BAD_FILE, "%.300s: has %zu bytes, but the checkpoint needs %" PRId64, part, there, size);
    else
        bytes[size] = '\0';
    const char *line = result.code == WEFT_OK ? strchr(bytes, '\n') : NULL;
    while (line && line[1] && result.code == WEFT_OK) {
        weft_frame_log row;
        if (read_row(line + 1, &row)) {
            weft_run_log_count(log, &row);
            log->by_time[class_of(row.steps > 0 ? row.step_seconds / row.steps : 0)] += row.steps;
        } else
            result = weft_fail(WEFT_BAD_INPUT, "%.300s:%" PRId64 ": not a row of frames.csv", part, log->count + 2);
        line = strchr(line + 1, '\n');
    }
    free(bytes);
    return result;
}

/* A run killed while closing its files may already have completed frames.csv. */
static weft_result make_unfinished(const char *path) {
    char part[1100];
    snprintf(part, sizeof part, "%s.part", path);
    if (access(part, F_OK) != 0 && rename(path, part) != 0)
        return weft_fail(WEFT_BAD_FILE, "%.300s: %s", path, strerror(errno));
    return weft_ok();
}

weft_result weft_run_log_reopen(weft_run_log *log, const char *directory, int64_t size) {
    char path[1024];
    WEFT_TRY(start(log, directory, path, sizeof path));
    WEFT_TRY(take_over(log, path, size));
    WEFT_TRY(make_unfinished(path));
    WEFT_TRY(weft_output_reopen(&log->csv, path, size));
    log->is_open = 1;
    return weft_ok();
}

weft_result weft_run_log_add(weft_run_log *log, const weft_frame_log *row) {
    weft_run_log_count(log, row);
    for (int i = 0; column_at(i).name; i++) {
        column c = column_at(i);
        if (i > 0)
            weft_output_print(&log->csv, ",");
        print_value(&log->csv, row, &c);
    }
    weft_output_print(&log->csv, "\n");
    if (log->csv.error)
        return weft_fail(WEFT_BAD_FILE, "%.300s: %s", log->csv.path, strerror(log->csv.error));
    return weft_ok();
}

weft_result weft_run_log_sync(weft_run_log *log, int64_t *size) {
    WEFT_TRY(weft_output_sync(&log->csv));
    *size = ftell(log->csv.file);
    return weft_ok();
}

weft_result weft_run_log_close(weft_run_log *log, int finished) {
    if (!log->is_open)
        return weft_ok();
    log->is_open = 0;
    return finished ? weft_output_commit(&log->csv) : weft_output_suspend(&log->csv);
}

/* The step time in ms that `share` of all steps stay below: the centre of its class, at most the longest step. */
static double quantile(const weft_run_log *log, double share) {
    double seen = 0, steps = 0;
    for (int i = 0; i < WEFT_TIME_CLASSES; i++)
        steps += (double)log->by_time[i];
    for (int i = 0; i < WEFT_TIME_CLASSES; i++) {
        seen += (double)log->by_time[i];
        if (log->by_time[i] > 0 && seen >= share * steps)
            return 1000 * fmin(SHORTEST * pow(10, (i + 0.5) / PER_DECADE), log->worst.seconds);
    }
    return 0;
}

weft_step_times weft_run_log_times(const weft_run_log *log) {
    if (log->steps == 0)
        return (weft_step_times){0};
    return (weft_step_times){.mean = 1000 * log->step_seconds / (double)log->steps,
                             .median = quantile(log, 0.5),
                             .p95 = quantile(log, 0.95),
                             .max = 1000 * log->worst.seconds};
}
