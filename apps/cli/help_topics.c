#include "apps/cli/help_topics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/cli/output_plan.h"
#include "apps/cli/proxies.h"
#include "apps/cli/table.h"
#include "render/render.h"
#include "weft/fabric.h"
#include "weft/scene.h"
#include "weft/sim.h"

static const char SCENE[] =
    "A scene is a YAML file. It uses SI units, and y points up. A number may have a unit: 150 g/m2, 5 mm, 30 deg.\n"
    "A word of a list is read in singular and plural: contact: {method: constraint}.\n\n"
    "  time: {step: 0.5 ms, frames: 240, rate: 60}        # weft help time\n"
    "  integrator: symplectic-euler                       # or {name: NAME, parameters}\n"
    "  air: {temperature: 20, seed: 1}                    # weft help air\n"
    "  device: cpu                                        # weft help device\n"
    "  cloth:\n"
    "    - name: flag\n"
    "      grid: {cells: [48, 32], size: [1.5, 1.0]}      # or  mesh: shirt.obj\n"
    "      fabric: {preset: cotton, density: 150 g/m2}    # weft help fabric\n"
    "      model: {name: springs, damping: 0.001}         # weft help springs\n"
    "      pins: [{side: left}]                           # weft help pins\n"
    "  forces:\n"
    "    - gravity\n"
    "    - wind: {speed: 6}                               # weft help wind\n"
    "  bodies:                                            # weft help bodies\n"
    "    - sphere: {radius: 0.3, at: [0, 0.5, 0]}         # weft help sphere\n"
    "  contact: {self: true, thickness: 2 mm}             # weft help contact\n"
    "  adapt: sqrt3                                       # or {name: sqrt3, parameters}\n"
    "  output: {write: [obj, pc2], obj: {up: z}}          # weft help output\n"
    "  view: {azimuth: 30 deg, color: stretch}            # weft help view\n\n"
    "include: FILE adds the sections of another scene that this one does not have.\n"
    "--set changes any value for one run: weft run flag --set forces.wind.speed=9\n";

static const char PINS[] =
    "pins: a list. Each entry selects vertices of the cloth and holds them in place.\n\n"
    "  {side: left}                          left, right, top or bottom side of a grid\n"
    "  {corner: top-left}                    top-left, top-right, bottom-left or bottom-right corner of a grid\n"
    "  {vertices: [0, 5]}                    vertex indices, as in the mesh file\n"
    "  {box: [[x, y, z], [x, y, z]]}         all vertices in a box given by two opposite corners\n"
    "  {sphere: {centre: [x, y, z], radius: r}}\n"
    "  {nearest: [x, y, z]}                  the nearest vertex\n"
    "  {group: name}                         a group of an imported mesh\n"
    "  {all: true}\n\n"
    "Optional keys of an entry:\n\n"
    "  release: t                            time of release (s)\n"
    "  begin: t                              time from which on the vertices are held where they are then (s)\n"
    "  keys: [{time: 0, offset: [0, 0, 0], angle: 0}, ...]\n"
    "                                        translation and rotation, interpolated linearly (s, m, deg or rad)\n"
    "  axis: [x, y, z], centre: [x, y, z]    axis and centre of the rotation\n"
    "  cache: skirt.pc2, rate: 30, start: 0  instead of keys: positions of the pinned vertices, in ascending order, "
    "or\n"
    "                                        of all vertices of the mesh file (pc2 or mdd; samples per second; s)\n"
    "  attach: mannequin                     instead of keys: a body, by name or number, carries the vertices; each "
    "keeps\n"
    "                                        its place against the nearest triangle of a mesh or mannequin; a\n"
    "                                        number, from 0 on, names one of several bodies of that name\n";

static const char CUTS[] =
    "cuts: a list. Each entry cuts the cloth along a path at a given time.\n\n"
    "  - {at: 1 s, path: [[0.5, 2, 0], [0.5, 1, 0]]}   at least two points on the rest shape of the cloth (m)\n\n"
    "The edges nearest to the path open, as in a tear. A path that ends inside the cloth leaves a slit.\n"
    "springs keeps its faces, and the edges are those of quads; the other models have triangles.\n";

static const char BODIES[] =
    "bodies: a list. Each entry is a name (weft list bodies), with or without parameters:\n\n"
    "  - plane\n"
    "  - sphere: {radius: 0.3, at: [0, 0.5, 0], friction: 0.4}\n"
    "  - mesh: {file: chair.obj, scale: 0.01}\n\n"
    "A body can move:\n\n"
    "  keys: [{time: 0, offset: [0, 0, 0], angle: 0, scale: 1}, ...]\n"
    "                                        motion relative to the initial pose, interpolated linearly\n"
    "                                        (s, m, deg or rad); the angle is about `axis`\n";

