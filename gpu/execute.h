/* How kernels run: on the GPU (execute_cuda.cu), or as plain loops on the CPU (execute_host.c), which serve as their
 * test. Both sum in the same order: blocks of GPU_BLOCK items by halving, then the blocks by striding with GPU_SPREAD
 * and halving. */
#ifndef WEFT_GPU_EXECUTE_H
#define WEFT_GPU_EXECUTE_H

#include "gpu.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Those of contact (contact_kernels.h). */
#define GPU_CONTACT_KERNELS(K)                                                                                         \
    K(contact_begin)                                                                                                   \
    K(contact_aim)                                                                                                     \
    K(contact_place)                                                                                                   \
    K(contact_feature_box)                                                                                             \
    K(contact_level_box)                                                                                               \
    K(contact_count_near)                                                                                              \
    K(contact_write_near)                                                                                              \
    K(contact_anchor)                                                                                                  \
    K(contact_reach)                                                                                                   \
    K(contact_limit)                                                                                                   \
    K(contact_count_touches)                                                                                           \
    K(contact_write_touches)                                                                                           \
    K(contact_count_rubs)                                                                                              \
    K(contact_write_rubs)                                                                                              \
    K(contact_keep_grips)                                                                                              \
    K(contact_elastic_start)                                                                                           \
    K(contact_dissipative)                                                                                             \
    K(contact_forces)                                                                                                  \
    K(contact_end_velocity)                                                                                            \
    K(contact_terms)                                                                                                   \
    K(contact_entries)                                                                                                 \
    K(contact_entry_starts)                                                                                            \
    K(contact_gather)                                                                                                  \
    K(contact_load_running)                                                                                            \
    K(contact_audit_begin)                                                                                             \
    K(contact_clear_joins)                                                                                             \
    K(contact_join)                                                                                                    \
    K(contact_correct)                                                                                                 \
    K(contact_load_exactly)

#define GPU_CONTACT_SUM_KERNELS(K)                                                                                     \
    K(contact_strayed)                                                                                                 \
    K(contact_energies)                                                                                                \
    K(contact_friction_energies)                                                                                       \
    K(contact_friction_excess)                                                                                         \
    K(contact_grip_energies)                                                                                           \
    K(contact_remaining)                                                                                               \
    K(contact_slow)                                                                                                    \
    K(contact_dissipation)                                                                                             \
    K(contact_audit)                                                                                                   \
    K(contact_missing)                                                                                                 \
    K(contact_group_mass)                                                                                              \
    K(contact_found)

/* Kernels without a sum: NAME(function). */
#define GPU_PLAIN_KERNELS(K)                                                                                           \
    K(triangle_forces)                                                                                                 \
    K(bend_forces)                                                                                                     \
    K(pair_forces)                                                                                                     \
    K(facet_forces)                                                                                                    \
    K(external_forces)                                                                                                 \
    K(sum_forces)                                                                                                      \
    K(vertex_damping)                                                                                                  \
    K(triangle_matrix)                                                                                                 \
    K(bend_matrix)                                                                                                     \
    K(hinge_matrix)                                                                                                    \
    K(pair_matrix)                                                                                                     \
    K(head_matrix)                                                                                                     \
    K(tail_matrix)                                                                                                     \
    K(row_matrix)                                                                                                      \
    K(guess)                                                                                                           \
    K(begin_pcg)                                                                                                       \
    K(settle)                                                                                                          \
    K(coarse_entries)                                                                                                  \
    K(coarse_excess)                                                                                                   \
    K(restrict)                                                                                                        \
    K(correct)                                                                                                         \
    K(gather_levels)                                                                                                   \
    K(let_go)                                                                                                          \
    K(hold)                                                                                                            \
    K(start)                                                                                                           \
    K(search_end)                                                                                                      \
    K(move_to)                                                                                                         \
    K(move_explicitly)                                                                                                 \
    K(arrive)                                                                                                          \
    K(straighten)                                                                                                      \
    GPU_CONTACT_KERNELS(K)

