/* `weft garment`: makes, checks and sews patterns. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "apps/cli/command.h"
#include "apps/cli/garment_fit.h"
#include "apps/cli/garment_make.h"
#include "apps/cli/options.h"
#include "apps/cli/say.h"
#include "wear/garment/garment_files.h"
#include "wear/load/garment_cloth.h"
#include "weft-io/scene_files.h"

static const double CM = 100;

static const char *edge_name(const garment_panel *panel, int32_t edge) {
    return panel->edge[edge].name[0] ? panel->edge[edge].name : "(unnamed)";
}

static void print_panel(const garment_panel *panel, const garment_fill *fill) {
    double outline = 0, least = 180;
    for (int32_t e = 0; e < panel->edges; e++)
        outline += panel->edge[e].length;
    for (int32_t t = 0; t < fill->triangles; t++)
        least = fmin(least, garment_least_angle(fill->point, fill->triangle[t]));
    printf("panel       %s: %d edges, outline %.1f cm, %.4f m2; %d triangles, angles of at least %.0f degrees\n",
           panel->name, panel->edges, CM * outline, panel->area, fill->triangles, least);
}

static void print_seam(const garment_pattern *pattern, int32_t s) {
    const garment_seam *seam = &pattern->seam[s];
    double length[2];
    printf("seam %-6d ", s + 1);
    for (int k = 0; k < 2; k++) {
        const garment_panel *panel = &pattern->panel[seam->side[k].panel];
        length[k] = garment_side_length(pattern, &seam->side[k]);
        printf("%s%s.%s %.1f cm", k ? " to " : "", panel->name, edge_name(panel, seam->side[k].edge), CM * length[k]);
    }
    double ease = length[0] > length[1] ? length[0] / length[1] - 1 : length[1] / length[0] - 1;
    printf(ease > 0.005 ? "; %s of %.1f %%\n" : "\n", seam->gathered ? "gathered by an excess" : "ease", 100 * ease);
}

/* Edges that are not sewn: hems, necklines, and what was forgotten. */
static void print_open(const garment_pattern *pattern) {
    const char *before = "open        ";
    for (int32_t p = 0; p < pattern->panels; p++)
        for (int32_t e = 0; e < pattern->panel[p].edges; e++) {
            double sewn = 0;
            for (int32_t s = 0; s < 2 * pattern->seams; s++) {
                const garment_side *side = &pattern->seam[s / 2].side[s % 2];
                sewn += side->panel == p && side->edge == e ? side->to - side->from : 0;
            }
            if (sewn > 1 - 1e-6)
                continue;
            printf("%s%s.%s %.1f cm", before, pattern->panel[p].name, edge_name(&pattern->panel[p], e),
                   CM * (1 - sewn) * pattern->panel[p].edge[e].length);
            before = ", ";
        }
    printf("%s", before[0] == ',' ? "\n" : "");
}

/* What differs from a plain panel, and what is added to the garment. */
static void print_extras(const garment_pattern *pattern) {
    for (int32_t p = 0; p < pattern->panels; p++) {
        const garment_panel *panel = &pattern->panel[p];
        for (int32_t e = 0; e < panel->edges; e++)
            if (panel->edge[e].hem > 0)
                printf("hem         %s.%s %.1f cm wide\n", panel->name, edge_name(panel, e), CM * panel->edge[e].hem);
        if (panel->padding != 0)
            printf("padding     %s %g Pa, %s\n", panel->name, fabs(panel->padding),
                   panel->padding > 0 ? "outwards" : "towards the skin");
        if (panel->layer > 0 || panel->folds > 0 || panel->notches > 0)
            printf("marks       %s: layer %d, %d folds, %d notches\n", panel->name, panel->layer, panel->folds,
                   panel->notches);
    }
    for (int32_t i = 0; i < pattern->elastics; i++) {
        const garment_elastic *elastic = &pattern->elastic[i];
        double length = 0;
        for (int32_t k = 0; k < elastic->sides; k++)
            length += garment_side_length(pattern, &elastic->side[k]);
        printf("elastic     %.1f cm on %.1f cm of fabric, %g N\n", CM * length * elastic->ratio, CM * length,
               elastic->stiffness);
    }
    if (pattern->buttons > 0 || pattern->attachments > 0)
        printf("held        %d buttons, %d edges and points on the body\n", pattern->buttons, pattern->attachments);
}

