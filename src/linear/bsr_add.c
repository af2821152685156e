/* Adds blocks of which the numbers of four elements stand together: turned into rows of four floats, so that a block
 * of nine is two vectors and a float. Four floats are a vector of every 64-bit processor, so this needs no variants. */
#include "linear/bsr.h"

typedef float row __attribute__((vector_size(16)));
typedef float loose_row __attribute__((vector_size(16), aligned(4), may_alias));

#define SHUFFLE __builtin_shufflevector

/* The first eight of nine numbers of each element. */
typedef struct turned {
    row first[WEFT_LANES], second[WEFT_LANES];
} turned;

static inline void turn(const row *a, const row *b, const row *c, const row *d, row out[WEFT_LANES]) {
    row ab = SHUFFLE(*a, *b, 0, 4, 1, 5), cd = SHUFFLE(*c, *d, 0, 4, 1, 5);
    row high_ab = SHUFFLE(*a, *b, 2, 6, 3, 7), high_cd = SHUFFLE(*c, *d, 2, 6, 3, 7);
    out[0] = SHUFFLE(ab, cd, 0, 1, 4, 5);
    out[1] = SHUFFLE(ab, cd, 2, 3, 6, 7);
    out[2] = SHUFFLE(high_ab, high_cd, 0, 1, 4, 5);
    out[3] = SHUFFLE(high_ab, high_cd, 2, 3, 6, 7);
}

static inline void add(float *block, const turned *t, int lane, float last) {
    *(loose_row *)block += t->first[lane];
    *(loose_row *)(block + 4) += t->second[lane];
    block[8] += last;
}

static inline float *at(const weft_bsr *matrix, const int32_t *slot, int side) {
    return matrix->value + 9 * (size_t)slot[side];
}

static void add_general(const weft_bsr *matrix, const int32_t *const slot[WEFT_LANES], int count, const float *sum) {
    row n[9];
    turned t, other;
    for (int m = 0; m < 9; m++)
        n[m] = *(const loose_row *)(sum + WEFT_LANES * m);
    turn(&n[0], &n[1], &n[2], &n[3], t.first);
    turn(&n[4], &n[5], &n[6], &n[7], t.second);
    turn(&n[0], &n[3], &n[6], &n[1], other.first);
    turn(&n[4], &n[7], &n[2], &n[5], other.second);
    for (int lane = 0; lane < count; lane++) {
        add(at(matrix, slot[lane], 0), &t, lane, n[8][lane]);
        add(at(matrix, slot[lane], 1), &other, lane, n[8][lane]);
    }
}

/* xx xy xz yy yz zz */
static void add_symmetric(const weft_bsr *matrix, const int32_t *const slot[WEFT_LANES], int count, const float *sum) {
    row n[6];
    turned t;
    for (int m = 0; m < 6; m++)
        n[m] = *(const loose_row *)(sum + WEFT_LANES * m);
    turn(&n[0], &n[1], &n[2], &n[1], t.first);
    turn(&n[3], &n[4], &n[2], &n[4], t.second);
    for (int lane = 0; lane < count; lane++) {
        /* Semidefinite of either sign: without a diagonal it is 0, as half the pairs of a grid's bending lines are. */
        if (n[0][lane] == 0 && n[3][lane] == 0 && n[5][lane] == 0)
            continue;
        add(at(matrix, slot[lane], 0), &t, lane, n[5][lane]);
        add(at(matrix, slot[lane], 1), &t, lane, n[5][lane]);
    }
}

void weft_bsr_add_sums(weft_bsr *matrix, const weft_slots *slots, const int32_t *elements, int32_t count, int entries,
                       const float *sum) {
    for (int32_t from = 0; from < count; from += WEFT_LANES) {
        int lanes = count - from < WEFT_LANES ? count - from : WEFT_LANES;
        const int32_t *slot[WEFT_LANES] = {NULL};
        for (int lane = 0; lane < lanes; lane++)
            slot[lane] = slots->slot[(size_t)elements[from + lane] * (size_t)slots->pairs];
        for (int32_t pair = 0; pair < slots->pairs; pair++, sum += WEFT_LANES * entries) {
            if (entries == 9)
                add_general(matrix, slot, lanes, sum);
            else
                add_symmetric(matrix, slot, lanes, sum);
            for (int lane = 0; lane < lanes; lane++)
                slot[lane] += 2;
        }
    }
}

void weft_bsr_fetch(const weft_bsr *matrix, const weft_slots *slots, const int32_t *elements, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        const int32_t *slot = slots->slot[(size_t)elements[i] * (size_t)slots->pairs];
        for (int32_t k = 0; k < 2 * slots->pairs; k++) {
            const float *block = matrix->value + 9 * (size_t)slot[k];
            __builtin_prefetch(block, 1);
            __builtin_prefetch(block + 8, 1);
        }
    }
}
