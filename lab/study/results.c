#include "lab/study/results.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/text.h"
#include "weft/text.h"

/* -- rows -- */

weft_result weft_results_create(weft_results *results, const weft_study *study) {
    *results = (weft_results){.study = study, .row = calloc((size_t)study->case_count + 1, sizeof *results->row)};
    return results->row ? weft_ok() : weft_fail_memory("results", (size_t)study->case_count * sizeof *results->row);
}

void weft_results_free(weft_results *results) {
    for (int64_t i = 0; results->row && i < results->study->case_count; i++) {
        free(results->row[i].value);
        free(results->row[i].reason);
    }
    for (int i = 0; i < results->host_count; i++)
        free(results->host[i]);
    free(results->host);
    free(results->row);
    *results = (weft_results){0};
}

static weft_result number_host(weft_results *results, const char *name, int *number) {
    for (*number = 0; *number < results->host_count; (*number)++)
        if (strcmp(results->host[*number], name) == 0)
            return weft_ok();
    char **grown = realloc(results->host, ((size_t)results->host_count + 1) * sizeof *grown), *copy = strdup(name);
    if (grown)
        results->host = grown;
    if (!grown || !copy) {
        free(copy);
        return weft_fail_memory("results", sizeof *grown);
    }
    results->host[results->host_count++] = copy;
    return weft_ok();
}

void weft_results_forget(weft_results *results, int64_t index) {
    weft_row *row = &results->row[index];
    if (!row->is_done)
        return;
    results->done--;
    results->ok -= row->status == WEFT_CASE_OK;
    results->cpu_seconds -= row->cpu_seconds;
    results->wall_seconds -= row->wall_seconds;
    free(row->value);
    free(row->reason);
    *row = (weft_row){0};
}

weft_result weft_results_add(void *context, int64_t index, const weft_case_outcome *outcome, int64_t offset,
                             int64_t size) {
    weft_results *results = context;
    const weft_study *study = results->study;
    if (index < 0 || index >= study->case_count)
        return weft_fail(WEFT_BAD_INPUT, "the journal has case %" PRId64 ", but the study has %" PRId64 " cases", index,
                         study->case_count);
    weft_row *row = &results->row[index];
    weft_results_forget(results, index);
    *row = (weft_row){.is_done = 1,
                      .status = outcome->status,
                      .frames = outcome->frames,
                      .state_hash = outcome->state_hash,
                      .cpu_seconds = outcome->cpu_seconds,
                      .wall_seconds = outcome->wall_seconds,
                      .reason = outcome->reason[0] ? strdup(outcome->reason) : NULL,
                      .value = malloc(((size_t)study->figure_count + 1) * sizeof *row->value),
                      .offset = offset,
                      .size = outcome->block_size > 0 ? size : 0};
    if (!row->value || (outcome->reason[0] && !row->reason))
        return weft_fail_memory("results", (size_t)study->figure_count * sizeof *row->value);
    for (int i = 0; i < study->figure_count; i++)
        row->value[i] = i < outcome->value_count ? outcome->value[i] : NAN;
    results->done++;
    results->ok += row->status == WEFT_CASE_OK;
    results->cpu_seconds += row->cpu_seconds;
    results->wall_seconds += row->wall_seconds;
    return number_host(results, outcome->host, &row->host);
}

/* -- columns: case, repeat, parameters, figures, outcome -- */

enum { CASE_COLUMNS = 2, OUTCOME_COLUMNS = 4 };

typedef enum column_group { GROUP_CASE, GROUP_PARAMETER, GROUP_FIGURE, GROUP_OUTCOME } column_group;
typedef struct column_place {
    column_group group;
    int index, part;
} column_place;

static column_place place_of(const weft_study *study, int column) {
    if (column < CASE_COLUMNS)
        return (column_place){GROUP_CASE, column, 0};
    column -= CASE_COLUMNS;
    for (int i = 0; i < study->parameter_count; i++) {
        int parts = weft_parameter_parts(&study->parameter[i]);
        if (column < parts)
            return (column_place){GROUP_PARAMETER, i, column};
        column -= parts;
    }
    if (column < study->figure_count)
        return (column_place){GROUP_FIGURE, column, 0};
    return (column_place){GROUP_OUTCOME, column - study->figure_count, 0};
}

int weft_results_column_count(const weft_study *study) {
    int count = CASE_COLUMNS + study->figure_count + OUTCOME_COLUMNS;
    for (int i = 0; i < study->parameter_count; i++)
        count += weft_parameter_parts(&study->parameter[i]);
    return count;
}

