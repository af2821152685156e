/* Writes little-endian binary messages front to back into memory of known size. */
#ifndef WEFT_APPS_STUDIO_SERVER_MESSAGE_BYTES_H
#define WEFT_APPS_STUDIO_SERVER_MESSAGE_BYTES_H

#include <stdint.h>
#include <string.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the studio sends numbers in native byte order, which must be little-endian"
#endif

#define STUDIO_MAGIC UINT32_C(0x54464557) /* "WEFT" */

static inline unsigned char *studio_put(unsigned char *at, const void *bytes, size_t size) {
    if (size > 0)
        memcpy(at, bytes, size);
    return at + size;
}

static inline unsigned char *studio_put_u8(unsigned char *at, uint8_t number) { return studio_put(at, &number, 1); }

static inline unsigned char *studio_put_u16(unsigned char *at, uint16_t number) { return studio_put(at, &number, 2); }

static inline unsigned char *studio_put_u32(unsigned char *at, uint32_t number) { return studio_put(at, &number, 4); }

static inline unsigned char *studio_put_f32(unsigned char *at, float number) { return studio_put(at, &number, 4); }

static inline unsigned char *studio_put_f64(unsigned char *at, double number) { return studio_put(at, &number, 8); }

/* Pads with zeros to a multiple of 4 bytes from the start. */
static inline unsigned char *studio_pad(unsigned char *at, const unsigned char *start) {
    while ((at - start) % 4 != 0)
        *at++ = 0;
    return at;
}

static inline size_t studio_padded(size_t size) { return (size + 3) & ~(size_t)3; }

#endif
