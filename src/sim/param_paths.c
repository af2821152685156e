/* Parameters by path: the groups "time", "air", "integrator", "device", "cloth.NAME.fabric", "cloth.NAME.model",
 * "forces.NAME", "contact", "adapt", "bodies.NAME", "cloth.NAME.ease", "cloth.NAME.panels.PANEL". */
#include <stdio.h>

#include "core/require.h"
#include "sim/internal.h"
#include "weft/text.h"

typedef enum group_kind { GROUP_PLAIN, GROUP_FABRIC, GROUP_MODEL, GROUP_BODY, GROUP_PANEL } group_kind;

/* One settings struct with its table. */
typedef struct group {
    char prefix[160];
    const weft_param *table;
    void *settings;
    size_t size;
    group_kind kind;
    sim_cloth *cloth; /* fabric, model and panels */
    char part[64];    /* of a cloth: "fabric", "model", "ease" or "panels.PANEL" */
    int32_t index;    /* of the cloth or force */
} group;

static const weft_component *force_component(const weft_sim *sim, int32_t i) { return sim->force[i].component; }
static const weft_component *body_component(const weft_sim *sim, int32_t i) { return sim->body[i].component; }

static int force_repeats(const weft_sim *sim, int32_t index) {
    for (int32_t i = 0; i < sim->force_count; i++)
        if (i != index && sim->force[i].component == sim->force[index].component)
            return 1;
    return 0;
}

static int body_repeats(const weft_sim *sim, int32_t index) {
    for (int32_t i = 0; i < sim->body_count; i++)
        if (i != index && sim->body[i].component == sim->body[index].component)
            return 1;
    return 0;
}

static group group_of_component(const char *prefix, const weft_component *component, void *settings) {
    group made = {.table = component->params, .settings = settings, .size = component->settings_size};
    snprintf(made.prefix, sizeof made.prefix, "%s", prefix);
    return made;
}

/* Name of a force or body in paths: its own, or its number if the name occurs twice. */
static group group_in_list(const char *list, const weft_component *component, void *settings, int32_t index,
                           int repeats) {
    group made = group_of_component("", component, settings);
    made.index = index;
    if (repeats)
        snprintf(made.prefix, sizeof made.prefix, "%s.%d", list, (int)index);
    else
        snprintf(made.prefix, sizeof made.prefix, "%s.%.100s", list, component->name);
    return made;
}

static group group_of_cloth(sim_cloth *cloth, int32_t index, int is_fabric) {
    group made = group_of_component("", cloth->model, cloth->settings);
    made.kind = GROUP_MODEL;
    if (is_fabric)
        made = (group){.kind = GROUP_FABRIC,
                       .table = weft_fabric_params(),
                       .settings = &cloth->fabric,
                       .size = sizeof cloth->fabric};
    made.cloth = cloth;
    made.index = index;
    snprintf(made.part, sizeof made.part, "%s", is_fabric ? "fabric" : "model");
    snprintf(made.prefix, sizeof made.prefix, "cloth.%.80s.%s", cloth->name, made.part);
    return made;
}

/* All panels together come first, then each. */
static group group_of_panel(sim_cloth *cloth, int32_t index, int number) {
    int32_t panel = number == 0 ? cloth->mesh->group_count : number - 1;
    group made = {.kind = GROUP_PANEL,
                  .table = number == 0 ? weft_ease_params() : weft_panel_params(),
                  .settings = &cloth->panel[panel],
                  .size = sizeof *cloth->panel,
                  .cloth = cloth,
                  .index = index};
    if (number == 0)
        snprintf(made.part, sizeof made.part, "ease");
    else
        snprintf(made.part, sizeof made.part, "panels.%.55s", cloth->mesh->group_name[panel]);
    snprintf(made.prefix, sizeof made.prefix, "cloth.%.80s.%s", cloth->name, made.part);
    return made;
}

enum { SINGLES = 5 };

static group single_group(weft_sim *s, int number) {
    switch (number) {
    case 0:
        return (group){.prefix = "time", .table = weft_clock_params(), .settings = &s->clock, .size = sizeof s->clock};
    case 1:
        return (group){.prefix = "air", .table = weft_environment_params(), .settings = &s->air, .size = sizeof s->air};
    case 2:
        return group_of_component("integrator", s->integrator, s->integrator_settings);
    case 3:
        return (group){.prefix = "device",
                       .table = weft_device_params(),
                       .settings = &s->device.settings,
                       .size = sizeof s->device.settings};
    default:
        return (group){.prefix = "contact",
                       .table = weft_contact_params(),
                       .settings = &s->contact_given,
                       .size = sizeof s->contact_given};
    }
}

