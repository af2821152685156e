/* What both tables share. */
#ifndef WEFT_GPU_BACKEND_PARTS_H
#define WEFT_GPU_BACKEND_PARTS_H

#include "simulation.h"

/* backend_parts.c */
weft_result gpu_backend_create(const weft_device_scene *scene, const gpu_executor *on, void **self);
void gpu_backend_destroy(void *self);
weft_result gpu_backend_step(void *self, const weft_device_step *step, weft_status *status, weft_solve *solve);
weft_result gpu_backend_fetch_begin(void *self, int32_t copy);
weft_result gpu_backend_contacts(void *self, weft_device_contacts *made);
weft_result gpu_backend_fetch_grips(void *self, weft_device_grip **grips, int32_t *count);
weft_result gpu_backend_audit(void *self, int64_t *crossings);
weft_result gpu_backend_touching(void *self, const weft_device_step *at, double within, int64_t *pairs);
weft_result gpu_backend_fetch_end(void *self, int32_t copy, const weft_device_state *to);

#define GPU_BACKEND_FUNCTIONS                                                                                          \
    .version = WEFT_DEVICE_VERSION, .destroy = gpu_backend_destroy, .step = gpu_backend_step,                          \
    .fetch_begin = gpu_backend_fetch_begin, .fetch_end = gpu_backend_fetch_end, .contacts = gpu_backend_contacts,      \
    .fetch_grips = gpu_backend_fetch_grips, .audit = gpu_backend_audit, .touching = gpu_backend_touching

#endif
