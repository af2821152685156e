#include "cli/run_log.h"

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

static void print_header(weft_run_log *log) {
    weft_output_print(&log->csv, "frame,time,steps,halvings,torn,solves,iterations,not_converged,"
                                 "newton_not_converged,contacts,impulses,zones,unresolved,intersections,kinetic,"
                                 "elastic,potential,stretch_mean,stretch_max,"
                                 "links_broken,triangles,inserted,removed,turned,skipped,state_hash,step_ms,slowest_ms,"
                                 "write_ms");
    for (int i = 0; i < WEFT_PHASES; i++)
        weft_output_print(&log->csv, ",%s_ms", weft_phase_name((weft_phase)i));
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
    if (row->slowest_seconds > log->slowest_seconds)
        log->slowest_seconds = row->slowest_seconds;
    log->write_seconds += row->write_seconds;
    for (int i = 0; i < WEFT_PHASES; i++)
        log->phases[i] += row->phases[i];
}

/* Parses the columns that the sums need. Returns 0 if the line is not a valid row. */
static int read_row(const char *line, weft_frame_log *row) {
    enum {
        TEXT_COLUMN = 25,
        TIMES = 26,
        COLUMNS = TIMES + 3 + WEFT_PHASES
    }; /* the hash is the only column that is not a number */
    double column[COLUMNS] = {0};
    for (int i = 0; i < COLUMNS; i++) {
        const char *end;
        column[i] = weft_real_parse(line, &end);
        if (i == TEXT_COLUMN)
            end = line + strcspn(line, ",\n");
        if (end == line || (*end != ',' && *end != '\n'))
            return 0;
        line = end + 1;
    }
    *row = (weft_frame_log){.frame = (int64_t)column[0],
                            .time = column[1],
                            .steps = (int32_t)column[2],
                            .halvings = (int32_t)column[3],
                            .torn = (int32_t)column[4],
                            .solves = (int32_t)column[5],
                            .iterations = (int32_t)column[6],
                            .not_converged = (int32_t)column[7],
                            .newton_not_converged = (int32_t)column[8],
                            .contacts = (int32_t)column[9],
                            .impulses = (int32_t)column[10],
                            .zones = (int32_t)column[11],
                            .unresolved = (int32_t)column[12],
                            .intersections = (int64_t)column[13],
                            .triangles = (int32_t)column[20],
                            .inserted = (int32_t)column[21],
                            .removed = (int32_t)column[22],
                            .turned = (int32_t)column[23],
                            .skipped = (int32_t)column[24],
                            .step_seconds = column[TIMES] * column[2] / 1000,
                            .slowest_seconds = column[TIMES + 1] / 1000,
                            .write_seconds = column[TIMES + 2] / 1000};
    for (int i = 0; i < WEFT_PHASES; i++)
        row->phases[i] = column[TIMES + 3 + i] * column[2] / 1000;
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
    const weft_measures *m = &row->measures;
    weft_run_log_count(log, row);
    weft_output_print(&log->csv,
                      "%" PRId64 ",%.10g,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%" PRId64 ",%.9g,%.9g,%.9g,%.9g,%.9g,%" PRId64
                      ",%d,%d,%d,%d,%d,%016" PRIx64 ",%.6g,%.6g,%.6g",
                      row->frame, row->time, row->steps, row->halvings, row->torn, row->solves, row->iterations,
                      row->not_converged, row->newton_not_converged, row->contacts, row->impulses, row->zones,
                      row->unresolved, row->intersections, m->kinetic, m->elastic, m->potential, m->stretch_mean,
                      m->stretch_max, m->links_broken, row->triangles, row->inserted, row->removed, row->turned,
                      row->skipped, row->hash, row->steps > 0 ? 1000 * row->step_seconds / row->steps : 0,
                      1000 * row->slowest_seconds, 1000 * row->write_seconds);
    for (int i = 0; i < WEFT_PHASES; i++)
        weft_output_print(&log->csv, ",%.6g", row->steps > 0 ? 1000 * row->phases[i] / row->steps : 0);
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
            return 1000 * fmin(SHORTEST * pow(10, (i + 0.5) / PER_DECADE), log->slowest_seconds);
    }
    return 0;
}

weft_step_times weft_run_log_times(const weft_run_log *log) {
    if (log->steps == 0)
        return (weft_step_times){0};
    return (weft_step_times){.mean = 1000 * log->step_seconds / (double)log->steps,
                             .median = quantile(log, 0.5),
                             .p95 = quantile(log, 0.95),
                             .max = 1000 * log->slowest_seconds};
}
