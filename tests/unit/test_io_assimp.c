#include "io_support.h"

#include <math.h>

#include "animated_strip.h"
#include "io/bytes.h"
#include "weft-io/mesh_file.h"
#include "weft/weft.h"

static const char STL[] =
    "solid patch\n"
    "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 1 1 0\nendloop\nendfacet\n"
    "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 1 0\nvertex -0 1 0\nendloop\nendfacet\n"
    "facet normal 0 0 1\nouter loop\nvertex 1 1 0\nvertex 1 1 0\nvertex 0 1 0\nendloop\nendfacet\n"
    "endsolid patch\n";

/* STL repeats each position per face. A sheet must become one connected mesh, and faces without area must be
 * dropped. */
static void stl_vertices_are_welded(void **state) {
    (void)state;
    weft_mesh *mesh;
    assert_ok(weft_mesh_file_read(write_text("patch.stl", STL), &mesh));
    assert_int_equal(mesh->vertex_count, 4);
    assert_int_equal(mesh->face_count, 2);
    assert_int_equal(mesh->boundary_count, 1);
    assert_null(weft_mesh_flaw(mesh));
    weft_mesh_destroy(mesh);
}

#define SOURCE(id, floats, count, stride, a, b, c)                                                                     \
    "<source id='" id "'><float_array id='" id "-a' count='" count "'>" floats                                         \
    "</float_array><technique_common><accessor source='#" id "-a' count='4' stride='" stride "'>"                      \
    "<param name='" a "' type='float'/><param name='" b "' type='float'/>" c "</accessor></technique_common></source>"

/* A quad with texture coordinates, transformed by the matrix of its node. */
static const char DAE[] =
    "<?xml version='1.0'?><COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema' version='1.4.1'>"
    "<asset><unit meter='1'/><up_axis>Y_UP</up_axis></asset><library_geometries><geometry id='g' "
    "name='sheet'><mesh>" SOURCE("p", "0 0 0 1 0 0 1 1 0 0 1 0", "12", "3", "X", "Y", "<param name='Z' type='float'/>")
        SOURCE("t", "0 0 4 0 4 4 0 4", "8", "2", "S", "T",
               "") "<vertices id='v'><input semantic='POSITION' source='#p'/></vertices><polylist count='1'>"
                   "<input semantic='VERTEX' source='#v' offset='0'/><input semantic='TEXCOORD' source='#t' offset='1' "
                   "set='0'/>"
                   "<vcount>4</vcount><p>0 0 1 1 2 2 3 "
                   "3</p></polylist></mesh></geometry></library_geometries><library_visual_scenes>"
                   "<visual_scene id='s'><node id='n'><matrix>%s</matrix><instance_geometry "
                   "url='#g'/></node></visual_scene>"
                   "</library_visual_scenes><scene><instance_visual_scene url='#s'/></scene></COLLADA>";

static weft_mesh *read_dae(const char *matrix) {
    char text[4096];
    weft_mesh *mesh;
    snprintf(text, sizeof text, DAE, matrix);
    assert_ok(weft_mesh_file_read(write_text("sheet.dae", text), &mesh));
    return mesh;
}

static int32_t vertex_at(const weft_mesh *mesh, double x, double y, double z) {
    for (int32_t v = 0; v < mesh->vertex_count; v++) {
        weft_vec3 p = mesh->position[v];
        if (fabs(p.x - x) + fabs(p.y - y) + fabs(p.z - z) < 1e-6)
            return v;
    }
    fail_msg("no vertex at (%g %g %g)", x, y, z);
    return -1;
}

static void dae_keeps_quads_and_transforms(void **state) {
    (void)state;
    /* x' = 10 + 2 x, y' = 20 - z, z' = y */
    weft_mesh *mesh = read_dae("2 0 0 10  0 0 -1 20  0 1 0 0  0 0 0 1");
    assert_int_equal(mesh->vertex_count, 4);
    assert_int_equal(mesh->face_count, 1);
    int32_t corner = vertex_at(mesh, 12, 20, 1);
    assert_true(mesh->uv[corner].x == 4 && mesh->uv[corner].y == 4);
    assert_int_equal(mesh->group_count, 1);
    assert_string_equal(mesh->group_name[0], "sheet");
    weft_mesh_destroy(mesh);
}

