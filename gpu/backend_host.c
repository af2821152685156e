#include <stdio.h>

#include "backend.h"
#include "backend_parts.h"

static weft_result create(const weft_device_scene *scene, void **self) {
    gpu_executor on;
    *self = NULL;
    WEFT_TRY(gpu_executor_host(&on));
    return gpu_backend_create(scene, &on, self);
}

static weft_result describe(int32_t number, char *text, size_t size) {
    (void)number;
    snprintf(text, size, "loops on the CPU");
    return weft_ok();
}

static const weft_device_functions FUNCTIONS = {GPU_BACKEND_FUNCTIONS, .create = create, .describe = describe};

const weft_component gpu_host_device = {
    .abi = WEFT_ABI,
    .kind = WEFT_DEVICE,
    .name = "cuda-host",
    .help = "the kernels of cuda as loops on one CPU thread, for tests",
    .functions = &FUNCTIONS,
    .paper = "",
};
