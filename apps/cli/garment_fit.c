/* Puts together what a fit needs: the garment file and the settings that the run kept, and a frame of its take. */
#include "apps/cli/garment_fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/cli/run_folder.h"
#include "apps/cli/say.h"
#include "io/file.h"
#include "lab/fit/ease.h"
#include "wear/load/garment_cloth.h"
#include "wear/mannequin/mannequin_body.h"
#include "weft-io/scene_files.h"
#include "weft-io/take.h"
#include "weft-io/yaml.h"
#include "weft/text.h"

enum { MOST_LEVELS = 32 };
static const char ENDING[] = ".garment.yaml";

/* -- kept by the run -- */

static weft_result keep(const weft_value *garment, const char *cloth, const char *directory) {
    char from[1024], to[1024], name[128], *bytes;
    size_t size;
    snprintf(name, sizeof name, "%.64s%s", cloth, ENDING);
    WEFT_TRY(weft_path_beside(garment->file, garment->text, from, sizeof from));
    WEFT_TRY(weft_run_folder_path(directory, name, to, sizeof to));
    WEFT_TRY(weft_file_read(from, &bytes, &size));
    weft_output output;
    weft_result result = weft_output_open(&output, to);
    if (result.code == WEFT_OK) {
        weft_output_write(&output, bytes, size);
        result = weft_output_commit(&output);
    }
    free(bytes);
    return result;
}

weft_result weft_run_keep_garments(const weft_scene_file *scene, const char *directory) {
    for (int32_t i = 0; i < weft_sim_cloth_count(scene->sim); i++) {
        const weft_value *garment = weft_value_find(weft_scene_file_cloth(scene, i), "garment");
        if (garment)
            WEFT_TRY(keep(garment, weft_sim_cloth(scene->sim, i)->name, directory));
    }
    return weft_ok();
}

/* -- the fit -- */

typedef struct fitting {
    const garment_fit_options *options;
    weft_tree *report;
    const weft_value *settings;
    weft_take_reader take;
    weft_take_state *state; /* (take.cloth_count) */
    weft_fit_body *body;    /* (take.body_count) */
    int64_t frame;
    weft_fit_level level[MOST_LEVELS];
    int32_t levels;
} fitting;

static double setting(const fitting *f, const char *path, double fallback) {
    const weft_value *value = weft_value_find(f->settings, path);
    return value && value->kind == WEFT_VALUE_TEXT ? weft_real_parse(value->text, NULL) : fallback;
}

static weft_result open_run(fitting *f) {
    char path[1024];
    const char *directory = f->options->directory;
    WEFT_TRY(weft_run_folder_path(directory, "report.json", path, sizeof path));
    WEFT_TRY(weft_yaml_read(path, &f->report));
    f->settings = weft_value_find(weft_tree_root(f->report), "settings");
    WEFT_TRY(weft_run_folder_path(directory, WEFT_TAKE_FILE, path, sizeof path));
    WEFT_TRY(weft_take_reader_open(path, 1, &f->take));
    f->frame = f->take.frame_count - 1;
    double settled = setting(f, "forces.settling.until", -1) * f->take.rate;
    if (settled >= 0 && settled < (double)f->frame)
        f->frame = (int64_t)settled;
    if (f->options->frame >= f->take.frame_count)
        return weft_fail(WEFT_BAD_INPUT, "--frame: there is no frame %d; there are 0 to %lld", f->options->frame,
                         (long long)f->take.frame_count - 1);
    if (f->options->frame >= 0)
        f->frame = f->options->frame;
    return weft_ok();
}

static weft_result read_cloths(fitting *f) {
    size_t count = (size_t)f->take.cloth_count;
    f->state = calloc(count + 1, sizeof *f->state);
    if (!f->state)
        return weft_fail_memory("a frame", count * sizeof *f->state);
    WEFT_TRY(weft_take_reader_read_mesh(&f->take, f->frame));
    for (size_t i = 0; i < count; i++) {
        const weft_take_cloth *cloth = &f->take.cloth[i];
        weft_take_state *s = &f->state[i];
        s->position = calloc((size_t)cloth->vertex_count + 1, sizeof *s->position);
        s->open_face = calloc((size_t)cloth->face_count + 1, 1);
        s->broken = calloc((size_t)cloth->link_count + 1, 1);
        s->strain = calloc((size_t)cloth->triangle_count + 1, sizeof *s->strain);
        s->pressure = calloc((size_t)cloth->vertex_count + 1, sizeof *s->pressure);
        if (!s->position || !s->open_face || !s->broken || !s->strain || !s->pressure)
            return weft_fail_memory("a frame", (size_t)cloth->vertex_count * sizeof *s->position);
    }
    return weft_take_reader_read_frame(&f->take, f->frame, f->state);
}

