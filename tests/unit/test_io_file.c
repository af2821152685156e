#include "io_support.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>

#include "io/text.h"

static void reads_whole_files(void **state) {
    (void)state;
    char *bytes;
    size_t size;
    assert_ok(weft_file_read(write_bytes("nul", "a\0b", 3), &bytes, &size));
    assert_int_equal(size, 3);
    assert_memory_equal(bytes, "a\0b\0", 4);
    free(bytes);
    assert_ok(weft_file_read(write_text("empty", ""), &bytes, &size));
    assert_int_equal(size, 0);
    assert_int_equal(bytes[0], 0);
    free(bytes);
}

static void refuses_missing_and_oversized_files(void **state) {
    (void)state;
    char *bytes;
    size_t size;
    assert_refused(weft_file_read(in_folder("none"), &bytes, &size), WEFT_BAD_FILE, "none: No such file");
    assert_null(bytes);
    assert_refused(weft_file_read(in_folder(""), &bytes, &size), WEFT_BAD_FILE, "Is a directory");
    const char *huge = write_text("huge", "");
    assert_int_equal(truncate(huge, (off_t)3 << 30), 0); /* a sparse file */
    assert_refused(weft_file_read(huge, &bytes, &size), WEFT_BAD_FILE, "2 GiB");
    unlink(huge);
}

/* Reading a named pipe without a writer would block forever. A pipe from a shell ends. */
static void reads_shell_pipes_but_refuses_named_pipes(void **state) {
    (void)state;
    char *bytes, path[32];
    size_t size;
    int ends[2];
    const char *named = in_folder("pipe");
    assert_int_equal(mkfifo(named, 0600), 0);
    assert_refused(weft_file_read(named, &bytes, &size), WEFT_BAD_FILE, "pipe: a named pipe, not a regular file");
    unlink(named);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "scene", 5), 5);
    close(ends[1]);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    assert_ok(weft_file_read(path, &bytes, &size));
    close(ends[0]);
    assert_int_equal(size, 5);
    assert_string_equal(bytes, "scene");
    free(bytes);
}

static void output_appears_only_when_committed(void **state) {
    (void)state;
    weft_output output;
    const char *path = in_folder("out.txt");
    assert_ok(weft_output_open(&output, path));
    weft_output_write(&output, "one ", 4);
    weft_output_print(&output, "%d", 2);
    assert_false(exists(path));
    assert_true(exists(in_folder("out.txt.part")));
    assert_ok(weft_output_commit(&output));
    assert_false(exists(in_folder("out.txt.part")));
    char *text = read_text(path, NULL);
    assert_string_equal(text, "one 2");
    free(text);

    assert_ok(weft_output_open(&output, path));
    weft_output_write(&output, "x", 1);
    weft_output_discard(&output);
    assert_false(exists(in_folder("out.txt.part")));
    text = read_text(path, NULL);
    assert_string_equal(text, "one 2"); /* the old file is still complete */
    free(text);
}

static void suspended_output_can_be_resumed(void **state) {
    (void)state;
    weft_output output;
    const char *path = in_folder("goes_on");
    assert_ok(weft_output_open(&output, path));
    weft_output_write(&output, "abcdef", 6);
    assert_ok(weft_output_suspend(&output));
    assert_refused(weft_output_reopen(&output, path, 7), WEFT_BAD_FILE, "goes_on.part: too short to go on: 6 bytes");
    assert_ok(weft_output_reopen(&output, path, 4));
    weft_output_write(&output, "XY", 2);
    assert_ok(weft_output_commit(&output));
    char *text = read_text(path, NULL);
    assert_string_equal(text, "abcdXY");
    free(text);
}

/* A limit on the file size simulates a full disk: write() fails in the same places. */
static void full_disk_is_reported_in_one_line(void **state) {
    (void)state;
    struct rlimit old, small;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = old;
    small.rlim_cur = 100000;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    weft_output output;
    char block[4096] = {0};
    weft_result opened = weft_output_open(&output, in_folder("full"));
    for (int i = 0; opened.code == WEFT_OK && i < 100; i++)
        weft_output_write(&output, block, sizeof block);
    weft_result flushed = weft_output_flush(&output), committed = weft_output_commit(&output);
    setrlimit(RLIMIT_FSIZE, &old);
    assert_ok(opened);
    assert_refused(flushed, WEFT_BAD_FILE, "full: File too large");
    assert_refused(committed, WEFT_BAD_FILE, "full: File too large");
    assert_false(exists(in_folder("full")));
    assert_false(exists(in_folder("full.part")));
}

static void message_names_file_on_full_device(void **state) {
    (void)state;
    if (!exists("/dev/full"))
        skip();
    weft_output output = {.file = fopen("/dev/full", "wb")};
    assert_non_null(output.file);
    strcpy(output.path, in_folder("flag.pc2"));
    weft_output_write(&output, "x", 1);
    assert_refused(weft_output_commit(&output), WEFT_BAD_FILE, "flag.pc2: No space left on device");
}

