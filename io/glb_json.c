/* Writes the JSON chunk of a GLB file: glTF 2.0 specification, Khronos Group 2021 (ISO/IEC 12113:2022). */
#include "io/glb_parts.h"
#include "io/json.h"

enum { FLOAT = 5126, UNSIGNED_INT = 5125, ARRAY_BUFFER = 34962, ELEMENT_ARRAY_BUFFER = 34963 };

/* -- indices of accessors and views, in the order in which they are written -- */

/* The accessors of a cloth: vectors, texture coordinates, indices, then the vectors of each morph target. */
static int64_t accessors_of(const weft_glb *glb, const weft_glb_shape *shape) {
    return weft_glb_vectors(glb) + (shape->uv != NULL) + 1 + (int64_t)glb->target_count * weft_glb_vectors(glb);
}

static int64_t first_accessor(const weft_glb *glb, int32_t cloth) {
    int64_t count = 0;
    for (int32_t i = 0; i < cloth; i++)
        count += accessors_of(glb, &glb->shape[i]);
    return count;
}

static int uv_view(const weft_glb *glb) { return glb->uv_size > 0 ? 1 : 0; }
static int index_view(const weft_glb *glb) { return uv_view(glb) + 1; }
static int target_view(const weft_glb *glb) { return index_view(glb) + 1; }
static int time_view(const weft_glb *glb) { return target_view(glb) + 1; }

/* -- the sections -- */

static void put_heading(const weft_glb *glb, weft_json *json) {
    char generator[64];
    snprintf(generator, sizeof generator, "Weft %.40s", weft_version());
    weft_json_object(json, "asset");
    weft_json_text(json, "version", "2.0");
    weft_json_text(json, "generator", generator);
    weft_json_end(json, '}');
    weft_json_integer(json, "scene", 0);
    weft_json_array(json, "scenes");
    weft_json_object(json, NULL); /* unnamed: three.js would rename a cloth with the same name as the scene */
    weft_json_array(json, "nodes");
    for (int32_t i = 0; i < glb->store->cloth_count; i++)
        weft_json_integer(json, NULL, i);
    weft_json_end(json, ']');
    weft_json_end(json, '}');
    weft_json_end(json, ']');
}

static void put_nodes(const weft_glb *glb, weft_json *json) {
    weft_json_array(json, "nodes");
    for (int32_t i = 0; i < glb->store->cloth_count; i++) {
        weft_json_object(json, NULL);
        weft_json_text(json, "name", glb->store->cloth[i].name);
        weft_json_integer(json, "mesh", i);
        weft_json_end(json, '}');
    }
    weft_json_end(json, ']');
}

static void put_targets(const weft_glb *glb, weft_json *json, int64_t accessor) {
    weft_json_array(json, "targets");
    for (int32_t k = 0; k < glb->target_count; k++) {
        weft_json_object(json, NULL);
        weft_json_integer(json, "POSITION", accessor++);
        if (weft_glb_vectors(glb) == 2)
            weft_json_integer(json, "NORMAL", accessor++);
        weft_json_end(json, '}');
    }
    weft_json_end(json, ']');
}

static void put_primitive(const weft_glb *glb, weft_json *json, int32_t cloth) {
    int64_t accessor = first_accessor(glb, cloth);
    weft_json_object(json, NULL);
    weft_json_object(json, "attributes");
    weft_json_integer(json, "POSITION", accessor++);
    if (weft_glb_vectors(glb) == 2)
        weft_json_integer(json, "NORMAL", accessor++);
    if (glb->shape[cloth].uv)
        weft_json_integer(json, "TEXCOORD_0", accessor++);
    weft_json_end(json, '}');
    weft_json_integer(json, "indices", accessor++);
    weft_json_integer(json, "material", cloth);
    if (glb->target_count > 0)
        put_targets(glb, json, accessor);
    weft_json_end(json, '}');
}

