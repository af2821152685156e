#include "lab/study/study_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "io/file.h"
#include "lab/study/study_figures.h"
#include "lab/study/study_params.h"
#include "lab/study/study_vary.h"
#include "lab/study/value_text.h"
#include "weft-io/yaml.h"

static const char *const SECTIONS[] = {"scene",     "set",    "vary", "record", "pictures",
                                       "positions", "limits", "run",  "slurm",  NULL};

static weft_result fail_at(const weft_value *value, const char *what, const char *why) {
    char place[320];
    weft_value_place(value, place, sizeof place);
    return weft_fail(WEFT_BAD_INPUT, "%s%s%s%.300s", place, what, what[0] ? ": " : "", why);
}

/* -- the keys of the top level -- */

static weft_result check_keys(const weft_value *root) {
    const char *names[32];
    int count = 0;
    for (int i = 0; SECTIONS[i]; i++)
        names[count++] = SECTIONS[i];
    for (const weft_param *row = weft_study_params(); row->name; row++)
        names[count++] = row->name;
    for (const weft_value *child = root->first; child; child = child->next) {
        int known = 0;
        for (int i = 0; i < count; i++)
            known |= strcmp(names[i], child->key) == 0;
        if (known)
            continue;
        char why[160];
        const char *nearest = weft_nearest(child->key, names, count);
        snprintf(why, sizeof why, "unknown key '%.60s'%s%s%s", child->key, nearest ? "; did you mean '" : "",
                 nearest ? nearest : "", nearest ? "'?" : "");
        return fail_at(child, "", why);
    }
    return weft_ok();
}

static weft_result read_section(const weft_value *root, const char *name, const weft_param *table, void *settings) {
    const weft_value *map = weft_value_find(root, name);
    weft_params_default(table, settings);
    if (!map)
        return weft_ok();
    if (map->kind != WEFT_VALUE_MAP)
        return fail_at(map, name, "needs named values");
    return weft_params_read(table, map, name, NULL, settings);
}

static weft_result read_settings(const weft_value *root, weft_study_settings *settings) {
    weft_params_default(weft_study_params(), settings);
    WEFT_TRY(weft_params_read(weft_study_params(), root, "", SECTIONS, settings));
    WEFT_TRY(read_section(root, "limits", weft_study_limit_params(), settings));
    WEFT_TRY(read_section(root, "run", weft_study_run_params(), settings));
    return read_section(root, "slurm", weft_slurm_params(), &settings->slurm);
}

/* -- the scene and the values that all cases share -- */

static weft_result find_scene(weft_study *study, const weft_value *root, weft_scene_lookup find) {
    const weft_value *scene = weft_value_find(root, "scene");
    struct stat info;
    if (!scene)
        return fail_at(root, "scene", "missing; name the file of a scene");
    if (scene->kind != WEFT_VALUE_TEXT || !scene->text[0])
        return fail_at(scene, "scene", "needs the name of a file or scene");
    WEFT_TRY(weft_path_beside(scene->file, scene->text, study->scene, sizeof study->scene));
    if (!find || (stat(study->scene, &info) == 0 && !S_ISDIR(info.st_mode)) ||
        find(scene->text, study->scene, sizeof study->scene))
        return weft_ok();
    char why[320];
    snprintf(why, sizeof why, "%.200s: no such file or scene (weft list scenes)", scene->text);
    return fail_at(scene, "scene", why);
}

/* "PATH=VALUE" in memory of its own. */
static weft_result assign(const char *path, const weft_value *value, char **assignment) {
    size_t prefix = strlen(path) + 1, length = weft_value_write(value, NULL, 0);
    char *text = malloc(prefix + length + 1);
    if (!text)
        return weft_fail_memory("a study", prefix + length + 1);
    memcpy(text, path, prefix - 1);
    text[prefix - 1] = '=';
    weft_value_write(value, text + prefix, length + 1);
    *assignment = text;
    return weft_ok();
}

static weft_result read_set(weft_study *study, const weft_value *root) {
    const weft_value *map = weft_value_find(root, "set");
    if (!map)
        return weft_ok();
    if (map->kind != WEFT_VALUE_MAP)
        return fail_at(map, "set", "needs named values, as in {time.frames: 40}");
    study->set = calloc((size_t)map->count + 1, sizeof *study->set);
    if (!study->set)
        return weft_fail_memory("a study", (size_t)map->count * sizeof *study->set);
    for (const weft_value *value = map->first; value; value = value->next) {
        if (!value->key[0] || strlen(value->key) > 127 || strchr(value->key, '='))
            return fail_at(value, "set", "a path has 1 to 127 characters and no '='");
        WEFT_TRY(assign(value->key, value, &study->set[study->set_count]));
        study->set_count++;
    }
    return weft_ok();
}