/* A mirror reverses the order of corners, but not the side that faces outwards. */
static void mirrored_faces_keep_outward_normals(void **state) {
    (void)state;
    for (int mirrored = 0; mirrored < 2; mirrored++) {
        weft_mesh *mesh =
            read_dae(mirrored ? "-1 0 0 0  0 1 0 0  0 0 1 0  0 0 0 1" : "1 0 0 0  0 1 0 0  0 0 1 0  0 0 0 1");
        weft_vec3 normal[4];
        weft_mesh_vertex_normals(mesh, mesh->position, normal);
        assert_true(fabs(normal[0].z - 1) < 1e-12); /* the mirror image of +z along x is +z */
        weft_mesh_destroy(mesh);
    }
}

static const char GLTF[] =
    "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0,1]}],\"nodes\":[{\"mesh\":0},"
    "{\"mesh\":0,\"translation\":[1,0,0]}],\"meshes\":[{\"name\":\"half\",\"primitives\":[{\"attributes\":{"
    "\"POSITION\":0},"
    "\"indices\":1}]}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\",\"min\":["
    "0,0,0],"
    "\"max\":[1,1,0]},{\"bufferView\":1,\"componentType\":5123,\"count\":6,\"type\":\"SCALAR\"}],\"bufferViews\":[{"
    "\"buffer\":0,"
    "\"byteOffset\":0,\"byteLength\":48},{\"buffer\":0,\"byteOffset\":48,\"byteLength\":12}],\"buffers\":[{"
    "\"byteLength\":60,"
    "\"uri\":\"data:application/octet-stream;base64,%s\"}]}";

/* Four corners as floats and two triangles of them. */
static void make_buffer(unsigned char bytes[60]) {
    static const double POINTS[12] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
    static const uint16_t INDICES[6] = {0, 1, 2, 0, 2, 3};
    for (int i = 0; i < 12; i++)
        weft_bytes_put_float(bytes + 4 * i, POINTS[i], 0);
    for (int i = 0; i < 6; i++)
        weft_bytes_put(bytes + 48 + 2 * i, INDICES[i], 2, 0);
}

/* Two nodes show the same mesh side by side. The meshes are joined where they meet. */
static void adjacent_gltf_instances_are_joined(void **state) {
    (void)state;
    unsigned char bytes[60];
    char encoded[96], text[1200];
    make_buffer(bytes);
    base64(bytes, sizeof bytes, encoded);
    snprintf(text, sizeof text, GLTF, encoded);
    weft_mesh *mesh;
    assert_ok(weft_mesh_file_read(write_text("half.gltf", text), &mesh));
    assert_int_equal(mesh->vertex_count, 6);
    assert_int_equal(mesh->face_count, 4);
    assert_int_equal(mesh->boundary_count, 1);
    vertex_at(mesh, 2, 1, 0);
    weft_mesh_destroy(mesh);
}

