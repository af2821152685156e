/* Reads YAML scene files into value trees, and resolves includes. */
#include "weft-io/yaml.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <yaml.h>

#include "io/file.h"
#include "io/text.h"
#include "weft/sort.h"
#include "weft/text.h"

enum { MOST_BYTES = 16 << 20, MOST_DEPTH = 64, MOST_NODES = 100000, MOST_INCLUDES = 8, MOST_FILES = 64 };

/* Limits shared by all files of a scene, so that includes cannot multiply them. */
typedef struct budget {
    weft_tree *tree;
    int nodes, files;
    int is_option; /* the value of --set: its root may be a list, and messages quote the text */
} budget;

typedef struct reader {
    yaml_parser_t parser;
    const char *bytes, *name;
    size_t size; /* of bytes */
    budget *budget;
} reader;

static int line_of(yaml_mark_t mark) { return (int)mark.line + 1; }

static weft_result fail_at(const reader *r, int line, const char *message) {
    return weft_fail(WEFT_BAD_INPUT, "%.280s:%d: %s", r->name, line, message);
}

/* Encoding errors have a byte offset but no line. */
static int line_at_offset(const char *bytes, size_t offset) {
    int line = 1;
    for (size_t i = 0; i < offset; i++)
        line += bytes[i] == '\n';
    return line;
}

/* Whether a tab is among the spaces that begin a line (counting from 1). */
static int is_tab_indented(const reader *r, int line) {
    const char *at = r->bytes, *end = at + r->size;
    for (; line > 1 && at < end; at++)
        line -= *at == '\n';
    while (at < end && *at == ' ')
        at++;
    return at < end && *at == '\t';
}

static weft_result fail_parser(const reader *r) {
    const yaml_parser_t *p = &r->parser;
    char message[200];
    if (p->error == YAML_MEMORY_ERROR)
        return weft_fail_memory(r->name, sizeof(yaml_token_t));
    const char *problem = p->problem ? p->problem : "not YAML";
    if (p->error == YAML_READER_ERROR)
        return fail_at(r, line_at_offset(r->bytes, p->problem_offset), problem);
    if (r->budget->is_option) {
        const char *at = r->bytes;
        for (size_t i = 0; i < p->problem_mark.index; i++)
            at += weft_utf8_length(at);
        snprintf(message, sizeof message, *at ? "%s at '%.40s'" : "%s at the end", problem, at);
        return fail_at(r, 1, message);
    }
    if (is_tab_indented(r, line_of(p->problem_mark)))
        return fail_at(r, line_of(p->problem_mark), "indented with a tab; YAML allows only spaces");
    if (!p->context)
        return fail_at(r, line_of(p->problem_mark), problem);
    snprintf(message, sizeof message, "%s (%s that began in line %d)", problem, p->context, line_of(p->context_mark));
    return fail_at(r, line_of(p->problem_mark), message);
}

/* After success the caller must delete `event`. */
static weft_result next_event(reader *r, yaml_event_t *event) {
    return yaml_parser_parse(&r->parser, event) ? weft_ok() : fail_parser(r);
}

static weft_result scalar_text(const reader *r, const yaml_event_t *event, const char **text) {
    *text = (const char *)event->data.scalar.value;
    if (strlen(*text) != event->data.scalar.length)
        return fail_at(r, line_of(event->start_mark), "a text with a 0 character is not allowed");
    if (weft_printable((char *)event->data.scalar.value, "\t\n") > 0)
        return fail_at(r, line_of(event->start_mark), "a text with a control character is not allowed");
    return weft_ok();
}

/* -- duplicate keys: found by sorting, because comparing all pairs would take minutes on a hostile file -- */

static int compare_keys(const void *a, const void *b) {
    const weft_value *const *first = a, *const *second = b;
    int order = strcmp((*first)->key, (*second)->key);
    return order ? order : ((*first)->line > (*second)->line) - ((*first)->line < (*second)->line);
}

static weft_result check_keys(const reader *r, const weft_value *map) {
    if (map->count < 2)
        return weft_ok();
    const size_t bytes = (size_t)map->count * sizeof(void *);
    const weft_value **sorted = malloc(bytes);
    if (!sorted)
        return weft_fail_memory(r->name, bytes);
    int count = 0;
    for (const weft_value *child = map->first; child; child = child->next)
        sorted[count++] = child;
    weft_sort(sorted, (size_t)count, sizeof(void *), compare_keys);
    weft_result result = weft_ok();
    for (int i = 1; i < count && result.code == WEFT_OK; i++)
        if (strcmp(sorted[i - 1]->key, sorted[i]->key) == 0)
            result = weft_fail(WEFT_BAD_INPUT, "%.280s:%d: the key '%.64s' was given before, in line %d", r->name,
                               sorted[i]->line, sorted[i]->key, sorted[i - 1]->line);
    free(sorted);
    return result;
}

