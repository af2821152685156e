/* Garments of a scene: `cloth: {garment: tshirt.yaml, on: mannequin, settle: 1 s}`. The program sews the garment; here
 * it becomes a cloth with the pattern as its rest shape. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/scene_reader.h"
#include "weft/text.h"

/* A garment of about 10,000 vertices is at rest after this time with this damping (docs/fit.md). */
static const char SETTLE_RATE[] = "10";
static const double SETTLE_TIME = 1;
/* The seams close in this part of that time. */
static const double SEWING_PART = 0.5;

void weft_sewn_free(weft_sewn *sewn) {
    weft_mesh_destroy(sewn->mesh);
    free((void *)sewn->tailoring.density);
    free((void *)sewn->tailoring.stretch);
    free((void *)sewn->tailoring.bend);
    free((void *)sewn->tailoring.crease);
    free((void *)sewn->tailoring.tie);
    free((void *)sewn->tailoring.gathered);
    free(sewn->panel_fabric);
    free(sewn->panel_padding);
    free(sewn->attached);
    *sewn = (weft_sewn){0};
}

static weft_result read_settle(scene_reader *reader, const weft_value *cloth, weft_sewn *sewn) {
    const weft_value *value = weft_value_find(cloth, "settle");
    double settle = SETTLE_TIME;
    if (value) {
        if (value->kind != WEFT_VALUE_TEXT)
            return scene_fail(value, "cloth.settle: needs a time, as in 1 s");
        weft_result result = weft_number_read(value->text, "s", &settle);
        if (result.code != WEFT_OK)
            return scene_fail(value, "cloth.settle: %s", result.message);
        if (!(settle >= 0 && settle <= 1e6))
            return scene_fail(value, "cloth.settle: %g s is not from 0 to 10^6 s", settle);
    }
    reader->settle = fmax(reader->settle, settle);
    sewn->tailoring.sewing = SEWING_PART * settle;
    return weft_ok();
}

weft_result scene_load_garment(scene_reader *reader, const weft_value *cloth, weft_sewn *sewn) {
    const weft_value *file = weft_value_find(cloth, "garment");
    const weft_scene_files *files = reader->files;
    *sewn = (weft_sewn){0};
    if (file->kind != WEFT_VALUE_TEXT || !file->text[0])
        return scene_fail(file, "cloth.garment: needs the name of a garment file");
    if (!files || !files->load_garment)
        return scene_fail(file, "cloth.garment: this program reads no garments");
    weft_result result = files->load_garment(files->context, cloth, reader->bodies, sewn);
    if (result.code == WEFT_OK)
        result = read_settle(reader, cloth, sewn);
    if (result.code != WEFT_OK)
        weft_sewn_free(sewn);
    return scene_at(file, result);
}

weft_result scene_check_garment_keys(const weft_value *cloth) {
    static const char *const KEYS[] = {"on", "settle", "ease", "panels"};
    for (int i = 0; i < 4; i++) {
        const weft_value *lost = weft_value_find(cloth, KEYS[i]);
        if (lost && !weft_value_find(cloth, "garment"))
            return scene_fail(lost, "cloth.%s: belongs to a `garment`", KEYS[i]);
    }
    return weft_ok();
}

/* The values of a fabric in which it may differ from another by a common factor. */
static int proportion(const weft_fabric *a, const weft_fabric *b, double *stretch, double *bend) {
    static const double TOLERANCE = 0.01;
    const double stretches[][2] = {
        {a->stretch_weft, b->stretch_weft}, {a->stretch_warp, b->stretch_warp}, {a->shear, b->shear}};
    const double bends[][2] = {{a->bend_weft, b->bend_weft}, {a->bend_warp, b->bend_warp}};
    int alike = 1;
    *stretch = stretches[0][0] / stretches[0][1];
    *bend = bends[0][1] > 0 ? bends[0][0] / bends[0][1] : 1;
    for (int i = 0; i < 3; i++)
        alike &= fabs(stretches[i][0] / stretches[i][1] / *stretch - 1) <= TOLERANCE;
    for (int i = 0; i < 2; i++)
        alike &= fabs(bends[i][0] - *bend * bends[i][1]) <= TOLERANCE * bends[i][0];
    return alike;
}

