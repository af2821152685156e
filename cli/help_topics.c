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

static weft_result print_scene(void) {
    printf("A scene is a YAML file in SI units, y up. A number may carry a unit: 150 g/m2, 5 mm, 30 deg.\n\n"
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
           "  output: {write: [obj, pc2], obj: {up: z}}          # weft help output\n"
           "  view: {azimuth: 30 deg, color: stretch}            # weft help view\n\n"
           "include: FILE takes over the parts of another scene that this one does not have.\n"
           "Every value can be changed for one run: weft run flag --set forces.wind.speed=9\n");
    return weft_ok();
}

static weft_result print_pins(void) {
    printf("pins: a list; each entry selects vertices of its cloth and holds them.\n\n"
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
           "  axis: [x, y, z], centre: [x, y, z]    of the turning\n");
    return weft_ok();
}

static weft_result print_bodies(void) {
    printf("bodies: a list; each entry is a name (weft list bodies), alone or with values:\n\n"
           "  - plane\n"
           "  - sphere: {radius: 0.3, at: [0, 0.5, 0], friction: 0.4}\n"
           "  - mesh: {file: chair.obj, scale: 0.01}\n\n"
           "and may have\n\n"
           "  keys: [{time: 0, offset: [0, 0, 0], angle: 0, scale: 1}, ...]\n"
           "                                        moves it from where it is, linearly from key to key (s, m, deg or "
           "rad);\n"
           "                                        the angle is about its `axis`\n");
    return weft_ok();
}

static weft_result print_contact(void) {
    printf("contact: how cloth meets bodies, other cloth and itself\n");
    return weft_table_print_params(weft_contact_params(), "\n");
}

static weft_result print_time(void) {
    printf("time: how a run is cut into frames and steps\n");
    return weft_table_print_params(weft_clock_params(), "\n");
}

static weft_result print_air(void) {
    printf("air: the air that all wind blows in, and the seed of what is random\n");
    return weft_table_print_params(weft_environment_params(), "\n");
}

static weft_result print_cloth(void) {
    printf("cloth: one, or a list of them; each with\n\n"
           "  name: flag                 for messages, files and paths\n"
           "  grid: {...}                a rectangle (weft help grid), or\n"
           "  mesh: FILE                 a shape from a file beside the scene: obj, ply, fbx, gltf, stl, dae\n"
           "  fabric: {...}              weft help fabric\n"
           "  model: NAME                or {name: NAME, its parameters} (weft list models)\n"
           "  pins: [...]                weft help pins\n"
           "  proxy: {mesh: FILE}        a finer mesh that follows the cloth and is written in its place (weft help "
           "proxy)\n");
    return weft_table_print_params(weft_place_params(), "\n");
}

static weft_result print_grid(void) {
    printf("grid: a rectangle of cells\n\n"
           "  axes: [x, -y]              directions of weft and warp: an axis, or three numbers\n"
           "  origin: [0, 0, 0]          where its top left corner is (m)\n");
    return weft_table_print_params(weft_grid_params(), "\n");
}

static weft_result print_view(void) {
    printf("view: how pictures of the scene look (weft render, --write png,mp4)\n");
    return weft_table_print_params(weft_view_params(), "\n");
}

static weft_result print_proxy(void) {
    printf(
        "proxy: FILE or {mesh: FILE, keep: true}, of a cloth: a finer mesh that is written and drawn in its place\n\n"
        "The mesh is scaled, turned and moved like the cloth, then bound to it where both lie at the start: each "
        "vertex\n"
        "to the closest point of the cloth, with its distance along the cloth's normal. weft check tells how far off\n"
        "the vertices are. Faces that lie on a torn face of the cloth are open as it is.\n");
    return weft_table_print_params(weft_proxy_params(), "\n");
}

static weft_result print_output(void) {
    printf("output: the files of a run\n\n"
           "  write: [obj, pc2]      the writers (weft list writers); none for no shapes; obj when it is left out\n"
           "  NAME: {...}            settings of the writer of that name (weft help NAME)\n");
    return weft_table_print_params(weft_output_params(), "\n");
}

/* One row per parameter, one column for each of `count` presets. */
static weft_result print_some_presets(int first, int count) {
    const char *cells[WEFT_TABLE_COLUMNS] = {"preset"};
    char value[WEFT_TABLE_COLUMNS][WEFT_STRING_SIZE];
    weft_table *table = weft_table_create(count + 2);
    if (!table)
        return weft_fail_memory("a table", sizeof *table);
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
    weft_table_print(table, 2);
    free(table);
    return weft_ok();
}

/* As many side by side as a wide terminal shows. */
static weft_result print_presets(void) {
    enum { SIDE_BY_SIDE = 8 };
    for (int first = 0; first < weft_fabric_preset_count(); first += SIDE_BY_SIDE) {
        int left = weft_fabric_preset_count() - first;
        WEFT_TRY(print_some_presets(first, left < SIDE_BY_SIDE ? left : SIDE_BY_SIDE));
        printf("\n");
    }
    return weft_ok();
}

static weft_result print_fabric(void) {
    printf("fabric: {preset: NAME, any parameter to change}\n");
    WEFT_TRY(weft_table_print_params(weft_fabric_params(), "\n"));
    printf("\n");
    WEFT_TRY(print_presets());
    printf("where they come from\n");
    for (int i = 0; i < weft_fabric_preset_count(); i++) {
        /* presets in a row with the same source share a line */
        const weft_fabric_preset *preset = weft_fabric_preset_at(i);
        int more =
            i + 1 < weft_fabric_preset_count() && strcmp(preset->source, weft_fabric_preset_at(i + 1)->source) == 0;
        printf("%s%s", i > 0 && strcmp(preset->source, weft_fabric_preset_at(i - 1)->source) == 0 ? "" : "  ",
               preset->name);
        if (more)
            printf(", ");
        else
            printf(": %s\n", preset->source);
    }
    return weft_ok();
}

const weft_topic WEFT_TOPICS[] = {
    {"scene", "how a scene is written", print_scene},
    {"time", "frames and steps", print_time},
    {"air", "temperature and seed", print_air},
    {"cloth", "what a piece of cloth has", print_cloth},
    {"grid", "a rectangle of cells", print_grid},
    {"fabric", "what cloth is made of, with all presets", print_fabric},
    {"pins", "which vertices are held and how they move", print_pins},
    {"bodies", "what cloth falls on and how it moves", print_bodies},
    {"contact", "thickness, friction, self-contact", print_contact},
    {"proxy", "a finer mesh that follows a cloth", print_proxy},
    {"output", "which files are written", print_output},
    {"view", "camera, light, colours and overlays of pictures", print_view},
    {NULL, NULL, NULL},
};
