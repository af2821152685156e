#include "cli/unused_values.h"

#include <stdio.h>
#include <string.h>

#include "weft/force.h"
#include "weft/text.h"

/* The scene whose values are judged, and the cloth that they belong to. */
typedef struct inquiry {
    const weft_scene_file *scene;
    const weft_registry *registry;
    int32_t cloth;
} inquiry;

/* Why a value has no effect; null if it has one. */
typedef const char *reason(const inquiry *ask);

typedef struct rule {
    const char *value; /* such as "fabric.friction" */
    const char *user;  /* what ignores it; MODEL and INTEGRATOR are named */
    reason *why;
} rule;
static const char MODEL[] = "model", INTEGRATOR[] = "integrator";

static int is_setting(const inquiry *ask, const char *path, const char *value) {
    char text[64];
    return weft_sim_get(ask->scene->sim, path, text, sizeof text).code == WEFT_OK && strcmp(text, value) == 0;
}

static int is_model_setting(const inquiry *ask, const char *name, const char *value) {
    char path[96];
    snprintf(path, sizeof path, "cloth.%d.model.%s", ask->cloth, name);
    return is_setting(ask, path, value);
}

/* -- contact -- */

static int has_layers(const inquiry *ask) { return weft_sim_contact_settings(ask->scene->sim)->self == WEFT_SELF_ON; }

static const char *without_contact(const inquiry *ask) {
    return has_layers(ask) || weft_sim_body_count(ask->scene->sim) > 0
               ? NULL
               : "nothing can touch: the scene has no bodies, and contact.self is off";
}

static const char *without_layers(const inquiry *ask) {
    const char *why = without_contact(ask);
    if (why || has_layers(ask))
        return why;
    return "it acts between layers of cloth, and contact.self is off; bodies have their own friction";
}

/* A contact.thickness above 0 replaces that of the fabrics. */
static const char *without_thickness(const inquiry *ask) {
    char text[64];
    int given = weft_sim_get(ask->scene->sim, "contact.thickness", text, sizeof text).code == WEFT_OK &&
                weft_real_parse(text, NULL) > 0;
    return given ? "contact.thickness is given" : without_contact(ask);
}

static int solves_contact(const inquiry *ask) { return is_setting(ask, "integrator.solver", "pcg"); }

static const char *without_constraints(const inquiry *ask, const char *value) {
    if (!is_setting(ask, value, "constraint") || solves_contact(ask))
        return NULL;
    return "only implicit integrators with solver pcg have contact constraints; this one uses impulses";
}

static const char *without_body_constraints(const inquiry *ask) { return without_constraints(ask, "contact.bodies"); }

static const char *without_layer_constraints(const inquiry *ask) { return without_constraints(ask, "contact.layers"); }

static const char *always_warm(const inquiry *ask) {
    return !without_contact(ask) && solves_contact(ask) && is_setting(ask, "contact.method", "constraints")
               ? "with contact constraints its linear solver always starts from the previous step"
               : NULL;
}

/* -- forces, time, tearing and adaptation -- */

static const char *without_wind(const inquiry *ask) {
    for (int32_t i = 0; i < weft_sim_force_count(ask->scene->sim); i++) {
        const char *name = weft_sim_force_name(ask->scene->sim, i);
        const weft_component *force = weft_registry_find(ask->registry, WEFT_FORCE, name);
        if (force && ((const weft_force_functions *)force->functions)->wind)
            return NULL;
    }
    return "the scene has no wind";
}

static const char *with_fixed_steps(const inquiry *ask) {
    return weft_sim_clock(ask->scene->sim)->mode == WEFT_TIME_FIXED ? "time.mode is fixed" : NULL;
}

static const char *without_limits(const inquiry *ask) {
    const weft_fabric *fabric = weft_sim_cloth(ask->scene->sim, ask->cloth)->fabric;
    return fabric->tear_weft > 0 || fabric->tear_warp > 0 ? NULL : "tear_weft and tear_warp are 0";
}

static const char *without_adapt(const inquiry *ask) {
    return weft_value_find(weft_tree_root(ask->scene->tree), "adapt") ? NULL : "the scene has no adapt";
}

/* -- the model -- */

static const char *without_pattern(const inquiry *ask) {
    return is_model_setting(ask, "rest", "pattern") ? NULL : "model.rest is not pattern";
}

static const char *without_bending(const inquiry *ask) {
    if (is_model_setting(ask, "bending", "none"))
        return "model.bending is none";
    return is_model_setting(ask, "flexion", "false") ? "model.flexion is false" : NULL;
}

/* The bending of triangles acts on edges between them. */
static const char *without_triangles(const inquiry *ask) {
    const weft_mesh *mesh = weft_sim_cloth(ask->scene->sim, ask->cloth)->mesh;
    for (int32_t f = 0; f < mesh->face_count; f++) {
        int32_t h = mesh->face_halfedge[f];
        if (mesh->next[mesh->next[mesh->next[h]]] == h)
            return NULL;
    }
    return "the mesh has no triangles; model.flexion bends other faces";
}

