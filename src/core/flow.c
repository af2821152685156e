/* The flow style of YAML (https://yaml.org/spec/1.2.2, chapter 7) as far as scenes need it: lists, maps, plain and
 * quoted scalars, on one line and without comments, tags and anchors. */
#include "core/flow.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DEPTH = 16 };

typedef struct flow {
    weft_tree *tree;
    const char *file, *path;
    const char *at; /* what is left of the text */
    char *word;     /* the last scalar: room for all of the text */
} flow;

static weft_result fail_at(const flow *f, const char *what) {
    if (!*f->at)
        return weft_fail(WEFT_BAD_INPUT, "%s %.120s: %s at the end", f->file, f->path, what);
    return weft_fail(WEFT_BAD_INPUT, "%s %.120s: %s at '%.40s'", f->file, f->path, what, f->at);
}

static void skip_space(flow *f) {
    while (isspace((unsigned char)*f->at))
        f->at++;
}

/* Whether the next character is `wanted`, which is then passed over. */
static int take(flow *f, char wanted) {
    skip_space(f);
    if (*f->at != wanted)
        return 0;
    f->at++;
    return 1;
}

/* "a \" b", or 'a '' b'. */
static weft_result read_quoted(flow *f) {
    char quote = *f->at++, *to = f->word;
    for (;; f->at++) {
        if (!*f->at)
            return fail_at(f, "a quote is missing");
        if (*f->at == quote && (quote == '"' || f->at[1] != quote))
            break;
        if (f->at[0] == (quote == '"' ? '\\' : '\'') && f->at[1])
            f->at++;
        *to++ = *f->at;
    }
    f->at++;
    *to = '\0';
    return weft_ok();
}

/* A ':' before a space or the end is that of a key, so that what stands before it belongs to two values. */
static int has_key(const char *word) {
    for (const char *c = word; (c = strchr(c, ':')); c++)
        if (!c[1] || isspace((unsigned char)c[1]))
            return 1;
    return 0;
}

/* Up to one of `stops`, which are not part of it. */
static weft_result read_word(flow *f, const char *stops) {
    skip_space(f);
    if (*f->at == '"' || *f->at == '\'')
        return read_quoted(f);
    size_t length = strcspn(f->at, stops);
    const char *from = f->at;
    f->at += length;
    while (length > 0 && isspace((unsigned char)from[length - 1]))
        length--;
    memcpy(f->word, from, length);
    f->word[length] = '\0';
    if (has_key(f->word)) {
        f->at = from;
        return fail_at(f, "',' is missing, or quotes around a ':',");
    }
    return length > 0 ? weft_ok() : fail_at(f, "a value is missing");
}

static weft_result read_value(flow *f, int depth, weft_value **made);

static weft_result read_list(flow *f, int depth, weft_value *list) {
    while (!take(f, ']')) {
        weft_value *child;
        WEFT_TRY(read_value(f, depth + 1, &child));
        weft_value_append(list, child);
        skip_space(f);
        if (!take(f, ',') && *f->at != ']')
            return fail_at(f, "',' or ']' is missing");
    }
    return weft_ok();
}

static weft_result read_map(flow *f, int depth, weft_value *map) {
    while (!take(f, '}')) {
        WEFT_TRY(read_word(f, ":,]}"));
        weft_value *key = weft_tree_text(f->tree, f->word, f->file, 0), *child;
        if (!key)
            return weft_fail_memory(f->file, strlen(f->word));
        if (weft_value_find(map, key->text))
            return weft_fail(WEFT_BAD_INPUT, "%s %.120s: '%.64s' is given twice", f->file, f->path, key->text);
        if (!take(f, ':'))
            return fail_at(f, "':' is missing");
        WEFT_TRY(read_value(f, depth + 1, &child));
        WEFT_TRY(weft_value_put(f->tree, map, key->text, child));
        skip_space(f);
        if (!take(f, ',') && *f->at != '}')
            return fail_at(f, "',' or '}' is missing");
    }
    return weft_ok();
}

static weft_result read_value(flow *f, int depth, weft_value **made) {
    if (depth > MOST_DEPTH)
        return fail_at(f, "lists and maps nest too deep");
    int list = take(f, '['), map = !list && take(f, '{');
    if (!list && !map)
        WEFT_TRY(read_word(f, ",]}"));
    *made = list  ? weft_tree_list(f->tree, f->file, 0)
            : map ? weft_tree_map(f->tree, f->file, 0)
                  : weft_tree_text(f->tree, f->word, f->file, 0);
    if (!*made)
        return weft_fail_memory(f->file, strlen(f->word));
    return list ? read_list(f, depth, *made) : map ? read_map(f, depth, *made) : weft_ok();
}

weft_result weft_flow_read(weft_tree *tree, const char *text, const char *file, const char *path, weft_value **made) {
    size_t size = strlen(text) + 1;
    if (text[0] != '[' && text[0] != '{') {
        *made = weft_tree_text(tree, text, file, 0);
        return *made ? weft_ok() : weft_fail_memory(file, size);
    }
    flow f = {.tree = tree, .file = file, .path = path, .at = text, .word = calloc(size, 1)};
    if (!f.word)
        return weft_fail_memory(file, size);
    weft_result result = read_value(&f, 0, made);
    skip_space(&f);
    if (result.code == WEFT_OK && *f.at)
        result = fail_at(&f, "nothing more was expected");
    free(f.word);
    return result;
}
