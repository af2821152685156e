/* Writer for USD text files (USDA). The layer has one Mesh per cloth. Points, normals and extent are time samples;
 * faces are too if some are torn open. Time codes are frame numbers.
 *
 * Specification: OpenUSD, "Usda file format"; UsdGeomMesh, UsdShade, UsdPreviewSurface. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "io/store.h"
#include "io/text.h"

enum { IDENTIFIER_SIZE = 272 };

typedef struct layer {
    weft_store *store;
    weft_text *text;
    char root[IDENTIFIER_SIZE];
    char (*prim)[IDENTIFIER_SIZE]; /* (cloth_count) */
} layer;

/* State for writing one cloth. */
typedef struct sheet {
    const layer *layer;
    const weft_store_cloth *cloth;
    int32_t index;
    float *xyz;        /* (3 vertex_count) */
    float (*bound)[6]; /* minimum and maximum x y z (key_count) */
    uint8_t *open;     /* of the current key (face_count) */
    uint8_t *before;
    uint8_t *changed; /* 1: the faces differ from the previous key (key_count) */
    int varies;       /* 1: the faces of some key differ from the first */
} sheet;

/* -- names -- */

/* Identifiers consist of letters, digits and '_', and do not start with a digit. */
static void make_identifier(const char *name, char identifier[IDENTIFIER_SIZE]) {
    size_t used = 0;
    if (!isalpha((unsigned char)name[0]) && name[0] != '_')
        identifier[used++] = '_';
    for (; *name && used < IDENTIFIER_SIZE - 16; name++)
        identifier[used++] = (char)((unsigned char)*name < 0x80 && isalnum((unsigned char)*name) ? *name : '_');
    identifier[used] = '\0';
}

static int is_taken(const layer *l, int32_t count, const char *identifier) {
    if (strcmp(identifier, "Looks") == 0)
        return 1;
    for (int32_t i = 0; i < count; i++)
        if (strcmp(l->prim[i], identifier) == 0)
            return 1;
    return 0;
}

static void name_prims(layer *l) {
    make_identifier(l->store->name, l->root);
    for (int32_t i = 0; i < l->store->cloth_count; i++) {
        char plain[IDENTIFIER_SIZE];
        make_identifier(l->store->cloth[i].name, plain);
        strcpy(l->prim[i], plain);
        for (int n = 2; is_taken(l, i, l->prim[i]); n++)
            snprintf(l->prim[i], sizeof l->prim[i], "%.255s_%d", plain, n);
    }
}

/* -- values -- */

static void put_real(weft_text *text, const char *before, double number, const char *after) {
    weft_text_put(text, before);
    weft_text_put_real(text, number);
    weft_text_put(text, after);
}

static void put_vector(weft_text *text, const float *v) {
    weft_text_put_char(text, '(');
    weft_text_put_real(text, (double)v[0]);
    weft_text_put(text, ", ");
    weft_text_put_real(text, (double)v[1]);
    weft_text_put(text, ", ");
    weft_text_put_real(text, (double)v[2]);
    weft_text_put_char(text, ')');
}

static void put_vectors(weft_text *text, const float *v, int32_t count) {
    weft_text_put_char(text, '[');
    for (int32_t i = 0; i < count; i++) {
        weft_text_put(text, i > 0 ? ", " : "");
        put_vector(text, v + 3 * (size_t)i);
    }
    weft_text_put_char(text, ']');
}

static void put_uv(weft_text *text, const weft_vec2 *uv, int32_t count) {
    weft_text_put_char(text, '[');
    for (int32_t i = 0; i < count; i++) {
        put_real(text, i > 0 ? ", (" : "(", uv[i].x, ", ");
        put_real(text, "", uv[i].y, ")");
    }
    weft_text_put_char(text, ']');
}

/* Lists of the closed faces: the number of corners of each, the vertices, or the corner indices. */
typedef enum face_list { FACE_COUNTS, FACE_VERTICES, FACE_CORNERS } face_list;

