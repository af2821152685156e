/* The scenes of tests/stress/scenes without their parser, with about ten times the vertices: every edge of a grid is
 * sqrt(10) times shorter. `rest` is left out, because its mesh is a file; `torn_adaptive`, because a GPU does not
 * support it. The includer provides `must`. */
#ifndef WEFT_TESTS_STRESS_SCENES_H
#define WEFT_TESTS_STRESS_SCENES_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "weft/vec.h"
#include "weft/weft.h"

enum { STRESS_BODIES = 5, STRESS_SETS = 5, STRESS_KEYS = 3 };

/* A body: its kind, the file of a mesh, parameters as pairs of name and value, and the keys of its motion. */
typedef struct stress_body {
    const char *kind, *file;
    const char *set[2 * STRESS_SETS];
    weft_body_key key[STRESS_KEYS];
    int keys;
} stress_body;

/* Which vertices a pin holds: a side or corners of the grid, or the vertex nearest to a place. */
typedef struct stress_pin {
    weft_select select;
    weft_key key[STRESS_KEYS];
    int keys;
} stress_pin;

typedef struct stress_scene {
    const char *name, *model, *integrator;
    double step, rate, thickness; /* s, 1/s, m */
    int frames;
    int busy; /* the frame from which it is timed */
    weft_grid grid;
    double fall; /* initial speed downwards, m/s */
    int sheets;  /* like boxpile or funnel if above 1 */
    stress_pin pin[2];
    int pins;
    stress_body body[STRESS_BODIES];
    int bodies;
} stress_scene;

#define STRESS_LEVEL                                                                                                   \
    {                                                                                                                  \
        {1, 0, 0}, { 0, 0, 1 }                                                                                         \
    }
#define STRESS_HANGING                                                                                                 \
    {                                                                                                                  \
        {1, 0, 0}, { 0, -1, 0 }                                                                                        \
    }
#define STRESS_GROUND(coefficient)                                                                                     \
    {                                                                                                                  \
        .kind = "plane", .set = { "friction", coefficient }                                                            \
    }
#define STRESS_TURNED (-18.849555921538759) /* -1080 degrees */

