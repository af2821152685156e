/* Reads and writes inputs as text. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "io/file.h"
#include "io/inputs.h"
#include "io/text.h"

static const char HEADING[] = "weft inputs 1";

/* The arguments that follow the keyword of each kind. */
typedef enum shape {
    SHAPE_VALUE,    /* a path, then the rest of the line */
    SHAPE_NAME,     /* one word */
    SHAPE_INDEX,    /* an index */
    SHAPE_VERTICES, /* an index, then vertices */
    SHAPE_PLACES,   /* an index, then vertices with a point each */
    SHAPE_POINTS    /* an index, then points */
} shape;

typedef struct kind_row {
    const char *word;
    shape shape;
    int32_t least, most; /* number of points, for SHAPE_POINTS */
} kind_row;

static const kind_row KINDS[] = {
    [WEFT_INPUT_SET] = {"set", SHAPE_VALUE, 0, 0},
    [WEFT_INPUT_DRAG] = {"drag", SHAPE_PLACES, 0, 0},
    [WEFT_INPUT_RELEASE] = {"release", SHAPE_VERTICES, 0, 0},
    [WEFT_INPUT_PIN] = {"pin", SHAPE_PLACES, 0, 0},
    [WEFT_INPUT_FREE] = {"free", SHAPE_VERTICES, 0, 0},
    [WEFT_INPUT_CUT] = {"cut", SHAPE_POINTS, 3, INT32_MAX},
    [WEFT_INPUT_ADD_FORCE] = {"add-force", SHAPE_NAME, 0, 0},
    [WEFT_INPUT_REMOVE_FORCE] = {"remove-force", SHAPE_INDEX, 0, 0},
    [WEFT_INPUT_MOVE_BODY] = {"move-body", SHAPE_POINTS, 2, 2},
};
enum { KIND_COUNT = sizeof KINDS / sizeof KINDS[0] };

/* -- reading -- */

typedef struct reader {
    const char *name;
    int32_t line;
    char *at; /* position in the line, which ends with a 0 byte */
    int32_t *vertex;
    weft_vec3 *point;
    int32_t vertex_room, point_room;
} reader;

static weft_result fail_at(const reader *r, const char *word, const char *wanted) {
    return weft_fail(WEFT_BAD_INPUT, "%.200s:%d: '%.60s': %s", r->name, r->line, word, wanted);
}

/* Returns the next word, or "" at the end of the line. */
static char *next_word(reader *r) {
    r->at += strspn(r->at, " ");
    char *word = r->at;
    r->at += strcspn(r->at, " ");
    if (*r->at)
        *r->at++ = '\0';
    return word;
}

static weft_result read_whole(reader *r, int64_t most, int64_t *number) {
    const char *word = next_word(r);
    char *end;
    errno = 0;
    long long read = strtoll(word, &end, 10);
    if (end == word || *end || errno != 0 || read < 0 || read > most)
        return fail_at(r, word, "a whole number from 0 on is needed");
    *number = read;
    return weft_ok();
}

static weft_result read_index(reader *r, int32_t *index) {
    int64_t number;
    WEFT_TRY(read_whole(r, INT32_MAX, &number));
    *index = (int32_t)number;
    return weft_ok();
}

static weft_result read_point(reader *r, weft_vec3 *point) {
    double *number[3] = {&point->x, &point->y, &point->z};
    for (int i = 0; i < 3; i++) {
        const char *word = next_word(r);
        if (!weft_real_read(word, strlen(word), number[i]))
            return fail_at(r, word, "a number is needed");
    }
    return weft_ok();
}

static weft_result grow(void **array, int32_t *room, int32_t count, size_t size) {
    if (count < *room)
        return weft_ok();
    int32_t wanted = *room > 0 ? 2 * *room : 16;
    void *grown = realloc(*array, (size_t)wanted * size);
    if (!grown)
        return weft_fail_memory("an input", (size_t)wanted * size);
    *array = grown;
    *room = wanted;
    return weft_ok();
}

static int is_at_end(reader *r) {
    r->at += strspn(r->at, " ");
    return *r->at == '\0';
}

static weft_result read_lists(reader *r, const kind_row *row, weft_input *input) {
    WEFT_TRY(read_index(r, &input->index));
    while (!is_at_end(r)) {
        if (row->shape != SHAPE_POINTS) {
            WEFT_TRY(grow((void **)&r->vertex, &r->vertex_room, input->vertex_count, sizeof *r->vertex));
            WEFT_TRY(read_index(r, &r->vertex[input->vertex_count]));
            input->vertex_count++;
        }
        if (row->shape != SHAPE_VERTICES) {
            WEFT_TRY(grow((void **)&r->point, &r->point_room, input->point_count, sizeof *r->point));
            WEFT_TRY(read_point(r, &r->point[input->point_count]));
            input->point_count++;
        }
    }
    input->vertex = r->vertex;
    input->point = r->point;
    if (row->shape == SHAPE_POINTS && (input->point_count < row->least || input->point_count > row->most))
        return fail_at(r, row->word,
                       row->most == 2 ? "needs a position and three angles, X Y Z RX RY RZ"
                                      : "needs the eye and two rays or more, with 3 numbers each");
    if (row->shape == SHAPE_PLACES && input->vertex_count == 0)
        return fail_at(r, row->word, "needs a vertex and its position");
    return weft_ok();
}