/* -- nodes -- */

static weft_result read_node(reader *r, const yaml_event_t *event, int depth, weft_value **node);

static weft_result read_list(reader *r, int depth, weft_value *list) {
    for (;;) {
        yaml_event_t event;
        WEFT_TRY(next_event(r, &event));
        if (event.type == YAML_SEQUENCE_END_EVENT) {
            yaml_event_delete(&event);
            return weft_ok();
        }
        weft_value *child = NULL;
        weft_result result = read_node(r, &event, depth, &child);
        yaml_event_delete(&event);
        WEFT_TRY(result);
        weft_value_append(list, child);
    }
}

/* Reads the key as a node of its own, so that the tree owns its text. */
static weft_result read_key(reader *r, const yaml_event_t *event, weft_value **key) {
    if (event->type != YAML_SCALAR_EVENT && event->type != YAML_ALIAS_EVENT)
        return fail_at(r, line_of(event->start_mark), "a key must be a single word or text");
    return read_node(r, event, 0, key);
}

static weft_result read_entry(reader *r, const yaml_event_t *key_event, int depth, weft_value *map) {
    weft_value *key = NULL, *child = NULL;
    WEFT_TRY(read_key(r, key_event, &key));
    yaml_event_t event;
    WEFT_TRY(next_event(r, &event));
    weft_result result = read_node(r, &event, depth, &child);
    yaml_event_delete(&event);
    WEFT_TRY(result);
    assert(key && child);
    child->key = key->text;
    child->line = key->line; /* messages point at the key, even if the value is on the next line */
    weft_value_append(map, child);
    return weft_ok();
}

static weft_result read_map(reader *r, int depth, weft_value *map) {
    for (;;) {
        yaml_event_t event;
        WEFT_TRY(next_event(r, &event));
        if (event.type == YAML_MAPPING_END_EVENT) {
            yaml_event_delete(&event);
            return check_keys(r, map);
        }
        weft_result result = read_entry(r, &event, depth, map);
        yaml_event_delete(&event);
        WEFT_TRY(result);
    }
}

/* Whether a tag only restates the kind of the value, as !!str and !!map do. */
static int says_kind(const char *tag, const yaml_event_t *event) {
    static const char *const TEXT[] = {YAML_STR_TAG, YAML_INT_TAG, YAML_FLOAT_TAG, YAML_BOOL_TAG, YAML_NULL_TAG};
    if (event->type != YAML_SCALAR_EVENT)
        return strcmp(tag, event->type == YAML_SEQUENCE_START_EVENT ? YAML_SEQ_TAG : YAML_MAP_TAG) == 0;
    for (size_t i = 0; i < sizeof TEXT / sizeof TEXT[0]; i++)
        if (strcmp(tag, TEXT[i]) == 0)
            return 1;
    return strcmp(tag, "!") == 0;
}

static weft_result check_tag(const reader *r, const yaml_event_t *event) {
    const yaml_char_t *tag = event->type == YAML_SCALAR_EVENT           ? event->data.scalar.tag
                             : event->type == YAML_SEQUENCE_START_EVENT ? event->data.sequence_start.tag
                                                                        : event->data.mapping_start.tag;
    if (!tag || says_kind((const char *)tag, event))
        return weft_ok();
    return weft_fail(WEFT_BAD_INPUT, "%.280s:%d: tags (%.64s) are not allowed; write the value alone", r->name,
                     line_of(event->start_mark), (const char *)tag);
}

static weft_result make_node(reader *r, const yaml_event_t *event, weft_value **node) {
    weft_tree *tree = r->budget->tree;
    int line = line_of(event->start_mark);
    if (++r->budget->nodes > MOST_NODES)
        return weft_fail(WEFT_BAD_INPUT, "%.280s:%d: more than %d values", r->name, line, MOST_NODES);
    if (event->type == YAML_SCALAR_EVENT) {
        const char *text;
        WEFT_TRY(scalar_text(r, event, &text));
        *node = weft_tree_text(tree, text, r->name, line);
    } else {
        *node = event->type == YAML_SEQUENCE_START_EVENT ? weft_tree_list(tree, r->name, line)
                                                         : weft_tree_map(tree, r->name, line);
    }
    return *node ? weft_ok() : weft_fail_memory(r->name, sizeof **node);
}

