/* Blocks of the cooperative kernel: on every mesh that it takes, the GPU holds all of them at once. The GPU here is a
 * model of an H200: 132 processors with 228 KiB of shared memory, of which each block takes 1 KiB more than it asks
 * for, rounded up; registers for five blocks. */
#include "cuda_fixture.h"
#include "resident.h"

typedef struct processor {
    int32_t shared, reserved, fixed, unit; /* bytes: in all; per block for the driver and for the kernel; rounding */
    int32_t registers;                     /* blocks for which they last */
} processor;

static const processor H200 = {233472, 1024, 3096, 128, 5};

enum { PROCESSORS = 132, MOST = 232448 - 3096, LIMIT = PROCESSORS * 5 * GPU_BLOCK };

static int count(const void *self, int32_t bytes) {
    const processor *p = self;
    int32_t each = (p->fixed + bytes + p->unit - 1) / p->unit * p->unit + p->reserved;
    int32_t blocks = bytes <= MOST ? p->shared / each : 0;
    return blocks < p->registers ? blocks : p->registers;
}

/* With ten sheets of 91 x 91 vertices, 42,496 bytes seemed free for each of five blocks. Rounding left four blocks. */
static void all_blocks_fit(void **state) {
    (void)state;
    gpu_resident r = gpu_resident_of(PROCESSORS, MOST, count, &H200);
    assert_true(gpu_resident_shared(&r, 82810) >= 0);
    for (int32_t rows = 1; rows <= LIMIT; rows++)
        assert_true(count(&H200, gpu_resident_shared(&r, rows)) * PROCESSORS >= gpu_blocks(rows));
}

static void larger_meshes_are_left_to_other_kernels(void **state) {
    (void)state;
    gpu_resident r = gpu_resident_of(PROCESSORS, MOST, count, &H200);
    assert_int_equal(gpu_resident_shared(&r, LIMIT + 1), -1);
    assert_int_equal(gpu_resident_shared(&r, 4000850), -1);
    assert_int_equal(gpu_resident_shared(&r, INT32_MAX), -1);
}

/* No block could have one unit more. */
static void no_memory_is_left(void **state) {
    (void)state;
    gpu_resident r = gpu_resident_of(PROCESSORS, MOST, count, &H200);
    for (int32_t k = 0; k < 5; k++) {
        assert_true(count(&H200, r.shared[k]) > k);
        assert_true(count(&H200, r.shared[k] + GPU_SHARED_UNIT) <= k);
    }
}

static void a_kernel_that_cannot_start_is_not_used(void **state) {
    (void)state;
    processor none = H200;
    none.registers = 0;
    gpu_resident r = gpu_resident_of(PROCESSORS, MOST, count, &none);
    assert_int_equal(gpu_resident_shared(&r, 100), -1);
    r = gpu_resident_of(0, MOST, count, &H200);
    assert_int_equal(gpu_resident_shared(&r, 100), -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_blocks_fit),
        cmocka_unit_test(larger_meshes_are_left_to_other_kernels),
        cmocka_unit_test(no_memory_is_left),
        cmocka_unit_test(a_kernel_that_cannot_start_is_not_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
