#include "backend.h"
#include "backend_parts.h"

static weft_result create(const weft_device_scene *scene, void **self) {
    gpu_executor on;
    *self = NULL;
    WEFT_TRY(gpu_executor_cuda(scene->number, &on));
    return gpu_backend_create(scene, &on, self);
}

static const weft_device_functions FUNCTIONS = {GPU_BACKEND_FUNCTIONS, .create = create, .describe = gpu_describe_cuda};

const weft_component gpu_cuda_device = {
    .abi = WEFT_ABI,
    .kind = WEFT_DEVICE,
    .name = "cuda",
    .help = "an NVIDIA GPU",
    .functions = &FUNCTIONS,
    .paper = "",
};
