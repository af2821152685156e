/* Trees of text values, lists and maps: the parsed form of scene files and of `--set`. */
#include <stdio.h>

#include "core/memory.h"
#include "core/require.h"
#include "weft/value.h"

struct weft_tree {
    weft_arena *arena;
    weft_value *root;
    const char *last_file;
};

weft_result weft_tree_create(weft_tree **tree) {
    WEFT_REQUIRE(tree);
    *tree = weft_allocate(1, sizeof **tree);
    if (*tree && ((*tree)->arena = weft_arena_create()))
        return weft_ok();
    free(*tree);
    *tree = NULL;
    return weft_fail_memory("a tree of values", sizeof **tree);
}

void weft_tree_destroy(weft_tree *tree) {
    if (!tree)
        return;
    weft_arena_destroy(tree->arena);
    free(tree);
}

weft_value *weft_tree_root(weft_tree *tree) { return tree->root; }

void weft_tree_set_root(weft_tree *tree, weft_value *root) { tree->root = root; }

static const char *keep_text(weft_tree *tree, const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = weft_arena_take(tree->arena, size, "a scene's text");
    return copy ? memcpy(copy, text, size) : NULL;
}

static weft_value *node(weft_tree *tree, weft_value_kind kind, const char *text, const char *file, int line) {
    weft_value *made = weft_arena_take(tree->arena, sizeof *made, "a scene's value");
    if (!tree->last_file || strcmp(tree->last_file, file) != 0)
        tree->last_file = keep_text(tree, file);
    const char *kept = text[0] ? keep_text(tree, text) : "";
    if (!made || !tree->last_file || !kept)
        return NULL;
    *made = (weft_value){.kind = kind, .file = tree->last_file, .line = line, .key = "", .text = kept};
    return made;
}

weft_value *weft_tree_text(weft_tree *tree, const char *text, const char *file, int line) {
    return node(tree, WEFT_VALUE_TEXT, text, file, line);
}

weft_value *weft_tree_list(weft_tree *tree, const char *file, int line) {
    return node(tree, WEFT_VALUE_LIST, "", file, line);
}

weft_value *weft_tree_map(weft_tree *tree, const char *file, int line) {
    return node(tree, WEFT_VALUE_MAP, "", file, line);
}

void weft_value_append(weft_value *list, weft_value *child) {
    child->next = NULL;
    if (list->last)
        list->last->next = child;
    else
        list->first = child;
    list->last = child;
    list->count++;
}

weft_result weft_value_put(weft_tree *tree, weft_value *map, const char *key, weft_value *child) {
    WEFT_REQUIRE(tree);
    WEFT_REQUIRE(map);
    WEFT_REQUIRE(key);
    WEFT_REQUIRE(child);
    const char *kept = keep_text(tree, key);
    if (!kept)
        return weft_fail_memory("a scene's key", strlen(key));
    child->key = kept;
    weft_value *old = weft_value_find(map, key);
    if (!old) {
        weft_value_append(map, child);
        return weft_ok();
    }
    weft_value *next = old->next;
    *old = *child;
    old->next = next;
    return weft_ok();
}

weft_value *weft_value_find(const weft_value *map, const char *key) {
    if (!map || map->kind != WEFT_VALUE_MAP)
        return NULL;
    for (weft_value *child = map->first; child; child = child->next)
        if (strcmp(child->key, key) == 0)
            return child;
    return NULL;
}

weft_value *weft_value_at(const weft_value *list, int index) {
    weft_value *child = list->first;
    while (child && index-- > 0)
        child = child->next;
    return child;
}

weft_value *weft_value_copy(weft_tree *tree, const weft_value *from) {
    weft_value *made = node(tree, from->kind, from->text, from->file, from->line);
    for (const weft_value *child = from->first; made && child; child = child->next) {
        weft_value *copy = weft_value_copy(tree, child);
        if (!copy || !(copy->key = child->key[0] ? keep_text(tree, child->key) : ""))
            return NULL;
        weft_value_append(made, copy);
    }
    return made;
}

