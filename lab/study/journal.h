/* The journal of a study: one record per finished case, only ever appended.
 *
 * All tables are made from it, in the order of the cases. A process that is killed loses the cases that were running,
 * and at most leaves a torn record at the end, which the next start cuts off. */
#ifndef WEFT_LAB_STUDY_JOURNAL_H
#define WEFT_LAB_STUDY_JOURNAL_H

#include "lab/study/case_runner.h"

typedef struct weft_journal {
    int file; /* -1: closed */
    char path[1024];
    double synced; /* wall clock of the last fsync, s */
    int dirty;
} weft_journal;

/* Receives a record of the journal. `offset` and `size` are its place in the file. */
typedef weft_result (*weft_journal_visit)(void *context, int64_t index, const weft_case_outcome *outcome,
                                          int64_t offset, int64_t size);

/* Visits the whole records of a file from the offset `*end` on, in their order, and moves `*end` behind the last of
 * them. A missing file has no records. */
weft_result weft_journal_scan(const char *path, void *context, weft_journal_visit visit, int64_t *end);
/* Reads one record again. Free the outcome. */
weft_result weft_journal_read(const char *path, int64_t offset, int64_t size, weft_case_outcome *outcome);

/* Visits the records, cuts off a torn one, and opens the file for more. */
weft_result weft_journal_open(weft_journal *journal, const char *path, void *context, weft_journal_visit visit);
/* Appends a record with one write. Syncs to the disk about once a second. `offset` and `size` receive its place and may
 * be null. */
weft_result weft_journal_add(weft_journal *journal, int64_t index, const weft_case_outcome *outcome, int64_t *offset,
                             int64_t *size);
/* A zeroed journal must have file -1. */
weft_result weft_journal_close(weft_journal *journal);

#endif
