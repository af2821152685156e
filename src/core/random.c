/* Counter-based random numbers: the finaliser of SplitMix64 (Steele, Lea and Flood 2014) over seed and counter. */
#include <math.h>

#include "weft/work.h"

static uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

uint64_t weft_random_bits(uint64_t seed, uint64_t counter) {
    const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15);
    return mix(mix(seed + golden) + (counter + 1) * golden);
}

double weft_random(uint64_t seed, uint64_t counter) {
    return (double)(weft_random_bits(seed, counter) >> 11) * 0x1p-53;
}

double weft_random_smooth(uint64_t seed, double t) {
    double whole = floor(t);
    double s = t - whole;
    uint64_t cell = (uint64_t)(int64_t)whole;
    double a = 2 * weft_random(seed, cell) - 1;
    double b = 2 * weft_random(seed, cell + 1) - 1;
    /* Perlin's quintic weight has a continuous second derivative, so gusts do not jerk. */
    double weight = s * s * s * (s * (s * 6 - 15) + 10);
    return a + weight * (b - a);
}