/* Blender and three.js show morph targets by the names in `extras`. */
static void put_target_names(const weft_glb *glb, weft_json *json) {
    weft_json_object(json, "extras");
    weft_json_array(json, "targetNames");
    for (int32_t k = 0; k < glb->target_count; k++) {
        char name[32];
        snprintf(name, sizeof name, "frame_%04lld", (long long)weft_store_key_frame(glb->store, k));
        weft_json_text(json, NULL, name);
    }
    weft_json_end(json, ']');
    weft_json_end(json, '}');
}

static void put_meshes(const weft_glb *glb, weft_json *json) {
    weft_json_array(json, "meshes");
    for (int32_t i = 0; i < glb->store->cloth_count; i++) {
        weft_json_object(json, NULL);
        weft_json_text(json, "name", glb->store->cloth[i].name);
        weft_json_array(json, "primitives");
        put_primitive(glb, json, i);
        weft_json_end(json, ']');
        if (glb->target_count > 0)
            put_target_names(glb, json);
        weft_json_end(json, '}');
    }
    weft_json_end(json, ']');
}

static void put_materials(const weft_glb *glb, weft_json *json) {
    weft_json_array(json, "materials");
    for (int32_t i = 0; i < glb->store->cloth_count; i++) {
        const float *colour = weft_store_colour(i);
        weft_json_object(json, NULL);
        weft_json_text(json, "name", glb->store->cloth[i].name);
        weft_json_bool(json, "doubleSided", 1);
        weft_json_object(json, "pbrMetallicRoughness");
        weft_json_array(json, "baseColorFactor");
        for (int k = 0; k < 3; k++)
            weft_json_real(json, NULL, (double)colour[k]);
        weft_json_real(json, NULL, 1);
        weft_json_end(json, ']');
        weft_json_real(json, "metallicFactor", 0);
        weft_json_real(json, "roughnessFactor", 0.9);
        weft_json_end(json, '}');
        weft_json_end(json, '}');
    }
    weft_json_end(json, ']');
}

/* One sampler drives all cloths. */
static void put_animation(const weft_glb *glb, weft_json *json) {
    int64_t times = first_accessor(glb, glb->store->cloth_count);
    weft_json_array(json, "animations");
    weft_json_object(json, NULL);
    weft_json_text(json, "name", glb->store->name);
    weft_json_array(json, "samplers");
    weft_json_object(json, NULL);
    weft_json_integer(json, "input", times);
    weft_json_integer(json, "output", times + 1);
    weft_json_text(json, "interpolation", "LINEAR");
    weft_json_end(json, '}');
    weft_json_end(json, ']');
    weft_json_array(json, "channels");
    for (int32_t i = 0; i < glb->store->cloth_count; i++) {
        weft_json_object(json, NULL);
        weft_json_integer(json, "sampler", 0);
        weft_json_object(json, "target");
        weft_json_integer(json, "node", i);
        weft_json_text(json, "path", "weights");
        weft_json_end(json, '}');
        weft_json_end(json, '}');
    }
    weft_json_end(json, ']');
    weft_json_end(json, '}');
    weft_json_end(json, ']');
}

/* -- accessors -- */

static void put_bound(weft_json *json, const char *key, const float *bound, int count) {
    weft_json_array(json, key);
    for (int i = 0; i < count; i++)
        weft_json_real(json, NULL, (double)bound[i]);
    weft_json_end(json, ']');
}

/* `bound` holds the `components` minima, then the `components` maxima, or is null. */
static void put_accessor(weft_json *json, int view, int64_t offset, int component, int64_t count, const char *type,
                         const float *bound, int components) {
    weft_json_object(json, NULL);
    weft_json_integer(json, "bufferView", view);
    weft_json_integer(json, "byteOffset", offset);
    weft_json_integer(json, "componentType", component);
    weft_json_integer(json, "count", count);
    weft_json_text(json, "type", type);
    if (bound) {
        put_bound(json, "min", bound, components);
        put_bound(json, "max", bound + components, components);
    }
    weft_json_end(json, '}');
}

