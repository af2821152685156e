/* Loads the files that a scene refers to. */
#include "weft-io/scene_files.h"

#include <stdio.h>
#include <stdlib.h>

#include "io/body_file.h"
#include "io/fabric_file.h"
#include "io/file.h"
#include "io/numbers.h"
#include "wear/load/garment_cloth.h"
#include "weft-io/mesh_file.h"

enum { PATH_SIZE = 1024 };

static weft_result find(const weft_scene_source *source, const char *from, const char *path, char file[PATH_SIZE]) {
    WEFT_TRY(weft_path_beside(from, path, file, PATH_SIZE));
    return source && source->allow ? source->allow(source->context, path, file) : weft_ok();
}

/* The number of vertices of the file that no vertex of the mesh comes from, or -1 if memory is exhausted. */
static int32_t count_left_out(const weft_mesh *mesh) {
    char *used = calloc((size_t)mesh->input_vertex_count + 1, 1);
    int32_t left = used ? mesh->input_vertex_count : -1;
    for (int32_t v = 0; used && v < mesh->vertex_count; v++) {
        left -= !used[mesh->source_vertex[v]];
        used[mesh->source_vertex[v]] = 1;
    }
    free(used);
    return left;
}

static weft_result load_mesh(void *context, const char *from, const char *path, weft_mesh **mesh) {
    const weft_scene_source *source = context;
    char file[PATH_SIZE], text[512];
    WEFT_TRY(find(source, from, path, file));
    WEFT_TRY(weft_mesh_file_read(file, mesh));
    int32_t left = source && source->note ? count_left_out(*mesh) : 0;
    if (left <= 0)
        return weft_ok();
    snprintf(
        text, sizeof text,
        "%.300s: %d of %d vertices are left out, because no face uses them or they repeat the position of another; "
        "the files of the run number the vertices without them",
        file, left, (*mesh)->input_vertex_count);
    source->note(source->context, text);
    return weft_ok();
}

static weft_result load_body(void *context, const char *from, const char *path, weft_mesh **mesh) {
    const weft_scene_source *source = context;
    char file[PATH_SIZE], text[512];
    weft_soup soup;
    WEFT_TRY(find(source, from, path, file));
    WEFT_TRY(weft_body_file_read(file, mesh, &soup));
    if (!source || !source->note)
        return weft_ok();
    snprintf(text, sizeof text,
             "%.300s: not a manifold surface; used as triangles that are solid from both sides (%lld edges with more "
             "than two faces or inconsistent orientation)",
             file, (long long)soup.edges);
    if (soup.edges > 0)
        source->note(source->context, text);
    snprintf(text, sizeof text, "%.300s: %lld of its faces have no area and are left out", file, (long long)soup.faces);
    if (soup.faces > 0)
        source->note(source->context, text);
    return weft_ok();
}

static weft_result load_frames(void *source, const char *from, const char *path, const weft_mesh *mesh,
                               weft_body_frames *frames) {
    char file[PATH_SIZE];
    WEFT_TRY(find(source, from, path, file));
    return weft_body_frames_read(file, mesh, frames);
}

static weft_result load_animation(void *context, const char *from, const char *path, const weft_animation_wish *wish,
                                  const weft_mesh *mesh, weft_body_frames *frames) {
    const weft_scene_source *source = context;
    char file[PATH_SIZE], names[200], text[700];
    WEFT_TRY(find(source, from, path, file));
    WEFT_TRY(weft_mesh_file_animate(file, wish, mesh, frames, names, sizeof names));
    if (wish->name[0] || !names[0] || !source || !source->note)
        return weft_ok();
    snprintf(text, sizeof text, "%.300s: has several animations and moves by the first; `animation` chooses one of: %s",
             file, names);
    source->note(source->context, text);
    return weft_ok();
}

static weft_result load_numbers(void *source, const char *from, const char *path, double **number, int64_t *count) {
    char file[PATH_SIZE];
    WEFT_TRY(find(source, from, path, file));
    return weft_numbers_read(file, number, count);
}

/* A name is looked up beside the scene and in the folders of fabrics. What is written as a path must exist. */
static weft_result load_fabric(void *source, const char *from, const char *name, weft_fabric *fabric, int *found) {
    char file[PATH_SIZE];
    weft_fabric_file *read;
    weft_fabric_place place = weft_fabric_file_find(name, from, file, sizeof file);
    *found = place != WEFT_FABRIC_NOWHERE;
    if (!*found)
        return weft_ok();
    const weft_scene_source *guard = source;
    if (guard && guard->allow && place == WEFT_FABRIC_BESIDE)
        WEFT_TRY(guard->allow(guard->context, name, file));
    WEFT_TRY(weft_fabric_file_read(file, &read));
    *fabric = read->fabric;
    weft_fabric_file_destroy(read);
    return weft_ok();
}

static weft_result load_garment(void *context, const weft_value *cloth, const weft_value *bodies, weft_sewn *sewn) {
    const weft_value *name = weft_value_find(cloth, "garment");
    char file[PATH_SIZE];
    weft_scene_files files = weft_scene_files_make(context);
    WEFT_TRY(find(context, name->file, name->text, file));
    return weft_garment_load(&files, file, cloth, bodies, sewn);
}

static void note(void *context, const char *text) {
    const weft_scene_source *source = context;
    if (source && source->note)
        source->note(source->context, text);
}

weft_scene_files weft_scene_files_make(const weft_scene_source *source) {
    return (weft_scene_files){.context = (void *)source,
                              .load_mesh = load_mesh,
                              .load_body = load_body,
                              .load_frames = load_frames,
                              .load_animation = load_animation,
                              .load_numbers = load_numbers,
                              .load_fabric = load_fabric,
                              .load_garment = load_garment,
                              .note = note};
}