static void print_check(const garment_pattern *pattern, const garment_sewn *sewn) {
    double area = 0;
    for (int32_t p = 0; p < pattern->panels; p++)
        area += pattern->panel[p].area;
    printf("garment     %s: %d panels, %d seams, %.4f m2 of fabric\n", pattern->name, pattern->panels, pattern->seams,
           area);
    for (int32_t p = 0; p < pattern->panels; p++)
        print_panel(&pattern->panel[p], &sewn->fill[p]);
    for (int32_t s = 0; s < pattern->seams; s++)
        print_seam(pattern, s);
    print_open(pattern);
    print_extras(pattern);
    printf(
        "mesh        %d vertices, %d triangles, %d open borders; the longest edge has to shrink by %.0f %% to close\n",
        sewn->mesh->vertex_count, sewn->mesh->triangle_count, sewn->mesh->boundary_count,
        100 * sewn->longest_stretch / (1 + sewn->longest_stretch));
}

static weft_result check(const char *file, const char *out) {
    garment_pattern pattern;
    garment_sewn sewn = {0};
    const weft_scene_files files = weft_scene_files_make(NULL);
    weft_result result = garment_pattern_read(file, &pattern);
    if (result.code == WEFT_OK)
        result = weft_garment_check_fabrics(&files, &pattern);
    if (result.code == WEFT_OK)
        result = garment_sew(&pattern, &sewn);
    if (result.code == WEFT_OK && out)
        result = garment_picture_write(&pattern, out);
    if (result.code == WEFT_OK) {
        print_check(&pattern, &sewn);
        if (out)
            weft_say("picture     %s\n", out);
    }
    garment_sewn_free(&sewn, pattern.panels);
    garment_pattern_free(&pattern);
    return result;
}

static weft_result sew(const char *file, const char *out) {
    garment_pattern pattern;
    garment_sewn sewn = {0};
    weft_result result = garment_pattern_read(file, &pattern);
    if (result.code == WEFT_OK)
        result = garment_sew(&pattern, &sewn);
    if (result.code == WEFT_OK)
        result = garment_obj_write(&sewn, out);
    if (result.code == WEFT_OK)
        weft_say("%s: %d vertices, %d triangles\n", out, sewn.mesh->vertex_count, sewn.mesh->triangle_count);
    garment_sewn_free(&sewn, pattern.panels);
    garment_pattern_free(&pattern);
    return result;
}

static const char NOTES[] =
    "check FILE      checks a garment file and prints panels, seams with their lengths, open edges and the mesh;\n"
    "                --out FILE.svg draws the pattern\n"
    "sew FILE        writes the sewn garment around the body as a mesh, --out FILE.obj; its texture coordinates are\n"
    "                the pattern, for cloth: {mesh: FILE.obj, model: {name: corotational, rest: pattern}}\n"
    "import FILE     turns a pattern into a garment file, --out FILE.yaml: SVG, DXF (AAMA, ASTM D6673), or the JSON\n"
    "                specification of GarmentCode\n"
    "draft DESIGN    drafts a design for --measurements FILE, --out FILE.yaml: tshirt, tank-top, pencil-skirt,\n"
    "                circle-skirt, trousers (FreeSewing; needs Node.js)\n"
    "wear FILE       writes a scene in which a mannequin with --measurements FILE wears the garment and walks,\n"
    "                --out FILE.yaml\n"
    "fit DIR         measures the garments of a run: ease, strain, tension, pressure and seam forces, as a page with\n"
    "                pictures and tables in DIR/fit or --out FOLDER; --frame N: at this frame instead of when it had\n"
    "                settled; --level NAME=HEIGHT: girths there instead of at chest, waist and hip of the mannequin\n\n"
    "docs/garments.md describes garment files, docs/fit.md the fit.";

/* Options of all actions. */
typedef struct options {
    const char *out, *measurements;
    weft_words sets, levels;
    int frame;
} options;

