#include "apps/cli/garment_make.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/cli/say.h"
#include "io/file.h"
#include "wear/garment/draft.h"
#include "wear/garment/import.h"
#include "wear/garment/sew.h"

/* Writes the garment file, if it reads back and its panels can be filled: no file is left that `check` refuses. */
static weft_result write_checked(const garment_pattern *pattern, const char *source, const char *comment,
                                 const char *out) {
    char *text;
    garment_pattern read;
    garment_sewn sewn = {0};
    WEFT_TRY(garment_pattern_text(pattern, comment, &text));
    weft_result result = garment_pattern_read_memory(text, strlen(text), out, &read);
    if (result.code == WEFT_OK)
        result = garment_sew(&read, &sewn);
    if (result.code == WEFT_BAD_INPUT) /* lines of a file that is not written are no help */
        result = weft_fail(WEFT_BAD_INPUT, "%.200s: %s", source,
                           strstr(result.message, ": ") ? strstr(result.message, ": ") + 2 : result.message);
    garment_sewn_free(&sewn, read.panels);
    garment_pattern_free(&read);
    weft_output file;
    if (result.code == WEFT_OK)
        result = weft_output_open(&file, out);
    if (result.code == WEFT_OK) {
        weft_output_write(&file, text, strlen(text));
        result = weft_output_commit(&file);
    }
    free(text);
    if (result.code == WEFT_OK)
        weft_say("%s: %d panels, %d seams\n", out, pattern->panels, pattern->seams);
    return result;
}

weft_result garment_make_import(const char *file, const char *out) {
    garment_pattern pattern;
    char comment[400];
    const char *slash = strrchr(file, '/');
    snprintf(comment, sizeof comment, "Imported from %.300s. Lengths are in cm.", slash ? slash + 1 : file);
    weft_result result = garment_import(file, &pattern);
    if (result.code == WEFT_OK)
        result = write_checked(&pattern, file, comment, out);
    garment_pattern_free(&pattern);
    return result;
}

weft_result garment_make_draft(const char *design, const char *measurements, const char *const *set, int sets,
                               const char *out) {
    garment_pattern pattern;
    char comment[400];
    const char *slash = strrchr(measurements, '/');
    snprintf(comment, sizeof comment, "Drafted by FreeSewing: %.100s for %.200s. Lengths are in cm.", design,
             slash ? slash + 1 : measurements);
    weft_result result = garment_draft(design, measurements, set, sets, &pattern);
    if (result.code == WEFT_OK)
        result = write_checked(&pattern, design, comment, out);
    garment_pattern_free(&pattern);
    return result;
}