/* A buffer in a neighbouring file is read, but not one outside the folder of the file. */
static void gltf_buffers_outside_folder_are_refused(void **state) {
    (void)state;
    unsigned char bytes[60];
    char text[1200], *uri;
    weft_mesh *mesh;
    make_buffer(bytes);
    mkdir(in_folder("inner"), 0777);
    const char *const places[] = {"outer.bin", "inner/half.bin"};
    for (int i = 0; i < 2; i++) {
        FILE *file = fopen(in_folder(places[i]), "wb");
        assert_non_null(file);
        assert_int_equal(fwrite(bytes, 1, sizeof bytes, file), sizeof bytes);
        fclose(file);
    }
    snprintf(text, sizeof text, GLTF, "");
    uri = strstr(text, "data:application");
    strcpy(uri, "half.bin\"}]}");
    assert_ok(weft_mesh_file_read(write_text("inner/good.gltf", text), &mesh));
    weft_mesh_destroy(mesh);
    strcpy(uri, "../outer.bin\"}]}");
    assert_refused(weft_mesh_file_read(write_text("inner/bad.gltf", text), &mesh), WEFT_BAD_INPUT, "bad.gltf: ");
    assert_int_equal(symlink("../outer.bin", in_folder("inner/link.bin")), 0);
    strcpy(uri, "link.bin\"}]}");
    assert_refused(weft_mesh_file_read(write_text("inner/link.gltf", text), &mesh), WEFT_BAD_INPUT, "link.gltf: ");
    const char *const made[] = {"inner/good.gltf", "inner/bad.gltf", "inner/link.gltf", "inner/link.bin",
                                "inner/half.bin"};
    for (size_t i = 0; i < sizeof made / sizeof made[0]; i++)
        unlink(in_folder(made[i]));
    rmdir(in_folder("inner"));
}

static void messages_name_the_file(void **state) {
    (void)state;
    weft_mesh *mesh;
    assert_refused(weft_mesh_file_read(write_text("junk.gltf", "{"), &mesh), WEFT_BAD_INPUT, "junk.gltf: ");
    assert_null(mesh);
    assert_refused(weft_mesh_file_read(write_text("junk.fbx", "junk"), &mesh), WEFT_BAD_INPUT, "junk.fbx: ");
    assert_refused(weft_mesh_file_read(write_text("junk.dae", "<COLLADA/>"), &mesh), WEFT_BAD_INPUT, "junk.dae: ");
    assert_refused(weft_mesh_file_read(write_text("junk.stl", ""), &mesh), WEFT_BAD_INPUT, "junk.stl: ");
}

/* -- animation -- */

static weft_vec3 at_frame(const weft_body_frames *frames, int32_t frame, int32_t vertex) {
    return frames->position[(size_t)frame * (size_t)frames->vertex_count + (size_t)vertex];
}

static void assert_at(weft_vec3 p, double x, double y, double z) {
    if (fabs(p.x - x) + fabs(p.y - y) + fabs(p.z - z) > 1e-6)
        fail_msg("(%g %g %g), not (%g %g %g)", p.x, p.y, p.z, x, y, z);
}

static void skinned_gltf_moves_by_its_joints(void **state) {
    (void)state;
    const char *path = write_strip();
    char names[100];
    weft_mesh *mesh;
    weft_body_frames frames;
    assert_ok(weft_mesh_file_read(path, &mesh));
    assert_int_equal(mesh->vertex_count, 6);
    int32_t still = vertex_at(mesh, 1, 1, 0), tip = vertex_at(mesh, 2, 0, 0);
    weft_animation_wish wish = {.name = "", .rate = 100, .length = 10};
    assert_ok(weft_mesh_file_animate(path, &wish, mesh, &frames, names, sizeof names));
    assert_string_equal(names, "bend, lift");
    assert_int_equal(frames.frame_count, 101);
    assert_true(frames.rate == 100);
    assert_at(at_frame(&frames, 0, tip), 2, 0, 0);
    assert_at(at_frame(&frames, 50, tip), 1 + sqrt(0.5), sqrt(0.5), 0);
    assert_at(at_frame(&frames, 25, tip), 1 + cos(acos(-1) / 8), sin(acos(-1) / 8), 0);
    assert_at(at_frame(&frames, 100, tip), 1, 1, 0);
    assert_at(at_frame(&frames, 100, still), 1, 1, 0);
    free((void *)frames.position);
    weft_mesh_destroy(mesh);
}

