/* The page of a study: one HTML file without references to others. */
#ifndef WEFT_LAB_STUDY_STUDY_PAGE_H
#define WEFT_LAB_STUDY_STUDY_PAGE_H

#include "weft/base.h"

/* Writes the page of the study in `folder`, finished or not. `out` names the file; null: FOLDER/report.html. `path`
 * receives its name. */
weft_result weft_study_page_write(const char *folder, const char *out, char path[1024]);

#endif
