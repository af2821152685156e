#include "io_support.h"

#include "weft-io/checkpoint.h"

static const char BLOB[] = "the whole state of a simulation";

static const char *written(void) {
    const char *path = in_folder("checkpoint");
    weft_checkpoint c = {.scene = UINT64_C(0xfedcba9876543210),
                         .steps = UINT64_C(0x0123456789abcdef),
                         .frame = 120,
                         .csv_size = INT64_C(1) << 40,
                         .size = sizeof BLOB,
                         .snapshot = (void *)(uintptr_t)BLOB};
    assert_ok(weft_checkpoint_write(path, &c));
    return path;
}

/* Values published with the hash: http://www.isthe.com/chongo/tech/comp/fnv/ */
static void hash_is_fnv1a(void **state) {
    (void)state;
    assert_true(weft_hash_bytes(WEFT_HASH_START, "", 0) == UINT64_C(0xcbf29ce484222325));
    assert_true(weft_hash_bytes(WEFT_HASH_START, "a", 1) == UINT64_C(0xaf63dc4c8601ec8c));
    assert_true(weft_hash_bytes(WEFT_HASH_START, "foobar", 6) == UINT64_C(0x85944171f73967e8));
    uint64_t half = weft_hash_bytes(WEFT_HASH_START, "foo", 3);
    assert_true(weft_hash_bytes(half, "bar", 3) == UINT64_C(0x85944171f73967e8));
}

static void written_checkpoint_reads_back(void **state) {
    (void)state;
    weft_checkpoint c;
    assert_ok(weft_checkpoint_read(written(), &c));
    assert_true(c.scene == UINT64_C(0xfedcba9876543210));
    assert_int_equal(c.frame, 120);
    assert_int_equal(c.csv_size, INT64_C(1) << 40);
    assert_int_equal(c.size, sizeof BLOB);
    assert_memory_equal(c.snapshot, BLOB, sizeof BLOB);
    free(c.snapshot);
}

static void every_truncation_is_refused(void **state) {
    (void)state;
    size_t size;
    char *bytes = read_text(written(), &size);
    weft_checkpoint c;
    for (size_t cut = 0; cut < size; cut++) {
        char expected[64];
        snprintf(expected, sizeof expected, "run: a truncated checkpoint: %zu bytes there, ", cut);
        assert_refused(weft_checkpoint_read_memory(bytes, cut, "run", &c), WEFT_BAD_INPUT, expected);
        assert_null(c.snapshot);
    }
    free(bytes);
}

static void every_flipped_bit_is_refused(void **state) {
    (void)state;
    size_t size;
    char *bytes = read_text(written(), &size);
    weft_checkpoint c;
    for (size_t bit = 0; bit < 8 * size; bit++) {
        bytes[bit / 8] ^= (char)(1 << bit % 8);
        assert_int_equal(weft_checkpoint_read_memory(bytes, size, "run", &c).code, WEFT_BAD_INPUT);
        bytes[bit / 8] ^= (char)(1 << bit % 8);
    }
    free(bytes);
}

static void messages_name_the_problem(void **state) {
    (void)state;
    size_t size;
    char *bytes = read_text(written(), &size);
    weft_checkpoint c;
    assert_refused(weft_checkpoint_read_memory("time: {step: 1}", 15, "scene", &c), WEFT_BAD_INPUT,
                   "scene: not a checkpoint");
    bytes[8] = 1;
    assert_refused(weft_checkpoint_read_memory(bytes, size, "run", &c), WEFT_BAD_INPUT,
                   "version 1; this program reads version 2");
    bytes[8] = 2;
    bytes[60] ^= 1;
    assert_refused(weft_checkpoint_read_memory(bytes, size, "run", &c), WEFT_BAD_INPUT, "run: a damaged checkpoint");
    free(bytes);
    assert_refused(weft_checkpoint_read(in_folder("none"), &c), WEFT_BAD_FILE, "none: No such file");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hash_is_fnv1a),
        cmocka_unit_test(written_checkpoint_reads_back),
        cmocka_unit_test(every_truncation_is_refused),
        cmocka_unit_test(every_flipped_bit_is_refused),
        cmocka_unit_test(messages_name_the_problem),
    };
    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
