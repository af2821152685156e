/* Text and bytes encoded for HTML. */
#ifndef WEFT_IO_HTML_H
#define WEFT_IO_HTML_H

#include <stddef.h>
#include <stdio.h>

void weft_html_text(FILE *file, const char *text);
void weft_html_base64(FILE *file, const char *bytes, size_t size);

#endif
