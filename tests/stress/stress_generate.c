/* Writes a plan as a scene file with its meshes. */
#include "tests/stress/stress_generate.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tests/stress/stress_plan.h"
#include "tests/stress/stress_text.h"

/* -- meshes -- */

static weft_result write_mesh(stress_text *text, const char *folder, const char *name) {
    weft_result result = stress_text_write(text, folder, name);
    stress_text_free(text);
    return result;
}

static void name_mesh(char *name, size_t size, uint64_t seed, const char *kind, int index) {
    snprintf(name, size, "seed-%" PRIu64 "-%s%d.obj", seed, kind, index);
}

/* Layers along x, joined by upright strips as high as the gap. Texture coordinates are lengths along the cloth. */
static weft_result write_folded(const stress_cloth *cloth, const char *folder, const char *name) {
    stress_text text = {0};
    int per = cloth->cells[0] / cloth->layers, columns = cloth->layers * (per + 1), rows = cloth->cells[1] + 1;
    for (int c = 0; c < columns; c++) {
        int layer = c / (per + 1), along = c % (per + 1);
        double x = cloth->low.x + cloth->edge * (layer % 2 ? per - along : along);
        double u = layer * (per * cloth->edge + cloth->gap) + along * cloth->edge;
        for (int r = 0; r < rows; r++) {
            stress_text_add(&text, "v %.5f %.5f %.5f\n", x, cloth->low.y + layer * cloth->gap,
                            cloth->low.z + r * cloth->edge);
            stress_text_add(&text, "vt %.5f %.5f\n", u, r * cloth->edge);
        }
    }
    for (int c = 0; c + 1 < columns; c++)
        for (int r = 1; r < rows; r++) {
            int a = c * rows + r, b = a + 1, d = a + rows, e = d + 1;
            if (cloth->diagonals == 0)
                stress_text_add(&text, "f %d/%d %d/%d %d/%d %d/%d\n", a, a, b, b, e, e, d, d);
            else if (cloth->diagonals == 1 || (c + r) % 2)
                stress_text_add(&text, "f %d/%d %d/%d %d/%d\nf %d/%d %d/%d %d/%d\n", a, a, b, b, e, e, a, a, e, e, d,
                                d);
            else
                stress_text_add(&text, "f %d/%d %d/%d %d/%d\nf %d/%d %d/%d %d/%d\n", a, a, b, b, d, d, b, b, e, e, d,
                                d);
        }
    return write_mesh(&text, folder, name);
}

static weft_result write_body_mesh(const stress_body *body, const char *folder, const char *name) {
    stress_text text = {0};
    double x = body->size.x / 2, y = body->size.y, z = body->size.z / 2;
    if (body->kind == STRESS_BLADE) {
        stress_text_add(&text, "v 0 %.4f %.4f\nv 0 %.4f %.4f\n", -y / 2, -z, -y / 2, z);
        stress_text_add(&text, "v 0 %.4f %.4f\nv 0 %.4f %.4f\nf 1 2 3\nf 1 3 4\n", y / 2, z, y / 2, -z);
    } else {
        stress_text_add(&text, "v %.4f 0 %.4f\nv %.4f 0 %.4f\nv %.4f 0 %.4f\nv %.4f 0 %.4f\n", -x, -x, -x, x, x, x, x,
                        -x);
        stress_text_add(&text, "v 0 %.4f 0\nf 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\nf 4 3 2\nf 4 2 1\n", y);
    }
    return write_mesh(&text, folder, name);
}

/* -- cloths -- */

static const char *const FABRICS[] = {"viscose",         "wool",         "polyacrylics",    "polyester", "cotton",
                                      "wool-plain",      "wool-lycra",   "polyester-plain", "silk",      "chiffon",
                                      "cotton-sheeting", "wool-suiting", "jersey",          "denim",     "canvas"};
static const char *const MODELS[] = {"springs", "buckling", "corotational"};
static const char *const DIAGONALS[] = {"alternating", "one-way", "criss-cross"};

static void add_vector(stress_text *text, const char *key, weft_vec3 v) {
    stress_text_add(text, "%s: [%.4f, %.4f, %.4f]", key, v.x, v.y, v.z);
}