static weft_result read_bodies(fitting *f) {
    f->body = calloc((size_t)f->take.body_count + 1, sizeof *f->body);
    if (!f->body)
        return weft_fail_memory("bodies", (size_t)f->take.body_count * sizeof *f->body);
    for (int32_t i = 0; i < f->take.body_count; i++) {
        const weft_take_body *body = &f->take.body[i];
        weft_vec3 *position = malloc(((size_t)body->vertex_count + 1) * sizeof *position);
        if (!position)
            return weft_fail_memory("bodies", (size_t)body->vertex_count * sizeof *position);
        f->body[i] = (weft_fit_body){.position = position,
                                     .triangle = (const int32_t(*)[3])body->triangle,
                                     .vertices = body->vertex_count,
                                     .triangles = body->triangle_count};
        WEFT_TRY(weft_take_reader_read_body(&f->take, f->frame, i, position));
    }
    return weft_ok();
}

static void add_level(fitting *f, const char *name, double height) {
    if (f->levels == MOST_LEVELS)
        return;
    weft_fit_level *level = &f->level[f->levels++];
    *level = (weft_fit_level){.height = height};
    snprintf(level->name, sizeof level->name, "%.40s", name);
}

/* NAME=HEIGHT, in m or with a unit. */
static weft_result read_levels(fitting *f) {
    for (int i = 0; i < f->options->levels.count; i++) {
        const char *word = f->options->levels.word[i], *equals = strchr(word, '=');
        char name[GARMENT_NAME] = "";
        double height = 0;
        if (equals && (size_t)(equals - word) < sizeof name)
            memcpy(name, word, (size_t)(equals - word));
        if (!name[0] || weft_number_read(equals + 1, "m", &height).code != WEFT_OK)
            return weft_fail(WEFT_BAD_INPUT, "--level %.60s: not of the form NAME=HEIGHT, as in waist=1.05", word);
        add_level(f, name, height);
    }
    return weft_ok();
}

/* The heights of chest, waist and hip of the mannequin, if the run had one. */
static weft_result find_levels(fitting *f) {
    static const char *const NAMES[] = {"chest", "waist", "hip"};
    mannequin_settings settings;
    mannequin *m;
    WEFT_TRY(read_levels(f));
    if (f->levels > 0 || !weft_value_find(f->settings, "bodies.mannequin.height"))
        return weft_ok();
    weft_params_default(mannequin_body.params, &settings);
    for (const weft_param *row = mannequin_body.params; row->name; row++) {
        char path[96];
        snprintf(path, sizeof path, "bodies.mannequin.%s", row->name);
        if (row->type == WEFT_REAL && weft_value_find(f->settings, path))
            *(double *)(void *)((char *)&settings + row->offset) = setting(f, path, 0);
    }
    WEFT_TRY(mannequin_make(&settings.measures, &m));
    const weft_value *at = weft_value_find(f->settings, "bodies.mannequin.at");
    double y = at && at->first && at->first->next ? weft_real_parse(at->first->next->text, NULL) : 0;
    for (int i = 0; i < 3; i++)
        add_level(f, NAMES[i], y + mannequin_girth_find(m, NAMES[i])->at.y);
    mannequin_destroy(m);
    return weft_ok();
}

/* Density of each face: that of the cloth's fabric or of its panel's own, with the factors of the tailoring. */
static double *densities(const fitting *f, const char *cloth, const weft_sewn *sewn) {
    char path[160];
    const weft_mesh *mesh = sewn->mesh;
    double *density = malloc(((size_t)mesh->face_count + 1) * sizeof *density);
    snprintf(path, sizeof path, "cloth.%.64s.fabric.density", cloth);
    double fabric = setting(f, path, 0);
    for (int32_t i = 0; density && i < mesh->face_count; i++) {
        const weft_sewn_fabric *own = &sewn->panel_fabric[mesh->face_group[i]];
        density[i] = (own->is_set ? own->fabric.density : fabric) * sewn->tailoring.density[i];
    }
    return density;
}

static weft_result check_cloth(const weft_take_cloth *cloth, const weft_mesh *mesh, const char *path) {
    if (cloth->vertex_count != mesh->vertex_count || cloth->triangle_count != mesh->triangle_count)
        return weft_fail(WEFT_BAD_INPUT, "%.300s: sewn, it has %d vertices and the run %d; make the run again", path,
                         mesh->vertex_count, cloth->vertex_count);
    if (!cloth->has_strain || !cloth->has_pressure)
        return weft_fail(WEFT_BAD_INPUT,
                         "cloth '%.64s': the run did not store strain and pressure; run it with --set "
                         "output.strain=true --set output.pressure=true",
                         cloth->name);
    return weft_ok();
}