static weft_result read_node(reader *r, const yaml_event_t *event, int depth, weft_value **node) {
    if (event->type == YAML_ALIAS_EVENT)
        return weft_fail(WEFT_BAD_INPUT, "%.280s:%d: aliases (*%.64s) are not allowed; write the value out", r->name,
                         line_of(event->start_mark), (const char *)event->data.alias.anchor);
    if (depth > MOST_DEPTH)
        return weft_fail(WEFT_BAD_INPUT, "%.280s:%d: lists and maps nest deeper than %d", r->name,
                         line_of(event->start_mark), MOST_DEPTH);
    WEFT_TRY(check_tag(r, event));
    WEFT_TRY(make_node(r, event, node));
    if (event->type == YAML_SEQUENCE_START_EVENT)
        return read_list(r, depth + 1, *node);
    if (event->type == YAML_MAPPING_START_EVENT)
        return read_map(r, depth + 1, *node);
    return weft_ok();
}

/* -- documents -- */

static weft_result read_root(reader *r, const yaml_event_t *event, weft_value **root) {
    WEFT_TRY(read_node(r, event, 1, root));
    assert(*root);
    if ((*root)->kind == WEFT_VALUE_TEXT && (*root)->text[0] == '\0')
        (*root)->kind = WEFT_VALUE_MAP; /* "---" without content */
    if ((*root)->kind != WEFT_VALUE_MAP && !r->budget->is_option)
        return fail_at(r, (*root)->line, "the top level needs named values, as in 'key: value'");
    return weft_ok();
}

static weft_result read_stream(reader *r, weft_value **root) {
    int documents = 0;
    for (;;) {
        yaml_event_t event;
        WEFT_TRY(next_event(r, &event));
        weft_result result = weft_ok();
        yaml_event_type_t type = event.type;
        if (type == YAML_DOCUMENT_START_EVENT && ++documents > 1)
            result = fail_at(r, line_of(event.start_mark), "a second document; one file holds one scene");
        else if (type == YAML_SCALAR_EVENT || type == YAML_ALIAS_EVENT || type == YAML_SEQUENCE_START_EVENT ||
                 type == YAML_MAPPING_START_EVENT)
            result = read_root(r, &event, root);
        yaml_event_delete(&event);
        WEFT_TRY(result);
        if (type == YAML_STREAM_END_EVENT)
            break;
    }
    if (!*root && !(*root = weft_tree_map(r->budget->tree, r->name, 1)))
        return weft_fail_memory(r->name, sizeof **root);
    return weft_ok();
}

static weft_result read_document(budget *b, const char *bytes, size_t size, const char *name, weft_value **root) {
    *root = NULL;
    if (size > MOST_BYTES)
        return weft_fail(WEFT_BAD_INPUT, "%.280s: %zu bytes, at most %d are allowed", name, size, MOST_BYTES);
    reader r = {.bytes = bytes, .name = name, .size = size, .budget = b};
    if (!yaml_parser_initialize(&r.parser))
        return weft_fail_memory(name, sizeof r.parser);
    yaml_parser_set_input_string(&r.parser, (const unsigned char *)bytes, size);
    weft_result result = read_stream(&r, root);
    yaml_parser_delete(&r.parser);
    return result;
}

/* -- includes -- */

/* The files being read, innermost first, to detect cycles. */
typedef struct chain {
    const struct chain *outer;
    dev_t device;
    ino_t file;
    int depth;
} chain;

static weft_result read_file(budget *b, const char *path, const chain *outer, weft_value **root);

static weft_result fail_include(const weft_value *value, const char *message) {
    char place[320];
    weft_value_place(value, place, sizeof place);
    return weft_fail(WEFT_BAD_INPUT, "%sinclude: %.180s", place, message);
}

/* Moves the entries of `from` to `into`. They replace entries with the same name. */
static weft_result merge(weft_tree *tree, weft_value *into, weft_value *from) {
    weft_value *next;
    for (weft_value *child = from->first; child; child = next) {
        next = child->next;
        WEFT_TRY(weft_value_put(tree, into, child->key, child));
    }
    return weft_ok();
}

static weft_result include_one(budget *b, const char *path, const weft_value *value, const chain *here,
                               weft_value *into) {
    char joined[1024];
    if (value->kind != WEFT_VALUE_TEXT || value->text[0] == '\0')
        return fail_include(value, "needs the name of a file, or a list of names");
    WEFT_TRY(weft_path_beside(path, value->text, joined, sizeof joined));
    weft_value *included = NULL;
    weft_result result = read_file(b, joined, here, &included);
    if (result.code == WEFT_BAD_FILE)
        return fail_include(value, result.message);
    WEFT_TRY(result);
    return merge(b->tree, into, included);
}