/* Kernels whose items are summed into slot g->slot of the numbers: NAME(function). */
#define GPU_SUM_KERNELS(K)                                                                                             \
    K(triangle_energies)                                                                                               \
    K(bend_energies)                                                                                                   \
    K(pair_energies)                                                                                                   \
    K(inertia)                                                                                                         \
    K(reference)                                                                                                       \
    K(residual)                                                                                                        \
    K(both_residuals)                                                                                                  \
    K(motion_residual)                                                                                                 \
    K(promise)                                                                                                         \
    K(insane)                                                                                                          \
    GPU_CONTACT_SUM_KERNELS(K)

typedef enum gpu_kernel {
#define GPU_NAME(name) GPU_##name,
    GPU_PLAIN_KERNELS(GPU_NAME) GPU_PLAIN_COUNT,
    GPU_SUM_FIRST = GPU_PLAIN_COUNT - 1,
    GPU_SUM_KERNELS(GPU_NAME) GPU_KERNEL_COUNT
#undef GPU_NAME
} gpu_kernel;

/* Device memory of keys and values, before and after sorting. */
typedef struct gpu_sort_lists {
    const uint32_t *key;
    const int32_t *value;
    uint32_t *sorted_key;
    int32_t *sorted_value;
} gpu_sort_lists;

/* A device with its memory and queue of work. Functions return 0 after a failure; `failure` then says why. Kernels
 * that follow a failure do nothing. */
typedef struct gpu_executor {
    void *self;
    void *(*take)(void *self, size_t bytes); /* device memory, zeroed; null after a failure */
    void (*give_back)(void *self, void *memory);
    int (*write)(void *self, void *to, const void *from, size_t bytes); /* host to device */
    int (*read)(void *self, void *to, const void *from, size_t bytes);  /* device to host; waits */
    int (*run)(void *self, gpu_kernel kernel, const weft_gpu *g, int32_t items);
    /* Inverts the submatrices of the domains of level now_level. */
    int (*invert)(void *self, const weft_gpu *g);
    /* Runs iterations of conjugate gradients until they end. */
    int (*iterate)(void *self, const weft_gpu *g);
    /* Replaces values[i] by the sum of those before it; values[count] becomes the sum of all. */
    int (*scan)(void *self, int64_t *values, int32_t count);
    /* Sorts pairs by the lowest `bits` of their keys; equal keys keep their order. */
    int (*sort)(void *self, const gpu_sort_lists *lists, int32_t count, int bits);
    /* The smallest of the values; waits. */
    int (*least)(void *self, const double *values, int32_t count, double *made);
    /* Starts copying to host memory of the executor. `slot`: weft_device_copy. */
    int (*fetch_begin)(void *self, int slot, const void *const *from, int arrays, size_t bytes);
    /* Waits; returns the arrays one after the other, or null and a static text. Steps may go on in another thread. */
    const void *(*fetch_end)(void *self, int slot, const char **why);
    /* Marks the begin of a step on the device's clock. Returns how long the last one took, s; 0 if not known. */
    double (*begin_step)(void *self);
    void (*end_step)(void *self);
    const char *(*failure)(const void *self);
    void (*destroy)(void *self);
} gpu_executor;

/* execute_host.c */
weft_result gpu_executor_host(gpu_executor *made);
/* execute_cuda.cu: fails if there is no such device. */
extern int gpu_cuda_separate_kernels; /* 1: small meshes too use the kernels of large ones; for tests */
/* backend_parts.c: refuses a GPU that is too old for the machine code of the kernels. */
weft_result gpu_check_capability(int32_t number, const char *name, int major, int minor);
weft_result gpu_executor_cuda(int32_t number, gpu_executor *made);
weft_result gpu_describe_cuda(int32_t number, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
