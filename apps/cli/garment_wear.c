/* `weft garment wear`: writes the scene of a garment on a mannequin with given measurements. */
#include <stdio.h>
#include <string.h>

#include "apps/cli/garment_make.h"
#include "apps/cli/say.h"
#include "io/file.h"
#include "wear/garment/reading.h"
#include "weft-io/yaml.h"
#include "weft/text.h"

/* What a mannequin calls the measurements of FreeSewing. The first four are needed. */
static const struct {
    const char *measurement, *setting;
} NAMES[] = {{"height", "height"},       {"chest", "chest"},
             {"waist", "waist"},         {"seat", "hip"},
             {"neck", "neck"},           {"shoulderToShoulder", "shoulders"},
             {"shoulderToWrist", "arm"}, {"biceps", "upper_arm"},
             {"wrist", "wrist"},         {"inseam", "inseam"},
             {"upperLeg", "thigh"},      {"knee", "knee"}};
enum { NAME_COUNT = sizeof NAMES / sizeof NAMES[0], NEEDED = 4 };

/* `height: 168 cm, chest: 92 cm, ...` */
static weft_result describe_body(const weft_value *map, char *text, size_t size) {
    size_t used = 0;
    for (int i = 0; i < NAME_COUNT; i++) {
        const weft_value *v = weft_value_find(map, NAMES[i].measurement);
        double metres = 0;
        if (!v && i < NEEDED)
            return garment_bad(map, "measurement '%s': it is missing", NAMES[i].measurement);
        if (!v)
            continue;
        WEFT_TRY(garment_read_length(v, v->key, &metres));
        const char *before = used == 0 ? "" : i == NEEDED ? ",\n                " : ", ";
        int length =
            weft_format(text + used, size - used, "%s%s: %.6g cm", before, NAMES[i].setting, metres / GARMENT_CM);
        used += length > 0 ? (size_t)length : 0;
    }
    return weft_ok();
}

static weft_result write_scene(const garment_pattern *pattern, const char *garment, const char *body, const char *out) {
    weft_output file;
    WEFT_TRY(weft_output_open(&file, out));
    weft_output_print(&file,
                      "# Sewn around a mannequin in 1 s, then worn for a walk of 3 s.\n"
                      "time: {frames: 100, rate: 25, step: 20 ms}\n"
                      "cloth: {name: %s, garment: %s, on: mannequin}\n"
                      "integrator: {name: implicit-euler}\n"
                      "bodies:\n"
                      "  - mannequin: {%s,\n"
                      "                speed: 1 m/s, motion: walk}\n"
                      "contact: {self: true}\n"
                      "view: {azimuth: 40 deg}\n",
                      pattern->name, garment, body);
    return weft_output_commit(&file);
}

weft_result garment_make_scene(const char *garment, const char *measurements, const char *out) {
    garment_pattern pattern;
    weft_tree *tree = NULL;
    char body[1000];
    weft_result result = garment_pattern_read(garment, &pattern);
    if (result.code == WEFT_OK)
        result = weft_yaml_read(measurements, &tree);
    if (result.code == WEFT_OK)
        result = describe_body(weft_tree_root(tree), body, sizeof body);
    const char *slash = strrchr(garment, '/'), *beside = strrchr(out, '/');
    size_t folder = beside ? (size_t)(beside - out) : 0; /* a scene names files relative to itself */
    int same = slash ? beside && (size_t)(slash - garment) == folder && strncmp(garment, out, folder) == 0 : !beside;
    if (result.code == WEFT_OK && !same && garment[0] != '/')
        result = weft_fail(WEFT_BAD_INPUT, "%.200s: write the scene into the folder of the garment", out);
    if (result.code == WEFT_OK)
        result = write_scene(&pattern, same && slash ? slash + 1 : garment, body, out);
    if (result.code == WEFT_OK)
        weft_say("%s: weft run %s\n", out, out);
    weft_tree_destroy(tree);
    garment_pattern_free(&pattern);
    return result;
}
