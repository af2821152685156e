/* The files of the page, which the build embeds in the program. */
#ifndef WEFT_STUDIO_PAGE_H
#define WEFT_STUDIO_PAGE_H

#include <stddef.h>

#define STUDIO_UPLOAD_LIMIT (64 << 20) /* bytes */

typedef struct studio_page_file {
    const char *path; /* "/index.html" */
    const char *tag;  /* W/"...", another one for other bytes */
    const unsigned char *bytes;
    size_t size;
    const unsigned char *packed; /* compressed by gzip; null if that is no smaller */
    size_t packed_size;
} studio_page_file;

/* Returns 0 if the page was not built. */
int studio_page_count(void);
const studio_page_file *studio_page_find(const char *path); /* null if there is none */
const char *studio_mime(const char *path);
/* Returns whether the value of an Accept-Encoding header allows gzip. */
int studio_accepts_gzip(const char *header);
/* Returns whether the value of an If-None-Match header names the tag. */
int studio_has_tag(const char *header, const char *tag);

#endif
