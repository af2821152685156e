#include "cli/help_topics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output_plan.h"
#include "cli/proxies.h"
#include "cli/table.h"
#include "render/render.h"
#include "weft/fabric.h"
#include "weft/scene.h"
#include "weft/sim.h"

static const char SCENE[] =
    "A scene is a YAML file in SI units, y up. A number may carry a unit: 150 g/m2, 5 mm, 30 deg.\n\n"
    "  time: {step: 0.5 ms, frames: 240, rate: 60}        # weft help time\n"
    "  integrator: symplectic-euler                       # or {name: ..., its parameters}\n"
    "  air: {temperature: 20, seed: 1}                    # weft help air\n"
    "  cloth:\n"
    "    - name: flag\n"
    "      grid: {cells: [48, 32], size: [1.5, 1.0]}      # or  mesh: shirt.obj\n"
    "      fabric: {preset: cotton, density: 150 g/m2}    # weft help fabric\n"
    "      model: {name: springs, its parameters}         # weft help springs\n"
    "      pins: [{side: left}]                           # weft help pins\n"
    "  forces:\n"
    "    - gravity\n"
    "    - wind: {speed: 6}                               # weft help wind\n"
    "  bodies:                                            # weft help bodies\n"
    "    - sphere: {radius: 0.3, at: [0, 0.5, 0]}         # weft help sphere\n"
    "  contact: {self: true, thickness: 2 mm}             # weft help contact\n"
    "  adapt: sqrt3                                       # or {name: sqrt3, its parameters}\n"
    "  output: {write: [obj, pc2], obj: {up: z}}          # weft help output\n"
    "  view: {azimuth: 30 deg, color: stretch}            # weft help view\n\n"
    "include: FILE takes over the parts of another scene that this one does not have.\n"
    "Every value can be changed for one run: weft run flag --set forces.wind.speed=9\n";

static const char PINS[] =
    "pins: a list; each entry selects vertices of its cloth and holds them.\n\n"
    "  {side: left}                          left, right, top or bottom of a grid\n"
    "  {corner: top-left}                    top-left, top-right, bottom-left or bottom-right of a grid\n"
    "  {vertices: [0, 5]}                    by index, as in the file\n"
    "  {box: [[x, y, z], [x, y, z]]}         all inside, opposite corners\n"
    "  {sphere: {centre: [x, y, z], radius: r}}\n"
    "  {nearest: [x, y, z]}                  the one vertex that is nearest\n"
    "  {group: name}                         a group of an imported mesh\n"
    "  {all: true}\n\n"
    "and may have\n\n"
    "  release: t                            lets go at that time (s)\n"
    "  keys: [{time: 0, offset: [0, 0, 0], angle: 0}, ...]\n"
    "                                        moves and turns them, linearly from key to key (s, m, deg or rad)\n"
    "  axis: [x, y, z], centre: [x, y, z]    of the turning\n";

static const char CUTS[] =
    "cuts: a list; each entry cuts its cloth at a time along a path\n\n"
    "  - {at: 1 s, path: [[0.5, 2, 0], [0.5, 1, 0]]}   points on the cloth as it is at rest (m), at least two\n\n"
    "Edges of triangles nearest to the path open, as in a tear; a path that ends inside of the cloth leaves a slit.\n"
    "Needs a model whose mesh can change (corotational, buckling), or springs.\n";

static const char BODIES[] =
    "bodies: a list; each entry is a name (weft list bodies), alone or with values:\n\n"
    "  - plane\n"
    "  - sphere: {radius: 0.3, at: [0, 0.5, 0], friction: 0.4}\n"
    "  - mesh: {file: chair.obj, scale: 0.01}\n\n"
    "and may have\n\n"
    "  keys: [{time: 0, offset: [0, 0, 0], angle: 0, scale: 1}, ...]\n"
    "                                        moves it from where it is, linearly from key to key (s, m, deg or "
    "rad);\n"
    "                                        the angle is about its `axis`\n";

static const char CONTACT[] = "contact: how cloth meets bodies, other cloth and itself\n";

static const char TIME[] = "time: how a run is cut into frames and steps\n";

static const char AIR[] = "air: the air that all wind blows in, and the seed of what is random\n";