static weft_result resolve(budget *b, const char *path, const chain *here, weft_value **root) {
    const weft_value *include = weft_value_find(*root, "include");
    if (!include)
        return weft_ok();
    weft_value *whole = weft_tree_map(b->tree, path, (*root)->line);
    if (!whole)
        return weft_fail_memory(path, sizeof *whole);
    if (include->kind == WEFT_VALUE_LIST) {
        for (const weft_value *one = include->first; one; one = one->next)
            WEFT_TRY(include_one(b, path, one, here, whole));
    } else {
        WEFT_TRY(include_one(b, path, include, here, whole));
    }
    weft_value *own = *root, *next;
    for (weft_value *child = own->first; child; child = next) {
        next = child->next;
        if (child != include)
            WEFT_TRY(weft_value_put(b->tree, whole, child->key, child));
    }
    *root = whole;
    return weft_ok();
}

static weft_result check_chain(const char *path, const chain *here) {
    if (here->depth > MOST_INCLUDES)
        return weft_fail(WEFT_BAD_FILE, "%.300s: includes nest deeper than %d", path, MOST_INCLUDES);
    for (const chain *c = here->outer; c; c = c->outer)
        if (c->device == here->device && c->file == here->file)
            return weft_fail(WEFT_BAD_FILE, "%.300s: a file that includes itself", path);
    return weft_ok();
}

static weft_result read_file(budget *b, const char *path, const chain *outer, weft_value **root) {
    struct stat status;
    chain here = {.outer = outer, .depth = outer ? outer->depth + 1 : 0};
    if (stat(path, &status) == 0) {
        here.device = status.st_dev;
        here.file = status.st_ino;
        WEFT_TRY(check_chain(path, &here));
    }
    if (++b->files > MOST_FILES)
        return weft_fail(WEFT_BAD_FILE, "%.300s: more than %d files are included", path, MOST_FILES - 1);
    char *bytes;
    size_t size;
    WEFT_TRY(weft_file_read_most(path, MOST_BYTES, &bytes, &size));
    weft_result result = read_document(b, bytes, size, path, root);
    free(bytes);
    WEFT_TRY(result);
    assert(*root);
    return resolve(b, path, &here, root);
}

static weft_result finish(budget *b, weft_result result, weft_value *root, weft_tree **tree) {
    if (result.code != WEFT_OK) {
        weft_tree_destroy(b->tree);
        return result;
    }
    weft_tree_set_root(b->tree, root);
    *tree = b->tree;
    return result;
}

weft_result weft_yaml_read(const char *path, weft_tree **tree) {
    budget b = {0};
    weft_value *root = NULL;
    *tree = NULL;
    WEFT_TRY(weft_tree_create(&b.tree));
    weft_result result = read_file(&b, path, NULL, &root);
    return finish(&b, result, root, tree);
}

weft_result weft_yaml_read_stdin(const char *name, weft_tree **tree) {
    static const chain HERE = {0};
    budget b = {.files = 1};
    weft_value *root = NULL;
    char *bytes;
    size_t size;
    *tree = NULL;
    WEFT_TRY(weft_file_read_most("/dev/stdin", MOST_BYTES, &bytes, &size));
    weft_result result = weft_tree_create(&b.tree);
    if (result.code == WEFT_OK)
        result = read_document(&b, bytes, size, name, &root);
    free(bytes);
    if (result.code == WEFT_OK)
        result = resolve(&b, name, &HERE, &root);
    return finish(&b, result, root, tree);
}

weft_result weft_yaml_read_memory(const char *bytes, size_t size, const char *name, weft_tree **tree) {
    budget b = {0};
    weft_value *root = NULL;
    *tree = NULL;
    WEFT_TRY(weft_tree_create(&b.tree));
    weft_result result = read_document(&b, bytes, size, name, &root);
    return finish(&b, result, root, tree);
}

/* -- options -- */

static void forget_lines(weft_value *value) {
    value->line = 0;
    for (weft_value *child = value->first; child; child = child->next)
        forget_lines(child);
}

weft_result weft_yaml_set(weft_tree *tree, const char *path, const char *text) {
    if (text[0] != '[' && text[0] != '{')
        return weft_tree_set(tree, path, text);
    budget b = {.tree = tree, .is_option = 1};
    weft_value *value = NULL;
    weft_result result = read_document(&b, text, strlen(text), "--set", &value);
    if (result.code == WEFT_BAD_INPUT) /* "--set:1: ..." */
        return weft_fail(WEFT_BAD_INPUT, "--set %.120s%s", path, strstr(result.message, ": "));
    WEFT_TRY(result);
    forget_lines(value);
    return weft_tree_put(tree, path, value);
}