static void put_faces(const sheet *s, face_list list) {
    weft_text *text = s->layer->text;
    int32_t corner = 0, count = 0;
    weft_text_put_char(text, '[');
    for (int32_t f = 0; f < s->cloth->face_count; f++) {
        int32_t size = s->cloth->face_size[f];
        int32_t values = s->open[f] ? 0 : list == FACE_COUNTS ? 1 : size;
        for (int32_t i = 0; i < values; i++) {
            int32_t c = corner + i;
            weft_text_put(text, count++ > 0 ? ", " : "");
            weft_text_put_integer(text, list == FACE_COUNTS ? size : list == FACE_VERTICES ? s->cloth->corner[c] : c);
        }
        corner += size;
    }
    weft_text_put_char(text, ']');
}

static void begin_sample(const sheet *s, int64_t key) {
    weft_text_put(s->layer->text, "            ");
    weft_text_put_integer(s->layer->text, weft_store_key_frame(s->layer->store, key));
    weft_text_put(s->layer->text, ": ");
}

/* -- the attributes of a mesh -- */

static weft_result find_changes(sheet *s) {
    weft_store *store = s->layer->store;
    size_t faces = (size_t)s->cloth->face_count;
    for (int64_t k = 0; k < store->key_count; k++) {
        WEFT_TRY(weft_store_read_open(store, k, s->index, s->open));
        s->changed[k] = k == 0 || memcmp(s->open, s->before, faces) != 0;
        s->varies |= k > 0 && s->changed[k];
        memcpy(s->before, s->open, faces);
    }
    return weft_store_read_open(store, 0, s->index, s->open);
}

static weft_result put_face_attribute(sheet *s, const char *name, face_list list) {
    weft_store *store = s->layer->store;
    weft_text *text = s->layer->text;
    weft_text_put(text, name);
    if (!s->varies) {
        weft_text_put(text, " = ");
        put_faces(s, list);
        weft_text_put_char(text, '\n');
        return weft_ok();
    }
    weft_text_put(text, ".timeSamples = {\n");
    for (int64_t k = 0; k < store->key_count; k++) {
        if (!s->changed[k])
            continue;
        WEFT_TRY(weft_store_read_open(store, k, s->index, s->open));
        begin_sample(s, k);
        put_faces(s, list);
        weft_text_put(text, ",\n");
    }
    weft_text_put(text, "        }\n");
    return weft_ok();
}

static void find_bound(const sheet *s, int64_t key) {
    float *bound = s->bound[key];
    for (int32_t v = 0; v < s->cloth->vertex_count; v++)
        for (int k = 0; k < 3; k++) {
            float x = s->xyz[3 * (size_t)v + (size_t)k];
            bound[k] = v == 0 || x < bound[k] ? x : bound[k];
            bound[3 + k] = v == 0 || x > bound[3 + k] ? x : bound[3 + k];
        }
}

static weft_result read_key(const sheet *s, int64_t key, int normals) {
    weft_store *store = s->layer->store;
    if (normals)
        return weft_store_read_normals(store, key, s->index, s->xyz);
    WEFT_TRY(weft_store_read_points(store, key, s->index, s->xyz));
    find_bound(s, key);
    return weft_ok();
}

/* The default value is that of the first key. Programs that do not play the animation show it. */
static weft_result put_vector_attribute(const sheet *s, const char *name, int normals) {
    const weft_store *store = s->layer->store;
    weft_text *text = s->layer->text;
    WEFT_TRY(read_key(s, 0, normals));
    weft_text_put(text, name);
    weft_text_put(text, " = ");
    put_vectors(text, s->xyz, s->cloth->vertex_count);
    weft_text_put(text, normals ? " (\n            interpolation = \"vertex\"\n        )\n" : "\n");
    if (store->key_count == 1)
        return weft_ok();
    weft_text_put(text, name);
    weft_text_put(text, ".timeSamples = {\n");
    for (int64_t k = 0; k < store->key_count; k++) {
        WEFT_TRY(read_key(s, k, normals));
        begin_sample(s, k);
        put_vectors(text, s->xyz, s->cloth->vertex_count);
        weft_text_put(text, ",\n");
    }
    weft_text_put(text, "        }\n");
    return weft_ok();
}

