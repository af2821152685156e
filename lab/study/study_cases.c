/* The values of the cases of a study. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/text.h"
#include "lab/study/study_file.h"
#include "lab/study/study_vary.h"
#include "lab/study/value_text.h"
#include "weft/text.h"

/* In a grid the last parameter changes fastest. */
static int64_t level_of(const weft_study *study, int64_t index, int parameter) {
    int64_t point = index / study->settings.repeats;
    for (int i = study->parameter_count - 1; i > parameter; i--)
        point /= weft_parameter_levels(&study->parameter[i]);
    return point % weft_parameter_levels(&study->parameter[parameter]);
}

static double coordinate(const weft_study *study, int64_t index, int parameter) {
    return study->point[index / study->settings.repeats * study->parameter_count + parameter];
}

/* The place of a value in a list, or of a whole number. */
static int64_t choose(const weft_study *study, int64_t index, int parameter, int64_t choices) {
    if (!study->point)
        return level_of(study, index, parameter);
    int64_t place = (int64_t)(coordinate(study, index, parameter) * (double)choices);
    return place < choices ? place : choices - 1;
}

/* From 0 to 1 between the ends. */
static double share(const weft_study *study, int64_t index, int parameter) {
    int64_t levels = study->parameter[parameter].count;
    if (study->point)
        return coordinate(study, index, parameter);
    return levels > 1 ? (double)level_of(study, index, parameter) / (double)(levels - 1) : 0;
}

static double interval_value(const weft_study *study, int64_t index, int parameter) {
    const weft_parameter *p = &study->parameter[parameter];
    if (p->vary == WEFT_VARY_WHOLE && p->count == 0)
        return p->low + (double)choose(study, index, parameter, (int64_t)(p->high - p->low) + 1);
    double u = share(study, index, parameter);
    if (u <= 0 || u >= 1)
        return u <= 0 ? p->low : p->high;
    double value = p->vary == WEFT_VARY_LOG ? p->low * exp(u * log(p->high / p->low)) : p->low + u * (p->high - p->low);
    if (p->vary == WEFT_VARY_WHOLE)
        return round(value);
    char text[32]; /* twelve digits, so that a grid of powers has 1e-05 and not 9.999999999999997e-06 */
    weft_format(text, sizeof text, "%.12g", value);
    return weft_real_parse(text, NULL);
}

static const weft_value *list_item(const weft_study *study, int64_t index, int parameter, int part) {
    const weft_parameter *p = &study->parameter[parameter];
    const weft_value *list = p->list[p->is_together ? part : 0];
    return weft_value_at(list, (int)choose(study, index, parameter, list->count));
}

double weft_study_number(const weft_study *study, int64_t index, int parameter, int part) {
    const weft_parameter *p = &study->parameter[parameter];
    double number;
    char unit[24];
    if (p->vary != WEFT_VARY_LIST)
        return interval_value(study, index, parameter);
    const weft_value *item = list_item(study, index, parameter, part);
    return item->kind == WEFT_VALUE_TEXT && weft_number_split(item->text, &number, unit) ? number : NAN;
}

double weft_study_place(const weft_study *study, int64_t index, int parameter) {
    const weft_parameter *p = &study->parameter[parameter];
    int64_t levels = p->vary == WEFT_VARY_LIST ? p->count : 0;
    if (levels > 1)
        return (double)choose(study, index, parameter, levels) / (double)(levels - 1);
    if (p->vary == WEFT_VARY_LIST)
        return 0.5;
    double value = interval_value(study, index, parameter);
    return p->vary == WEFT_VARY_LOG ? log(value / p->low) / log(p->high / p->low)
                                    : (value - p->low) / (p->high - p->low);
}

weft_result weft_study_value(const weft_study *study, int64_t index, int parameter, int part, char *text, size_t size) {
    const weft_parameter *p = &study->parameter[parameter];
    char number[WEFT_REAL_SIZE];
    if (p->is_number) {
        size_t length = weft_real_write_exact(weft_study_number(study, index, parameter, part), number);
        snprintf(text, size, "%.*s", (int)length, number);
        return weft_ok();
    }
    if (weft_value_write(list_item(study, index, parameter, part), text, size) >= size)
        return weft_fail(WEFT_BAD_INPUT, "vary.%.80s: a value is longer than %zu characters", p->name, size - 1);
    return weft_ok();
}

/* -- assignments -- */

