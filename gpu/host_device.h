/* Functions that the CPU and the GPU share. They are C11 for the host compiler and CUDA C++ for nvcc, so they use only
 * what both languages have. Both builds run without contraction into fused multiply-adds and give the same bits. */
#ifndef WEFT_GPU_HOST_DEVICE_H
#define WEFT_GPU_HOST_DEVICE_H

#include <math.h>
#include <stdint.h>

#include "weft/base.h"

#ifdef __CUDACC__
#define WEFT_HD __host__ __device__ static inline
#else
#define WEFT_HD static inline
#endif

/* Numbers of a list are read ahead: a thread that waits for each in turn would wait most of the time. */
#ifdef __CUDA_ARCH__
#define GPU_GATHER _Pragma("unroll 4")
#else
#define GPU_GATHER
#endif

WEFT_HD weft_vec3 gpu_vec(double x, double y, double z) {
    weft_vec3 r;
    r.x = x;
    r.y = y;
    r.z = z;
    return r;
}

WEFT_HD weft_vec3 gpu_add(weft_vec3 a, weft_vec3 b) { return gpu_vec(a.x + b.x, a.y + b.y, a.z + b.z); }

WEFT_HD weft_vec3 gpu_sub(weft_vec3 a, weft_vec3 b) { return gpu_vec(a.x - b.x, a.y - b.y, a.z - b.z); }

WEFT_HD weft_vec3 gpu_scale(double s, weft_vec3 a) { return gpu_vec(s * a.x, s * a.y, s * a.z); }

/* a + s b */
WEFT_HD weft_vec3 gpu_axpy(weft_vec3 a, double s, weft_vec3 b) {
    return gpu_vec(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

WEFT_HD double gpu_dot(weft_vec3 a, weft_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

WEFT_HD weft_vec3 gpu_cross(weft_vec3 a, weft_vec3 b) {
    return gpu_vec(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

WEFT_HD double gpu_length(weft_vec3 a) { return sqrt(gpu_dot(a, a)); }

/* Unit vector along a. The zero vector stays zero. */
WEFT_HD weft_vec3 gpu_unit(weft_vec3 a) {
    double length = gpu_length(a);
    return length > 0 ? gpu_scale(1 / length, a) : gpu_vec(0, 0, 0);
}

WEFT_HD double gpu_max(double a, double b) { return a > b ? a : b; }

WEFT_HD double gpu_min(double a, double b) { return a < b ? a : b; }

/* Row-major block times d. */
WEFT_HD weft_vec3 gpu_block_times(const double *k, weft_vec3 d) {
    return gpu_vec(k[0] * d.x + k[1] * d.y + k[2] * d.z, k[3] * d.x + k[4] * d.y + k[5] * d.z,
                   k[6] * d.x + k[7] * d.y + k[8] * d.z);
}

/* The transpose of a row-major block times d. */
WEFT_HD weft_vec3 gpu_transpose_times(const double *k, weft_vec3 d) {
    return gpu_vec(k[0] * d.x + k[3] * d.y + k[6] * d.z, k[1] * d.x + k[4] * d.y + k[7] * d.z,
                   k[2] * d.x + k[5] * d.y + k[8] * d.z);
}

#endif
