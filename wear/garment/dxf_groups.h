/* DXF as text: a sequence of groups, each a code and a value on lines of their own. */
#ifndef WEFT_WEAR_GARMENT_DXF_GROUPS_H
#define WEFT_WEAR_GARMENT_DXF_GROUPS_H

#include "weft/base.h"

typedef struct dxf_groups {
    const char *name; /* of the file */
    const char *at, *end;
    int line;        /* of the value */
    int code;        /* of the current group */
    char value[256]; /* without spaces at its ends; longer ones are cut off */
    int ended;       /* after EOF, or the last group */
    weft_result failed;
} dxf_groups;

void dxf_start(dxf_groups *groups, const char *bytes, size_t size, const char *name);
/* Reads the next group. Returns 0 at the end or after a failure. */
int dxf_next(dxf_groups *groups);
/* The value as a finite number. A failure is also kept in `failed`. */
weft_result dxf_number(dxf_groups *groups, double *number);

#endif