static const char CONTACT[] =
    "contact: contact with bodies, contact between cloths, and self-collision.\n\n"
    "  contact: {method: constraints, constraints: {solves: 3}, impulses: {zones: 20}}\n\n"
    "The settings of a method are a group with its name. impulses are also those of explicit integrators and of the\n"
    "constraints. Where a step fails with the barrier, it is made by constraints and impulses.\n";

static const char TIME[] = "time: the frames and time steps of a run.\n";

static const char AIR[] = "air: the properties of the air, which all winds share, and the random seed.\n";

static const char DEVICE[] =
    "device: NAME or {name: NAME, parameters}. The processor that computes the steps.\n\n"
    "cuda is an NVIDIA GPU. It has the models springs, buckling and corotational, implicit-euler, bdf2 and the "
    "explicit\n"
    "integrators, all forces and pins, and contact by the barrier method. It has no adaptation, tearing, cuts or "
    "garments,\n"
    "and refuses them by name.\n";

static const char CLOTH[] =
    "cloth: one cloth, or a list of cloths. Each has these keys:\n\n"
    "  name: flag                 the name in messages, files and paths\n"
    "  grid: {...}                a rectangle (weft help grid), or\n"
    "  mesh: FILE                 a mesh file, relative to the scene: obj, ply, fbx, gltf, stl, dae\n"
    "  fabric: {...}              weft help fabric\n"
    "  model: NAME                or {name: NAME, parameters} (weft list models)\n"
    "  maps: {...}                properties that vary over the cloth (weft help maps)\n"
    "  garment: FILE              panels that are sewn around a body; on: BODY; settle: 1 s (docs/fit.md)\n"
    "  ease, panels: {...}        changes of a garment's panels (weft help panels)\n"
    "  pins: [...]                weft help pins\n"
    "  cuts: [...]                weft help cuts\n"
    "  proxy: {mesh: FILE}        a finer mesh that follows the cloth and replaces it in the output\n"
    "                             (weft help proxy)\n";

static const char GRID[] = "grid: a rectangle of cells.\n\n"
                           "  axes: [x, -y]              directions of weft and warp: an axis, or three numbers\n"
                           "  origin: [0, 0, 0]          position of the top left corner (m)\n";

static const char PANELS[] =
    "panels: {PANEL: {parameters}}, in a cloth with a garment. What differs from the garment file; all of it may "
    "change\n"
    "while the simulation runs.\n\n"
    "  cloth: {garment: tshirt.yaml, ease: {width: 1.05}, panels: {front: {stretch: 2, bend: 5}}}\n\n"
    "ease: {width, length} changes all panels.\n";

static const char VIEW[] = "view: the look of pictures of the scene (weft render, --write png,mp4).\n";

static const char PROXY[] =
    "proxy: FILE or {mesh: FILE, keep: true}, in a cloth. A proxy is a finer mesh that replaces the cloth in the\n"
    "output.\n\n"
    "The mesh gets the scale, rotation and position of the cloth. It is then bound to the initial shape of the\n"
    "cloth: each vertex to the nearest point of the cloth, at its distance along the cloth's normal.\n"
    "'weft check' reports the distances. Proxy faces on a torn cloth face are open. If the mesh of the cloth\n"
    "changes, the proxy follows the current mesh, and proxy faces across a crack are open.\n";

static const char MAPS[] =
    "maps: factors on fabric properties that vary over the cloth: {density: MAP, bend: MAP, ...}. A MAP is one of\n\n"
    "  2.5                              one number for the whole cloth\n"
    "  {file: stiffness.txt}            a text file, relative to the scene: one number per vertex in mesh order\n"
    "                                   (for a grid: along the weft, row by row); # begins a comment\n"
    "  {side: left, value: 3, else: 1}  a number for selected vertices and one for the rest (default 1); select as\n"
    "                                   in pins: side, corner, vertices, box, sphere, nearest, group, all\n"
    "\n"
    "Triangles, edges and springs use the mean of their vertices. A vertex that adaptation inserts gets the mean of\n"
    "its neighbours. Removing it restores the previous map. stretch, bend and tear need a model that supports\n"
    "maps (springs, buckling, corotational). refine needs a model with triangles (buckling, corotational).\n";

