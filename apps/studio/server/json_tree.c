/* Copies, edits and writes scenes as value trees. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "apps/studio/server/tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "weft/text.h"

/* -- copies and changes -- */

weft_result studio_tree_copy(const weft_tree *from, weft_tree **copy) {
    *copy = NULL;
    weft_tree *tree;
    WEFT_TRY(weft_tree_create(&tree));
    weft_value *root = weft_value_copy(tree, weft_tree_root((weft_tree *)from));
    if (!root) {
        weft_tree_destroy(tree);
        return weft_fail_memory("a scene", sizeof *root);
    }
    weft_tree_set_root(tree, root);
    *copy = tree;
    return weft_ok();
}

weft_value *studio_tree_cloth(weft_tree *tree, int cloth) {
    weft_value *value = weft_value_find(weft_tree_root(tree), "cloth");
    if (value && value->kind == WEFT_VALUE_LIST)
        return weft_value_at(value, cloth);
    return cloth == 0 ? value : NULL;
}

void studio_tree_remove(weft_value *map, const char *key) {
    weft_value *before = NULL;
    for (weft_value *child = map->first; child; before = child, child = child->next) {
        if (strcmp(child->key, key) != 0)
            continue;
        if (before)
            before->next = child->next;
        else
            map->first = child->next;
        if (map->last == child)
            map->last = before;
        map->count--;
        return;
    }
}

weft_result studio_tree_put_text(weft_tree *tree, weft_value *map, const char *key, const char *text) {
    weft_value *value = weft_tree_text(tree, text, map->file, 0);
    if (!value)
        return weft_fail_memory("a scene's value", strlen(text));
    return weft_value_put(tree, map, key, value);
}

weft_result studio_tree_put_numbers(weft_tree *tree, weft_value *map, const char *key, const double *number,
                                    int count) {
    weft_value *list = weft_tree_list(tree, "", 0);
    for (int i = 0; list && i < count; i++) {
        char word[32];
        weft_format(word, sizeof word, "%.9g", number[i]);
        weft_value *item = weft_tree_text(tree, word, "", 0);
        if (!item)
            return weft_fail_memory("a scene's value", sizeof *item);
        weft_value_append(list, item);
    }
    return list ? weft_value_put(tree, map, key, list) : weft_fail_memory("a scene's value", sizeof *list);
}

/* A scene with a single cloth may write it as a map. The path of such a map does not contain the cloth's name. */
weft_result studio_tree_set(weft_tree *tree, const char *path, const char *value) {
    const weft_value *cloth = weft_value_find(weft_tree_root(tree), "cloth");
    if (strncmp(path, "cloth.", 6) != 0 || !cloth || cloth->kind != WEFT_VALUE_MAP)
        return weft_tree_set(tree, path, value);
    char shorter[256];
    const char *rest = strchr(path + 6, '.');
    snprintf(shorter, sizeof shorter, "cloth.%s", rest ? rest + 1 : path + 6);
    return weft_tree_set(tree, shorter, value);
}

/* -- text -- */

static int is_plain(const char *text) {
    static const char LETTERS[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+- ";
    size_t length = strlen(text);
    return length > 0 && strspn(text, LETTERS) == length && text[0] != ' ' && text[length - 1] != ' ' &&
           !(text[0] == '-' && (length == 1 || text[1] == ' '));
}

static void write_text(weft_output *output, const char *text) {
    if (is_plain(text)) {
        weft_output_print(output, "%s", text);
        return;
    }
    weft_output_print(output, "\"");
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            weft_output_print(output, "\\%c", *text);
        else if ((unsigned char)*text < ' ')
            weft_output_print(output, "\\x%02x", (unsigned)(unsigned char)*text);
        else
            weft_output_print(output, "%c", *text);
    }
    weft_output_print(output, "\"");
}

static int names_file(const char *key) {
    static const char *const KEYS[] = {"mesh", "garment", "texture_image", "proxy", "file", "cache"};
    for (size_t i = 0; i < sizeof KEYS / sizeof KEYS[0]; i++)
        if (strcmp(key, KEYS[i]) == 0)
            return 1;
    return 0;
}

/* A scene names files relative to itself, but the copy may be stored elsewhere. The copy gets the absolute path, or a
 * relative one ("../...") if the file is below the parent of `folder`. */
static weft_result write_file_name(weft_output *output, const weft_value *value, const char *folder) {
    char joined[1024], *full;
    WEFT_TRY(weft_path_beside(value->file, value->text, joined, sizeof joined));
    full = realpath(joined, NULL);
    if (!full) {
        write_text(output, value->text); /* keep a missing file's name; reading the scene reports it */
        return weft_ok();
    }
    const char *slash = strrchr(folder, '/');
    size_t above = slash ? (size_t)(slash - folder) + 1 : 0;
    char shown[1100];
    if (above > 1 && strncmp(full, folder, above) == 0)
        snprintf(shown, sizeof shown, "../%s", full + above);
    else
        snprintf(shown, sizeof shown, "%s", full);
    write_text(output, shown);
    free(full);
    return weft_ok();
}

static weft_result write_flow(weft_output *output, const weft_value *value, const char *folder) {
    if (value->kind == WEFT_VALUE_TEXT) {
        if (names_file(value->key) && value->text[0])
            return write_file_name(output, value, folder);
        write_text(output, value->text);
        return weft_ok();
    }
    weft_output_print(output, value->kind == WEFT_VALUE_LIST ? "[" : "{");
    for (const weft_value *child = value->first; child; child = child->next) {
        if (value->kind == WEFT_VALUE_MAP) {
            write_text(output, child->key);
            weft_output_print(output, ": ");
        }
        WEFT_TRY(write_flow(output, child, folder));
        if (child->next)
            weft_output_print(output, ", ");
    }
    weft_output_print(output, value->kind == WEFT_VALUE_LIST ? "]" : "}");
    return weft_ok();
}

/* Writes each key on its own line. */
static weft_result write_block(weft_output *output, const weft_value *map, const char *folder, const char *first,
                               const char *other) {
    for (const weft_value *child = map->first; child; child = child->next) {
        weft_output_print(output, "%s", child == map->first ? first : other);
        write_text(output, child->key);
        weft_output_print(output, ": ");
        WEFT_TRY(write_flow(output, child, folder));
        weft_output_print(output, "\n");
    }
    return weft_ok();
}

static weft_result write_list(weft_output *output, const weft_value *list, const char *folder) {
    for (const weft_value *entry = list->first; entry; entry = entry->next) {
        if (entry->kind == WEFT_VALUE_MAP && entry->count > 0) {
            WEFT_TRY(write_block(output, entry, folder, "  - ", "    "));
            continue;
        }
        weft_output_print(output, "  - ");
        WEFT_TRY(write_flow(output, entry, folder));
        weft_output_print(output, "\n");
    }
    return weft_ok();
}

weft_result studio_tree_write(const weft_tree *tree, const char *folder, weft_output *output) {
    const weft_value *root = weft_tree_root((weft_tree *)tree);
    for (const weft_value *part = root->first; part; part = part->next) {
        int block = (part->kind == WEFT_VALUE_LIST && part->count > 0 && part->first->kind == WEFT_VALUE_MAP) ||
                    (part->kind == WEFT_VALUE_LIST && strcmp(part->key, "forces") == 0 && part->count > 0);
        write_text(output, part->key);
        weft_output_print(output, block ? ":\n" : ": ");
        WEFT_TRY(block ? write_list(output, part, folder) : write_flow(output, part, folder));
        weft_output_print(output, block ? "" : "\n");
    }
    return weft_ok();
}