/* Fills in group `number`; returns 0 past the end. */
static int group_at(const weft_sim *sim, int number, group *found) {
    weft_sim *s = (weft_sim *)sim; /* callers with a const simulation only read */
    if (number < SINGLES) {
        *found = single_group(s, number);
        return 1;
    }
    number -= SINGLES;
    if (s->adapt && number-- == 0) {
        *found = group_of_component("adapt", s->adapt, s->adapt_settings);
        return 1;
    }
    if (number < 2 * s->cloth_count) {
        *found = group_of_cloth(&s->cloth[number / 2], number / 2, number % 2 == 0);
        return 1;
    }
    number -= 2 * s->cloth_count;
    if (number < s->force_count) {
        sim_force *force = &s->force[number];
        *found = group_in_list("forces", force->component, force->settings, number, force_repeats(s, number));
        return 1;
    }
    number -= s->force_count;
    if (number < s->body_count) {
        sim_body *body = &s->body[number];
        *found = group_in_list("bodies", body->component, body->settings, number, body_repeats(s, number));
        found->kind = GROUP_BODY;
        return 1;
    }
    number -= s->body_count;
    for (int32_t i = 0; i < s->cloth_count; i++) {
        int groups = s->cloth[i].panel ? s->cloth[i].mesh->group_count + 1 : 0;
        if (number < groups) {
            *found = group_of_panel(&s->cloth[i], i, number);
            return 1;
        }
        number -= groups;
    }
    return 0;
}

/* A name has a dot only if rows of the table form a group, as in "constraints.solves". */
static int is_name(const weft_param *table, const char *rest) {
    char inner[64];
    const char *dot = strchr(rest, '.');
    if (!dot)
        return 1;
    snprintf(inner, sizeof inner, "%.*s", (int)(dot - rest), rest);
    return weft_params_have_group(table, inner) && !strchr(dot + 1, '.');
}

/* Whether `path` begins with the prefix of the group or one of its short forms. The rest is the parameter name. */
static const char *name_in_group(const weft_sim *sim, const group *candidate, const char *path) {
    char forms[3][160];
    int count = 1;
    snprintf(forms[0], sizeof forms[0], "%s", candidate->prefix);
    if (candidate->cloth) {
        snprintf(forms[count++], sizeof forms[0], "cloth.%d.%s", candidate->index, candidate->part);
        if (sim->cloth_count == 1)
            snprintf(forms[count++], sizeof forms[0], "cloth.%s", candidate->part);
    } else if (strncmp(candidate->prefix, "forces.", 7) == 0) {
        snprintf(forms[count++], sizeof forms[0], "forces.%d", candidate->index);
    } else if (candidate->kind == GROUP_BODY) {
        snprintf(forms[count++], sizeof forms[0], "bodies.%d", candidate->index);
    }
    for (int i = 0; i < count; i++) {
        size_t length = strlen(forms[i]);
        if (strncmp(path, forms[i], length) == 0 && path[length] == '.' && is_name(candidate->table, path + length + 1))
            return path + length + 1;
    }
    return NULL;
}

/* The number of the first group that is a cloth's; two groups for each cloth follow. */
static int first_cloth_group(const weft_sim *sim) { return SINGLES + (sim->adapt != NULL); }

/* The first cloth that "cloth.NAME." or "cloth.NUMBER." means, or 0 if there is none. Building every group in turn
 * would be slow with thousands of cloths. */
static int32_t cloth_in_path(const weft_sim *sim, const char *path) {
    char *end;
    size_t length = strcspn(path, ".");
    long number = path[0] >= '0' && path[0] <= '9' ? strtol(path, &end, 10) : -1;
    number = number >= 0 && end == path + length ? number : -1;
    for (int32_t i = 0; i < sim->cloth_count; i++)
        if (i == number || (strncmp(sim->cloth[i].name, path, length) == 0 && !sim->cloth[i].name[length]))
            return i;
    return 0;
}