static void morph_targets_move_gltf(void **state) {
    (void)state;
    const char *path = write_strip();
    char names[100];
    weft_mesh *mesh;
    weft_body_frames frames;
    assert_ok(weft_mesh_file_read(path, &mesh));
    int32_t lifted = vertex_at(mesh, 0, 1, 0), tip = vertex_at(mesh, 2, 0, 0);
    weft_animation_wish wish = {.name = "lift", .rate = 10, .length = 10};
    assert_ok(weft_mesh_file_animate(path, &wish, mesh, &frames, names, sizeof names));
    assert_int_equal(frames.frame_count, 21);
    assert_at(at_frame(&frames, 5, lifted), 0, 1, 0.25);
    assert_at(at_frame(&frames, 20, lifted), 0, 1, 1);
    assert_at(at_frame(&frames, 20, tip), 2, 0, 0);
    free((void *)frames.position);
    wish.name = "walk";
    assert_refused(weft_mesh_file_animate(path, &wish, mesh, &frames, names, sizeof names), WEFT_BAD_INPUT,
                   "no animation 'walk'; there is: bend, lift");
    assert_null(frames.position);
    weft_mesh_destroy(mesh);
}

/* An animation that takes too much memory is sampled only as far as the scene goes, or refused. */
static void memory_of_animations_is_bounded(void **state) {
    (void)state;
    const char *path = write_strip();
    char names[100];
    weft_mesh *mesh;
    weft_body_frames frames;
    assert_ok(weft_mesh_file_read(path, &mesh));
    weft_animation_wish wish = {.name = "", .rate = 1e9, .length = 1e-5};
    assert_ok(weft_mesh_file_animate(path, &wish, mesh, &frames, names, sizeof names));
    assert_int_equal(frames.frame_count, 10001);
    free((void *)frames.position);
    wish.length = 10;
    wish.is_exact = 1;
    assert_refused(weft_mesh_file_animate(path, &wish, mesh, &frames, names, sizeof names), WEFT_BAD_INPUT,
                   "give the body a lower `rate`");
    weft_mesh_destroy(mesh);
}

/* Bones are groups of vertices, which pins can name. */
static void bones_become_vertex_groups(void **state) {
    (void)state;
    weft_mesh *mesh;
    assert_ok(weft_mesh_file_read(write_strip(), &mesh));
    assert_int_equal(mesh->vertex_group_count, 2);
    assert_string_equal(mesh->vertex_group[0].name, "root");
    assert_int_equal(mesh->vertex_group[0].count, 4);
    assert_string_equal(mesh->vertex_group[1].name, "arm");
    assert_int_equal(mesh->vertex_group[1].count, 2);
    weft_registry *registry;
    weft_sim *sim;
    assert_ok(weft_registry_create(&registry));
    assert_ok(weft_sim_create(registry, &sim));
    assert_ok(weft_sim_add_cloth(sim, "strip", mesh, &weft_fabric_preset_at(0)->fabric, "springs", NULL));
    int32_t chosen[6], count;
    weft_select select = {.kind = WEFT_SELECT_GROUP, .name = "arm"};
    assert_ok(weft_sim_select(sim, 0, &select, chosen, &count));
    assert_int_equal(count, 2);
    for (int i = 0; i < 2; i++)
        assert_true(mesh->position[chosen[i]].x == 2);
    select.name = "leg";
    assert_refused(weft_sim_select(sim, 0, &select, chosen, &count), WEFT_BAD_INPUT, "'strip', 'root', 'arm'");
    weft_sim_destroy(sim);
    weft_registry_destroy(registry);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(skinned_gltf_moves_by_its_joints),
        cmocka_unit_test(morph_targets_move_gltf),
        cmocka_unit_test(memory_of_animations_is_bounded),
        cmocka_unit_test(bones_become_vertex_groups),
        cmocka_unit_test(stl_vertices_are_welded),
        cmocka_unit_test(dae_keeps_quads_and_transforms),
        cmocka_unit_test(mirrored_faces_keep_outward_normals),
        cmocka_unit_test(adjacent_gltf_instances_are_joined),
        cmocka_unit_test(messages_name_the_file),
        cmocka_unit_test(gltf_buffers_outside_folder_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