static void add_grid(stress_text *text, const stress_cloth *cloth) {
    double width = cloth->cells[0] * cloth->edge, height = cloth->cells[1] * cloth->edge;
    weft_vec3 origin = cloth->low;
    if (cloth->shape == STRESS_HANGING)
        origin.y = cloth->high.y;
    if (cloth->shape == STRESS_TILTED)
        origin = (weft_vec3){-width / 2, 0, -height / 2};
    stress_text_add(text, "    grid: {cells: [%d, %d], size: [%.4f, %.4f], diagonals: %s, axes: [x, %s], ",
                    cloth->cells[0], cloth->cells[1], width, height, DIAGONALS[cloth->diagonals],
                    cloth->shape == STRESS_HANGING ? "-y" : "z");
    stress_text_add(text, "origin: [%.5f, %.5f, %.5f]}\n", origin.x, origin.y, origin.z);
    if (cloth->shape != STRESS_TILTED)
        return;
    stress_text_add(text, "    rotate: [%.2f deg, %.2f deg, %.2f deg]\n    at: [%.5f, %.5f, %.5f]\n", cloth->rotate.x,
                    cloth->rotate.y, cloth->rotate.z, (cloth->low.x + cloth->high.x) / 2,
                    (cloth->low.y + cloth->high.y) / 2, (cloth->low.z + cloth->high.z) / 2);
}

static void add_pin(stress_text *text, const stress_cloth *cloth, const char *which) {
    stress_text_add(text, "      - {%s", which);
    if (cloth->pull_time > 0) {
        stress_text_add(text, ", keys: [{time: 0}, {time: %.4f, ", cloth->pull_time);
        add_vector(text, "offset", cloth->pull);
        stress_text_add(text, "}]");
    }
    stress_text_add(text, "}\n");
}

static void add_model(stress_text *text, const stress_plan *plan, const stress_cloth *cloth) {
    stress_text_add(text, "    fabric: {preset: %s, friction: %.3f", FABRICS[cloth->fabric], cloth->friction);
    int springs = cloth->model == 0;
    if (cloth->tear > 0 && !springs)
        stress_text_add(text, ", tear_weft: %.3f, tear_warp: %.3f", cloth->tear, cloth->tear);
    stress_text_add(text, "}\n    model: {name: %s", MODELS[cloth->model]);
    if (cloth->tear > 0 && springs)
        stress_text_add(text, ", tear: %.3f", 1 + cloth->tear);
    if (stress_is_explicit(plan->integrator)) /* soft enough for the step of stress_plan.c */
        stress_text_add(text, ", stiffness: given, structural_stiffness: 20, shear_stiffness: 10, "
                              "flexion_stiffness: 1, damping: 0.0005");
    stress_text_add(text, "}\n");
}

static weft_result add_cloth(stress_text *text, const stress_plan *plan, int index, const char *folder) {
    const stress_cloth *cloth = &plan->cloth[index];
    stress_text_add(text, "  - name: c%d\n", index);
    if (cloth->shape == STRESS_FOLDED) {
        char name[64];
        name_mesh(name, sizeof name, plan->dice.seed, "cloth", index);
        WEFT_TRY(write_folded(cloth, folder, name));
        stress_text_add(text, "    mesh: %s\n", name);
    } else {
        add_grid(text, cloth);
    }
    add_model(text, plan, cloth);
    stress_text_add(text, "    ");
    add_vector(text, "velocity", cloth->velocity);
    stress_text_add(text, "\n");
    if (cloth->pin)
        stress_text_add(text, "    pins:\n");
    if (cloth->pin == 1)
        add_pin(text, cloth, "side: top");
    if (cloth->pin == 2) {
        add_pin(text, cloth, "corner: top-left");
        add_pin(text, cloth, "corner: top-right");
    }
    return weft_ok();
}

/* -- bodies -- */

static void add_shape(stress_text *text, const stress_body *body, const char *mesh) {
    switch (body->kind) {
    case STRESS_SPHERE:
        stress_text_add(text, "  - sphere: {radius: %.4f, ", body->size.x);
        break;
    case STRESS_BOX:
        stress_text_add(text, "  - box: {");
        add_vector(text, "size", body->size);
        stress_text_add(text, ", ");
        break;
    case STRESS_CAPSULE:
        stress_text_add(text, "  - capsule: {radius: %.4f, length: %.4f, ", body->size.x, body->size.y);
        break;
    default:
        stress_text_add(text, "  - mesh: {file: %s, ", mesh);
        break;
    }
}