static weft_result run_check(const char *file, const options *o) { return check(file, o->out); }
static weft_result run_sew(const char *file, const options *o) { return sew(file, o->out); }
static weft_result run_import(const char *file, const options *o) { return garment_make_import(file, o->out); }
static weft_result run_draft(const char *file, const options *o) {
    return garment_make_draft(file, o->measurements, o->sets.word, o->sets.count, o->out);
}

static weft_result run_wear(const char *file, const options *o) {
    return garment_make_scene(file, o->measurements, o->out);
}

static weft_result run_fit(const char *directory, const options *o) {
    return weft_garment_fit_run(&(garment_fit_options){directory, o->out, o->frame, o->levels});
}

typedef struct action {
    const char *name;
    const char *ending; /* of --out; "": a folder */
    int needs_out, drafts;
    weft_result (*run)(const char *file, const options *o);
} action;

static const action ACTIONS[] = {{"check", ".svg", 0, 0, run_check},    {"sew", ".obj", 1, 0, run_sew},
                                 {"import", ".yaml", 1, 0, run_import}, {"draft", ".yaml", 1, 1, run_draft},
                                 {"wear", ".yaml", 1, 1, run_wear},     {"fit", "", 0, 0, run_fit}};
enum { ACTION_COUNT = sizeof ACTIONS / sizeof ACTIONS[0] };

/* Whether the options fit the action; prints one line if not. */
static int fits(const action *a, const options *o) {
    const char *end = o->out ? strrchr(o->out, '.') : NULL;
    int named = a->ending[0] == '\0' || (end && strcmp(end, a->ending) == 0);
    if ((a->needs_out && !o->out) || (o->out && !named))
        weft_complain("garment: %s needs --out FILE%s%s", a->name, a->ending, a->needs_out ? "" : ", or no --out");
    else if (a->drafts && !o->measurements)
        weft_complain("garment: %s needs --measurements FILE", a->name);
    else if (!a->drafts && o->measurements)
        weft_complain("garment: --measurements belongs to draft and wear");
    else if (a->run != run_draft && o->sets.count > 0)
        weft_complain("garment: --set belongs to draft");
    else if (a->run != run_fit && (o->frame >= 0 || o->levels.count > 0))
        weft_complain("garment: --frame and --level belong to fit");
    else
        return 1;
    return 0;
}

int weft_command_garment(int argc, char **argv) {
    options o = {.frame = -1};
    const weft_option table[] = {
        {"--out", WEFT_OPTION_TEXT, &o.out, "FILE",
         "write the picture (.svg), the mesh (.obj), or the garment or scene (.yaml) to this file", 0},
        {"--measurements", WEFT_OPTION_TEXT, &o.measurements, "FILE",
         "draft, wear: the measurements of a body (YAML, cm)", 0},
        {"--set", WEFT_OPTION_WORDS, &o.sets, "OPTION=VALUE", "draft: change an option of the design; may be repeated",
         0},
        {"--frame", WEFT_OPTION_COUNT, &o.frame, "N", "fit: measure this frame", 0},
        {"--level", WEFT_OPTION_WORDS, &o.levels, "NAME=HEIGHT", "fit: take girths at this height; may be repeated", 0},
        {NULL, WEFT_OPTION_FLAG, NULL, NULL, NULL, 0}};
    weft_usage usage = {"garment", "ACTION FILE", 2, 2, "Makes, checks and sews garments from flat patterns.",
                        NOTES,     table};
    weft_words words;
    int status = weft_usage_read(&usage, argc, argv, &words);
    if (status >= 0)
        return status;
    const action *found = NULL;
    for (int i = 0; i < ACTION_COUNT; i++)
        if (strcmp(words.word[0], ACTIONS[i].name) == 0)
            found = &ACTIONS[i];
    if (!found) {
        weft_complain("garment: unknown action '%.60s'; check, sew, import, draft, wear or fit", words.word[0]);
        return WEFT_EXIT_USAGE;
    }
    if (!fits(found, &o))
        return WEFT_EXIT_USAGE;
    weft_result result = found->run(words.word[1], &o);
    return result.code == WEFT_OK ? WEFT_EXIT_OK : weft_command_failed(&result);
}
