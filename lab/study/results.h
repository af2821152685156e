/* The results of a study in memory, and the tables made from them. */
#ifndef WEFT_LAB_STUDY_RESULTS_H
#define WEFT_LAB_STUDY_RESULTS_H

#include "lab/study/study_file.h"

/* One case. */
typedef struct weft_row {
    int is_done;
    weft_case_status status;
    int64_t frames;
    uint64_t state_hash;
    double cpu_seconds, wall_seconds;
    char *reason;         /* null: none */
    int host;             /* index into weft_results::host */
    double *value;        /* (figure_count) */
    int64_t offset, size; /* of the record in the journal; size 0: it has no positions */
} weft_row;

typedef struct weft_results {
    const weft_study *study;
    weft_row *row; /* (case_count) */
    int64_t done, ok;
    double cpu_seconds, wall_seconds; /* sums */
    char **host;                      /* names, in the order of their first case (host_count) */
    int host_count;
} weft_results;

/* Free it even if this fails. */
weft_result weft_results_create(weft_results *results, const weft_study *study);
void weft_results_free(weft_results *results);
/* Stores an outcome; replaces an earlier one of the same case. It has the form of weft_journal_visit. */
weft_result weft_results_add(void *results, int64_t index, const weft_case_outcome *outcome, int64_t offset,
                             int64_t size);

/* Makes a case unfinished again. */
void weft_results_forget(weft_results *results, int64_t index);

/* A column of results.csv and of the table `results`. */
typedef struct weft_column {
    char name[128], unit[24];
    const char *kind; /* "case", "parameter", "figure" or "outcome" */
    char meaning[320];
} weft_column;
int weft_results_column_count(const weft_study *study);
weft_column weft_results_column(const weft_study *study, int index);
/* The cell of a finished case. A number is written so that it reads back as the same double; an empty text is a missing
 * value. */
weft_result weft_results_cell(const weft_results *results, int64_t index, int column, char *text, size_t size,
                              int *is_number);

/* Each writes a whole file under a temporary name and renames it. Rows are in the order of the cases, and unfinished
 * cases are left out, so that files depend only on the outcomes. */
weft_result weft_results_write_csv(const weft_results *results, const char *path);
weft_result weft_results_write_columns(const weft_study *study, const char *path);
/* Times and machines, which differ from run to run. */
weft_result weft_results_write_timings(const weft_results *results, const char *path);
weft_result weft_results_write_sqlite(const weft_results *results, const char *path);
/* Positions, read again from the journal. */
weft_result weft_results_write_hdf5(const weft_results *results, const char *journal, const char *path);
weft_result weft_results_write_provenance(const weft_results *results, const char *path);

#endif