static void put_extent(const sheet *s) {
    const weft_store *store = s->layer->store;
    weft_text *text = s->layer->text;
    weft_text_put(text, "        float3[] extent = ");
    put_vectors(text, s->bound[0], 2);
    weft_text_put_char(text, '\n');
    if (store->key_count == 1)
        return;
    weft_text_put(text, "        float3[] extent.timeSamples = {\n");
    for (int64_t k = 0; k < store->key_count; k++) {
        begin_sample(s, k);
        put_vectors(text, s->bound[k], 2);
        weft_text_put(text, ",\n");
    }
    weft_text_put(text, "        }\n");
}

/* With seams, coordinates are stored per corner and referenced by index, because the faces may change. */
static weft_result put_coordinates(sheet *s) {
    weft_text *text = s->layer->text;
    const weft_store_cloth *cloth = s->cloth;
    if (!cloth->uv)
        return weft_ok();
    weft_text_put(text, "        texCoord2f[] primvars:st = ");
    put_uv(text, cloth->corner_uv ? cloth->corner_uv : cloth->uv,
           cloth->corner_uv ? cloth->corner_count : cloth->vertex_count);
    weft_text_put(text, " (\n            interpolation = \"");
    weft_text_put(text, cloth->corner_uv ? "faceVarying\"\n        )\n" : "vertex\"\n        )\n");
    return cloth->corner_uv ? put_face_attribute(s, "        int[] primvars:st:indices", FACE_CORNERS) : weft_ok();
}

static void put_look(const sheet *s) {
    weft_text *text = s->layer->text;
    weft_text_put(text, "        rel material:binding = </");
    weft_text_put(text, s->layer->root);
    weft_text_put(text, "/Looks/");
    weft_text_put(text, s->layer->prim[s->index]);
    weft_text_put(text, ">\n        color3f[] primvars:displayColor = ");
    put_vectors(text, weft_store_colour(s->index), 1);
    weft_text_put(text, " (\n            interpolation = \"constant\"\n        )\n");
}

static weft_result put_mesh(sheet *s) {
    weft_text *text = s->layer->text;
    weft_text_put(text, "\n    def Mesh \"");
    weft_text_put(text, s->layer->prim[s->index]);
    weft_text_put(text, "\" (\n        prepend apiSchemas = [\"MaterialBindingAPI\"]\n    )\n    {\n"
                        "        uniform bool doubleSided = 1\n"
                        "        uniform token orientation = \"rightHanded\"\n"
                        "        uniform token subdivisionScheme = \"none\"\n");
    WEFT_TRY(find_changes(s));
    WEFT_TRY(put_face_attribute(s, "        int[] faceVertexCounts", FACE_COUNTS));
    WEFT_TRY(put_face_attribute(s, "        int[] faceVertexIndices", FACE_VERTICES));
    WEFT_TRY(put_vector_attribute(s, "        point3f[] points", 0));
    put_extent(s);
    if (s->layer->store->settings.normals)
        WEFT_TRY(put_vector_attribute(s, "        normal3f[] normals", 1));
    WEFT_TRY(put_coordinates(s));
    put_look(s);
    weft_text_put(text, "    }\n");
    return weft_ok();
}

static weft_result put_cloth(const layer *l, int32_t index) {
    const weft_store_cloth *cloth = &l->store->cloth[index];
    size_t points = (size_t)cloth->vertex_count + 1, keys = (size_t)l->store->key_count;
    size_t faces = (size_t)cloth->face_count + 1;
    sheet s = {.layer = l, .cloth = cloth, .index = index};
    s.xyz = malloc(points * 3 * sizeof *s.xyz);
    s.bound = calloc(keys, sizeof *s.bound);
    s.open = calloc(faces, 1);
    s.before = calloc(faces, 1);
    s.changed = calloc(keys, 1);
    weft_result result = s.xyz && s.bound && s.open && s.before && s.changed
                             ? put_mesh(&s)
                             : weft_fail_memory("a mesh of a USDA file", points * 12 + keys * 25 + 2 * faces);
    free(s.changed);
    free(s.before);
    free(s.open);
    free(s.bound);
    free(s.xyz);
    return result;
}

/* -- the layer -- */

