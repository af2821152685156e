#include "io/unused.h"

#include <stdio.h>
#include <string.h>

#include "weft/text.h"

/* The value whose effect is in question, and its cloth. */
typedef struct inquiry {
    const weft_sim *sim;
    int32_t cloth;
    const char *value; /* "fabric.damping", "model.limit_passes", "maps.bend", "contact.friction" */
} inquiry;

/* Why the value has no effect; null if it has one. */
typedef const char *reason(const inquiry *ask);

typedef struct rule {
    const char *value; /* such as "fabric.friction" */
    const char *user;  /* what ignores it; MODEL and INTEGRATOR are named */
    reason *why;
} rule;
static const char MODEL[] = "model", INTEGRATOR[] = "integrator";

static int begins(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

static int is_setting(const inquiry *ask, const char *path, const char *value) {
    char text[WEFT_STRING_SIZE];
    return weft_sim_get(ask->sim, path, text, sizeof text).code == WEFT_OK && strcmp(text, value) == 0;
}

static int is_model_setting(const inquiry *ask, const char *name, const char *value) {
    char path[96];
    snprintf(path, sizeof path, "cloth.%d.model.%.40s", ask->cloth, name);
    return is_setting(ask, path, value);
}

/* -- contact -- */

static int has_layers(const inquiry *ask) { return weft_sim_contact_settings(ask->sim)->self == WEFT_SELF_ON; }

static const char *without_contact(const inquiry *ask) {
    return has_layers(ask) || weft_sim_body_count(ask->sim) > 0
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
    int given = weft_sim_get(ask->sim, "contact.thickness", text, sizeof text).code == WEFT_OK &&
                weft_real_parse(text, NULL) > 0;
    return given ? "contact.thickness is given" : without_contact(ask);
}

static int solves_contact(const inquiry *ask) {
    return is_setting(ask, "integrator.solver", "pcg") || is_setting(ask, "integrator.solver", "auto");
}

static int is_fast(const inquiry *ask) { return is_setting(ask, "contact.mode", "fast"); }

/* The method that the steps use. */
static weft_contact_method method_of(const inquiry *ask) {
    if (!solves_contact(ask))
        return WEFT_CONTACT_IMPULSES;
    weft_contact_method given = (weft_contact_method)weft_sim_contact_settings(ask->sim)->method;
    return given == WEFT_CONTACT_BARRIER && is_fast(ask) ? WEFT_CONTACT_CONSTRAINTS : given;
}

static const char *without_solver(const inquiry *ask) {
    if (without_contact(ask) || solves_contact(ask) || is_setting(ask, "contact.method", "impulses"))
        return NULL;
    return "only implicit integrators with solver pcg or auto solve for contact; this one uses impulses";
}

static const char *without_method(const inquiry *ask) {
    const char *why = without_contact(ask);
    if (!why && solves_contact(ask) && is_fast(ask) && is_setting(ask, "contact.method", "barrier"))
        return "contact.mode is fast, which uses constraints";
    return why;
}

static const char *without_barrier(const inquiry *ask) {
    const char *why = without_contact(ask);
    return !why && method_of(ask) != WEFT_CONTACT_BARRIER ? "the steps have no barrier (contact.method)" : why;
}

static const char BEHIND_BARRIER[] = "with the barrier it acts only in a step that the barrier cannot make";

static const char *without_constraints(const inquiry *ask) {
    const char *why = without_contact(ask);
    if (!why && method_of(ask) == WEFT_CONTACT_IMPULSES)
        return "contact.method is impulses";
    return !why && method_of(ask) == WEFT_CONTACT_BARRIER ? BEHIND_BARRIER : why;
}

static const char *without_impulses(const inquiry *ask) {
    const char *why = without_contact(ask);
    return !why && method_of(ask) == WEFT_CONTACT_BARRIER ? BEHIND_BARRIER : why;
}

static const char *always_warm(const inquiry *ask) {
    return !without_contact(ask) && method_of(ask) == WEFT_CONTACT_CONSTRAINTS
               ? "with contact constraints its linear solver always starts from the previous step"
               : NULL;
}

/* -- forces, time, tearing and adaptation -- */

static const char *without_wind(const inquiry *ask) {
    return weft_sim_has_wind(ask->sim) ? NULL : "the scene has no wind";
}

static const char *without_random_steps(const inquiry *ask) {
    return weft_sim_clock(ask->sim)->mode != WEFT_TIME_VARIABLE ? "time.mode is not variable" : NULL;
}

static const char *without_adaptive_steps(const inquiry *ask) {
    return weft_sim_clock(ask->sim)->mode != WEFT_TIME_ADAPTIVE ? "time.mode is not adaptive" : NULL;
}

static const char *without_limits(const inquiry *ask) {
    const weft_fabric *fabric = weft_sim_cloth(ask->sim, ask->cloth)->fabric;
    return fabric->tear_weft > 0 || fabric->tear_warp > 0 ? NULL : "tear_weft and tear_warp are 0";
}

/* The parameters of an adaptation come before those of the cloths. */
static const char *without_adapt(const inquiry *ask) {
    char path[256] = "";
    const weft_param *row;
    for (int i = 0; !begins(path, "cloth.") && weft_sim_param_at(ask->sim, i, path, sizeof path, &row); i++)
        if (begins(path, "adapt."))
            return NULL;
    return "the scene has no adapt";
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

static const char *with_fabric(const inquiry *ask) {
    return is_model_setting(ask, "stiffness", "fabric") ? "model.stiffness is fabric" : NULL;
}

/* The parameter belongs to springs of a kind, as "shear_stiffness" does to "shear". */
static const char *switched_off(const inquiry *ask) {
    char kind[32];
    const char *name = ask->value + strlen("model.");
    snprintf(kind, sizeof kind, "%.*s", (int)strcspn(name, "_"), name);
    return is_model_setting(ask, kind, "false") ? "springs of this kind are switched off" : NULL;
}

static const char *without_limit(const inquiry *ask) {
    return is_model_setting(ask, "limit", "0") ? "model.limit is 0, which means none" : NULL;
}

/* The bending of triangles acts on edges between them. */
static const char *without_triangles(const inquiry *ask) {
    const weft_mesh *mesh = weft_sim_cloth(ask->sim, ask->cloth)->mesh;
    for (int32_t f = 0; f < mesh->face_count; f++) {
        int32_t h = mesh->face_halfedge[f];
        if (mesh->next[mesh->next[mesh->next[h]]] == h)
            return NULL;
    }
    return "the mesh has no triangles; model.flexion bends other faces";
}

static const char *rigid_stretch(const inquiry *ask) {
    return weft_sim_unused_by_integrator(ask->sim, "fabric.stretch_weft");
}

static const char *rigid_bend(const inquiry *ask) {
    return weft_sim_unused_by_integrator(ask->sim, "fabric.bend_weft");
}

/* -- rules -- */

static const rule CLOTH_RULES[] = {
    {"fabric.thickness", "contact", without_thickness},
    {"fabric.friction", "contact", without_layers},
    {"fabric.drag", "aerodynamics", without_wind},
    {"fabric.lift", "aerodynamics", without_wind},
    {"fabric.tear_zone", "tearing", without_limits},
    {"model.structural_stiffness", MODEL, with_fabric},
    {"model.shear_stiffness", MODEL, with_fabric},
    {"model.flexion_stiffness", MODEL, with_fabric},
    {"model.stretch", MODEL, with_fabric},
    {"model.shear", MODEL, with_fabric},
    {"model.flexion", MODEL, with_fabric},
    {"model.flexion_triangles", MODEL, with_fabric},
    {"model.structural_stiffness", MODEL, switched_off},
    {"model.structural_rest", MODEL, switched_off},
    {"model.shear_stiffness", MODEL, switched_off},
    {"model.shear_rest", MODEL, switched_off},
    {"model.flexion_stiffness", MODEL, switched_off},
    {"model.flexion_rest", MODEL, switched_off},
    {"model.limit_passes", MODEL, without_limit},
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
    {"time.jitter", "the clock", without_random_steps},
    {"time.accuracy", "the clock", without_adaptive_steps},
    {"contact.mode", "contact", without_contact},
    {"contact.method", INTEGRATOR, without_solver},
    {"contact.method", "contact", without_method},
    {"contact.margin", "contact", without_contact},
    {"contact.thickness", "contact", without_contact},
    {"contact.friction", "contact", without_contact},
    {"contact.search", "contact", without_contact},
    {"contact.barrier.", INTEGRATOR, without_solver},
    {"contact.barrier.", "contact", without_barrier},
    {"contact.constraints.", INTEGRATOR, without_solver},
    {"contact.constraints.", "contact", without_constraints},
    {"contact.impulses.", "contact", without_impulses},
    {"integrator.warm_start", INTEGRATOR, always_warm},
    {0},
};

/* `springs` has switches of the names under which `buckling` has stiffnesses. */
static int is_switch(const inquiry *ask) {
    return is_model_setting(ask, ask->value + strlen("model."), "true") ||
           is_model_setting(ask, ask->value + strlen("model."), "false");
}

static weft_unused because(const inquiry *ask, const char *user, const char *why) {
    weft_unused found = {.why = why};
    if (!why)
        return found;
    const char *name = user == MODEL        ? weft_sim_model_name(ask->sim, ask->cloth)
                       : user == INTEGRATOR ? weft_sim_integrator_name(ask->sim)
                                            : "";
    snprintf(found.user, sizeof found.user, "%s%s%.40s", user, name[0] ? " " : "", name);
    return found;
}

/* A rule whose name ends with a dot is for all of a group. */
static int is_named(const char *name, const char *value) {
    return name[strlen(name) - 1] == '.' ? begins(value, name) : strcmp(name, value) == 0;
}

static weft_unused apply_rules(const inquiry *ask, const rule *rules) {
    for (const rule *r = rules; r->value; r++) {
        int applies = is_named(r->value, ask->value) && !(r->why == with_fabric && is_switch(ask));
        const char *why = applies ? r->why(ask) : NULL;
        if (why)
            return because(ask, r->user, why);
    }
    return (weft_unused){0};
}

weft_unused weft_unused_of_cloth(const weft_sim *sim, int32_t cloth, const char *value) {
    inquiry ask = {sim, cloth, value};
    const char *why = begins(value, "fabric.") ? weft_sim_unused_property(sim, cloth, value + 7) : NULL;
    if (why)
        return because(&ask, MODEL, why);
    weft_unused found = apply_rules(&ask, CLOTH_RULES);
    return found.why ? found : because(&ask, INTEGRATOR, weft_sim_unused_by_integrator(sim, value));
}

void weft_present_path(const char *path, char *present, size_t size) {
    const weft_param *row = begins(path, "contact.") ? weft_params_find(weft_contact_params(), path + 8) : NULL;
    if (row)
        snprintf(present, size, "contact.%s", row->name);
    else
        snprintf(present, size, "%s", path);
}

weft_unused weft_unused_of_path(const weft_sim *sim, const char *path) {
    char present[256];
    weft_present_path(path, present, sizeof present);
    inquiry ask = {sim, 0, present};
    if (!begins(path, "cloth."))
        return apply_rules(&ask, SCENE_RULES);
    for (int32_t i = 0; i < weft_sim_cloth_count(sim); i++) {
        const char *name = weft_sim_cloth(sim, i)->name;
        size_t length = strlen(name);
        if (begins(path + 6, name) && path[6 + length] == '.')
            return weft_unused_of_cloth(sim, i, path + 7 + length);
    }
    return (weft_unused){0};
}