/* -- what varies and what is recorded -- */

static weft_result read_vary(weft_study *study, const weft_value *root) {
    const weft_value *map = weft_value_find(root, "vary");
    if (!map)
        return weft_ok(); /* one point; repeats are possible */
    if (map->kind != WEFT_VALUE_MAP)
        return fail_at(map, "vary", "needs named values, as in {cloth.fabric.density: [0.1, 0.2]}");
    if (map->count > WEFT_MOST_PARAMETERS)
        return fail_at(map, "vary", "more than 64 parameters");
    study->parameter = calloc((size_t)map->count + 1, sizeof *study->parameter);
    if (!study->parameter)
        return weft_fail_memory("a study", (size_t)map->count * sizeof *study->parameter);
    for (const weft_value *entry = map->first; entry; entry = entry->next) {
        WEFT_TRY(
            weft_parameter_read(entry, (weft_design)study->settings.design, &study->parameter[study->parameter_count]));
        for (int i = 0; i < study->parameter[study->parameter_count].path_count; i++)
            if (strchr(study->parameter[study->parameter_count].path[i], '='))
                return fail_at(entry, "vary", "a path must not have a '='");
        study->parameter_count++;
    }
    return weft_ok();
}

static weft_result read_record(weft_study *study, const weft_value *root) {
    const weft_value *map = weft_value_find(root, "record");
    if (!map)
        return weft_ok();
    if (map->kind != WEFT_VALUE_MAP)
        return fail_at(map, "record", "needs named figures, as in {sag: {point: [0, 0, 1]}}");
    if (map->count > WEFT_MOST_FIGURES)
        return fail_at(map, "record", "more than 256 figures");
    study->figure = calloc((size_t)map->count + 1, sizeof *study->figure);
    if (!study->figure)
        return weft_fail_memory("a study", (size_t)map->count * sizeof *study->figure);
    for (const weft_value *entry = map->first; entry; entry = entry->next)
        WEFT_TRY(weft_figure_read(entry, &study->figure[study->figure_count++]));
    return weft_ok();
}

typedef struct picture_fields {
    int32_t width, height;
} picture_fields;

static weft_result read_pictures(weft_study *study, const weft_value *root) {
    static const weft_param TABLE[] = {
        {.name = "width",
         .type = WEFT_INT,
         .offset = offsetof(picture_fields, width),
         .low = 16,
         .high = 4096,
         .fallback = "320",
         .unit = "",
         .help = "pixels"},
        {.name = "height",
         .type = WEFT_INT,
         .offset = offsetof(picture_fields, height),
         .low = 16,
         .high = 4096,
         .fallback = "240",
         .unit = "",
         .help = "pixels"},
        {0},
    };
    picture_fields fields;
    const weft_value *value = weft_value_find(root, "pictures");
    weft_params_default(TABLE, &fields);
    if (value && value->kind == WEFT_VALUE_MAP)
        WEFT_TRY(weft_params_read(TABLE, value, "pictures", NULL, &fields));
    else if (value && (value->kind != WEFT_VALUE_TEXT ||
                       (strcmp(value->text, "true") != 0 && strcmp(value->text, "false") != 0)))
        return fail_at(value, "pictures", "needs true, false or {width: 320, height: 240}");
    study->pictures = value && strcmp(value->text, "false") != 0;
    study->picture_width = fields.width;
    study->picture_height = fields.height;
    return weft_ok();
}

typedef struct position_fields {
    int32_t every;
} position_fields;

static weft_result read_positions(weft_study *study, const weft_value *root) {
    static const weft_param TABLE[] = {
        {.name = "every",
         .type = WEFT_INT,
         .offset = offsetof(position_fields, every),
         .low = 1,
         .high = 1e6,
         .fallback = "1",
         .unit = "",
         .help = "keep every n-th frame"},
        {0},
    };
    position_fields fields;
    const weft_value *value = weft_value_find(root, "positions");
    weft_params_default(TABLE, &fields);
    study->positions_every = 1;
    if (!value || (value->kind == WEFT_VALUE_TEXT && strcmp(value->text, "none") == 0))
        return weft_ok();
    if (value->kind == WEFT_VALUE_MAP)
        WEFT_TRY(weft_params_read(TABLE, value, "positions", NULL, &fields));
    else if (value->kind != WEFT_VALUE_TEXT || (strcmp(value->text, "last") != 0 && strcmp(value->text, "all") != 0))
        return fail_at(value, "positions", "needs last, all, none or {every: 5}");
    study->positions = strcmp(value->text, "last") == 0 ? WEFT_KEEP_LAST : WEFT_KEEP_ALL;
    study->positions_every = fields.every;
    return weft_ok();
}

