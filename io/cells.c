#include "io/cells.h"

#include <string.h>

#include "io/text.h"

static int is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/* Semicolons first: a table with semicolons may have decimal commas. */
static char separator_of(const char *line, size_t length) {
    static const char ORDER[] = {';', '\t', ','};
    for (size_t i = 0; i < sizeof ORDER; i++)
        if (memchr(line, ORDER[i], length))
            return ORDER[i];
    return ' ';
}

static void add(weft_cells *cells, const char *from, const char *to, int *cut) {
    while (from < to && is_space(*from))
        from++;
    while (to > from && is_space(to[-1]))
        to--;
    if (to - from >= 2 && *from == '"' && to[-1] == '"') {
        from++;
        to--;
    }
    size_t length = (size_t)(to - from);
    *cut |= cells->count >= WEFT_MOST_CELLS || length >= WEFT_CELL_SIZE;
    if (cells->count >= WEFT_MOST_CELLS)
        return;
    length = length < WEFT_CELL_SIZE ? length : WEFT_CELL_SIZE - 1;
    memcpy(cells->text[cells->count], from, length);
    cells->text[cells->count++][length] = '\0';
}

static void split(const char *line, size_t length, weft_cells *cells, int *cut) {
    const char *end = line + length, *from = line;
    cells->separator = separator_of(line, length);
    for (const char *at = line; at < end; at++)
        if (*at == cells->separator) {
            if (cells->separator != ' ' || at > from) /* several spaces separate once */
                add(cells, from, at, cut);
            from = at + 1;
        }
    if (from < end || cells->separator != ' ')
        add(cells, from, end, cut);
}

int weft_cells_next(const char **at, const char *end, weft_cells *cells, int *cut) {
    if (*at >= end)
        return 0;
    const char *line = *at, *stop = memchr(line, '\n', (size_t)(end - line));
    *at = stop ? stop + 1 : end;
    stop = stop ? stop : end;
    const char *comment = memchr(line, '#', (size_t)(stop - line));
    stop = comment ? comment : stop;
    while (stop > line && is_space(stop[-1]))
        stop--;
    while (line < stop && (*line == ' ' || *line == '\r'))
        line++;
    cells->count = 0;
    cells->separator = ' ';
    *cut = 0;
    if (line < stop)
        split(line, (size_t)(stop - line), cells, cut);
    return 1;
}

int weft_cell_number(const weft_cells *cells, int index, double *number) {
    char text[WEFT_CELL_SIZE];
    if (index >= cells->count || !cells->text[index][0])
        return 0;
    strcpy(text, cells->text[index]);
    char *comma = strchr(text, ',');
    if (comma && cells->separator != ',' && !strchr(text, '.'))
        *comma = '.';
    return weft_real_read(text, strlen(text), number);
}

void weft_cell_unit(const char *cell, char name[WEFT_CELL_SIZE], char unit[WEFT_CELL_SIZE]) {
    size_t length = strcspn(cell, "([");
    unit[0] = '\0';
    if (cell[length]) {
        char close = cell[length] == '(' ? ')' : ']';
        const char *from = cell + length + 1, *to = strrchr(from, close);
        size_t size = to ? (size_t)(to - from) : strlen(from);
        memcpy(unit, from, size);
        unit[size] = '\0';
    }
    while (length > 0 && is_space(cell[length - 1]))
        length--;
    for (size_t i = 0; i < length; i++)
        name[i] = (char)(cell[i] >= 'A' && cell[i] <= 'Z' ? cell[i] - 'A' + 'a' : cell[i]);
    name[length] = '\0';
}
