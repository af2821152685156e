/* Runs a fuzz target without a fuzzer: on each seed, and on changed seeds that are the same in every run. The input is
 * in the file `input` of the working folder, so that it is there after a crash. `make fuzz` searches for longer, guided
 * by coverage. usage: fuzz_NAME COUNT FOLDER      COUNT: changed seeds; FOLDER: of the seeds */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SEEDS = 256, LONGEST = 1 << 18 };

typedef struct seed {
    uint8_t *byte;
    size_t size;
} seed;

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static seed seeds[MOST_SEEDS];
static int seed_count;
static uint64_t state = 88172645463325252u;

/* Xorshift by Marsaglia (2003). Returns a number below `bound`, 0 if that is 0. */
static size_t draw(size_t bound) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return bound ? (size_t)(state % bound) : 0;
}

static _Noreturn void fail(const char *what, const char *name) {
    fprintf(stderr, "%s: %s\n", name, what);
    exit(2);
}

static void add_seed(const char *path) {
    FILE *file = fopen(path, "rb");
    seed *s = &seeds[seed_count++];
    if (!file || !(s->byte = malloc(LONGEST)))
        fail("cannot be read", path);
    s->size = fread(s->byte, 1, LONGEST, file);
    fclose(file);
}

static int is_visible(const struct dirent *entry) { return entry->d_name[0] != '.'; }

static void read_seeds(const char *folder) {
    struct dirent **entry;
    int count = scandir(folder, &entry, is_visible, alphasort);
    if (count <= 0 || count > MOST_SEEDS)
        fail("no seeds, or too many", folder);
    for (int i = 0; i < count; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", folder, entry[i]->d_name);
        add_seed(path);
        free(entry[i]);
    }
    free(entry);
}

/* Each input has a block of exactly its size, so that the sanitizer sees reads behind its end. */
static void run(const uint8_t *byte, size_t size) {
    FILE *file = fopen("input", "wb");
    uint8_t *copy = malloc(size ? size : 1);
    if (!file || !copy || fwrite(byte, 1, size, file) != size || fclose(file) != 0)
        fail("cannot be written", "input");
    memcpy(copy, byte, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

/* Puts `count` bytes in the place of `gone` bytes. Does nothing if the result is too long. */
static size_t replace(uint8_t *byte, size_t size, size_t at, size_t gone, const uint8_t *with, size_t count) {
    if (size - gone + count > LONGEST)
        return size;
    memmove(byte + at + count, byte + at + gone, size - at - gone);
    memcpy(byte + at, with, count);
    return size - gone + count;
}

static size_t change(uint8_t *byte, size_t size) {
    static const char *const WORDS[] = {"-1", "0",  "nan", "1e308", "99999999999", "[", "]",    "{", "}",
                                        ":",  "\n", "\"",  " ",     "-",           ",", "null", "~", "2147483648"};
    static uint8_t part[LONGEST];
    size_t at = draw(size + 1), rest = size - at, count = draw(rest < 16 ? rest + 1 : 16);
    switch (draw(6)) {
    case 0:
        if (at < size)
            byte[at] ^= (uint8_t)(1u << draw(8));
        return size;
    case 1:
        if (at < size)
            byte[at] = (uint8_t)draw(256);
        return size;
    case 2:
        return replace(byte, size, at, count, byte, 0);
    case 3:
        memcpy(part, byte + at, count);
        return replace(byte, size, draw(size + 1), 0, part, count);
    case 4: {
        const char *word = WORDS[draw(sizeof WORDS / sizeof WORDS[0])];
        return replace(byte, size, at, draw(2) ? count : 0, (const uint8_t *)word, strlen(word));
    }
    default: { /* the end of another seed */
        const seed *other = &seeds[draw((size_t)seed_count)];
        size_t from = draw(other->size + 1);
        return draw(4) ? size : replace(byte, size, at, rest, other->byte + from, other->size - from);
    }
    }
}

int main(int argc, char **argv) {
    static uint8_t byte[LONGEST];
    if (argc != 3)
        fail("usage: fuzz_NAME COUNT FOLDER", argv[0]);
    read_seeds(argv[2]);
    for (int i = 0; i < seed_count; i++)
        run(seeds[i].byte, seeds[i].size);
    long count = strtol(argv[1], NULL, 10);
    for (long i = 0; i < count; i++) {
        const seed *from = &seeds[i % seed_count];
        size_t size = from->size;
        memcpy(byte, from->byte, size);
        for (size_t k = 1 + draw(4); k > 0; k--)
            size = change(byte, size);
        run(byte, size);
    }
    for (int i = 0; i < seed_count; i++)
        free(seeds[i].byte);
    printf("%d seeds, %ld changed seeds\n", seed_count, count);
    return 0;
}
