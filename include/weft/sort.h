/** @file sort.h
 * @brief The one sort of Weft: stable, so that equal elements keep their order.
 *
 * The order in which `qsort` leaves equal elements differs between C libraries, and with it the last bits of sums. This
 * sort gives the same order everywhere. It allocates nothing and cannot fail. */
#ifndef WEFT_SORT_H
#define WEFT_SORT_H

#include <stddef.h>
#include <string.h>

/** Below 0, 0 or above 0 if *a comes before *b, anywhere, or after it. */
typedef int weft_compare(const void *a, const void *b);

/** @cond */
enum { WEFT_SORT_BYTES = 8192 };

typedef struct weft_sorter {
    weft_compare *compare;
    size_t size, room; /* bytes of an element; elements that fit into `memory` */
    char *memory;
} weft_sorter;

/* Copies of constant length are single instructions. */
static inline void weft_sort_copy(const weft_sorter *s, char *to, const char *from, size_t count) {
    if (count == 1 && s->size == 4)
        memcpy(to, from, 4);
    else if (count == 1 && s->size == 8)
        memcpy(to, from, 8);
    else if (count == 1 && s->size == 16)
        memcpy(to, from, 16);
    else
        memmove(to, from, count * s->size);
}

static inline void weft_sort_swap(const weft_sorter *s, char *a, char *b, size_t count) {
    char part[64];
    for (size_t left = count * s->size, n; left > 0; left -= n, a += n, b += n) {
        n = left < sizeof part ? left : sizeof part;
        memcpy(part, a, n);
        memcpy(a, b, n);
        memcpy(b, part, n);
    }
}

/* Exchanges the first `left` elements with the `right` ones behind them (Gries and Mills, 1981). */
static inline void weft_sort_rotate(const weft_sorter *s, char *a, size_t left, size_t right) {
    while (left > s->room && right > s->room) {
        size_t less = left < right ? left : right;
        weft_sort_swap(s, a + (left - less) * s->size, a + left * s->size, less);
        /* the shorter side has now reached its place */
        if (left < right)
            a += less * s->size, right -= less;
        else
            left -= less;
    }
    char *middle = a + left * s->size;
    if (left <= right && left <= s->room) {
        weft_sort_copy(s, s->memory, a, left);
        memmove(a, middle, right * s->size);
        weft_sort_copy(s, a + right * s->size, s->memory, left);
    } else {
        weft_sort_copy(s, s->memory, middle, right);
        memmove(a + right * s->size, a, left * s->size);
        weft_sort_copy(s, a, s->memory, right);
    }
}

/* The first of `count` elements that comes after `key`, or also of those equal to it. */
static inline size_t weft_sort_bound(const weft_sorter *s, const char *a, size_t count, const char *key, int equal) {
    size_t low = 0;
    while (count > 0) {
        size_t half = count / 2;
        int order = s->compare(a + (low + half) * s->size, key);
        if (order < 0 || (order == 0 && !equal))
            low += half + 1, count -= half + 1;
        else
            count = half;
    }
    return low;
}

/* Merges by way of the memory, which has room for the left part. */
static inline void weft_sort_merge_left(const weft_sorter *s, char *a, size_t left, size_t right) {
    const char *p = s->memory, *end = p + left * s->size, *q = a + left * s->size, *stop = q + right * s->size;
    weft_sort_copy(s, s->memory, a, left);
    for (; p < end && q < stop; a += s->size) {
        const char **from = s->compare(p, q) <= 0 ? &p : &q;
        weft_sort_copy(s, a, *from, 1);
        *from += s->size;
    }
    memcpy(a, p, (size_t)(end - p));
}

/* The same from the end, for the right part. */
static inline void weft_sort_merge_right(const weft_sorter *s, char *a, size_t left, size_t right) {
    const char *p = a + left * s->size, *q = s->memory + right * s->size;
    char *to = a + (left + right) * s->size;
    weft_sort_copy(s, s->memory, p, right);
    while (p > a && q > s->memory) {
        const char **from = s->compare(p - s->size, q - s->size) > 0 ? &p : &q;
        *from -= s->size;
        to -= s->size;
        weft_sort_copy(s, to, *from, 1);
    }
    memcpy(a, s->memory, p > a ? 0 : (size_t)(q - s->memory));
}

/* Merges two neighbouring sorted parts. Parts too long for the memory are cut in two (Dudzinski and Dydek, On a stable
 * minimum storage merging algorithm, 1981). */
static inline void weft_sort_merge(const weft_sorter *s, char *a, size_t left, size_t right) {
    while (left > 0 && right > 0 && s->compare(a + (left - 1) * s->size, a + left * s->size) > 0) {
        if (left <= right && left <= s->room) {
            weft_sort_merge_left(s, a, left, right);
            return;
        }
        if (right <= s->room) {
            weft_sort_merge_right(s, a, left, right);
            return;
        }
        char *middle = a + left * s->size;
        size_t i, j; /* the elements of each part that go to the lower half */
        if (left > right) {
            i = left / 2;
            j = weft_sort_bound(s, middle, right, a + i * s->size, 1);
        } else {
            j = (right + 1) / 2;
            i = weft_sort_bound(s, a, left, middle + (j - 1) * s->size, 0);
        }
        weft_sort_rotate(s, a + i * s->size, left - i, j);
        weft_sort_merge(s, a, i, j);
        a += (i + j) * s->size;
        left -= i;
        right -= j;
    }
}

static inline void weft_sort_part(const weft_sorter *s, char *a, size_t count) {
    if (count < 2)
        return;
    weft_sort_part(s, a, count / 2);
    weft_sort_part(s, a + count / 2 * s->size, count - count / 2);
    weft_sort_merge(s, a, count / 2, count - count / 2);
}
/** @endcond */

/** Sorts `count` elements of `size` bytes. Elements that compare as equal keep their order. `base` may be null if there
 * are none. */
static inline void weft_sort(void *base, size_t count, size_t size, weft_compare *compare) {
    char memory[WEFT_SORT_BYTES];
    weft_sorter s = {compare, size, sizeof memory / size, memory};
    weft_sort_part(&s, (char *)base, count);
}

#endif