static void messages_name_unwritable_paths(void **state) {
    (void)state;
    weft_output output;
    char longest[2000];
    memset(longest, 'a', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    assert_refused(weft_output_open(&output, in_folder("no/such/file")), WEFT_BAD_FILE, "no/such/file: No such file");
    assert_refused(weft_output_open(&output, longest), WEFT_BAD_FILE, "File name too long");
}

static void makes_directories(void **state) {
    (void)state;
    struct stat status;
    assert_ok(weft_directory_make(in_folder("a/b//c/")));
    assert_int_equal(stat(in_folder("a/b/c"), &status), 0);
    assert_true(S_ISDIR(status.st_mode));
    assert_ok(weft_directory_make(in_folder("a/b/c")));
    write_text("plain", "");
    assert_refused(weft_directory_make(in_folder("plain")), WEFT_BAD_FILE, "Not a directory");
    assert_refused(weft_directory_make(in_folder("plain/d")), WEFT_BAD_FILE, "Not a directory");
}

static void joins_paths(void **state) {
    (void)state;
    char path[32];
    assert_ok(weft_path_beside("scenes/flag.yaml", "assets/a.obj", path, sizeof path));
    assert_string_equal(path, "scenes/assets/a.obj");
    assert_ok(weft_path_beside("flag.yaml", "a.obj", path, sizeof path));
    assert_string_equal(path, "a.obj");
    assert_ok(weft_path_beside("scenes/flag.yaml", "/a.obj", path, sizeof path));
    assert_string_equal(path, "/a.obj");
    assert_refused(weft_path_beside("a-rather-long-folder/x", "another-long-name", path, sizeof path), WEFT_BAD_FILE,
                   "longer than 31");
}

/* strtod and printf are the independent reference. */
static void reads_and_writes_exact_numbers(void **state) {
    (void)state;
    static const char *const TEXTS[] = {"0",
                                        "-0",
                                        "1",
                                        "+7",
                                        "3.25",
                                        "-1e-3",
                                        "1.",
                                        ".5",
                                        "1e22",
                                        "1e23",
                                        "123456789012345678901234567890",
                                        "4.9e-324",
                                        "1e-400",
                                        "0.1",
                                        "1.7976931348623157e308",
                                        "9007199254740993",
                                        "00012.50E+02",
                                        "2.2250738585072011e-308",
                                        "0.30000000000000004"};
    for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
        double number;
        assert_true(weft_real_read(TEXTS[i], strlen(TEXTS[i]), &number));
        double expected = strtod(TEXTS[i], NULL);
        assert_memory_equal(&number, &expected, sizeof number);
    }
    uint64_t bits = 88172645463325252u;
    for (int i = 0; i < 200000; i++) {
        bits ^= bits << 13, bits ^= bits >> 7, bits ^= bits << 17;
        char text[64];
        double number, wide = (double)(bits >> 11) * 0x1p-53 * pow(10.0, (int)(bits % 13) - 6);
        snprintf(text, sizeof text, "%.*g", 3 + (int)(bits % 15), wide);
        assert_true(weft_real_read(text, strlen(text), &number));
        assert_true(number == strtod(text, NULL));
        size_t length = weft_real_write(-wide, text);
        text[length] = '\0';
        assert_true(fabs(strtod(text, NULL) + wide) <= 5.001e-10 * wide);
        length = weft_real_write_exact(wide, text);
        text[length] = '\0';
        assert_true(strtod(text, NULL) == wide);
    }
}

static void writes_readable_numbers(void **state) {
    (void)state;
    static const struct {
        double number;
        const char *text;
    } CASES[] = {{0, "0"},
                 {-0.0, "0"},
                 {1, "1"},
                 {-2.5, "-2.5"},
                 {0.125, "0.125"},
                 {1e-3, "0.001"},
                 {100, "100"},
                 {999999999, "999999999"},
                 {0.99999999999, "1"},
                 {9.99999999999, "10"},
                 {1e-7, "1e-07"},
                 {1e12, "1e+12"}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char text[WEFT_REAL_SIZE];
        text[weft_real_write(CASES[i].number, text)] = '\0';
        assert_string_equal(text, CASES[i].text);
    }
}

static void refuses_malformed_numbers(void **state) {
    (void)state;
    static const char *const TEXTS[] = {"",  "nan", "inf", "-inf", "1e999", "1x",  "0x10", "e5",
                                        ".", "-",   "1e",  "1e+",  "1.2.3", "1,5", " 1"};
    double number;
    for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++)
        assert_false(weft_real_read(TEXTS[i], strlen(TEXTS[i]), &number));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_whole_files),
        cmocka_unit_test(refuses_missing_and_oversized_files),
        cmocka_unit_test(reads_shell_pipes_but_refuses_named_pipes),
        cmocka_unit_test(output_appears_only_when_committed),
        cmocka_unit_test(suspended_output_can_be_resumed),
        cmocka_unit_test(full_disk_is_reported_in_one_line),
        cmocka_unit_test(message_names_file_on_full_device),
        cmocka_unit_test(messages_name_unwritable_paths),
        cmocka_unit_test(makes_directories),
        cmocka_unit_test(joins_paths),
        cmocka_unit_test(reads_and_writes_exact_numbers),
        cmocka_unit_test(writes_readable_numbers),
        cmocka_unit_test(refuses_malformed_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