static double *factors_of(const weft_mesh *mesh, const double **factor) {
    double *made = (double *)*factor;
    if (made)
        return made;
    made = malloc(((size_t)mesh->face_count + 1) * sizeof *made);
    for (int32_t f = 0; made && f < mesh->face_count; f++)
        made[f] = 1;
    *factor = made;
    return made;
}

/* A cloth has one fabric. A panel of another is that fabric with factors, if these exist. */
static weft_result apply_panel(const weft_value *file, weft_sewn *sewn, int32_t panel, const weft_fabric *fabric) {
    const weft_mesh *mesh = sewn->mesh;
    const weft_sewn_fabric *own = &sewn->panel_fabric[panel];
    double stretch, bend;
    if (!own->is_set)
        return weft_ok();
    if (!proportion(&own->fabric, fabric, &stretch, &bend))
        return scene_fail(
            file,
            "cloth.garment: panel %.60s: its fabric is not as much stiffer in weft, warp and shear, which "
            "one cloth cannot have; give `changes`, or sew it into a garment of its own",
            mesh->group_name[panel]);
    double *density = factors_of(mesh, &sewn->tailoring.density),
           *stretches = factors_of(mesh, &sewn->tailoring.stretch);
    double *bends = factors_of(mesh, &sewn->tailoring.bend);
    if (!density || !stretches || !bends)
        return weft_fail_memory("a garment", (size_t)mesh->face_count * sizeof *density);
    for (int32_t f = 0; f < mesh->face_count; f++)
        if (mesh->face_group[f] == panel) {
            density[f] *= own->fabric.density / fabric->density;
            stretches[f] *= stretch;
            bends[f] *= bend;
        }
    return weft_ok();
}

weft_result scene_apply_panels(const weft_value *cloth, weft_sewn *sewn, const weft_fabric *fabric) {
    for (int32_t p = 0; sewn->panel_fabric && p < sewn->mesh->group_count; p++)
        WEFT_TRY(apply_panel(weft_value_find(cloth, "garment"), sewn, p, fabric));
    return weft_ok();
}

weft_result scene_pad_panels(scene_reader *reader, const weft_value *cloth, int32_t index, const weft_mesh *mesh,
                             const double *padding) {
    char path[120];
    for (int32_t p = 0; padding && p < mesh->group_count; p++) {
        snprintf(path, sizeof path, "cloth.%d.panels.%.60s.padding", index, mesh->group_name[p]);
        if (padding[p] != 0)
            WEFT_TRY(scene_at(weft_value_find(cloth, "garment"), weft_sim_set_real(reader->sim, path, padding[p])));
    }
    return weft_ok();
}

