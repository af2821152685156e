#include "study/study_page.h"
weft_result weft_study_page_write(const char *folder, const char *out, char path[1024]) {
    (void)out, (void)path;
    return weft_fail(WEFT_UNSUPPORTED, "%s", folder);
}