static void put_metadata(const layer *l) {
    const weft_store *store = l->store;
    weft_text *text = l->text;
    weft_text_put(text, "#usda 1.0\n(\n    defaultPrim = \"");
    weft_text_put(text, l->root);
    weft_text_put(text, "\"\n    doc = \"Weft ");
    weft_text_put(text, weft_version());
    weft_text_put(text, "\"\n    endTimeCode = ");
    weft_text_put_integer(text, store->frame_count - 1);
    put_real(text, "\n    framesPerSecond = ", store->rate, "");
    put_real(text, "\n    metersPerUnit = ", 1 / store->settings.options.scale, "");
    put_real(text, "\n    startTimeCode = 0\n    timeCodesPerSecond = ", store->rate, "");
    weft_text_put(text, store->settings.options.up == 1 ? "\n    upAxis = \"Z\"\n)\n" : "\n    upAxis = \"Y\"\n)\n");
}

static void put_material(const layer *l, int32_t index) {
    weft_text *text = l->text;
    weft_text_put(text, "\n        def Material \"");
    weft_text_put(text, l->prim[index]);
    weft_text_put(text, "\"\n        {\n            token outputs:surface.connect = </");
    weft_text_put(text, l->root);
    weft_text_put(text, "/Looks/");
    weft_text_put(text, l->prim[index]);
    weft_text_put(text, "/Surface.outputs:surface>\n\n            def Shader \"Surface\"\n            {\n"
                        "                uniform token info:id = \"UsdPreviewSurface\"\n"
                        "                color3f inputs:diffuseColor = ");
    put_vector(text, weft_store_colour(index));
    weft_text_put(text, "\n                float inputs:metallic = 0\n"
                        "                float inputs:roughness = 0.9\n"
                        "                token outputs:surface\n            }\n        }\n");
}

static weft_result put_layer(const layer *l) {
    put_metadata(l);
    weft_text_put(l->text, "\ndef Xform \"");
    weft_text_put(l->text, l->root);
    weft_text_put(l->text, "\" (\n    kind = \"component\"\n)\n{");
    for (int32_t i = 0; i < l->store->cloth_count; i++)
        WEFT_TRY(put_cloth(l, i));
    weft_text_put(l->text, "\n    def Scope \"Looks\"\n    {");
    for (int32_t i = 0; i < l->store->cloth_count; i++)
        put_material(l, i);
    weft_text_put(l->text, "    }\n}\n");
    weft_text_flush(l->text);
    return weft_ok();
}

static weft_result make(weft_store *store, weft_output *output) {
    weft_text text;
    layer l = {.store = store, .text = &text, .prim = calloc((size_t)store->cloth_count + 1, sizeof *l.prim)};
    if (!l.prim)
        return weft_fail_memory("the names of a USDA file", ((size_t)store->cloth_count + 1) * sizeof *l.prim);
    weft_text_start(&text, output);
    name_prims(&l);
    weft_result result = put_layer(&l);
    free(l.prim);
    return result;
}

/* -- the writer -- */

static weft_result open_file(const void *settings, const weft_take *take, const weft_frame *first, void **self) {
    return weft_store_open(settings, take, first, "usda", NULL, self);
}

static weft_result check_file(const void *settings, const weft_take *take, const weft_frame *first) {
    return weft_store_check(settings, take, first, "usda", NULL);
}

static weft_result write_frame(void *self, const weft_frame *frame) { return weft_store_frame(self, frame); }
static weft_result sync_file(void *self) { return weft_store_sync(self); }
static weft_result close_file(void *self, int finished) { return weft_store_close(self, finished, make); }

static const weft_param PARAMS[] = {WEFT_STORE_ROWS, {.name = NULL}};
static const weft_writer_functions FUNCTIONS = {open_file, write_frame, sync_file, close_file, check_file};

const weft_component WEFT_USDA_WRITER = {.abi = WEFT_ABI,
                                         .kind = WEFT_WRITER,
                                         .name = "usda",
                                         .help = "one USD text file with time-sampled points and normals",
                                         .settings_size = sizeof(weft_store_settings),
                                         .params = PARAMS,
                                         .functions = &FUNCTIONS,
                                         .paper = ""};
