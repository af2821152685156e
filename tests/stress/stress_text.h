/* A growing text, for the files of generated scenes. */
#ifndef WEFT_STRESS_TEXT_H
#define WEFT_STRESS_TEXT_H

#include <stddef.h>

#include "weft/base.h"

typedef struct stress_text {
    char *bytes; /* ends with 0; null while empty */
    size_t length;
    size_t capacity;
} stress_text;

/* Appends as printf does. Ends the program if memory runs out: there is nothing to save. */
void stress_text_add(stress_text *text, const char *format, ...) WEFT_PRINTF(2, 3);
void stress_text_free(stress_text *text);
/* Writes the text to FOLDER/NAME, whole or not at all. */
weft_result stress_text_write(const stress_text *text, const char *folder, const char *name);

#endif