static const stress_scene STRESS[] = {
    {.name = "blade-10x",
     .model = "springs",
     .integrator = "implicit-euler",
     .step = 0.0166667,
     .rate = 60,
     .thickness = 0.002,
     .frames = 90,
     .busy = 15,
     .sheets = 1,
     .fall = 5,
     .grid = {{158, 158}, {1, 1}, {-0.5, 1, -0.47}, STRESS_LEVEL, WEFT_ALTERNATING},
     .bodies = 3,
     .body = {STRESS_GROUND("0.4"),
              {.kind = "mesh", .file = "blade.obj", .set = {"friction", "0.3"}},
              {.kind = "mesh", .file = "spike.obj", .set = {"at", "[0.03, 0, 0.2]", "friction", "0.3"}}}},
    {.name = "boxpile-10x",
     .model = "springs",
     .integrator = "implicit-euler",
     .step = 0.01,
     .rate = 25,
     .thickness = 0.002,
     .frames = 125,
     .busy = 20,
     .sheets = 20,
     .grid = {{44, 44}, {0.3, 0.3}, {-0.15, 0, -0.15}, STRESS_LEVEL, WEFT_ALTERNATING},
     .bodies = 5,
     .body = {STRESS_GROUND("0.4"),
              {.kind = "box", .set = {"size", "[0.02, 0.4, 0.36]", "at", "[-0.18, 0.2, 0]", "friction", "0.4"}},
              {.kind = "box", .set = {"size", "[0.02, 0.4, 0.36]", "at", "[0.18, 0.2, 0]", "friction", "0.4"}},
              {.kind = "box", .set = {"size", "[0.34, 0.4, 0.02]", "at", "[0, 0.2, -0.18]", "friction", "0.4"}},
              {.kind = "box", .set = {"size", "[0.34, 0.4, 0.02]", "at", "[0, 0.2, 0.18]", "friction", "0.4"}}}},
    {.name = "fast-10x",
     .model = "springs",
     .integrator = "implicit-euler",
     .step = 0.0166667,
     .rate = 60,
     .thickness = 0.002,
     .frames = 60,
     .busy = 4,
     .sheets = 1,
     .grid = {{158, 158}, {1, 1}, {-0.5, 0.5, 0}, STRESS_HANGING, WEFT_ALTERNATING},
     .bodies = 1,
     .body = {{.kind = "sphere",
               .set = {"radius", "0.1", "at", "[0, 0, -1]", "friction", "0.3"},
               .keys = 2,
               .key = {{.scale = 1}, {.time = 0.25, .offset = {0, 0, 5}, .scale = 1}}}}},
    {.name = "fast_pinned-10x",
     .model = "springs",
     .integrator = "implicit-euler",
     .step = 0.0166667,
     .rate = 60,
     .thickness = 0.002,
     .frames = 60,
     .busy = 4,
     .sheets = 1,
     .grid = {{158, 158}, {1, 1}, {-0.5, 0.5, 0}, STRESS_HANGING, WEFT_ALTERNATING},
     .pins = 2,
     .pin = {{.select = {.kind = WEFT_SELECT_CORNER, .name = "top-left"}},
             {.select = {.kind = WEFT_SELECT_CORNER, .name = "top-right"}}},
     .bodies = 1,
     .body = {{.kind = "sphere",
               .set = {"radius", "0.1", "at", "[0, 0, -1]", "friction", "0.3"},
               .keys = 2,
               .key = {{.scale = 1}, {.time = 0.07, .offset = {0, 0, 1.4}, .scale = 1}}}}},
    {.name = "funnel-10x",
     .model = "springs",
     .integrator = "implicit-euler",
     .step = 0.04,
     .rate = 25,
     .thickness = 0.002,
     .frames = 75,
     .busy = 20,
     .sheets = 3,
     .grid = {{60, 60}, {0.44, 0.44}, {-0.22, 0.31, -0.22}, STRESS_LEVEL, WEFT_ALTERNATING},
     .bodies = 3,
     .body = {{.kind = "plane", .set = {"at", "[0, -0.6, 0]", "friction", "0.4"}},
              {.kind = "mesh", .file = "funnel.obj", .set = {"friction", "0.3"}},
              {.kind = "sphere",
               .set = {"radius", "0.06", "at", "[0, 0.45, 0]", "friction", "0.3", "segments", "32"},
               .keys = 2,
               .key = {{.time = 0.4, .scale = 1}, {.time = 2.4, .offset = {0, -0.8, 0}, .scale = 1}}}}},
    {.name = "ring-10x",
     .model = "springs",
     .integrator = "implicit-euler",
     .step = 0.01,
     .rate = 25,
     .thickness = 0.001,
     .frames = 50,
     .busy = 15,
     .sheets = 1,
     .grid = {{158, 158}, {1, 1}, {-0.5, 0.04, -0.5}, STRESS_LEVEL, WEFT_ALTERNATING},
     .pins = 1,
     .pin = {{.select = {.kind = WEFT_SELECT_NEAREST, .a = {0, 0.04, 0}},
              .keys = 3,
              .key = {{.time = 0}, {.time = 0.2}, {.time = 2, .offset = {0, -0.9, 0}}}}},
     .bodies = 1,
     .body = {{.kind = "mesh", .file = "ring.obj", .set = {"friction", "0.3"}}}},
    {.name = "squeeze-10x",
     .model = "corotational",
     .integrator = "bdf2",
     .step = 0.0166667,
     .rate = 60,
     .thickness = 0.001,
     .frames = 120,
     .busy = 50,
     .sheets = 1,
     .grid = {{95, 95}, {0.5, 0.5}, {-0.25, 0.01, -0.25}, STRESS_LEVEL, WEFT_ALTERNATING},
     .bodies = 3,
     .body = {STRESS_GROUND("0.3"),
              {.kind = "box",
               .set = {"size", "[0.3, 0.8, 1]", "at", "[-0.43, 0.39, 0]", "friction", "0.3"},
               .keys = 2,
               .key = {{.time = 0.1, .scale = 1}, {.time = 1.6, .offset = {0.2725, 0, 0}, .scale = 1}}},
              {.kind = "box",
               .set = {"size", "[0.3, 0.8, 1]", "at", "[0.43, 0.39, 0]", "friction", "0.3"},
               .keys = 2,
               .key = {{.time = 0.1, .scale = 1}, {.time = 1.6, .offset = {-0.2725, 0, 0}, .scale = 1}}}}},
    {.name = "wring-10x",
     .model = "corotational",
     .integrator = "implicit-euler",
     .step = 0.01,
     .rate = 25,
     .thickness = 0.002,
     .frames = 60,
     .busy = 20,
     .sheets = 1,
     .grid = {{76, 126}, {0.5, 0.8}, {-0.25, 0, 0.054}, STRESS_HANGING, WEFT_ALTERNATING},
     .pins = 1,
     .pin = {{.select = {.kind = WEFT_SELECT_SIDE, .name = "top"},
              .keys = 2,
              .key = {{.time = 0.2}, {.time = 2.2, .angle = STRESS_TURNED}}}},
     .bodies = 1,
     .body = {{.kind = "capsule",
               .set = {"radius", "0.05", "length", "0.6", "rotate", "[0, 0, 90 deg]", "friction", "0.8", "segments",
                       "32"},
               .keys = 2,
               .key = {{.time = 0.2, .scale = 1}, {.time = 2.2, .angle = STRESS_TURNED, .scale = 1}}}}},
};

