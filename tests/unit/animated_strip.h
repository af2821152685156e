/* Writes a small animated glTF file. */
#ifndef WEFT_TESTS_UNIT_ANIMATED_STRIP_H
#define WEFT_TESTS_UNIT_ANIMATED_STRIP_H

#include <math.h>

#include "io/bytes.h"
#include "io_support.h"

static inline void base64(const unsigned char *bytes, size_t size, char *text) {
    static const char LETTERS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) { /* size is a multiple of 3 */
        uint32_t word = (uint32_t)bytes[i] << 16 | (uint32_t)bytes[i + 1] << 8 | bytes[i + 2];
        for (int k = 0; k < 4; k++)
            *text++ = LETTERS[word >> (18 - 6 * k) & 63];
    }
    *text = '\0';
}

/* A strip of 6 vertices along x: two at 0, two at 1, two at 2. Node 1 is a joint at the origin. Node 2 is a joint at
 * (1, 0, 0), which turns by 90 degrees about z within 1 s and moves the last two vertices. A morph target lifts the
 * first two by 1 along z; its weight goes from 0 to 1 within 2 s. */
enum { STRIP_BYTES = 552 };
static const char STRIP[] =
    "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0,1]}],"
    "\"nodes\":[{\"name\":\"strip\",\"mesh\":0,\"skin\":0},{\"name\":\"root\",\"children\":[2]},"
    "{\"name\":\"arm\",\"translation\":[1,0,0]}],"
    "\"skins\":[{\"joints\":[1,2],\"inverseBindMatrices\":5}],"
    "\"meshes\":[{\"name\":\"strip\",\"weights\":[0],\"primitives\":[{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":2,"
    "\"WEIGHTS_0\":3},\"indices\":1,\"targets\":[{\"POSITION\":4}]}]}],"
    "\"animations\":[{\"name\":\"bend\",\"samplers\":[{\"input\":6,\"output\":7}],"
    "\"channels\":[{\"sampler\":0,\"target\":{\"node\":2,\"path\":\"rotation\"}}]},"
    "{\"name\":\"lift\",\"samplers\":[{\"input\":8,\"output\":9}],"
    "\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"weights\"}}]}],"
    "\"accessors\":["
    "{\"bufferView\":0,\"componentType\":5126,\"count\":6,\"type\":\"VEC3\",\"min\":[0,0,0],\"max\":[2,1,0]},"
    "{\"bufferView\":1,\"componentType\":5123,\"count\":12,\"type\":\"SCALAR\"},"
    "{\"bufferView\":2,\"componentType\":5121,\"count\":6,\"type\":\"VEC4\"},"
    "{\"bufferView\":3,\"componentType\":5126,\"count\":6,\"type\":\"VEC4\"},"
    "{\"bufferView\":4,\"componentType\":5126,\"count\":6,\"type\":\"VEC3\",\"min\":[0,0,0],\"max\":[0,0,1]},"
    "{\"bufferView\":5,\"componentType\":5126,\"count\":2,\"type\":\"MAT4\"},"
    "{\"bufferView\":6,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\",\"min\":[0],\"max\":[1]},"
    "{\"bufferView\":7,\"componentType\":5126,\"count\":2,\"type\":\"VEC4\"},"
    "{\"bufferView\":8,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\",\"min\":[0],\"max\":[2]},"
    "{\"bufferView\":9,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\"}],"
    "\"bufferViews\":[{\"buffer\":0,\"byteOffset\":0,\"byteLength\":72},"
    "{\"buffer\":0,\"byteOffset\":72,\"byteLength\":24},{\"buffer\":0,\"byteOffset\":96,\"byteLength\":24},"
    "{\"buffer\":0,\"byteOffset\":120,\"byteLength\":96},{\"buffer\":0,\"byteOffset\":216,\"byteLength\":72},"
    "{\"buffer\":0,\"byteOffset\":288,\"byteLength\":128},{\"buffer\":0,\"byteOffset\":416,\"byteLength\":8},"
    "{\"buffer\":0,\"byteOffset\":424,\"byteLength\":32},{\"buffer\":0,\"byteOffset\":456,\"byteLength\":8},"
    "{\"buffer\":0,\"byteOffset\":464,\"byteLength\":8}],"
    "\"buffers\":[{\"byteLength\":552,\"uri\":\"data:application/octet-stream;base64,%s\"}]}";

static inline unsigned char *put_floats(unsigned char *at, const double *number, int count) {
    for (int i = 0; i < count; i++, at += 4)
        weft_bytes_put_float(at, number[i], 0);
    return at;
}

static inline const char *write_strip(void) {
    static const double POINTS[18] = {0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, 2, 0, 0, 2, 1, 0};
    static const uint16_t INDICES[12] = {0, 2, 3, 0, 3, 1, 2, 4, 5, 2, 5, 3};
    static const double LIFT[18] = {0, 0, 1, 0, 0, 1};
    static const double BIND[32] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0,  0, 0, 1,
                                    1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -1, 0, 0, 1};
    static const double TIMES[2] = {0, 1}, LATER[2] = {0, 2}, WEIGHTS[2] = {0, 1};
    const double turn[8] = {0, 0, 0, 1, 0, 0, sqrt(0.5), sqrt(0.5)};
    unsigned char bytes[STRIP_BYTES] = {0}, *at = put_floats(bytes, POINTS, 18);
    for (int i = 0; i < 12; i++, at += 2)
        weft_bytes_put(at, INDICES[i], 2, 0);
    for (int v = 0; v < 6; v++, at += 4)
        at[0] = v >= 4; /* joints */
    for (int v = 0; v < 6; v++)
        at = put_floats(at, (const double[4]){1, 0, 0, 0}, 4);
    at = put_floats(at, LIFT, 18);
    at = put_floats(at, BIND, 32);
    at = put_floats(at, TIMES, 2);
    at = put_floats(at, turn, 8);
    at = put_floats(at, LATER, 2);
    put_floats(at, WEIGHTS, 2);
    char encoded[4 * STRIP_BYTES / 3 + 4], text[6000];
    base64(bytes, sizeof bytes, encoded);
    snprintf(text, sizeof text, STRIP, encoded);
    return write_text("strip.gltf", text);
}

#endif