void weft_value_place(const weft_value *value, char *buffer, size_t size) {
    if (value && value->file[0] && value->line > 0)
        snprintf(buffer, size, "%s:%d: ", value->file, value->line);
    else if (value && value->file[0])
        snprintf(buffer, size, "%s: ", value->file);
    else if (size > 0)
        buffer[0] = '\0';
}

/* -- paths: `--set cloth.fabric.density=0.3` -- */

static const char SET_FILE[] = "--set";

static weft_result set_at(weft_tree *tree, weft_value *at, const char *path, const char *whole,
                          const weft_value *value);

static int entry_matches(const weft_value *entry, int index, const char *part) {
    char number[16];
    snprintf(number, sizeof number, "%d", index);
    if (strcmp(part, number) == 0)
        return 1;
    const weft_value *name = weft_value_find(entry, "name");
    if (name && strcmp(name->text, part) == 0)
        return 1;
    if (entry->kind == WEFT_VALUE_TEXT)
        return strcmp(entry->text, part) == 0;
    return entry->kind == WEFT_VALUE_MAP && entry->count == 1 && strcmp(entry->first->key, part) == 0;
}

/* Whether the path goes on inside the only key of an entry such as `wind: {...}`. Entries of `forces` and `bodies` are
 * components, so that forces.0.speed and forces.0.wind.speed are the same. */
static int enters_key(const weft_value *list, const weft_value *entry, const char *part, const char *rest) {
    if (entry->kind != WEFT_VALUE_MAP || entry->count != 1 || !rest)
        return 0;
    const char *key = entry->first->key;
    size_t length = strlen(key);
    int components = list->key && (strcmp(list->key, "forces") == 0 || strcmp(list->key, "bodies") == 0);
    int named = strncmp(rest, key, length) == 0 && (rest[length] == '.' || rest[length] == '\0');
    return strcmp(key, part) == 0 || (components && !named);
}

/* Descends into a matching list entry. `wind: {...}` and a plain `wind` are entered through their only key. */
static weft_result set_in_entry(weft_tree *tree, const weft_value *list, weft_value *entry, const char *part,
                                const char *rest, const char *whole, const weft_value *value) {
    if (entry->kind == WEFT_VALUE_TEXT && rest) {
        weft_value *settings = weft_tree_map(tree, SET_FILE, 0);
        if (!settings)
            return weft_fail_memory("--set", sizeof *settings);
        const char *name = entry->text;
        entry->kind = WEFT_VALUE_MAP;
        entry->text = "";
        WEFT_TRY(weft_value_put(tree, entry, name, settings));
        return set_at(tree, settings, rest, whole, value);
    }
    if (enters_key(list, entry, part, rest)) {
        weft_value *settings = entry->first;
        if (settings->kind == WEFT_VALUE_TEXT && settings->text[0] == '\0')
            settings->kind = WEFT_VALUE_MAP; /* `wind:` with nothing after it */
        return set_at(tree, settings, rest, whole, value);
    }
    if (!rest)
        return weft_fail(WEFT_BAD_INPUT, "--set %s: names a whole entry; give one of its values", whole);
    return set_at(tree, entry, rest, whole, value);
}

static weft_result set_in_list(weft_tree *tree, weft_value *list, const char *part, const char *path, const char *rest,
                               const char *whole, const weft_value *value) {
    int index = 0, matches = 0;
    for (weft_value *entry = list->first; entry; entry = entry->next, index++)
        if (entry_matches(entry, index, part)) {
            matches++;
            WEFT_TRY(set_in_entry(tree, list, entry, part, rest, whole, value));
        }
    if (matches > 0)
        return weft_ok();
    int maps = 0;
    for (weft_value *entry = list->first; entry; entry = entry->next)
        if (entry->kind == WEFT_VALUE_MAP && (entry->count > 1 || weft_value_find(entry, "name"))) {
            maps++;
            WEFT_TRY(set_at(tree, entry, path, whole, value));
        }
    if (maps == 0)
        return weft_fail(WEFT_BAD_INPUT, "--set %s: no entry '%s' in the list", whole, part);
    return weft_ok();
}