/* Turns of the sheets of boxpile about x, y and z, degrees, and their places, m. */
static const double STRESS_PILE[20][6] = {
    {-2.8, 54.3, 2.4, -0.026, 0.460, 0.002},  {-2.1, 20.9, 0.1, -0.028, 0.550, -0.004},
    {-6.9, 32.7, -1.2, 0.020, 0.640, -0.023}, {-4.4, 225.9, 7.2, 0.005, 0.730, -0.006},
    {7.6, 16.8, 5.7, -0.013, 0.820, -0.021},  {-6.1, 111.1, 5.1, -0.019, 0.910, 0.005},
    {2.2, 134.1, 0.8, -0.026, 1.000, -0.026}, {-4.7, 244.9, -1.2, -0.011, 1.090, 0.005},
    {-0.7, 107.9, 4.7, 0.012, 1.180, -0.015}, {1.2, 189.1, 6.0, 0.014, 1.270, -0.013},
    {7.7, 42.5, -1.3, 0.015, 1.360, -0.021},  {-0.2, 14.1, 2.7, 0.016, 1.450, 0.004},
    {6.0, 112.9, 3.1, 0.006, 1.540, 0.005},   {-0.7, 302.4, 7.1, -0.002, 1.630, 0.010},
    {-7.0, 252.5, 2.4, 0.030, 1.720, 0.019},  {-3.4, 138.9, 2.7, -0.029, 1.810, -0.002},
    {-5.3, 42.2, -7.1, 0.016, 1.900, -0.022}, {-4.0, 140.7, 5.9, -0.025, 1.990, -0.003},
    {0.8, 318.0, 5.1, 0.022, 2.080, -0.013},  {-1.4, 129.2, 6.1, 0.027, 2.170, -0.021},
};

/* About x, then y, then z. */
static inline weft_vec3 stress_turn(weft_vec3 p, const double *degrees) {
    double r = acos(-1) / 180, c = cos(r * degrees[0]), s = sin(r * degrees[0]);
    p = (weft_vec3){p.x, c * p.y - s * p.z, s * p.y + c * p.z};
    c = cos(r * degrees[1]), s = sin(r * degrees[1]);
    p = (weft_vec3){c * p.x + s * p.z, p.y, c * p.z - s * p.x};
    c = cos(r * degrees[2]), s = sin(r * degrees[2]);
    return (weft_vec3){c * p.x - s * p.y, s * p.x + c * p.y, p.z};
}

/* Reads the vertices and triangles of an OBJ file, which has no others. */
static inline weft_mesh *stress_mesh(const char *file) {
    enum { MOST = 10000 };
    static weft_vec3 position[MOST];
    static int32_t corner[3 * MOST], size[MOST];
    weft_polygons all = {.name = file, .position = position, .corner = corner, .face_size = size};
    char path[200], line[200];
    snprintf(path, sizeof path, "tests/stress/scenes/assets/%s", file);
    FILE *in = fopen(path, "r");
    if (!in)
        must(weft_fail(WEFT_BAD_FILE, "%s: cannot be read; start this program in the folder of the project", path));
    while (fgets(line, sizeof line, in)) {
        weft_vec3 *p = &position[all.vertex_count];
        int32_t *c = &corner[all.corner_count];
        if (all.vertex_count < MOST && sscanf(line, "v %lf %lf %lf", &p->x, &p->y, &p->z) == 3)
            all.vertex_count++;
        if (all.face_count >= MOST || sscanf(line, "f %d %d %d", &c[0], &c[1], &c[2]) != 3)
            continue;
        for (int k = 0; k < 3; k++)
            c[k]--;
        size[all.face_count++] = 3;
        all.corner_count += 3;
    }
    fclose(in);
    weft_mesh *mesh;
    weft_soup soup;
    must(weft_mesh_create_soup(&all, &mesh, &soup));
    return mesh;
}