static void describe_figure(const weft_figure *figure, char meaning[320]) {
    static const char *const REDUCES[] = {"last", "largest", "mean", "smallest", "sum"};
    char reduce[64], what[320];
    if (figure->reduce == WEFT_REDUCE_AT)
        weft_format(reduce, sizeof reduce, "value at %g s", figure->time);
    else
        snprintf(reduce, sizeof reduce, "%s value", REDUCES[figure->reduce]);
    if (figure->kind == WEFT_FIGURE_REPORT)
        snprintf(what, sizeof what, "%s of report.json", figure->path);
    else if (figure->kind == WEFT_FIGURE_FRAMES)
        snprintf(what, sizeof what, "%s of %s of frames.csv", reduce, figure->path);
    else if (figure->kind == WEFT_FIGURE_DRAPE)
        snprintf(what, sizeof what, "%s of the drape coefficient", reduce);
    else if (figure->vertex >= 0)
        snprintf(what, sizeof what, "%s at vertex %d", reduce, figure->vertex);
    else
        weft_format(what, sizeof what, "%s at the vertex nearest to [%g, %g, %g]", reduce, figure->near.x,
                    figure->near.y, figure->near.z);
    snprintf(meaning, 320, "%s", what);
}

weft_column weft_results_column(const weft_study *study, int index) {
    static const struct {
        const char *name, *meaning;
    } CASE[] = {{"case", "number of the case, from 0"}, {"repeat", "number of the repeat, from 0"}},
      OUTCOME[] = {{"status", "ok, or why the case did not end"},
                   {"reason", "the message of a case that failed"},
                   {"frames", "complete frames"},
                   {"state_hash", "hash of the last state"}};
    column_place at = place_of(study, index);
    weft_column column = {0};
    if (at.group == GROUP_PARAMETER) {
        const weft_parameter *parameter = &study->parameter[at.index];
        snprintf(column.name, sizeof column.name, "%.127s", weft_parameter_column(parameter, at.part));
        snprintf(column.unit, sizeof column.unit, "%s", parameter->unit);
        column.kind = "parameter";
        snprintf(column.meaning, sizeof column.meaning, "value of %.200s", parameter->path[at.part]);
    } else if (at.group == GROUP_FIGURE) {
        snprintf(column.name, sizeof column.name, "%s", study->figure[at.index].name);
        snprintf(column.unit, sizeof column.unit, "%s", study->figure[at.index].unit);
        column.kind = "figure";
        describe_figure(&study->figure[at.index], column.meaning);
    } else {
        column.kind = at.group == GROUP_CASE ? "case" : "outcome";
        snprintf(column.name, sizeof column.name, "%s",
                 at.group == GROUP_CASE ? CASE[at.index].name : OUTCOME[at.index].name);
        snprintf(column.meaning, sizeof column.meaning, "%s",
                 at.group == GROUP_CASE ? CASE[at.index].meaning : OUTCOME[at.index].meaning);
    }
    return column;
}

/* -- cells -- */

static void write_number(double number, char *text, size_t size) {
    char buffer[WEFT_REAL_SIZE];
    size_t length = isfinite(number) ? weft_real_write_exact(number, buffer) : 0;
    snprintf(text, size, "%.*s", (int)length, buffer);
}

weft_result weft_results_cell(const weft_results *results, int64_t index, int column, char *text, size_t size,
                              int *is_number) {
    const weft_study *study = results->study;
    const weft_row *row = &results->row[index];
    column_place at = place_of(study, column);
    *is_number = 1;
    if (at.group == GROUP_CASE) {
        snprintf(text, size, "%" PRId64, at.index == 0 ? index : index % study->settings.repeats);
    } else if (at.group == GROUP_PARAMETER) {
        *is_number = study->parameter[at.index].is_number;
        return weft_study_value(study, index, at.index, at.part, text, size);
    } else if (at.group == GROUP_FIGURE) {
        write_number(row->value[at.index], text, size);
    } else if (at.index == 2) {
        snprintf(text, size, "%" PRId64, row->frames);
    } else {
        *is_number = 0;
        if (at.index == 3)
            snprintf(text, size, "%016" PRIx64, row->state_hash);
        else
            snprintf(text, size, "%s",
                     at.index == 0 ? weft_case_status_name(row->status)
                     : row->reason ? row->reason
                                   : "");
    }
    return weft_ok();
}
