/* report.json */
#ifndef WEFT_CLI_RUN_REPORT_H
#define WEFT_CLI_RUN_REPORT_H

#include "cli/run_log.h"
#include "cli/scene_file.h"

/* Writes DIRECTORY/report.json atomically. `status` is from weft_status_name. */
weft_result weft_run_report_write(const char *directory, const weft_scene_file *scene, const weft_run_log *log,
                                  const char *status);

#endif