weft_result scene_read_panels(scene_reader *reader, const weft_value *cloth, int32_t index, const weft_mesh *mesh) {
    const weft_value *ease = weft_value_find(cloth, "ease"), *panels = weft_value_find(cloth, "panels");
    char path[120];
    snprintf(path, sizeof path, "cloth.%d.ease", index);
    if (ease && ease->kind != WEFT_VALUE_MAP)
        return scene_fail(ease, "cloth.ease: needs a map, as in {width: 1.05}");
    WEFT_TRY(scene_apply(reader, ease, path, NULL));
    if (panels && panels->kind != WEFT_VALUE_MAP)
        return scene_fail(panels, "cloth.panels: needs a map of panels, as in {front: {stretch: 2}}");
    for (const weft_value *panel = panels ? panels->first : NULL; panel; panel = panel->next) {
        if (panel->kind != WEFT_VALUE_MAP)
            return scene_fail(panel, "cloth.panels.%.60s: needs a map, as in {stretch: 2}", panel->key);
        const char *nearest = weft_nearest(panel->key, (const char *const *)mesh->group_name, mesh->group_count);
        int known = 0;
        for (int32_t g = 0; g < mesh->group_count; g++)
            known |= strcmp(mesh->group_name[g], panel->key) == 0;
        if (!known)
            return scene_fail(panel, "cloth.panels: the garment has no panel '%.60s'%s%s%s", panel->key,
                              nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
        snprintf(path, sizeof path, "cloth.%d.panels.%.60s", index, panel->key);
        WEFT_TRY(scene_apply(reader, panel, path, NULL));
    }
    return weft_ok();
}

weft_result scene_keep_attached(scene_reader *reader, const weft_value *cloth, int32_t index, weft_sewn *sewn) {
    if (sewn->attached_count == 0)
        return weft_ok();
    scene_attachment *made = malloc(sizeof *made);
    if (!made)
        return weft_fail_memory("attachments", sizeof *made);
    *made = (scene_attachment){.vertex = sewn->attached,
                               .count = sewn->attached_count,
                               .cloth = index,
                               .begin = sewn->tailoring.sewing,
                               .entry = cloth,
                               .next = reader->attachments};
    reader->attachments = made;
    sewn->attached = NULL;
    return weft_ok();
}

void scene_free_attachments(scene_reader *reader) {
    for (scene_attachment *next, *a = reader->attachments; a; a = next) {
        next = a->next;
        free(a->vertex);
        free(a);
    }
    reader->attachments = NULL;
}

/* The body that wears a garment: the one that `on` names, or the first mannequin. */
static weft_result find_wearer(const scene_reader *reader, const weft_value *cloth, int32_t *body) {
    const weft_value *on = weft_value_find(cloth, "on");
    if (on)
        return scene_find_body(reader, on, body);
    for (*body = 0; *body < weft_sim_body_count(reader->sim); (*body)++)
        if (strcmp(weft_sim_body_name(reader->sim, *body), "mannequin") == 0)
            return weft_ok();
    return scene_fail(weft_value_find(cloth, "garment"),
                      "cloth.garment: it is attached to a body (`attach`), but the scene has no mannequin; name a body "
                      "by `on`");
}

weft_result scene_attach_garments(scene_reader *reader) {
    for (const scene_attachment *a = reader->attachments; a; a = a->next) {
        weft_pin pin = weft_pin_default();
        weft_select select = {.kind = WEFT_SELECT_VERTICES, .vertices = a->vertex, .vertex_count = a->count};
        int32_t count, total = weft_sim_cloth(reader->sim, a->cloth)->mesh->vertex_count;
        int32_t *vertices = malloc((size_t)total * sizeof *vertices);
        if (!vertices)
            return weft_fail_memory("attachments", (size_t)total * sizeof *vertices);
        pin.attached = 1;
        pin.begin = a->begin;
        weft_result result = find_wearer(reader, a->entry, &pin.body);
        if (result.code == WEFT_OK)
            result = weft_sim_select(reader->sim, a->cloth, &select, vertices, &count);
        if (result.code == WEFT_OK)
            result = weft_sim_add_pin(reader->sim, a->cloth, &pin, vertices, count);
        free(vertices);
        WEFT_TRY(scene_at(weft_value_find(a->entry, "garment"), result));
    }
    return weft_ok();
}

/* Holds the garments up against gravity while their seams close: a skirt would fall before its waist is tight. */
static weft_result lift(scene_reader *reader, int32_t settling) {
    char path[48], text[WEFT_STRING_SIZE];
    weft_vec3 sum = {0, 0, 0};
    for (int32_t i = 0; i < settling; i++) {
        double g[3];
        snprintf(path, sizeof path, "forces.%d.acceleration", i);
        if (strcmp(weft_sim_force_name(reader->sim, i), "gravity") != 0)
            continue;
        WEFT_TRY(weft_sim_get(reader->sim, path, text, sizeof text));
        const char *at = text; /* [x, y, z] */
        for (int k = 0; k < 3; k++)
            g[k] = weft_real_parse(at + 1, &at);
        sum = weft_add(sum, weft_vec3_make(g[0], g[1], g[2]));
    }
    snprintf(path, sizeof path, "forces.%d.lift", settling);
    weft_format(text, sizeof text, "[%.17g, %.17g, %.17g]", 0 - sum.x, 0 - sum.y, 0 - sum.z);
    return weft_sim_set(reader->sim, path, text);
}

weft_result scene_add_settling(scene_reader *reader) {
    int32_t force;
    if (!(reader->settle > 0))
        return weft_ok();
    WEFT_TRY(weft_sim_add_force(reader->sim, "settling", &force));
    char path[48];
    snprintf(path, sizeof path, "forces.%d.rate", force);
    WEFT_TRY(weft_sim_set(reader->sim, path, SETTLE_RATE));
    snprintf(path, sizeof path, "forces.%d.until", force);
    WEFT_TRY(weft_sim_set_real(reader->sim, path, reader->settle));
    snprintf(path, sizeof path, "forces.%d.lift_until", force);
    WEFT_TRY(weft_sim_set_real(reader->sim, path, SEWING_PART * reader->settle));
    return lift(reader, force);
}

/* The panel of a vertex: that of its first face. */
static const char *panel_at(const weft_mesh *mesh, int32_t vertex) {
    int32_t face = mesh->triangle_face[mesh->vertex_triangle[mesh->vertex_triangle_start[vertex]]];
    int32_t group = mesh->face_group ? mesh->face_group[face] : WEFT_NONE;
    return group == WEFT_NONE ? "" : mesh->group_name[group];
}

static weft_result refuse_start(const weft_value *garment, const weft_sim *sim, int32_t cloth, int32_t vertex,
                                int32_t body) {
    const weft_mesh *mesh = weft_sim_cloth(sim, cloth)->mesh;
    weft_vec3 x = weft_sim_positions(sim, cloth)[vertex];
    return scene_fail(garment,
                      "cloth.garment: panel %.60s begins inside of body %d (%s), at [%.3f, %.3f, %.3f] m; move it "
                      "outwards by `place`",
                      panel_at(mesh, vertex), body, weft_sim_body_name(sim, body), x.x, x.y, x.z);
}

/* "panels a and b", or "cloths 'shirt' (panel a) and 'jacket' (panel b)". */
static void name_sides(const weft_sim *sim, const weft_crossing *c, char *text, size_t size) {
    int32_t edge_of = c->edge_of_other ? c->other : c->cloth, triangle_of = c->edge_of_other ? c->cloth : c->other;
    const weft_cloth *first = weft_sim_cloth(sim, edge_of), *second = weft_sim_cloth(sim, triangle_of);
    const char *panel = panel_at(first->mesh, c->edge[0]), *other = panel_at(second->mesh, c->triangle[0]);
    if (edge_of == triangle_of)
        snprintf(text, size, "panels %.60s and %.60s", panel, other);
    else
        snprintf(text, size, "cloths '%.60s'%s%.40s%s and '%.60s'%s%.40s%s", first->name, panel[0] ? " (panel " : "",
                 panel, panel[0] ? ")" : "", second->name, other[0] ? " (panel " : "", other, other[0] ? ")" : "");
}

static weft_result refuse_crossing(const weft_value *garment, const weft_sim *sim, const weft_crossing *c,
                                   int64_t edges) {
    char sides[300];
    int repaired = weft_sim_repaired(sim).before > 0;
    weft_vec3 x = weft_sim_positions(sim, c->edge_of_other ? c->other : c->cloth)[c->edge[0]];
    name_sides(sim, c, sides, sizeof sides);
    return scene_fail(
        garment,
        "cloth.garment: %s %scross at the start, at [%.3f, %.3f, %.3f] m (%lld edge%s through triangles); "
        "move one by `place`%s",
        sides, repaired ? "still " : "", x.x, x.y, x.z, (long long)edges, edges == 1 ? " passes" : "s pass",
        repaired ? ", as contact.repair could not part them" : ", or set contact.repair: true");
}

/* Panels must begin outside of the bodies. */
static weft_result check_bodies(const weft_value *garment, weft_sim *sim, int32_t index, const weft_crossing *list,
                                int32_t count) {
    for (int32_t i = 0; i < count; i++)
        if (list[i].cloth == index && list[i].body != WEFT_NONE)
            return refuse_start(garment, sim, index, (list[i].edge_of_other ? list[i].triangle : list[i].edge)[0],
                                list[i].body);
    for (int32_t b = 0; b < weft_sim_body_count(sim); b++)
        if (weft_sim_inside(sim, index, b))
            return refuse_start(garment, sim, index, 0, b);
    return weft_ok();
}

/* The entry of a cloth in the scene. */
static const weft_value *entry_at(const weft_value *cloths, int32_t index) {
    const weft_value *entry = cloths->kind == WEFT_VALUE_MAP ? cloths : cloths->first;
    while (index-- > 0)
        entry = entry->next;
    return entry;
}

/* A garment must not cross itself nor, where cloths collide, another cloth. */
static weft_result check_crossings(const scene_reader *reader, const weft_value *cloths, const weft_crossing *list,
                                   int32_t count) {
    int collide = weft_sim_contact_settings(reader->sim)->self;
    for (int32_t i = 0; i < count; i++) {
        const weft_crossing *c = &list[i];
        if (c->body != WEFT_NONE || (c->other != c->cloth && !collide))
            continue;
        const weft_value *garment = weft_value_find(entry_at(cloths, c->cloth), "garment");
        int64_t edges = 0;
        if (!garment)
            garment = weft_value_find(entry_at(cloths, c->other), "garment");
        for (int32_t k = i; garment && k < count; k++)
            edges += list[k].body == WEFT_NONE && list[k].cloth == c->cloth && list[k].other == c->other;
        if (garment)
            return refuse_crossing(garment, reader->sim, c, edges);
    }
    return weft_ok();
}

static weft_result check_starts(const scene_reader *reader, const weft_value *cloths, const weft_crossing *list,
                                int32_t count) {
    for (int32_t index = 0; index < weft_sim_cloth_count(reader->sim); index++) {
        const weft_value *garment = weft_value_find(entry_at(cloths, index), "garment");
        if (garment)
            WEFT_TRY(check_bodies(garment, reader->sim, index, list, count));
    }
    return check_crossings(reader, cloths, list, count);
}

static int has_garment(const weft_sim *sim, const weft_value *cloths) {
    for (int32_t i = 0; i < weft_sim_cloth_count(sim); i++)
        if (weft_value_find(entry_at(cloths, i), "garment"))
            return 1;
    return 0;
}

weft_result scene_check_garments(scene_reader *reader, const weft_value *cloths) {
    weft_intersections found;
    int32_t count;
    if (!has_garment(reader->sim, cloths))
        return weft_ok();
    WEFT_TRY(weft_sim_crossings(reader->sim, NULL, 0, &count, &found));
    int64_t all = found.self + found.cloths + found.bodies;
    weft_crossing *list = malloc(((size_t)all + 1) * sizeof *list);
    if (!list)
        return weft_fail_memory("crossings", (size_t)all * sizeof *list);
    weft_result result = weft_sim_crossings(reader->sim, list, (int32_t)all, &count, &found);
    if (result.code == WEFT_OK)
        result = check_starts(reader, cloths, list, count);
    free(list);
    return result;
}