static weft_result set_at(weft_tree *tree, weft_value *at, const char *path, const char *whole,
                          const weft_value *value) {
    const char *dot = strchr(path, '.');
    const char *rest = dot ? dot + 1 : NULL;
    size_t length = dot ? (size_t)(dot - path) : strlen(path);
    char part[64];
    if (length == 0 || length >= sizeof part)
        return weft_fail(WEFT_BAD_INPUT, "--set %s: not a path of names joined by '.'", whole);
    memcpy(part, path, length);
    part[length] = '\0';

    if (at->kind == WEFT_VALUE_LIST)
        return set_in_list(tree, at, part, path, rest, whole, value);
    if (at->kind != WEFT_VALUE_MAP)
        return weft_fail(WEFT_BAD_INPUT, "--set %s: there is a single value before '%s'", whole, part);
    if (!rest) {
        weft_value *copy = weft_value_copy(tree, value);
        return copy ? weft_value_put(tree, at, part, copy) : weft_fail_memory("--set", sizeof *copy);
    }
    weft_value *child = weft_value_find(at, part);
    if (!child) {
        child = weft_tree_map(tree, SET_FILE, 0);
        if (!child)
            return weft_fail_memory("--set", sizeof *child);
        WEFT_TRY(weft_value_put(tree, at, part, child));
    }
    if (child->kind == WEFT_VALUE_TEXT) { /* `model: springs` becomes `model: {name: springs}` */
        const char *name = child->text;
        child->kind = WEFT_VALUE_MAP;
        child->text = "";
        if (name[0]) {
            weft_value *named = weft_tree_text(tree, name, SET_FILE, 0);
            if (!named)
                return weft_fail_memory("--set", strlen(name));
            WEFT_TRY(weft_value_put(tree, child, "name", named));
        }
    }
    return set_at(tree, child, rest, whole, value);
}

weft_result weft_tree_put(weft_tree *tree, const char *path, const weft_value *value) {
    WEFT_REQUIRE(tree);
    WEFT_REQUIRE(path);
    WEFT_REQUIRE(value);
    if (!tree->root && !(tree->root = weft_tree_map(tree, SET_FILE, 0)))
        return weft_fail_memory("--set", sizeof *tree->root);
    return set_at(tree, tree->root, path, path, value);
}

/* Reads a list such as "[1, 0, 0]". Quotes and nested lists are not supported. */
static weft_result read_list(weft_tree *tree, const char *path, const char *text, weft_value *list) {
    char entry[64];
    int length = 0;
    if (strcmp(text, "[]") == 0)
        return weft_ok();
    for (const char *at = text; *at != ']'; at += length) {
        if (*text != '[' || sscanf(++at, " %63[^][{},'\"]%n", entry, &length) != 1 ||
            (at[length] != ',' && strcmp(at + length, "]") != 0))
            return weft_fail(WEFT_BAD_INPUT, "--set %.120s: '%.80s' is not a value or a list of values", path, text);
        for (size_t end = strlen(entry); end > 0 && entry[end - 1] == ' '; end--)
            entry[end - 1] = '\0';
        weft_value *item = weft_tree_text(tree, entry, SET_FILE, 0);
        if (!item)
            return weft_fail_memory("--set", sizeof *item);
        weft_value_append(list, item);
    }
    return weft_ok();
}

weft_result weft_tree_set(weft_tree *tree, const char *path, const char *text) {
    WEFT_REQUIRE(tree);
    WEFT_REQUIRE(path);
    WEFT_REQUIRE(text);
    int is_list = text[0] == '[' || text[0] == '{'; /* read_list refuses a map */
    weft_value *value = is_list ? weft_tree_list(tree, SET_FILE, 0) : weft_tree_text(tree, text, SET_FILE, 0);
    if (!value)
        return weft_fail_memory("--set", sizeof *value);
    if (is_list)
        WEFT_TRY(read_list(tree, path, text, value));
    return weft_tree_put(tree, path, value);
}
