/* `contact` of a scene: common settings, and a group of settings for each method. */
#include <stdio.h>
#include <string.h>

#include "sim/scene_reader.h"

/* The order in which values are applied, because the last one counts: a present name before its former one, and --set
 * before both. */
typedef enum apply_pass { FORMER_NAMES, PRESENT_NAMES, BY_SET, PASSES } apply_pass;

static int is_former(const weft_value *value) {
    const weft_param *row = weft_params_find(weft_contact_params(), value->key);
    return row && strcmp(row->name, value->key) != 0;
}

static apply_pass pass_of(const weft_value *value, int former) {
    return scene_is_set(value) ? BY_SET : former ? FORMER_NAMES : PRESENT_NAMES;
}

static void note_former(const scene_reader *reader, const weft_value *value) {
    const weft_param *row = weft_params_find(weft_contact_params(), value->key);
    char place[320], text[480];
    if (!reader->files || !reader->files->note)
        return;
    weft_value_place(value, place, sizeof place);
    const char *dot = strchr(row->name, '.');
    snprintf(text, sizeof text, "%scontact.%s is now contact.%s, as in contact: {%.*s: {%s: ...}}", place, value->key,
             row->name, (int)(dot - row->name), row->name, dot + 1);
    reader->files->note(reader->files->context, text);
}

static weft_result apply_group(scene_reader *reader, const weft_value *group, apply_pass pass) {
    char path[96];
    if (group->kind == WEFT_VALUE_TEXT && !group->text[0])
        return weft_ok();
    if (group->kind != WEFT_VALUE_MAP)
        return scene_fail(group, "contact.%s: needs named values, as in %s: {key: value}", group->key, group->key);
    snprintf(path, sizeof path, "contact.%.64s", group->key);
    for (const weft_value *value = group->first; value; value = value->next)
        if (pass_of(value, 0) == pass)
            WEFT_TRY(scene_apply_value(reader, value, path));
    return weft_ok();
}

static weft_result apply_entry(scene_reader *reader, const weft_value *value, apply_pass pass) {
    if (weft_params_have_group(weft_contact_params(), value->key))
        return apply_group(reader, value, pass);
    int former = is_former(value);
    if (pass_of(value, former) != pass)
        return weft_ok();
    if (former)
        note_former(reader, value);
    return scene_apply_value(reader, value, "contact");
}

weft_result scene_read_contact(scene_reader *reader, const weft_value *contact) {
    if (!contact || contact->kind != WEFT_VALUE_MAP)
        return scene_apply(reader, contact, "contact", NULL);
    for (int pass = 0; pass < PASSES; pass++)
        for (const weft_value *value = contact->first; value; value = value->next)
            WEFT_TRY(apply_entry(reader, value, (apply_pass)pass));
    return weft_ok();
}
