/* Parses the header of a PLY file. Format: Turk, "The PLY Polygon File Format", 1994. */
#include "io/ply_header.h"

#include <string.h>

#include "io/text.h"

static const struct {
    const char *name, *alias;
    int size;
} TYPES[WEFT_PLY_TYPES] = {{"char", "int8", 1},     {"uchar", "uint8", 1},   {"short", "int16", 2},
                           {"ushort", "uint16", 2}, {"int", "int32", 4},     {"uint", "uint32", 4},
                           {"float", "float32", 4}, {"double", "float64", 8}};

int weft_ply_type_size(weft_ply_type type) { return TYPES[type].size; }

int weft_ply_find(const weft_ply_header *header, const weft_ply_element *element, const char *name) {
    for (int i = element->first; i < element->first + element->property_count; i++)
        if (strcmp(header->property[i].name, name) == 0)
            return i;
    return -1;
}

/* A header line split into words. Words longer than a name are cut and then match nothing. */
enum { WORDS = 6 };
typedef struct line {
    char word[WORDS][WEFT_PLY_NAME];
    int count;
} line;

typedef struct reader {
    const char *bytes, *name;
    size_t size, at;
    int number; /* line number */
    int crlf;   /* line ends, as after the first line: 0 "\n", 1 "\r\n", 2 "\r" */
} reader;

static weft_result fail(const reader *r, const char *message, const char *word) {
    return weft_fail(WEFT_BAD_INPUT, "%.280s:%d: %s '%.60s'", r->name, r->number, message, word);
}

static void split(const char *text, size_t length, line *words) {
    *words = (line){0};
    for (size_t i = 0; i < length && words->count < WORDS;) {
        size_t start = i;
        while (i < length && text[i] != ' ' && text[i] != '\t')
            i++;
        size_t used = i - start < WEFT_PLY_NAME ? i - start : WEFT_PLY_NAME - 1;
        if (used > 0)
            memcpy(words->word[words->count++], text + start, used);
        i += i < length;
    }
}

/* In a binary file the data begins directly after "end_header", so the line end must be matched exactly. */
static weft_result next_line(reader *r, line *words) {
    const char *from = r->bytes + r->at;
    const char *stop = memchr(from, r->crlf == 2 ? '\r' : '\n', r->size - r->at);
    r->number++;
    if (!stop)
        return weft_fail(WEFT_BAD_INPUT, "%.280s:%d: truncated: the header has no 'end_header'", r->name, r->number);
    size_t length = (size_t)(stop - from);
    r->at += length + 1;
    split(from, length - (r->crlf == 1 && length > 0 && from[length - 1] == '\r'), words);
    return weft_ok();
}

static weft_result read_first_line(reader *r) {
    static const char *const ENDS[] = {"ply\n", "ply\r\n", "ply\r"};
    for (int i = 0; i < 3; i++) {
        size_t length = strlen(ENDS[i]);
        if (r->size >= length && memcmp(r->bytes, ENDS[i], length) == 0) {
            r->crlf = i;
            r->at = length;
            r->number = 1;
            return weft_ok();
        }
    }
    return weft_fail(WEFT_BAD_INPUT, "%.300s: not a PLY file: it does not begin with a line 'ply'", r->name);
}

static weft_result read_format(const reader *r, const line *l, weft_ply_header *h) {
    static const char *const FORMATS[] = {"ascii", "binary_little_endian", "binary_big_endian"};
    for (int i = 0; i < 3; i++)
        if (strcmp(l->word[1], FORMATS[i]) == 0) {
            h->format = (weft_ply_format)i;
            return weft_ok();
        }
    return fail(r, "unknown format", l->word[1]);
}

static weft_result read_element(const reader *r, const line *l, weft_ply_header *h) {
    double count = 0;
    if (l->count != 3 || !weft_real_read(l->word[2], strlen(l->word[2]), &count) || !(count >= 0 && count < 1e15) ||
        count != (double)(int64_t)count)
        return fail(r, "an element needs a name and a number of rows, not", l->word[2]);
    if (h->element_count == WEFT_PLY_ELEMENTS)
        return fail(r, "too many elements at", l->word[1]);
    for (int i = 0; i < h->element_count; i++)
        if (strcmp(h->element[i].name, l->word[1]) == 0)
            return fail(r, "a second element", l->word[1]);
    weft_ply_element *e = &h->element[h->element_count++];
    memcpy(e->name, l->word[1], sizeof e->name);
    e->count = (int64_t)count;
    e->first = h->property_count;
    return weft_ok();
}

static weft_result read_type(const reader *r, const char *word, weft_ply_type *type) {
    for (int i = 0; i < WEFT_PLY_TYPES; i++)
        if (strcmp(word, TYPES[i].name) == 0 || strcmp(word, TYPES[i].alias) == 0) {
            *type = (weft_ply_type)i;
            return weft_ok();
        }
    return fail(r, "unknown type", word);
}

static weft_result read_property(const reader *r, const line *l, weft_ply_header *h) {
    int is_list = strcmp(l->word[1], "list") == 0;
    if (l->count != (is_list ? 5 : 3))
        return fail(r, "a property needs a type and a name:", l->word[1]);
    if (h->element_count == 0)
        return fail(r, "a property before the first element:", l->word[2]);
    if (h->property_count == WEFT_PLY_PROPERTIES)
        return fail(r, "too many properties at", l->word[l->count - 1]);
    weft_ply_property *p = &h->property[h->property_count];
    p->is_list = is_list;
    if (is_list) {
        WEFT_TRY(read_type(r, l->word[2], &p->count_type));
        if (p->count_type >= WEFT_PLY_FLOAT)
            return fail(r, "a list needs a whole number as its count, not", l->word[2]);
    }
    WEFT_TRY(read_type(r, l->word[is_list ? 3 : 1], &p->type));
    memcpy(p->name, l->word[l->count - 1], sizeof p->name);
    weft_ply_element *e = &h->element[h->element_count - 1];
    if (weft_ply_find(h, e, p->name) >= 0)
        return fail(r, "a second property", p->name);
    h->property_count++;
    e->property_count++;
    return weft_ok();
}

weft_result weft_ply_header_read(const char *bytes, size_t size, const char *name, weft_ply_header *header) {
    reader r = {.bytes = bytes, .size = size, .name = name};
    int formats = 0;
    *header = (weft_ply_header){0};
    WEFT_TRY(read_first_line(&r));
    for (;;) {
        line l = {0};
        WEFT_TRY(next_line(&r, &l));
        const char *word = l.word[0];
        if (strcmp(word, "end_header") == 0)
            break;
        if (strcmp(word, "format") == 0) {
            formats++;
            WEFT_TRY(read_format(&r, &l, header));
        } else if (strcmp(word, "element") == 0) {
            WEFT_TRY(read_element(&r, &l, header));
        } else if (strcmp(word, "property") == 0) {
            WEFT_TRY(read_property(&r, &l, header));
        } else if (strcmp(word, "comment") == 0 && l.count > 1 && strcmp(l.word[1], "Weft") == 0) {
            header->is_ours = 1;
        } else if (l.count > 0 && strcmp(word, "comment") != 0 && strcmp(word, "obj_info") != 0) {
            return fail(&r, "unknown statement", word);
        }
    }
    if (formats != 1)
        return weft_fail(WEFT_BAD_INPUT, "%.300s: the header needs one 'format' line, %d are there", name, formats);
    header->size = r.at;
    header->lines = r.number;
    return weft_ok();
}