static inline void stress_add_body(weft_sim *sim, const stress_body *body, int number) {
    int32_t index;
    char path[100];
    must(weft_sim_add_body(sim, body->kind, body->file ? stress_mesh(body->file) : NULL, &index));
    for (int k = 0; k < STRESS_SETS && body->set[2 * k]; k++) {
        snprintf(path, sizeof path, "bodies.%d.%s", number, body->set[2 * k]);
        must(weft_sim_set(sim, path, body->set[2 * k + 1]));
    }
    if (strcmp(body->kind, "capsule") == 0) {
        snprintf(path, sizeof path, "bodies.%d.axis", number);
        must(weft_sim_set(sim, path, "[1, 0, 0]"));
    }
    if (body->keys > 0)
        must(weft_sim_set_body_keys(sim, index, body->key, body->keys));
}

static inline void stress_add_sheet(weft_sim *sim, const stress_scene *scene, int number) {
    static const char *const LAYERS[] = {"cotton", "wool", "silk"};
    static const weft_vec3 OFFSETS[] = {{0, 0, 0}, {0.01, 0.02, -0.01}, {-0.01, 0.04, 0.01}};
    weft_grid grid = scene->grid;
    char name[32];
    weft_mesh *mesh;
    int32_t cloth;
    const char *preset = "cotton";
    if (scene->sheets == 20) {
        const double *place = STRESS_PILE[number];
        grid.origin = weft_add(stress_turn(grid.origin, place), weft_vec3_make(place[3], place[4], place[5]));
        for (int k = 0; k < 2; k++)
            grid.axis[k] = stress_turn(grid.axis[k], place);
    } else if (scene->sheets == 3) {
        grid.origin = weft_add(grid.origin, OFFSETS[number]);
        preset = LAYERS[number];
    }
    snprintf(name, sizeof name, "sheet%d", number);
    must(weft_mesh_create_grid(&grid, &mesh));
    must(weft_sim_add_cloth(sim, name, mesh, &weft_fabric_preset_find(preset)->fabric, scene->model, &cloth));
    if (strcmp(scene->model, "springs") == 0) {
        char path[64];
        snprintf(path, sizeof path, "cloth.%s.model.stiffness", name);
        must(weft_sim_set(sim, path, "fabric"));
    }
    must(weft_sim_set_velocity(sim, cloth, weft_vec3_make(0, -scene->fall, 0)));
}

static inline void stress_add_pin(weft_sim *sim, const weft_grid *grid, const stress_pin *from) {
    weft_pin pin = weft_pin_default();
    int32_t count = 0, *vertices = malloc((size_t)((grid->cells[0] + 1) * (grid->cells[1] + 1)) * sizeof *vertices);
    if (!vertices)
        must(weft_fail_memory("pins", 0));
    pin.axis = weft_vec3_make(1, 0, 0);
    pin.key = from->keys > 0 ? from->key : NULL;
    pin.key_count = from->keys;
    must(weft_sim_select(sim, 0, &from->select, vertices, &count));
    must(weft_sim_add_pin(sim, 0, &pin, vertices, count));
    free(vertices);
}

static inline weft_sim *stress_scene_create(const weft_registry *registry, const stress_scene *scene,
                                            const char *device, int threads) {
    weft_sim *sim;
    must(weft_sim_create(registry, &sim));
    weft_sim_set_threads(sim, threads);
    must(weft_sim_set_integrator(sim, scene->integrator));
    must(weft_sim_set(sim, "integrator.tolerance", "1e-4"));
    must(weft_sim_set(sim, "device.name", device));
    must(weft_sim_set_real(sim, "time.step", scene->step));
    must(weft_sim_set_real(sim, "time.rate", scene->rate));
    for (int k = 0; k < scene->sheets; k++)
        stress_add_sheet(sim, scene, k);
    for (int k = 0; k < scene->bodies; k++)
        stress_add_body(sim, &scene->body[k], k);
    must(weft_sim_add_force(sim, "gravity", NULL));
    must(weft_sim_add_force(sim, "air-damping", NULL));
    must(weft_sim_set(sim, "forces.air-damping.coefficient", "0.05"));
    must(weft_sim_set(sim, "forces.air-damping.per", "area"));
    must(weft_sim_set(sim, "contact.self", "true"));
    must(weft_sim_set(sim, "contact.audit", "true"));
    must(weft_sim_set_real(sim, "contact.thickness", scene->thickness));
    for (int k = 0; k < scene->pins; k++)
        stress_add_pin(sim, &scene->grid, &scene->pin[k]);
    return sim;
}

#endif