static weft_result add_body(stress_text *text, const stress_plan *plan, int index, const char *folder) {
    const stress_body *body = &plan->body[index];
    char mesh[64];
    name_mesh(mesh, sizeof mesh, plan->dice.seed, "body", index);
    if (body->kind == STRESS_BLADE || body->kind == STRESS_SPIKE)
        WEFT_TRY(write_body_mesh(body, folder, mesh));
    add_shape(text, body, mesh);
    add_vector(text, "at", body->at);
    stress_text_add(text, ", rotate: [%.2f deg, %.2f deg, %.2f deg], friction: %.3f", body->rotate.x, body->rotate.y,
                    body->rotate.z, body->friction);
    if (body->time > 0) {
        stress_text_add(text, ", keys: [{time: 0}, {time: %.4f, ", body->time);
        add_vector(text, "offset", body->offset);
        stress_text_add(text, ", angle: %.2f deg}]", body->turn);
    }
    stress_text_add(text, "}\n");
    return weft_ok();
}

static weft_result add_bodies(stress_text *text, const stress_plan *plan, const char *folder) {
    if (!plan->has_plane && plan->body_count == 0)
        return weft_ok();
    stress_text_add(text, "bodies:\n");
    if (plan->has_plane)
        stress_text_add(text, "  - plane: {friction: %.3f}\n", plan->plane_friction);
    for (int i = 0; i < plan->body_count; i++)
        WEFT_TRY(add_body(text, plan, i, folder));
    return weft_ok();
}

/* -- the scene -- */

static void add_forces(stress_text *text, const stress_plan *plan) {
    stress_text_add(text, "forces:\n  - gravity\n");
    if (plan->air > 0)
        stress_text_add(text, "  - air-damping: {coefficient: %.3f, per: area}\n", plan->air);
    if (plan->wind > 0) {
        stress_text_add(text, "  - wind: {speed: %.2f, randomness: 0.5, ", plan->wind);
        add_vector(text, "direction", plan->wind_direction);
        stress_text_add(text, "}\n");
    }
}

static weft_result add_scene(stress_text *text, const stress_plan *plan, const char *folder) {
    stress_text_add(text, "# Seed %" PRIu64 " of stress_scenes\n", plan->dice.seed);
    stress_text_add(text, "time: {step: %.6f, frames: %d, rate: %d}\n", plan->step, plan->frames, plan->rate);
    stress_text_add(text, "integrator: %s\ncloth:\n", stress_integrator_name(plan->integrator));
    for (int i = 0; i < plan->cloth_count; i++)
        WEFT_TRY(add_cloth(text, plan, i, folder));
    add_forces(text, plan);
    WEFT_TRY(add_bodies(text, plan, folder));
    if (plan->adapts)
        stress_text_add(text, "adapt: {name: sqrt3, max_generation: 2, max_triangles: 4000, refine: [10, 40]}\n");
    stress_text_add(text, "contact: {self: true, audit: true");
    if (plan->thickness > 0)
        stress_text_add(text, ", thickness: %.5f", plan->thickness);
    stress_text_add(text, "}\n");
    return weft_ok();
}

void stress_scene_path(uint64_t seed, const char *folder, char *path, size_t size) {
    snprintf(path, size, "%s/seed-%" PRIu64 ".yaml", folder, seed);
}

weft_result stress_scene_write(uint64_t seed, const char *folder) {
    stress_plan plan = stress_plan_make(seed);
    stress_text text = {0};
    char name[64];
    snprintf(name, sizeof name, "seed-%" PRIu64 ".yaml", seed);
    weft_result result = add_scene(&text, &plan, folder);
    if (result.code == WEFT_OK)
        result = stress_text_write(&text, folder, name);
    stress_text_free(&text);
    return result;
}

void stress_scene_remove(uint64_t seed, const char *folder) {
    char path[1024], name[64];
    for (int i = 0; i < STRESS_CLOTHS + STRESS_BODIES; i++) {
        int is_cloth = i < STRESS_CLOTHS;
        name_mesh(name, sizeof name, seed, is_cloth ? "cloth" : "body", is_cloth ? i : i - STRESS_CLOTHS);
        snprintf(path, sizeof path, "%s/%s", folder, name);
        remove(path);
    }
    stress_scene_path(seed, folder, path, sizeof path);
    remove(path);
}
