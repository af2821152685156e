/* Conversion of numbers to and from bytes in a given byte order, independent of the machine. */
#ifndef WEFT_IO_BYTES_H
#define WEFT_IO_BYTES_H

#include <stdint.h>
#include <string.h>

/* Stores the lowest `size` bytes of `bits`, least or most significant byte first. */
static inline void weft_bytes_put(unsigned char *at, uint64_t bits, int size, int big_endian) {
    for (int i = 0; i < size; i++)
        at[big_endian ? size - 1 - i : i] = (unsigned char)(bits >> (8 * i));
}

static inline uint64_t weft_bytes_get(const unsigned char *at, int size, int big_endian) {
    uint64_t bits = 0;
    for (int i = 0; i < size; i++)
        bits |= (uint64_t)at[big_endian ? size - 1 - i : i] << (8 * i);
    return bits;
}

static inline double weft_bytes_get_float(const unsigned char *at, int big_endian) {
    uint32_t bits = (uint32_t)weft_bytes_get(at, 4, big_endian);
    float number;
    memcpy(&number, &bits, sizeof number);
    return (double)number;
}

static inline void weft_bytes_put_float(unsigned char *at, double number, int big_endian) {
    float narrow = (float)number;
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    weft_bytes_put(at, bits, 4, big_endian);
}

static inline void weft_bytes_put_double(unsigned char *at, double number, int big_endian) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    weft_bytes_put(at, bits, 8, big_endian);
}

#endif