static const char OUTPUT[] = "output: the files that a run writes.\n\n"
                             "  write: [obj, pc2]      writers (weft list writers); none: no shapes; default: obj\n"
                             "  NAME: {...}            settings of the writer NAME (weft help NAME)\n";

static const char FABRIC[] = "fabric: {preset: NAME, parameters}. Parameters override the preset.\n";

const weft_topic WEFT_TOPICS[] = {
    {"scene", "how to write a scene", SCENE, NULL, 0},
    {"time", "frames and time steps", TIME, weft_clock_params, 0},
    {"air", "air temperature and random seed", AIR, weft_environment_params, 0},
    {"device", "the processor that computes the steps", DEVICE, weft_device_params, 0},
    {"cloth", "keys of a cloth", CLOTH, weft_place_params, 0},
    {"grid", "a rectangle of cells", GRID, weft_grid_params, 0},
    {"fabric", "fabric parameters and all presets", FABRIC, weft_fabric_params, 1},
    {"maps", "properties that vary over a cloth", MAPS, weft_map_params, 0},
    {"panels", "size and fabric of single panels of a garment", PANELS, weft_panel_params, 0},
    {"pins", "held vertices and their motion", PINS, NULL, 0},
    {"cuts", "when and where to cut a cloth", CUTS, weft_cut_params, 0},
    {"bodies", "solid objects and their motion", BODIES, NULL, 0},
    {"contact", "thickness, friction, self-collision", CONTACT, weft_contact_params, 0},
    {"proxy", "a finer mesh that follows a cloth", PROXY, weft_proxy_params, 0},
    {"output", "the files that a run writes", OUTPUT, weft_output_params, 0},
    {"view", "camera, light, colours and overlays of pictures", VIEW, weft_view_params, 0},
    {NULL, NULL, NULL, NULL, 0},
};

/* -- fabrics -- */

/* Makes one row per parameter and one column for each of `count` presets. */
static weft_table *fill_presets(int first, int count) {
    const char *cells[WEFT_TABLE_COLUMNS] = {"preset"};
    char value[WEFT_TABLE_COLUMNS][WEFT_STRING_SIZE];
    weft_table *table = weft_table_create(count + 2);
    if (!table)
        return NULL;
    for (int i = 0; i < count; i++)
        cells[i + 1] = weft_fabric_preset_at(first + i)->name;
    cells[count + 1] = "unit";
    weft_table_add(table, cells);
    for (const weft_param *row = weft_fabric_params(); row->name; row++) {
        cells[0] = row->name;
        for (int i = 0; i < count; i++) {
            weft_table_write_value(row, &weft_fabric_preset_at(first + i)->fabric, value[i], sizeof value[i]);
            cells[i + 1] = value[i];
        }
        cells[count + 1] = row->unit;
        weft_table_add(table, cells);
    }
    return table;
}

/* The table width suits a wide terminal. */
weft_result weft_presets_print(void (*print)(const weft_table *table)) {
    enum { SIDE_BY_SIDE = 8 };
    for (int first = 0; first < weft_fabric_preset_count(); first += SIDE_BY_SIDE) {
        int left = weft_fabric_preset_count() - first;
        weft_table *table = fill_presets(first, left < SIDE_BY_SIDE ? left : SIDE_BY_SIDE);
        if (!table)
            return weft_fail_memory("a table", sizeof *table);
        print(table);
        printf("\n");
        free(table);
    }
    return weft_ok();
}

/* Consecutive presets with the same source share a line. */
void weft_presets_print_sources(const char *indent) {
    for (int i = 0; i < weft_fabric_preset_count(); i++) {
        const weft_fabric_preset *preset = weft_fabric_preset_at(i);
        int more =
            i + 1 < weft_fabric_preset_count() && strcmp(preset->source, weft_fabric_preset_at(i + 1)->source) == 0;
        printf("%s%s", i > 0 && strcmp(preset->source, weft_fabric_preset_at(i - 1)->source) == 0 ? "" : indent,
               preset->name);
        if (more)
            printf(", ");
        else
            printf(": %s\n", preset->source);
    }
}

static void print_indented(const weft_table *table) { weft_table_print(table, 2); }

weft_result weft_topic_print(const weft_topic *topic) {
    printf("%s", topic->text);
    if (topic->params)
        WEFT_TRY(weft_table_print_params(topic->params(), "\n"));
    if (!topic->has_presets)
        return weft_ok();
    printf("\n");
    WEFT_TRY(weft_presets_print(print_indented));
    printf("sources\n");
    weft_presets_print_sources("  ");
    return weft_ok();
}
