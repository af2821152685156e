#include "apps/cli/scene_mistakes.h"

#include <stdio.h>
#include <string.h>

/* What a message complains about. */
typedef struct complaint {
    const char *message;
    int is_name;   /* 1: `word` is the unknown name of a component; 0: it is a key */
    char word[80]; /* of the message */
} complaint;

/* A value with its parents, which are null at the top. */
typedef struct spot {
    weft_value *value, *parent, *grandparent;
} spot;

/* -- the message -- */

/* Reads the word in quotes after `before`. Returns 0 if there is none. */
static int read_quoted(const char *text, const char *before, char word[80]) {
    const char *begin = strstr(text, before);
    if (!begin)
        return 0;
    begin += strlen(before);
    return snprintf(word, 80, "%.*s", (int)strcspn(begin, "'"), begin) < 80;
}

/* The text after "file:line: " or "--set: ". */
static const char *after_place(const char *message) {
    const char *colon = strstr(message, ": ");
    return colon ? colon + 2 : message;
}

/* "fabric.density: -3 is below 0" complains about `density`. "maps.bend: needs one of side, ..." does not: what is
 * missing may have been removed. */
static int read_path(const char *text, char word[80]) {
    size_t length = strcspn(text, ": ");
    const char *end = text + length, *begin = end;
    while (begin > text && begin[-1] != '.')
        begin--;
    if (strncmp(end, ": needs ", 8) == 0)
        return 0;
    return *end == ':' && begin > text && snprintf(word, 80, "%.*s", (int)(end - begin), begin) < 80;
}

static int read_complaint(const char *message, complaint *found) {
    static const char *const KEYS[] = {"unknown key '", "no parameter '"};
    static const char *const NAMES[] = {"unknown force '", "unknown integrator '", "unknown model '",
                                        "unknown body '",  "unknown preset '",     "unknown adaptation '"};
    const char *text = after_place(message);
    *found = (complaint){.message = message};
    for (size_t i = 0; i < sizeof KEYS / sizeof KEYS[0]; i++)
        if (read_quoted(text, KEYS[i], found->word))
            return 1;
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++)
        if (read_quoted(text, NAMES[i], found->word))
            return found->is_name = 1;
    return read_path(text, found->word);
}

int weft_scene_mistake_is_local(const char *message) {
    complaint found;
    return read_complaint(message, &found);
}

/* -- the tree -- */

static int fits(const weft_value *value, const complaint *wanted) {
    char place[320];
    weft_value_place(value, place, sizeof place);
    if (!place[0] || strncmp(wanted->message, place, strlen(place)) != 0)
        return 0;
    return strcmp(value->key, wanted->word) == 0 || (wanted->is_name && strcmp(value->text, wanted->word) == 0);
}

static int find(weft_value *grandparent, weft_value *parent, const complaint *wanted, spot *found) {
    for (weft_value *value = parent->first; value; value = value->next) {
        if (fits(value, wanted)) {
            *found = (spot){value, parent, grandparent};
            return 1;
        }
        if (find(parent, value, wanted, found))
            return 1;
    }
    return 0;
}

static void remove_child(weft_value *parent, const weft_value *child) {
    weft_value *before = NULL;
    for (weft_value *value = parent->first; value != child; value = value->next)
        before = value;
    if (before)
        before->next = child->next;
    else
        parent->first = child->next;
    parent->last = parent->last == child ? before : parent->last;
    parent->count--;
}

/* Without its name a component is another one, whose settings differ. An entry of a list must not become empty. */
int weft_scene_mistake_remove(weft_tree *tree, const char *message) {
    complaint wanted;
    spot at;
    weft_value *root = weft_tree_root(tree);
    if (!root || !read_complaint(message, &wanted) || !find(NULL, root, &wanted, &at))
        return 0;
    int whole = (wanted.is_name && strcmp(at.value->key, "name") == 0) ||
                (at.parent->count == 1 && at.grandparent && at.grandparent->kind == WEFT_VALUE_LIST);
    if (whole && at.grandparent)
        remove_child(at.grandparent, at.parent);
    else
        remove_child(at.parent, at.value);
    return 1;
}