/* "bodies.capsule.radius" is the only capsule's. Fails if several of the `count` entries of `list` have that name. */
static weft_result check_repeated(const weft_sim *sim, const char *path, const char *list, int32_t count,
                                  const weft_component *(*at)(const weft_sim *sim, int32_t index)) {
    if (strncmp(path, list, strlen(list)) != 0)
        return weft_ok();
    const char *name = path + strlen(list);
    size_t length = strcspn(name, ".");
    int32_t first = WEFT_NONE, named = 0;
    char numbers[64] = "";
    for (int32_t i = 0; i < count; i++) {
        const char *found = at(sim, i)->name;
        if (strncmp(found, name, length) != 0 || found[length])
            continue;
        first = named++ == 0 ? i : first;
        size_t used = strlen(numbers);
        if (used < sizeof numbers - 20) /* a number and ", ..." */
            snprintf(numbers + used, sizeof numbers - used, "%s%d", used ? ", " : "", (int)i);
        else if (numbers[used - 1] != '.')
            snprintf(numbers + used, sizeof numbers - used, ", ...");
    }
    if (named < 2)
        return weft_ok();
    return weft_fail(WEFT_BAD_INPUT,
                     "'%.100s': there are %d %.6s '%.*s', with the numbers %s; give one, as in '%s%d%.64s'", path,
                     (int)named, list, (int)length, name, numbers, list, (int)first, name + length);
}

/* "cloth.fabric.density" is short for the only cloth. */
static weft_result fail_path(const weft_sim *sim, const char *path) {
    if (sim->cloth_count > 1 && (strncmp(path, "cloth.fabric.", 13) == 0 || strncmp(path, "cloth.model.", 12) == 0))
        return weft_fail(WEFT_BAD_INPUT, "'%.100s': there are %d cloths; name one of them, as in 'cloth.%.64s.%.64s'",
                         path, sim->cloth_count, sim->cloth[0].name, path + 6);
    WEFT_TRY(check_repeated(sim, path, "bodies.", sim->body_count, body_component));
    WEFT_TRY(check_repeated(sim, path, "forces.", sim->force_count, force_component));
    return weft_fail(WEFT_BAD_INPUT, "no parameter '%.128s'", path);
}

static weft_result find(const weft_sim *sim, const char *path, group *found, const weft_param **row) {
    int first = strncmp(path, "cloth.", 6) == 0 ? first_cloth_group(sim) + 2 * cloth_in_path(sim, path + 6) : 0;
    for (int number = first; group_at(sim, number, found); number++) {
        const char *name = name_in_group(sim, found, path);
        if (!name)
            continue;
        *row = weft_params_find(found->table, name);
        if (*row)
            return weft_ok();
        enum { MOST = 64 };
        const char *names[MOST];
        int count = 0;
        for (const weft_param *r = found->table; r && r->name && count < MOST - 1; r++) {
            names[count++] = r->name;
            if (r->was)
                names[count++] = r->was;
        }
        const char *nearest = weft_nearest(name, names, count);
        if (nearest)
            return weft_fail(WEFT_BAD_INPUT, "%s: no parameter '%.64s'; did you mean '%s'?", found->prefix, name,
                             weft_params_find(found->table, nearest)->name);
        return weft_fail(WEFT_BAD_INPUT, "%s: no parameter '%.64s'", found->prefix, name);
    }
    return fail_path(sim, path);
}

/* Passes a change of fabric or model on to the masses and to the running model. */
static weft_result take_over(weft_sim *sim, const group *changed) {
    if (changed->kind == GROUP_BODY || changed->settings == &sim->contact_given)
        return sim_take_over_bodies(sim);
    if (sim->adapt && changed->settings == sim->adapt_settings)
        return sim_check_adapt(sim);
    sim_cloth *cloth = changed->cloth;
    if (changed->kind == GROUP_PANEL)
        sim_apply_panels(cloth);
    if (changed->kind == GROUP_PLAIN || !cloth || !cloth->prepared)
        return weft_ok();
    if (!cloth->stale)
        sim_set_masses(sim, cloth, sim_vertex_count(cloth), cloth->map[WEFT_MAP_DENSITY]);
    sim_refresh_inputs(sim);
    if (!sim_model(cloth)->retune)
        return weft_fail(WEFT_UNSUPPORTED, "%s: model '%s' cannot change while it runs", changed->prefix,
                         cloth->model->name);
    WEFT_TRY(sim_model(cloth)->retune(cloth->self, cloth->settings, &cloth->cloth));
    const weft_integrator_functions *integrator = sim->integrator->functions;
    if (sim->integrator_self && integrator->retuned)
        integrator->retuned(sim->integrator_self);
    return weft_ok();
}

/* A body that gets a new place moves there within the next step instead of jumping. A body without a step since it was
 * added has no earlier place: it appears where it is put. */
