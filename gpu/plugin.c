/* The entry of libweft_cuda.so. */
#include "backend.h"

WEFT_API weft_result weft_plugin(weft_registry *registry);

weft_result weft_plugin(weft_registry *registry) {
    WEFT_TRY(weft_registry_add(registry, &gpu_cuda_device));
    return weft_registry_add(registry, &gpu_host_device);
}
