#include "wear/garment/dxf_groups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "weft/text.h"

void dxf_start(dxf_groups *g, const char *bytes, size_t size, const char *name) {
    *g = (dxf_groups){.name = name, .at = bytes, .end = bytes + size, .failed = weft_ok()};
}

/* Copies a line without spaces at its ends. Returns 0 at the end of the file. */
static int read_line(dxf_groups *g, char *text, size_t size) {
    if (g->at >= g->end)
        return 0;
    const char *line = g->at, *end = memchr(line, '\n', (size_t)(g->end - line));
    end = end ? end : g->end;
    g->at = end < g->end ? end + 1 : end;
    g->line++;
    while (line < end && (*line == ' ' || *line == '\t'))
        line++;
    while (end > line && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
        end--;
    size_t length = (size_t)(end - line) < size ? (size_t)(end - line) : size - 1;
    memcpy(text, line, length);
    text[length] = 0;
    return 1;
}

int dxf_next(dxf_groups *g) {
    char code[32], *end;
    if (g->ended || g->failed.code != WEFT_OK)
        return 0;
    if (!read_line(g, code, sizeof code)) {
        g->ended = 1;
        return 0;
    }
    long number = strtol(code, &end, 10);
    if (end == code || *end != 0 || number < -5 || number > 1071) {
        if (code[0] == 0 && g->at >= g->end) { /* an empty line at the end */
            g->ended = 1;
            return 0;
        }
        g->failed =
            weft_fail(WEFT_BAD_INPUT, "%.280s:%d: '%s' is not a group code of a DXF text file", g->name, g->line, code);
        return 0;
    }
    g->code = (int)number;
    if (!read_line(g, g->value, sizeof g->value)) {
        g->failed = weft_fail(WEFT_BAD_INPUT, "%.280s:%d: the file ends within a group", g->name, g->line);
        return 0;
    }
    g->ended = g->code == 0 && strcmp(g->value, "EOF") == 0;
    return !g->ended;
}

weft_result dxf_number(dxf_groups *g, double *number) {
    const char *end;
    *number = weft_real_parse(g->value, &end);
    if (end == g->value || *end != 0 || !isfinite(*number) || fabs(*number) > 1e7)
        g->failed = weft_fail(WEFT_BAD_INPUT, "%.280s:%d: '%.40s' is not a coordinate", g->name, g->line, g->value);
    return g->failed;
}
