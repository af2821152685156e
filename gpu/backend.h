/* The tables of functions that the engine sees (src/sim/device_backend.h). */
#ifndef WEFT_GPU_BACKEND_H
#define WEFT_GPU_BACKEND_H

#include "weft/component.h"

/* backend_host.c: the kernels as loops on the CPU, for tests. Its name is "cuda-host". */
extern const weft_component gpu_host_device;
/* backend_cuda.c: the GPU. Its name is "cuda". */
extern const weft_component gpu_cuda_device;

#endif