static const char *rigid_stretch(const inquiry *ask) {
    return weft_sim_unused_by_integrator(ask->scene->sim, "fabric.stretch_weft");
}

static const char *rigid_bend(const inquiry *ask) {
    return weft_sim_unused_by_integrator(ask->scene->sim, "fabric.bend_weft");
}

/* -- rules -- */

static const rule CLOTH_RULES[] = {
    {"fabric.thickness", "contact", without_thickness},
    {"fabric.friction", "contact", without_layers},
    {"fabric.drag", "aerodynamics", without_wind},
    {"fabric.lift", "aerodynamics", without_wind},
    {"fabric.tear_zone", "tearing", without_limits},
    {"model.pattern_scale", MODEL, without_pattern},
    {"model.flexion_triangles", MODEL, without_triangles},
    {"maps.stretch", INTEGRATOR, rigid_stretch},
    {"maps.bend", MODEL, without_bending},
    {"maps.bend", INTEGRATOR, rigid_bend},
    {"maps.tear", "tearing", without_limits},
    {"maps.refine", "adaptation", without_adapt},
    {0},
};

static const rule SCENE_RULES[] = {
    {"time.jitter", "the clock", with_fixed_steps},
    {"contact.thickness", "contact", without_contact},
    {"contact.friction", "contact", without_contact},
    {"contact.bodies", INTEGRATOR, without_body_constraints},
    {"contact.layers", INTEGRATOR, without_layer_constraints},
    {"integrator.warm_start", INTEGRATOR, always_warm},
    {0},
};

static void name_user(const inquiry *ask, const char *user, char name[64]) {
    if (user == MODEL)
        snprintf(name, 64, "model %.40s", weft_sim_model_name(ask->scene->sim, ask->cloth));
    else if (user == INTEGRATOR)
        snprintf(name, 64, "integrator %.40s", weft_sim_integrator_name(ask->scene->sim));
    else
        snprintf(name, 64, "%s", user);
}

static const char *apply_rules(const inquiry *ask, const rule *rules, const char *value, const char **user) {
    for (const rule *r = rules; r->value; r++) {
        const char *why = strcmp(r->value, value) == 0 ? r->why(ask) : NULL;
        if (why) {
            *user = r->user;
            return why;
        }
    }
    return NULL;
}

static const char *why_cloth_value(const inquiry *ask, const char *value, const char **user) {
    *user = MODEL;
    const char *why =
        strncmp(value, "fabric.", 7) == 0 ? weft_sim_unused_property(ask->scene->sim, ask->cloth, value + 7) : NULL;
    if (why || (why = apply_rules(ask, CLOTH_RULES, value, user)))
        return why;
    *user = INTEGRATOR;
    return weft_sim_unused_by_integrator(ask->scene->sim, value);
}

/* -- notices -- */

static void note_cloth(weft_scene_file *scene, const inquiry *ask, const char *section) {
    const weft_value *map = weft_value_find(weft_scene_file_cloth(scene, ask->cloth), section);
    for (const weft_value *value = map ? map->first : NULL; value; value = value->next) {
        char path[80], user[64], text[400];
        const char *kind;
        snprintf(path, sizeof path, "%s.%.64s", section, value->key);
        const char *why = why_cloth_value(ask, path, &kind);
        if (!why)
            continue;
        name_user(ask, kind, user);
        snprintf(text, sizeof text, "cloth '%.64s': %s does not use %s: %.120s",
                 weft_sim_cloth(scene->sim, ask->cloth)->name, user, path, why);
        weft_scene_file_note(scene, text);
    }
}

static void note_scene(weft_scene_file *scene, const inquiry *ask) {
    const weft_value *root = weft_tree_root(scene->tree);
    for (const rule *r = SCENE_RULES; r->value; r++) {
        char section[32], user[64], text[400];
        size_t length = strcspn(r->value, ".");
        snprintf(section, sizeof section, "%.*s", (int)length, r->value);
        int given = weft_value_find(weft_value_find(root, section), r->value + length + 1) != NULL;
        const char *why = given ? r->why(ask) : NULL;
        if (!why)
            continue;
        name_user(ask, r->user, user);
        snprintf(text, sizeof text, "%s does not use %s: %.120s", user, r->value, why);
        weft_scene_file_note(scene, text);
    }
}

void weft_unused_values_note(weft_scene_file *scene, const weft_registry *registry) {
    inquiry ask = {scene, registry, 0};
    note_scene(scene, &ask);
    for (; ask.cloth < weft_sim_cloth_count(scene->sim); ask.cloth++) {
        note_cloth(scene, &ask, "fabric");
        note_cloth(scene, &ask, "model");
        note_cloth(scene, &ask, "maps");
    }
}
