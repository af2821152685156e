/* report.json */
#ifndef WEFT_IO_RUN_REPORT_H
#define WEFT_IO_RUN_REPORT_H

#include "io/run_log.h"
#include "io/yarn_watch.h"

/* The run that a report is about. */
typedef struct weft_run_account {
    const char *scene;  /* path */
    const char *status; /* of weft_status_name */
    weft_sim *sim;
    const weft_run_log *log;
    const weft_yarn_watch *yarns;
    char *const *notice; /* (notice_count) */
    int notice_count;
} weft_run_account;

/* Writes the JSON text. */
weft_result weft_run_report_print(weft_output *output, const weft_run_account *run);
/* Writes DIRECTORY/report.json atomically. */
weft_result weft_run_report_write(const char *directory, const weft_run_account *run);

#endif
