/* The files of the page, which the build embeds in the program. */
#ifndef WEFT_STUDIO_PAGE_H
#define WEFT_STUDIO_PAGE_H

#include <stddef.h>

#define STUDIO_UPLOAD_LIMIT (64 << 20) /* bytes */

typedef struct studio_page_file {
    const char *path; /* "/index.html" */
    const unsigned char *bytes;
    size_t size;
} studio_page_file;

/* Returns 0 if the page was not built. */
int studio_page_count(void);
const studio_page_file *studio_page_find(const char *path); /* null if there is none */
const char *studio_mime(const char *path);

#endif
