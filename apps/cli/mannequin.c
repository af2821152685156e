/* `weft mannequin`: makes a body from measurements. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/cli/command.h"
#include "apps/cli/options.h"
#include "apps/cli/say.h"
#include "io/writer_parts.h"
#include "wear/mannequin/mannequin_body.h"
#include "weft-io/writer.h"
#include "weft/text.h"

static const double CM = 100;

/* Options that are settings of the body in scenes. */
static const char *const SETTINGS[] = {"height",    "chest", "waist",  "hip",       "bust",  "neck",
                                       "shoulders", "arm",   "inseam", "upper_arm", "wrist", "thigh",
                                       "knee",      "calf",  "ankle",  "edge",      "pose"};
enum { SETTING_COUNT = sizeof SETTINGS / sizeof SETTINGS[0], NAME_SIZE = 24 };

/* Lengths without a unit are in cm, as tape measures show them. */
static weft_result read_setting(const char *name, const char *text, mannequin_settings *settings) {
    const weft_param *row = weft_params_find(mannequin_body.params, name);
    char value[80];
    const char *end = NULL;
    int written = snprintf(value, sizeof value, "%s", text);
    if (row->type == WEFT_REAL && text[0]) {
        weft_real_parse(text, &end);
        if (end && *end == '\0')
            written = snprintf(value, sizeof value, "%s cm", text);
    }
    if (written < 0 || (size_t)written >= sizeof value)
        return weft_fail(WEFT_BAD_INPUT, "--%s %.40s...: the text is too long", name, text);
    return weft_param_read_text(row, value, "mannequin", settings);
}

static void print_made(const mannequin *m) {
    const weft_mesh *mesh = m->mesh;
    printf("mannequin   %.1f cm tall, %.1f litres; %d vertices, %d triangles\n", CM * m->measures.height,
           1000 * m->volume, mesh->vertex_count, mesh->triangle_count);
    for (int i = 0; i < MANNEQUIN_GIRTHS; i++)
        printf("%-11s %.1f cm, measured at a height of %.1f cm\n", m->girth[i].name, CM * m->girth[i].girth,
               CM * m->girth[i].at.y);
    printf("shoulders   %.1f cm wide\narm         %.1f cm\ninseam      %.1f cm\n", CM * m->measures.shoulders,
           CM * m->measures.arm, CM * m->measures.inseam);
}

/* The writer makes FOLDER/NAME.glb. */
static weft_result write_glb(const char *path, const weft_frame *frame) {
    char folder[1024];
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    if (snprintf(folder, sizeof folder, "%s", path) >= (int)sizeof folder)
        return weft_fail(WEFT_BAD_FILE, "%.300s...: the path is too long", path);
    folder[base - path] = '\0';
    char name[256];
    if (snprintf(name, sizeof name, "%.*s", (int)(strlen(base) - strlen(".glb")), base) >= (int)sizeof name)
        return weft_fail(WEFT_BAD_FILE, "%.300s...: the name is too long", base);
    weft_registry *registry;
    WEFT_TRY(weft_registry_create(&registry));
    weft_result result = weft_writers_register(registry);
    const weft_component *glb = weft_registry_find(registry, WEFT_WRITER, "glb");
    void *settings = glb ? calloc(1, glb->settings_size) : NULL, *self = NULL;
    if (result.code == WEFT_OK && !settings)
        result = weft_fail_memory(path, 64);
    if (result.code == WEFT_OK) {
        const weft_writer_functions *writer = glb->functions;
        const weft_take take = {.directory = folder[0] ? folder : ".", .name = name, .rate = 25, .frame_count = 1};
        weft_params_default(glb->params, settings);
        result = writer->open(settings, &take, frame, &self);
        if (result.code == WEFT_OK) {
            result = writer->frame(self, frame);
            weft_result closed = writer->close(self, result.code == WEFT_OK);
            result = result.code == WEFT_OK ? closed : result;
        }
    }
    free(settings);
    weft_registry_destroy(registry);
    return result;
}

static weft_result make(const mannequin_settings *settings, const char *out) {
    mannequin *m;
    WEFT_TRY(mannequin_make(&settings->measures, &m));
    print_made(m);
    weft_vec3 *position = malloc((size_t)m->mesh->vertex_count * sizeof *position);
    weft_result result = position ? weft_ok() : weft_fail_memory("a mannequin", (size_t)m->mesh->vertex_count);
    if (out && position) {
        const mannequin_pose pose = mannequin_pose_make(m, settings->motion.pose);
        mannequin_pose_apply(m, &pose, position);
        const weft_frame_cloth body = {.name = "mannequin", .mesh = m->mesh, .position = position};
        const weft_frame frame = {.cloth_count = 1, .cloth = &body};
        const weft_writer_options plain = {.scale = 1};
        result = strcmp(strrchr(out, '.'), ".obj") == 0 ? weft_obj_write(out, &plain, &frame) : write_glb(out, &frame);
        if (result.code == WEFT_OK)
            weft_say("file        %s\n", out);
    }
    free(position);
    mannequin_destroy(m);
    return result;
}

static const char NOTES[] = "Lengths are in cm, or have a unit, as in --height 1.7m. Only height, chest, waist and hip "
                            "have defaults of their own;\nthe others are derived from these four. In scenes: bodies: "
                            "[{mannequin: {height: 170 cm, motion: walk}}].\n\ndocs/mannequin.md describes bodies, "
                            "poses and motions.";

int weft_command_mannequin(int argc, char **argv) {
    const char *value[SETTING_COUNT] = {NULL}, *out = NULL;
    char name[SETTING_COUNT][NAME_SIZE];
    weft_option options[SETTING_COUNT + 2];
    for (int i = 0; i < SETTING_COUNT; i++) {
        const weft_param *row = weft_params_find(mannequin_body.params, SETTINGS[i]);
        snprintf(name[i], NAME_SIZE, "--%s", SETTINGS[i]);
        for (char *c = name[i]; *c; c++)
            *c = *c == '_' ? '-' : *c;
        options[i] =
            (weft_option){name[i], WEFT_OPTION_TEXT, &value[i], row->type == WEFT_REAL ? "CM" : "NAME", row->help, 0};
    }
    options[SETTING_COUNT] = (weft_option){"--out", WEFT_OPTION_TEXT, &out, "FILE", "write the mesh: .obj or .glb", 0};
    options[SETTING_COUNT + 1] = (weft_option){0};
    weft_usage usage = {"mannequin", "", 0, 0, "Makes a body from measurements and prints its girths.", NOTES, options};
    weft_words words;
    int status = weft_usage_read(&usage, argc, argv, &words);
    if (status >= 0)
        return status;
    const char *end = out ? strrchr(out, '.') : NULL;
    if (out && (!end || (strcmp(end, ".obj") != 0 && strcmp(end, ".glb") != 0))) {
        weft_complain("mannequin: --out %.300s: the name must end with .obj or .glb", out);
        return WEFT_EXIT_USAGE;
    }
    mannequin_settings settings;
    weft_params_default(mannequin_body.params, &settings);
    weft_result result = weft_ok();
    for (int i = 0; i < SETTING_COUNT && result.code == WEFT_OK; i++)
        if (value[i])
            result = read_setting(SETTINGS[i], value[i], &settings);
    if (result.code == WEFT_OK)
        result = make(&settings, out);
    return result.code == WEFT_OK ? WEFT_EXIT_OK : weft_command_failed(&result);
}