static void print_fit(const weft_garment_fit *fit, const char *folder) {
    for (int32_t i = 0; i < fit->levels; i++) {
        const weft_fit_level *l = &fit->level[i];
        if (l->garment > 0)
            printf("%-11s %.1f cm at %.1f cm, body %.1f cm: ease %+.1f cm\n", l->name, 100 * l->garment,
                   100 * l->height, 100 * l->body, 100 * (l->garment - l->body));
        else
            printf("%-11s at %.1f cm: the garment does not reach there\n", l->name, 100 * l->height);
    }
    double strain = 0, pressure = 0;
    for (int32_t p = 0; p < fit->pattern->panels; p++) {
        strain = fmax(strain, fit->panel[p].stretch_most);
        pressure = fmax(pressure, fit->panel[p].pressure_most);
    }
    printf("length      %.1f cm; fabric %.4f m2, %.1f g\n", 100 * (fit->high - fit->low), fit->area, 1000 * fit->mass);
    weft_say("strain      %.1f %% at most; pressure %.2f kPa at most\npage        %s/index.html\n", 100 * strain,
             pressure / 1000, folder);
}

static weft_result write_fit(fitting *f, int32_t cloth, const garment_pattern *pattern, const weft_sewn *sewn,
                             const char *folder) {
    double *density = densities(f, f->take.cloth[cloth].name, sewn);
    if (!density)
        return weft_fail_memory("fit", (size_t)sewn->mesh->face_count * sizeof *density);
    weft_garment_fit fit = {.pattern = pattern,
                            .mesh = sewn->mesh,
                            .density = density,
                            .x = f->state[cloth].position,
                            .strain = f->state[cloth].strain,
                            .pressure = f->state[cloth].pressure,
                            .body = f->body,
                            .bodies = f->take.body_count,
                            .level = f->level,
                            .levels = f->levels};
    weft_result result = weft_garment_fit_measure(&fit);
    if (result.code == WEFT_OK)
        result = weft_garment_fit_write(&fit, folder);
    if (result.code == WEFT_OK)
        print_fit(&fit, folder);
    weft_garment_fit_free(&fit);
    free(density);
    return result;
}

/* The folder of a cloth: --out or DIR/fit, with the name of the cloth if there are several garments. */
static weft_result name_folder(const fitting *f, int32_t cloth, int several, char *folder, size_t size) {
    char base[1024];
    if (f->options->out)
        snprintf(base, sizeof base, "%.1000s", f->options->out);
    else
        WEFT_TRY(weft_run_folder_path(f->options->directory, "fit", base, sizeof base));
    if (!several)
        snprintf(folder, size, "%s", base);
    else
        WEFT_TRY(weft_run_folder_path(base, f->take.cloth[cloth].name, folder, size));
    return several ? weft_directory_make(base) : weft_ok();
}

static weft_result fit_cloth(fitting *f, int32_t cloth, int several) {
    char path[1024], folder[1024], name[128];
    garment_pattern pattern = {0};
    weft_sewn sewn = {0};
    snprintf(name, sizeof name, "%.64s%s", f->take.cloth[cloth].name, ENDING);
    WEFT_TRY(weft_run_folder_path(f->options->directory, name, path, sizeof path));
    WEFT_TRY(name_folder(f, cloth, several, folder, sizeof folder));
    weft_scene_files files = weft_scene_files_make(NULL);
    weft_result result = garment_pattern_read(path, &pattern);
    if (result.code == WEFT_OK)
        result = weft_garment_load(&files, path, NULL, NULL, &sewn);
    if (result.code == WEFT_OK)
        result = check_cloth(&f->take.cloth[cloth], sewn.mesh, path);
    if (result.code == WEFT_OK)
        result = write_fit(f, cloth, &pattern, &sewn, folder);
    weft_sewn_free(&sewn);
    garment_pattern_free(&pattern);
    return result;
}

static int has_garment(const fitting *f, int32_t cloth) {
    char name[128];
    snprintf(name, sizeof name, "%.64s%s", f->take.cloth[cloth].name, ENDING);
    return weft_run_folder_has(f->options->directory, name);
}

static weft_result fit_all(fitting *f) {
    int count = 0;
    WEFT_TRY(open_run(f));
    for (int32_t i = 0; i < f->take.cloth_count; i++)
        count += has_garment(f, i);
    if (count == 0)
        return weft_fail(WEFT_BAD_INPUT,
                         "%.300s: the run has no garment; its scene must have cloth: {garment: FILE.yaml}",
                         f->options->directory);
    WEFT_TRY(read_cloths(f));
    WEFT_TRY(read_bodies(f));
    WEFT_TRY(find_levels(f));
    for (int32_t i = 0; i < f->take.cloth_count; i++)
        if (has_garment(f, i))
            WEFT_TRY(fit_cloth(f, i, count > 1));
    return weft_ok();
}

weft_result weft_garment_fit_run(const garment_fit_options *options) {
    fitting f = {.options = options};
    weft_result result = fit_all(&f);
    for (int32_t i = 0; f.body && i < f.take.body_count; i++)
        free((void *)f.body[i].position);
    for (int32_t i = 0; f.state && i < f.take.cloth_count; i++) {
        free(f.state[i].position);
        free(f.state[i].open_face);
        free(f.state[i].broken);
        free(f.state[i].strain);
        free(f.state[i].pressure);
    }
    free(f.state);
    free(f.body);
    weft_take_reader_close(&f.take);
    weft_tree_destroy(f.report);
    return result;
}