/* Two columns of one name would hide each other. */
static weft_result check_columns(const weft_study *study, const weft_value *root) {
    static const char *const OWN[] = {"case", "repeat", "status", "reason", "frames", "state_hash"};
    for (int f = 0; f < study->figure_count; f++) {
        const char *name = study->figure[f].name;
        const weft_value *entry = weft_value_find(weft_value_find(root, "record"), name);
        int taken = 0;
        for (size_t i = 0; i < sizeof OWN / sizeof OWN[0]; i++)
            taken |= strcmp(name, OWN[i]) == 0;
        for (int p = 0; p < study->parameter_count; p++)
            for (int part = 0; part < weft_parameter_parts(&study->parameter[p]); part++)
                taken |= strcmp(name, weft_parameter_column(&study->parameter[p], part)) == 0;
        if (taken)
            return fail_at(entry, "record", "a column of this name exists already; choose another");
    }
    return weft_ok();
}

/* -- the cases -- */

static weft_result plan_cases(weft_study *study, const weft_value *root) {
    const weft_study_settings *settings = &study->settings;
    weft_design design = (weft_design)settings->design;
    const weft_value *place = weft_value_find(root, "design");
    char why[160];
    study->point_count = 1;
    if (design == WEFT_DESIGN_GRID) {
        if (settings->samples > 0)
            return fail_at(weft_value_find(root, "samples"), "samples", "a grid has no samples; choose a design");
        for (int i = 0; i < study->parameter_count; i++) {
            int64_t levels = weft_parameter_levels(&study->parameter[i]);
            if (study->point_count > WEFT_MOST_CASES / levels)
                return fail_at(study->parameter[i].value, "vary", "the grid has more than 10,000,000 cases");
            study->point_count *= levels;
        }
    } else {
        if (settings->samples < 1)
            return fail_at(place, "samples", "this design needs a number of samples");
        if (study->parameter_count < 1 || study->parameter_count > weft_design_dimensions(design)) {
            snprintf(why, sizeof why, "this design is for 1 to %d parameters; vary has %d",
                     weft_design_dimensions(design), study->parameter_count);
            return fail_at(place, "design", why);
        }
        study->point_count = weft_design_count(design, study->parameter_count, settings->samples);
    }
    if (study->point_count > WEFT_MOST_CASES / settings->repeats)
        return fail_at(root, "", "more than 10,000,000 cases");
    study->case_count = study->point_count * settings->repeats;
    if (design == WEFT_DESIGN_GRID)
        return weft_ok();
    return weft_design_points(design, study->parameter_count, settings->samples, (uint64_t)settings->seed,
                              &study->point);
}

static weft_result read_tree(weft_study *study, weft_scene_lookup find) {
    const weft_value *root = weft_tree_root(study->tree);
    WEFT_TRY(check_keys(root));
    WEFT_TRY(read_settings(root, &study->settings));
    WEFT_TRY(find_scene(study, root, find));
    WEFT_TRY(read_set(study, root));
    WEFT_TRY(read_vary(study, root));
    WEFT_TRY(read_record(study, root));
    WEFT_TRY(read_pictures(study, root));
    WEFT_TRY(read_positions(study, root));
    WEFT_TRY(check_columns(study, root));
    return plan_cases(study, root);
}

static void name_study(weft_study *study, const char *path) {
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path, *dot = strrchr(base, '.');
    int length = dot && dot != base ? (int)(dot - base) : (int)strlen(base);
    snprintf(study->path, sizeof study->path, "%s", path);
    snprintf(study->name, sizeof study->name, "%.*s", length < 127 ? length : 127, base);
}

weft_result weft_study_read(const char *path, weft_scene_lookup find, weft_study *study) {
    *study = (weft_study){0};
    if (strlen(path) >= sizeof study->path)
        return weft_fail(WEFT_BAD_FILE, "%.300s...: the path is too long", path);
    name_study(study, path);
    WEFT_TRY(weft_yaml_read(path, &study->tree));
    return read_tree(study, find);
}

weft_result weft_study_parse(const char *bytes, size_t size, const char *name, weft_study *study) {
    *study = (weft_study){0};
    name_study(study, name);
    WEFT_TRY(weft_yaml_read_memory(bytes, size, name, &study->tree));
    return read_tree(study, NULL);
}

void weft_study_close(weft_study *study) {
    for (int i = 0; i < study->set_count; i++)
        free(study->set[i]);
    free(study->set);
    free(study->point);
    free(study->figure);
    free(study->parameter);
    weft_tree_destroy(study->tree);
    *study = (weft_study){0};
}