static weft_result fail_kind(const reader *r, const char *word) {
    char wanted[160] = "no such input; allowed:";
    for (int kind = 0; kind < KIND_COUNT; kind++) {
        size_t used = strlen(wanted);
        snprintf(wanted + used, sizeof wanted - used, "%s %s", kind > 0 ? "," : "", KINDS[kind].word);
    }
    return fail_at(r, word, wanted);
}

static weft_result read_line(reader *r, int64_t earliest, weft_input *input) {
    *input = (weft_input){.line = r->line};
    WEFT_TRY(read_whole(r, INT64_MAX, &input->step));
    if (input->step < earliest)
        return weft_fail(WEFT_BAD_INPUT,
                         "%.200s:%d: step %" PRId64 " comes after step %" PRId64 "; steps must not decrease", r->name,
                         r->line, input->step, earliest);
    const char *word = next_word(r);
    int kind = 0;
    while (kind < KIND_COUNT && strcmp(KINDS[kind].word, word) != 0)
        kind++;
    if (kind == KIND_COUNT)
        return fail_kind(r, word);
    input->kind = (weft_input_kind)kind;
    switch (KINDS[kind].shape) {
    case SHAPE_VALUE:
    case SHAPE_NAME:
        input->text = next_word(r);
        if (!input->text[0])
            return fail_at(r, word,
                           kind == WEFT_INPUT_SET ? "a path is missing, as in set air.temperature 20"
                                                  : "the name of a force is missing");
        r->at += strspn(r->at, " ");
        if (KINDS[kind].shape == SHAPE_VALUE) {
            input->value = r->at;
            r->at += strlen(r->at);
        }
        break;
    case SHAPE_INDEX:
        WEFT_TRY(read_index(r, &input->index));
        break;
    default:
        WEFT_TRY(read_lists(r, &KINDS[kind], input));
    }
    return is_at_end(r) ? weft_ok() : fail_at(r, r->at, "unexpected text at the end of the line");
}

/* Modifies `text`. */
static weft_result read_lines(reader *r, char *text, weft_inputs *inputs) {
    char *rest = text;
    int64_t step = 0;
    while (*rest) {
        char *line = rest;
        size_t length = strcspn(line, "\n");
        rest = line[length] ? line + length + 1 : line + length;
        line[length] = '\0';
        r->line++;
        r->at = line;
        if (r->line == 1) {
            if (strcmp(line, HEADING) != 0)
                return weft_fail(WEFT_BAD_INPUT, "%.300s:1: not a file of inputs: the first line must be '%s'", r->name,
                                 HEADING);
        } else if (!is_at_end(r)) {
            weft_input input;
            WEFT_TRY(read_line(r, step, &input));
            WEFT_TRY(weft_inputs_add(inputs, &input));
            step = input.step;
        }
    }
    return r->line > 0 ? weft_ok() : weft_fail(WEFT_BAD_INPUT, "%.300s: empty", r->name);
}

weft_result weft_inputs_read_memory(const char *bytes, size_t size, const char *name, weft_inputs *inputs) {
    *inputs = (weft_inputs){0};
    size_t length = strlen(name);
    memcpy(inputs->name, name, length < sizeof inputs->name ? length : sizeof inputs->name - 1);
    if (size > 0 && memchr(bytes, '\0', size))
        return weft_fail(WEFT_BAD_INPUT, "%.300s: a 0 byte: this is not text", name);
    char *text = malloc(size + 1);
    if (!text)
        return weft_fail_memory(name, size + 1);
    if (size > 0)
        memcpy(text, bytes, size);
    text[size] = '\0';
    reader r = {.name = name};
    weft_result result = read_lines(&r, text, inputs);
    free(r.point);
    free(r.vertex);
    free(text);
    return result;
}

weft_result weft_inputs_read(const char *path, weft_inputs *inputs) {
    *inputs = (weft_inputs){0};
    char *bytes;
    size_t size;
    WEFT_TRY(weft_file_read(path, &bytes, &size));
    weft_result result = weft_inputs_read_memory(bytes, size, path, inputs);
    free(bytes);
    return result;
}

/* -- writing -- */

static void write_point(weft_output *output, weft_vec3 p) {
    const double number[3] = {p.x, p.y, p.z};
    for (int i = 0; i < 3; i++) {
        char text[WEFT_REAL_SIZE];
        size_t length = weft_real_write_exact(number[i], text);
        weft_output_print(output, " %.*s", (int)length, text);
    }
}

static void write_input(weft_output *output, const weft_input *input) {
    const kind_row *row = &KINDS[input->kind];
    weft_output_print(output, "%" PRId64 " %s", input->step, row->word);
    if (row->shape == SHAPE_VALUE)
        weft_output_print(output, " %s %s", input->text, input->value);
    else if (row->shape == SHAPE_NAME)
        weft_output_print(output, " %s", input->text);
    else
        weft_output_print(output, " %d", input->index);
    int32_t count = row->shape == SHAPE_POINTS ? input->point_count : input->vertex_count;
    for (int32_t i = 0; i < count; i++) {
        if (row->shape != SHAPE_POINTS)
            weft_output_print(output, " %d", input->vertex[i]);
        if (row->shape != SHAPE_VERTICES)
            write_point(output, input->point[i]);
    }
    weft_output_print(output, "\n");
}

weft_result weft_inputs_write(const weft_inputs *inputs, int64_t step, const char *path) {
    weft_output output;
    WEFT_TRY(weft_output_open(&output, path));
    weft_output_print(&output, "%s\n", HEADING);
    for (int32_t i = 0; i < inputs->count && inputs->input[i].step < step; i++)
        write_input(&output, &inputs->input[i]);
    return weft_output_commit(&output);
}
