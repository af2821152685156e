/* Sets the colours of the materials in a GLB file. */
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/studio/server/job.h"

enum { HEAD = 12, CHUNK_HEAD = 8, MOST_JSON = 1 << 28 };

static double linear(double srgb) { return srgb <= 0.04045 ? srgb / 12.92 : pow((srgb + 0.055) / 1.055, 2.4); }

static void put_u32(unsigned char *at, size_t value) {
    for (int i = 0; i < 4; i++)
        at[i] = (unsigned char)(value >> (8 * i));
}

static size_t get_u32(const unsigned char *at) {
    return (size_t)at[0] | (size_t)at[1] << 8 | (size_t)at[2] << 16 | (size_t)at[3] << 24;
}

/* Returns the JSON part with the colour in all materials, padded with spaces to 4 bytes; null if it is malformed. */
static char *recoloured(const char *text, size_t size, weft_vec3 srgb) {
    json_t *root = json_loadb(text, size, JSON_DISABLE_EOF_CHECK, NULL), *material;
    size_t i;
    json_array_foreach(json_object_get(root, "materials"), i, material) {
        json_t *pbr = json_object_get(material, "pbrMetallicRoughness");
        json_object_set_new(pbr, "baseColorFactor",
                            json_pack("[f, f, f, f]", linear(srgb.x), linear(srgb.y), linear(srgb.z), 1.0));
    }
    char *made = root ? json_dumps(root, JSON_COMPACT) : NULL;
    json_decref(root);
    size_t length = made ? strlen(made) : 0, padded = (length + 3) & ~(size_t)3;
    char *grown = made ? realloc(made, padded + 1) : NULL;
    if (!grown) {
        free(made);
        return NULL;
    }
    memset(grown + length, ' ', padded - length);
    grown[padded] = '\0';
    return grown;
}

static int copy_rest(FILE *from, FILE *to) {
    char bytes[16384];
    size_t count;
    while ((count = fread(bytes, 1, sizeof bytes, from)) > 0)
        if (fwrite(bytes, 1, count, to) != count)
            return 0;
    return !ferror(from);
}

static int rewrite(FILE *from, FILE *to, weft_vec3 srgb) {
    unsigned char head[HEAD + CHUNK_HEAD];
    if (fread(head, 1, sizeof head, from) != sizeof head || memcmp(head, "glTF", 4) != 0)
        return 0;
    size_t size = get_u32(head + HEAD);
    char *text = size < MOST_JSON ? malloc(size + 1) : NULL, *made = NULL;
    if (text && fread(text, 1, size, from) == size)
        made = recoloured(text, size, srgb);
    free(text);
    if (!made)
        return 0;
    put_u32(head + 8, get_u32(head + 8) - size + strlen(made));
    put_u32(head + HEAD, strlen(made));
    int done = fwrite(head, 1, sizeof head, to) == sizeof head && fputs(made, to) >= 0 && copy_rest(from, to);
    free(made);
    return done;
}

weft_result studio_glb_colour(const char *path, weft_vec3 srgb) {
    char part[STUDIO_PATH_SIZE + 8];
    snprintf(part, sizeof part, "%s.part", path);
    FILE *from = fopen(path, "rb"), *to = fopen(part, "wb");
    int done = from && to && rewrite(from, to, srgb);
    if (from)
        fclose(from);
    if (to)
        done = fclose(to) == 0 && done;
    if (done && rename(part, path) == 0)
        return weft_ok();
    remove(part);
    return weft_fail(WEFT_BAD_FILE, "%.200s: the colours could not be written", path);
}
