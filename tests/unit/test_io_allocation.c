/* Makes every allocation of every reader and writer fail once. The address sanitizer reports leaks and uses after
 * free. */
#include "io_support.h"

#include "animated_strip.h"
#include "failing_malloc.h"
#include "io/inputs.h"
#include "io/writer_parts.h"
#include "weft-io/checkpoint.h"
#include "weft-io/mesh_file.h"
#include "weft-io/take.h"
#include "weft-io/yaml.h"

static const char OBJ[] = "o a\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\ng b\n"
                          "f 1/1 2/2 3/3 4/4\n";
static const char PLY[] =
    "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
    "property float z\nproperty float s\nproperty float t\nelement face 1\n"
    "property list uchar int vertex_indices\nend_header\n0 0 0 0 0\n1 0 0 1 0\n0 1 0 0 1\n3 0 1 2\n";
static const char STL[] = "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 1 1 0\nendloop\n"
                          "endfacet\nendsolid a\n";

static const weft_strain STRAIN[2] = {{{0.1, 0, 0}, {1, 0, 0}}, {{0, 0, 0.2}, {0, 0, 3}}}; /* strains of the two
                                                                                            * triangles of the quad */

static weft_result read_mesh(const char *name) {
    weft_mesh *mesh = NULL;
    weft_result result = weft_mesh_file_read(in_folder(name), &mesh);
    weft_mesh_destroy(mesh);
    return result;
}

static weft_result read_obj(void) { return read_mesh("a.obj"); }
static weft_result read_ply(void) { return read_mesh("a.ply"); }
static weft_result read_stl(void) { return read_mesh("a.stl"); }

static weft_result animate(void) {
    char names[40];
    weft_mesh *mesh = NULL;
    weft_body_frames frames;
    const weft_animation_wish wish = {.name = "lift", .rate = 2, .length = 1};
    WEFT_TRY(weft_mesh_file_read(in_folder("strip.gltf"), &mesh));
    weft_result result = weft_mesh_file_animate(in_folder("strip.gltf"), &wish, mesh, &frames, names, sizeof names);
    free((void *)frames.position);
    weft_mesh_destroy(mesh);
    return result;
}

static weft_result read_scene(void) {
    weft_tree *tree = NULL;
    weft_result result = weft_yaml_read(in_folder("scene.yaml"), &tree);
    weft_tree_destroy(tree);
    return result;
}

static weft_result use_inputs(void) {
    weft_inputs inputs;
    weft_result result = weft_inputs_read(in_folder("hand.inputs"), &inputs);
    if (result.code == WEFT_OK)
        result = weft_inputs_write(&inputs, 9, in_folder("again.inputs"));
    weft_inputs_free(&inputs);
    return result;
}

static weft_result use_checkpoint(void) {
    char state[] = "state";
    weft_checkpoint c = {1, 2, 3, 4, sizeof state, state};
    WEFT_TRY(weft_checkpoint_write(in_folder("checkpoint"), &c));
    weft_result result = weft_checkpoint_read(in_folder("checkpoint"), &c);
    free(c.snapshot);
    return result;
}

/* Writes two frames, with an interruption between them. */
static weft_result write_frames(const weft_component *writer) {
    const weft_writer_functions *f = writer->functions;
    weft_mesh *mesh;
    WEFT_TRY(weft_obj_read_memory(OBJ, sizeof OBJ - 1, "a", &mesh));
    const weft_frame_cloth cloth[2] = {{.name = "a", .mesh = mesh, .position = mesh->position},
                                       {.name = "b", .mesh = mesh, .position = mesh->position, .strain = STRAIN}};
    char settings[256];
    weft_params_default(writer->params, settings);
    weft_result result = weft_ok();
    for (int64_t i = 0; i < 2 && result.code == WEFT_OK; i++) {
        weft_frame frame = {.index = i, .cloth_count = 2, .cloth = cloth};
        weft_take take = {in_folder(""), "s", 24, 2, i};
        void *self;
        result = f->open(settings, &take, &frame, &self);
        if (result.code != WEFT_OK)
            break;
        result = f->frame(self, &frame);
        weft_result closed = f->close(self, i == 1 && result.code == WEFT_OK);
        result = result.code == WEFT_OK ? closed : result;
    }
    weft_mesh_destroy(mesh);
    return result;
}

static weft_result write_obj(void) { return write_frames(&WEFT_OBJ_WRITER); }
static weft_result write_ply(void) { return write_frames(&WEFT_PLY_WRITER); }
static weft_result write_pc2(void) { return write_frames(&WEFT_PC2_WRITER); }
static weft_result write_mdd(void) { return write_frames(&WEFT_MDD_WRITER); }

/* Writes two frames, with an interruption between them, and reads them back. */
static weft_result use_take(void) {
    weft_mesh *mesh;
    WEFT_TRY(weft_obj_read_memory(OBJ, sizeof OBJ - 1, "a", &mesh));
    const weft_link link = {0, 1, WEFT_STRUCTURAL, 1, 1};
    const weft_take_links links = {&link, 1};
    const weft_frame_cloth cloth = {.name = "a", .mesh = mesh, .position = mesh->position, .strain = STRAIN};
    weft_frame_body body[2];
    for (int b = 0; b < 2; b++)
        body[b] = (weft_frame_body){
            "b", mesh->position, mesh->vertex_count, (const int32_t(*)[3])mesh->triangle, mesh->triangle_count, b};
    weft_result result = weft_ok();
    for (int64_t i = 0; i < 2 && result.code == WEFT_OK; i++) {
        weft_frame frame = {.index = i, .cloth_count = 1, .cloth = &cloth, .body_count = 2, .body = body};
        weft_take take = {in_folder(""), "s", 24, 2, i};
        weft_take_writer *writer;
        result = weft_take_writer_open(&take, &frame, &links, &writer);
        if (result.code != WEFT_OK)
            break;
        result = weft_take_writer_write_frame(writer, &frame, &links);
        weft_result closed = weft_take_writer_close(writer, i == 1 && result.code == WEFT_OK);
        result = result.code == WEFT_OK ? closed : result;
    }
    weft_mesh_destroy(mesh);
    WEFT_TRY(result);
    weft_take_reader reader;
    result = weft_take_reader_open(in_folder("frames.weft"), 0, &reader);
    weft_take_reader_close(&reader);
    return result;
}

static void readers_and_writers_report_failure_of_every_allocation(void **state) {
    (void)state;
    weft_result (*const JOBS[])(void) = {read_obj,  read_ply,  read_stl,  read_scene, use_checkpoint, write_obj,
                                         write_ply, write_pc2, write_mdd, use_take,   use_inputs,     animate};
    write_text("a.obj", OBJ);
    write_text("a.ply", PLY);
    write_text("a.stl", STL);
    write_strip();
    write_text("hand.inputs", "weft inputs 1\n0 set a b\n1 drag 0 3 1 2 3 4 5 6 7\n2 free 0 1 2\n3 add-force wind\n");
    write_text("part.yaml", "d: 1\na: 2\n");
    write_text("scene.yaml", "include: part.yaml\na: [1, {b: c}]\n");
    for (size_t i = 0; i < sizeof JOBS / sizeof *JOBS; i++)
        sweep_job(JOBS[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(readers_and_writers_report_failure_of_every_allocation)};
    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