/* Writes accessors for positions, then normals, starting at `offset` in a view. Returns the end offset. */
static int64_t put_vectors(const weft_glb *glb, weft_json *json, int view, int64_t offset, int64_t points,
                           const float *bound) {
    put_accessor(json, view, offset, FLOAT, points, "VEC3", bound, 3);
    if (weft_glb_vectors(glb) == 2)
        put_accessor(json, view, offset + 12 * points, FLOAT, points, "VEC3", NULL, 0);
    return offset + 12 * points * weft_glb_vectors(glb);
}

static void put_accessors(const weft_glb *glb, weft_json *json) {
    const int32_t clothes = glb->store->cloth_count;
    int64_t base = 0, uv = 0, index = 0, target_row = 0, before = 0;
    weft_json_array(json, "accessors");
    for (int32_t i = 0; i < clothes; i++)
        target_row += 12 * (int64_t)glb->shape[i].point_count * weft_glb_vectors(glb);
    for (int32_t i = 0; i < clothes; i++) {
        const weft_glb_shape *shape = &glb->shape[i];
        base = put_vectors(glb, json, 0, base, shape->point_count, shape->bound[0]);
        if (shape->uv) {
            put_accessor(json, uv_view(glb), uv, FLOAT, shape->point_count, "VEC2", NULL, 0);
            uv += 8 * (int64_t)shape->point_count;
        }
        put_accessor(json, index_view(glb), index, UNSIGNED_INT, shape->index_count, "SCALAR", NULL, 0);
        index += 4 * (int64_t)shape->index_count;
        for (int32_t k = 0; k < glb->target_count; k++)
            put_vectors(glb, json, target_view(glb), k * target_row + before, shape->point_count, shape->bound[k + 1]);
        before += 12 * (int64_t)shape->point_count * weft_glb_vectors(glb);
    }
    if (glb->target_count > 0) {
        const weft_store *store = glb->store;
        const float times[2] = {0, (float)((double)(store->frame_count - 1) / store->rate)};
        put_accessor(json, time_view(glb), 0, FLOAT, glb->target_count, "SCALAR", times, 1);
        put_accessor(json, time_view(glb) + 1, 0, FLOAT, (int64_t)glb->target_count * glb->target_count, "SCALAR", NULL,
                     0);
    }
    weft_json_end(json, ']');
}

static int64_t put_view(weft_json *json, int64_t offset, int64_t size, int stride, int target) {
    if (size == 0)
        return offset;
    weft_json_object(json, NULL);
    weft_json_integer(json, "buffer", 0);
    weft_json_integer(json, "byteOffset", offset);
    weft_json_integer(json, "byteLength", size);
    if (stride > 0)
        weft_json_integer(json, "byteStride", stride);
    if (target > 0)
        weft_json_integer(json, "target", target);
    weft_json_end(json, '}');
    return offset + size;
}

static void put_views(const weft_glb *glb, weft_json *json) {
    weft_json_array(json, "bufferViews");
    int64_t at = put_view(json, 0, glb->base_size, 12, ARRAY_BUFFER);
    at = put_view(json, at, glb->uv_size, 8, ARRAY_BUFFER);
    at = put_view(json, at, glb->index_size, 0, ELEMENT_ARRAY_BUFFER);
    at = put_view(json, at, glb->target_size, 12, ARRAY_BUFFER);
    at = put_view(json, at, glb->time_size, 0, 0);
    put_view(json, at, glb->weight_size, 0, 0);
    weft_json_end(json, ']');
    weft_json_array(json, "buffers");
    weft_json_object(json, NULL);
    weft_json_integer(json, "byteLength", weft_glb_chunk_size(glb));
    weft_json_end(json, '}');
    weft_json_end(json, ']');
}

void weft_glb_put_json(const weft_glb *glb, weft_output *output) {
    weft_json json;
    weft_json_start(&json, output);
    weft_json_object(&json, NULL);
    put_heading(glb, &json);
    put_nodes(glb, &json);
    put_meshes(glb, &json);
    put_materials(glb, &json);
    if (glb->target_count > 0)
        put_animation(glb, &json);
    put_accessors(glb, &json);
    put_views(glb, &json);
    weft_json_end(&json, '}');
}