static const char CLOTH[] =
    "cloth: one, or a list of them; each with\n\n"
    "  name: flag                 for messages, files and paths\n"
    "  grid: {...}                a rectangle (weft help grid), or\n"
    "  mesh: FILE                 a shape from a file beside the scene: obj, ply, fbx, gltf, stl, dae\n"
    "  fabric: {...}              weft help fabric\n"
    "  model: NAME                or {name: NAME, its parameters} (weft list models)\n"
    "  maps: {...}                what differs from place to place (weft help maps)\n"
    "  pins: [...]                weft help pins\n"
    "  cuts: [...]                weft help cuts\n"
    "  proxy: {mesh: FILE}        a finer mesh that follows the cloth and is written in its place (weft help "
    "proxy)\n";

static const char GRID[] = "grid: a rectangle of cells\n\n"
                           "  axes: [x, -y]              directions of weft and warp: an axis, or three numbers\n"
                           "  origin: [0, 0, 0]          where its top left corner is (m)\n";

static const char VIEW[] = "view: how pictures of the scene look (weft render, --write png,mp4)\n";

static const char PROXY[] =
    "proxy: FILE or {mesh: FILE, keep: true}, of a cloth: a finer mesh that is written and drawn in its place\n\n"
    "The mesh is scaled, turned and moved like the cloth, then bound to it where both lie at the start: each "
    "vertex\n"
    "to the closest point of the cloth, with its distance along the cloth's normal. weft check tells how far off\n"
    "the vertices are. Faces that lie on a torn face of the cloth are open as it is. Where the mesh of the cloth\n"
    "changes, the proxy follows it as it is, and faces across a crack are open.\n";

static const char MAPS[] =
    "maps: factors of what the fabric says, from place to place: {density: MAP, bend: MAP, ...}, each MAP one of\n\n"
    "  2.5                              a number for the whole cloth\n"
    "  {file: stiffness.txt}            a text file beside the scene, a number for each vertex in the order of the "
    "mesh\n"
    "                                   (of a grid: along the weft, row by row); # begins a remark\n"
    "  {side: left, value: 3, else: 1}  a number for vertices that are selected as pins are (side, corner, vertices,\n"
    "                                   box, sphere, nearest, group, all), another one for the rest: 1 when left out\n"
    "\n"
    "Triangles, edges and springs take the mean of their vertices. A vertex that adaption inserts has the mean of "
    "those\n"
    "between which it is; when it is taken out again, the map is what it was. stretch and bend need a model that "
    "takes\n"
    "maps (springs, buckling, corotational), tear and refine one whose mesh can change (buckling, corotational).\n";

static const char OUTPUT[] =
    "output: the files of a run\n\n"
    "  write: [obj, pc2]      the writers (weft list writers); none for no shapes; obj when it is left out\n"
    "  NAME: {...}            settings of the writer of that name (weft help NAME)\n";

static const char FABRIC[] = "fabric: {preset: NAME, any parameter to change}\n";

const weft_topic WEFT_TOPICS[] = {
    {"scene", "how a scene is written", SCENE, NULL, 0},
    {"time", "frames and steps", TIME, weft_clock_params, 0},
    {"air", "temperature and seed", AIR, weft_environment_params, 0},
    {"cloth", "what a piece of cloth has", CLOTH, weft_place_params, 0},
    {"grid", "a rectangle of cells", GRID, weft_grid_params, 0},
    {"fabric", "what cloth is made of, with all presets", FABRIC, weft_fabric_params, 1},
    {"maps", "what differs from place to place of a cloth", MAPS, weft_map_params, 0},
    {"pins", "which vertices are held and how they move", PINS, NULL, 0},
    {"cuts", "when and where cloth is cut", CUTS, weft_cut_params, 0},
    {"bodies", "what cloth falls on and how it moves", BODIES, NULL, 0},
    {"contact", "thickness, friction, self-contact", CONTACT, weft_contact_params, 0},
    {"proxy", "a finer mesh that follows a cloth", PROXY, weft_proxy_params, 0},
    {"output", "which files are written", OUTPUT, weft_output_params, 0},
    {"view", "camera, light, colours and overlays of pictures", VIEW, weft_view_params, 0},
    {NULL, NULL, NULL, NULL, 0},
};

/* -- fabrics -- */

/* One row per parameter, one column for each of `count` presets. */
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

/* As many side by side as a wide terminal shows. */
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

/* Presets in a row with the same source share a line. */
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
    printf("where they come from\n");
    weft_presets_print_sources("  ");
    return weft_ok();
}
