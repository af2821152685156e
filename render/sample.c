/* Owen-scrambled Sobol points, two dimensions at a time, shuffled between pairs.
 *   B. Burley, Practical Hash-based Owen Scrambling, JCGT 9(4), 2020.
 *   A. Ahmed, P. Wonka, Screen-Space Blue-Noise Diffusion of Monte Carlo Sampling Error via Hierarchical Ordering of
 *   Pixels, 2020: consecutive points along a space-filling curve spread the error over neighbouring pixels.
 * The scrambling hash uses the constants of N. Vegdahl (2021). */
#include "render/sample.h"

static uint32_t reverse_bits(uint32_t x) {
    x = __builtin_bswap32(x);
    x = ((x >> 4) & 0x0f0f0f0fu) | ((x & 0x0f0f0f0fu) << 4);
    x = ((x >> 2) & 0x33333333u) | ((x & 0x33333333u) << 2);
    return ((x >> 1) & 0x55555555u) | ((x & 0x55555555u) << 1);
}

/* Each bit of the result depends only on that bit and lower ones: an Owen scramble of the bit-reversed number. */
static uint32_t scramble_reversed(uint32_t x, uint32_t seed) {
    x ^= x * 0x3d20adeau;
    x += seed;
    x *= (seed >> 16) | 1u;
    x ^= x * 0x05526c56u;
    x ^= x * 0x53a22864u;
    return x;
}

/* Second Sobol dimension before bit reversal: the Pascal matrix modulo 2. By Lucas' theorem, bit j of the result is the
 * parity of the bits k of x for which j is a submask of k: a sum over supersets. */
static uint32_t pascal(uint32_t x) {
    x ^= (x >> 1) & 0x55555555u;
    x ^= (x >> 2) & 0x33333333u;
    x ^= (x >> 4) & 0x0f0f0f0fu;
    x ^= (x >> 8) & 0x00ff00ffu;
    return x ^ ((x >> 16) & 0x0000ffffu);
}

static uint32_t mix(uint32_t x) {
    x = (x ^ (x >> 16)) * 0x7feb352du;
    x = (x ^ (x >> 15)) * 0x846ca68bu;
    return x ^ (x >> 16);
}

static float to_unit(uint32_t x) { return (float)(x >> 8) * 0x1p-24f; }

weft_sample2 weft_sample(uint32_t index, uint32_t pair) {
    uint32_t seed = mix(pair * 0x9e3779b9u + 0x632be5abu);
    uint32_t shuffled = reverse_bits(scramble_reversed(reverse_bits(index), seed));
    /* The first dimension is the bit-reversed index, so its reversed form is the index. */
    uint32_t x = reverse_bits(scramble_reversed(shuffled, mix(seed + 1)));
    uint32_t y = reverse_bits(scramble_reversed(pascal(shuffled), mix(seed + 2)));
    return (weft_sample2){to_unit(x), to_unit(y)};
}

uint32_t weft_hilbert(uint32_t x, uint32_t y) {
    uint32_t d = 0;
    for (uint32_t s = 1u << 14; s > 0; s >>= 1) {
        uint32_t rx = (x & s) != 0, ry = (y & s) != 0;
        d += s * s * ((3 * rx) ^ ry);
        if (ry == 0) {
            if (rx == 1) {
                x = (1u << 15) - 1 - x;
                y = (1u << 15) - 1 - y;
            }
            uint32_t t = x;
            x = y;
            y = t;
        }
    }
    return d;
}