static int is_place(const weft_sim *sim, const group *changed, const weft_param *row) {
    return changed->kind == GROUP_BODY && sim->step_count > sim->body[changed->index].added &&
           (row->offset == offsetof(weft_body_place, at) || row->offset == offsetof(weft_body_place, rotate) ||
            row->offset == offsetof(weft_body_place, axis) || row->offset == offsetof(weft_body_place, scale));
}

weft_result weft_sim_set(weft_sim *sim, const char *path, const char *value) {
    WEFT_REQUIRE(sim);
    WEFT_REQUIRE(path);
    WEFT_REQUIRE(value);
    group changed;
    const weft_param *row;
    WEFT_TRY(find(sim, path, &changed, &row));
    if (row->was && !strstr(path, row->name))
        sim_log(sim, WEFT_LOG_NOTICE, "%s is now %s.%s", path, changed.prefix, row->name);
    if ((row->flags & WEFT_FIXED) && (changed.cloth ? changed.cloth->prepared : sim->prepared))
        return weft_fail(WEFT_UNSUPPORTED, "%s.%s cannot change while the simulation runs", changed.prefix, row->name);
    void *before = malloc(changed.size);
    if (!before)
        return weft_fail_memory(path, changed.size);
    sim_forget_device(sim);
    memcpy(before, changed.settings, changed.size);
    weft_result result = changed.kind == GROUP_FABRIC
                             ? weft_fabric_set(changed.settings, row->name, value, changed.prefix)
                             : weft_param_read_text(row, value, changed.prefix, changed.settings);
    sim_resolve_contact(sim);
    if (result.code == WEFT_OK && is_place(sim, &changed, row))
        result = sim_body_goes(sim, changed.index, before);
    else if (result.code == WEFT_OK)
        result = take_over(sim, &changed);
    if (changed.kind == GROUP_BODY && !sim->watch)
        sim->watch = SIM_WATCH; /* a larger body may intersect the cloth */
    if (result.code != WEFT_OK) {
        memcpy(changed.settings, before, changed.size);
        sim_resolve_contact(sim);
        if (changed.kind != GROUP_PLAIN && sim->prepared)
            take_over(sim, &changed); /* cannot fail: these values were in use before */
    }
    free(before);
    return result;
}

weft_result weft_sim_set_real(weft_sim *sim, const char *path, double value) {
    WEFT_REQUIRE(sim);
    WEFT_REQUIRE(path);
    char text[32];
    weft_format(text, sizeof text, "%.17g", value);
    return weft_sim_set(sim, path, text);
}

weft_result weft_sim_get(const weft_sim *sim, const char *path, char *value, size_t size) {
    WEFT_REQUIRE(sim);
    WEFT_REQUIRE(path);
    WEFT_REQUIRE(value);
    group found;
    const weft_param *row;
    WEFT_TRY(find(sim, path, &found, &row));
    char whole[WEFT_STRING_SIZE];
    weft_param_write(row, found.settings, whole, sizeof whole);
    if (strlen(whole) >= size)
        return weft_fail(WEFT_BAD_INPUT, "%s: needs %zu bytes, there are %zu", path, strlen(whole) + 1, size);
    strcpy(value, whole);
    return weft_ok();
}

static int count_rows(const weft_param *table) {
    int count = 0;
    while (table && table[count].name)
        count++;
    return count;
}

/* Steps over whole cloths before parameter *index, and over the groups before them. Returns the number of the group to
 * go on with, and makes *index relative to it. Cloths usually share a model, so their tables are counted once. */
static int skip_cloths(const weft_sim *sim, int *index) {
    int before = 0, first = first_cloth_group(sim), rows = 0, fabric = count_rows(weft_fabric_params());
    const weft_component *model = NULL;
    group found;
    for (int number = 0; number < first && group_at(sim, number, &found); number++)
        before += count_rows(found.table);
    if (*index < before)
        return 0;
    *index -= before;
    for (int32_t i = 0; i < sim->cloth_count; i++) {
        if (sim->cloth[i].model != model)
            rows = fabric + count_rows(sim->cloth[i].model->params);
        model = sim->cloth[i].model;
        if (*index < rows)
            return first + 2 * i;
        *index -= rows;
    }
    return first + 2 * sim->cloth_count;
}

int weft_sim_param_at(const weft_sim *sim, int index, char *path, size_t size, const weft_param **row) {
    group found;
    for (int number = skip_cloths(sim, &index); group_at(sim, number, &found); number++)
        for (const weft_param *r = found.table; r && r->name; r++)
            if (index-- == 0) {
                snprintf(path, size, "%s.%s", found.prefix, r->name);
                *row = r;
                return 1;
            }
    return 0;
}