static weft_result grow(weft_study_room *room, size_t used, size_t more) {
    size_t need = used + more;
    if (need <= room->size)
        return weft_ok();
    char *bytes = realloc(room->bytes, 2 * need);
    if (!bytes)
        return weft_fail_memory("a case", 2 * need);
    room->bytes = bytes;
    room->size = 2 * need;
    return weft_ok();
}

/* Appends "PATH=VALUE UNIT" with its final zero. */
static weft_result append(const weft_study *study, int64_t index, int parameter, int part, weft_study_room *room,
                          size_t *used) {
    const weft_parameter *p = &study->parameter[parameter];
    size_t length = p->vary == WEFT_VARY_LIST ? weft_value_write(list_item(study, index, parameter, part), NULL, 0)
                                              : WEFT_REAL_SIZE;
    WEFT_TRY(grow(room, *used, strlen(p->path[part]) + length + sizeof p->unit + 4));
    char *at = room->bytes + *used;
    at += sprintf(at, "%s=", p->path[part]);
    if (p->vary == WEFT_VARY_LIST) {
        at += weft_value_write(list_item(study, index, parameter, part), at, length + 1);
    } else {
        at += weft_real_write_exact(interval_value(study, index, parameter), at);
        at += sprintf(at, "%s%s", p->unit[0] ? " " : "", p->unit);
    }
    *at = '\0';
    *used = (size_t)(at - room->bytes) + 1;
    return weft_ok();
}

weft_result weft_study_case(const weft_study *study, int64_t index, weft_study_room *room, weft_case *one) {
    size_t used = 0;
    int count = 0;
    if (!room->set) {
        size_t most = (size_t)study->parameter_count * WEFT_MOST_LINKED + 2;
        room->set = malloc(most * sizeof *room->set);
        if (!room->set)
            return weft_fail_memory("a case", most * sizeof *room->set);
    }
    for (int i = 0; i < study->parameter_count; i++)
        for (int part = 0; part < study->parameter[i].path_count; part++, count++)
            WEFT_TRY(append(study, index, i, part, room, &used));
    if (study->settings.repeats > 1) {
        WEFT_TRY(grow(room, used, 64));
        used += (size_t)sprintf(room->bytes + used, "air.seed=%lld",
                                (long long)((study->settings.seed + index % study->settings.repeats) % 2147483647)) +
                1;
        count++;
    }
    const char *at = room->bytes;
    for (int i = 0; i < count; i++) {
        room->set[i] = at;
        at += strlen(at) + 1;
    }
    *one = (weft_case){.set = room->set, .set_count = count};
    return weft_ok();
}

void weft_study_room_free(weft_study_room *room) {
    free(room->bytes);
    free(room->set);
    *room = (weft_study_room){0};
}

/* -- differences -- */

static int is_free(const char *key) {
    return strcmp(key, "run") == 0 || strcmp(key, "slurm") == 0 || strcmp(key, "limits") == 0;
}

static int is_same(const weft_value *a, const weft_value *b) {
    if (a->kind != b->kind || a->count != b->count || strcmp(a->text, b->text) != 0 || strcmp(a->key, b->key) != 0)
        return 0;
    const weft_value *x = a->first, *y = b->first;
    while (x && y && is_same(x, y)) {
        x = x->next;
        y = y->next;
    }
    return !x && !y;
}

static void compare(const weft_value *before, const weft_value *now, const char *path, char *text, size_t size) {
    char was[120] = "not there", is[120] = "not there", inner[300];
    if (before && now && before->kind == WEFT_VALUE_MAP && now->kind == WEFT_VALUE_MAP) {
        for (const weft_value *child = before->first; child && !text[0]; child = child->next) {
            snprintf(inner, sizeof inner, "%s%s%.100s", path, path[0] ? "." : "", child->key);
            if (path[0] || !is_free(child->key))
                compare(child, weft_value_find(now, child->key), inner, text, size);
        }
        for (const weft_value *child = now->first; child && !text[0]; child = child->next) {
            snprintf(inner, sizeof inner, "%s%s%.100s", path, path[0] ? "." : "", child->key);
            if (!weft_value_find(before, child->key) && (path[0] || !is_free(child->key)))
                compare(NULL, child, inner, text, size);
        }
        return;
    }
    if (before)
        weft_value_write(before, was, sizeof was);
    if (now)
        weft_value_write(now, is, sizeof is);
    if (!before || !now || !is_same(before, now))
        snprintf(text, size, "%.100s was %s, now %s", path, was, is);
}

void weft_study_difference(const weft_study *before, const weft_study *now, char *text, size_t size) {
    text[0] = '\0';
    compare(weft_tree_root(before->tree), weft_tree_root(now->tree), "", text, size);
}
