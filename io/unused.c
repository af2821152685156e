#include "io/unused.h"

#include <stdio.h>
#include <string.h>

#include "weft/text.h"

static int begins(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

static weft_unused because(const char *kind, const char *name, const char *why) {
    weft_unused found = {.why = why};
    if (why)
        snprintf(found.user, sizeof found.user, "%s%.40s", kind, name);
    return found;
}

/* The scene lacks what would make the value count. */
static weft_unused lacks(int lacking, const char *why) { return because("", "", lacking ? why : NULL); }

/* Writes the value of a parameter of the model; empty if the model has no such parameter. */
static void read_model(const weft_sim *sim, int32_t cloth, const char *name, char *text, size_t size) {
    char path[300];
    text[0] = '\0';
    snprintf(path, sizeof path, "cloth.%d.model.%.64s", cloth, name);
    if (weft_sim_get(sim, path, text, size).code != WEFT_OK)
        text[0] = '\0';
}

static int model_has(const weft_sim *sim, int32_t cloth, const char *name, const char *value) {
    char text[WEFT_STRING_SIZE];
    read_model(sim, cloth, name, text, sizeof text);
    return strcmp(text, value) == 0;
}

static int anything_touches(const weft_sim *sim) {
    char self[16];
    if (weft_sim_body_count(sim) > 0 || weft_sim_get(sim, "contact.self", self, sizeof self).code != WEFT_OK)
        return 1;
    return strcmp(self, "true") == 0 || (strcmp(self, "auto") == 0 && weft_sim_cloth_count(sim) > 1);
}

static int has_wind(const weft_sim *sim) {
    for (int32_t i = 0; i < weft_sim_force_count(sim); i++)
        if (begins(weft_sim_force_name(sim, i), "wind"))
            return 1;
    return 0;
}

/* Contact has a thickness of its own, unless that is 0. */
static int has_contact_thickness(const weft_sim *sim) {
    char text[64];
    return weft_sim_get(sim, "contact.thickness", text, sizeof text).code == WEFT_OK && weft_real_parse(text, NULL) > 0;
}

static weft_unused of_fabric(const weft_sim *sim, int32_t cloth, const char *property) {
    const weft_fabric *fabric = weft_sim_cloth(sim, cloth)->fabric;
    const char *why = weft_sim_unused_property(sim, cloth, property);
    if (why)
        return because("model ", weft_sim_model_name(sim, cloth), why);
    if (strcmp(property, "thickness") == 0 && has_contact_thickness(sim))
        return because("contact", "", "contact.thickness is given");
    if (strcmp(property, "tear_zone") == 0 && !(fabric->tear_weft > 0) && !(fabric->tear_warp > 0))
        return because("tearing", "", "tear_weft and tear_warp are 0");
    if (strcmp(property, "friction") == 0)
        return lacks(!anything_touches(sim), "nothing touches the cloth");
    if (strcmp(property, "drag") == 0 || strcmp(property, "lift") == 0)
        return lacks(!has_wind(sim), "there is no wind");
    return (weft_unused){0};
}

/* Whether `stiffness: fabric` replaces the parameter of the model. */
static int is_own_stiffness(const weft_sim *sim, int32_t cloth, const char *name) {
    static const char *const OWN[][2] = {
        {"springs", "structural_stiffness"},
        {"springs", "shear_stiffness"},
        {"springs", "flexion_stiffness"},
        {"buckling", "stretch"},
        {"buckling", "shear"},
        {"buckling", "flexion"},
        {"buckling", "flexion_triangles"},
    };
    for (size_t i = 0; i < sizeof OWN / sizeof OWN[0]; i++)
        if (strcmp(OWN[i][1], name) == 0 && strcmp(OWN[i][0], weft_sim_model_name(sim, cloth)) == 0)
            return 1;
    return 0;
}

/* Whether the parameter belongs to springs of a kind that is switched off, as "shear_stiffness" does to "shear". */
static int is_switched_off(const weft_sim *sim, int32_t cloth, const char *name) {
    static const char *const KINDS[] = {"structural", "shear", "flexion"};
    for (int i = 0; i < 3; i++)
        if (begins(name, KINDS[i]) && name[strlen(KINDS[i])] == '_')
            return model_has(sim, cloth, KINDS[i], "false");
    return 0;
}

static weft_unused of_model(const weft_sim *sim, int32_t cloth, const char *name) {
    const char *why = NULL;
    if (is_own_stiffness(sim, cloth, name) && model_has(sim, cloth, "stiffness", "fabric"))
        why = "model.stiffness is fabric";
    else if (is_switched_off(sim, cloth, name))
        why = "springs of this kind are switched off";
    else if (strcmp(name, "limit_passes") == 0 && model_has(sim, cloth, "limit", "0"))
        why = "model.limit is 0, which means none";
    return because("model ", weft_sim_model_name(sim, cloth), why);
}

weft_unused weft_unused_of_cloth(const weft_sim *sim, int32_t cloth, const char *value) {
    weft_unused found = {0};
    if (begins(value, "fabric."))
        found = of_fabric(sim, cloth, value + 7);
    else if (begins(value, "model."))
        found = of_model(sim, cloth, value + 6);
    if (found.why)
        return found;
    return because("integrator ", weft_sim_integrator_name(sim), weft_sim_unused_by_integrator(sim, value));
}

static weft_unused of_contact(const weft_sim *sim, const char *name) {
    if (strcmp(name, "self") == 0)
        return (weft_unused){0};
    return lacks(!anything_touches(sim), "there are no bodies, and self-collision is off");
}

weft_unused weft_unused_of_path(const weft_sim *sim, const char *path) {
    if (begins(path, "contact."))
        return of_contact(sim, path + 8);
    for (int32_t i = 0; begins(path, "cloth.") && i < weft_sim_cloth_count(sim); i++) {
        const char *name = weft_sim_cloth(sim, i)->name;
        size_t length = strlen(name);
        if (begins(path + 6, name) && path[6 + length] == '.')
            return weft_unused_of_cloth(sim, i, path + 7 + length);
    }
    return (weft_unused){0};
}
