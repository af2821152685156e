#include "backend_parts.h"

#include "contact_world.h"

weft_result gpu_backend_create(const weft_device_scene *scene, const gpu_executor *on, void **self) {
    gpu_simulation *made;
    weft_result result = gpu_simulation_create(scene, on, &made);
    *self = made;
    return result;
}

void gpu_backend_destroy(void *self) { gpu_simulation_destroy(self); }

weft_result gpu_backend_step(void *self, const weft_device_step *step, weft_status *status, weft_solve *solve) {
    return gpu_simulation_step(self, step, status, solve);
}

weft_result gpu_backend_fetch_begin(void *self, int32_t copy) { return gpu_simulation_fetch_begin(self, copy); }

weft_result gpu_backend_fetch_end(void *self, int32_t copy, const weft_device_state *to) {
    return gpu_simulation_fetch_end(self, copy, to);
}

weft_result gpu_check_capability(int32_t number, const char *name, int major, int minor) {
    enum { LEAST = 9 }; /* Hopper: CMake compiles for this one and newer ones */
    if (major >= LEAST)
        return weft_ok();
    return weft_fail(WEFT_UNSUPPORTED,
                     "GPU %d, %.80s, has compute capability %d.%d, and %d.0 or newer is needed: use device: cpu",
                     number, name, major, minor, LEAST);
}

weft_result gpu_backend_contacts(void *self, weft_device_contacts *made) { return gpu_simulation_contacts(self, made); }

weft_result gpu_backend_fetch_grips(void *self, weft_device_grip **grips, int32_t *count) {
    return gpu_simulation_fetch_grips(self, grips, count);
}

weft_result gpu_backend_audit(void *self, int64_t *crossings) { return gpu_simulation_audit(self, crossings); }

weft_result gpu_backend_touching(void *self, const weft_device_step *at, double within, int64_t *pairs) {
    return gpu_simulation_touching(self, at, within, pairs);
}
