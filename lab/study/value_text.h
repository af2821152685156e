/* Values of a study file as text for --set. */
#ifndef WEFT_LAB_STUDY_VALUE_TEXT_H
#define WEFT_LAB_STUDY_VALUE_TEXT_H

#include "weft/value.h"

/* Writes a value as one line of YAML: "4 mm", "[1, 0, 0]", "{preset: wool}". Returns the length without the final zero,
 * also if it does not fit. */
size_t weft_value_write(const weft_value *value, char *text, size_t size);

/* The same with quotes where a text inside a list or map needs them. */
size_t weft_value_write_nested(const weft_value *value, char *text, size_t size);

/* Splits "4 mm" into a number and a unit (at most 23 characters). Returns 0 if the text is not of this form. */
int weft_number_split(const char *text, double *number, char unit[24]);

#endif
