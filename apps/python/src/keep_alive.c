/* Memory that arrays in Python show. The engine exchanges and frees its arrays as it likes. A numpy array that still
 * shows one must never read freed memory, so freeing is postponed until the last such array is gone. */
#define _GNU_SOURCE /* malloc_usable_size, madvise */
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "extension.h"

typedef struct address_list {
    const void **at;
    size_t count, room;
} address_list;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static address_list shown;     /* addresses that arrays show, once per array */
static address_list postponed; /* blocks that the engine freed while they were shown */

static int add(address_list *list, const void *address) {
    if (list->count == list->room) {
        size_t room = 2 * list->room + 16;
        const void **grown = realloc(list->at, room * sizeof *grown);
        if (!grown)
            return 0;
        list->at = grown;
        list->room = room;
    }
    list->at[list->count++] = address;
    return 1;
}

static void drop(address_list *list, size_t index) { list->at[index] = list->at[--list->count]; }

static int is_shown(void *block) {
    const char *begin = block, *end = begin + malloc_usable_size(block);
    for (size_t i = 0; i < shown.count; i++)
        if ((const char *)shown.at[i] >= begin && (const char *)shown.at[i] < end)
            return 1;
    return 0;
}

int python_memory_hold(const void *address) {
    pthread_mutex_lock(&lock);
    int added = add(&shown, address);
    pthread_mutex_unlock(&lock);
    return added;
}

void python_memory_let_go(const void *address) {
    pthread_mutex_lock(&lock);
    size_t i = 0;
    while (i < shown.count && shown.at[i] != address)
        i++;
    if (i < shown.count)
        drop(&shown, i);
    for (size_t k = postponed.count; k-- > 0;) {
        void *block = (void *)postponed.at[k];
        if (!is_shown(block)) {
            drop(&postponed, k);
            free(block);
        }
    }
    pthread_mutex_unlock(&lock);
}

/* Arrays that the engine aligns to 2 MB are streamed; huge pages make that faster (src/core/pages.c). */
static void use_huge_pages(void *memory, size_t alignment, size_t size) {
#ifdef MADV_HUGEPAGE
    enum { HUGE_PAGE = 1 << 21 };
    if (alignment >= HUGE_PAGE && size % HUGE_PAGE == 0 && madvise(memory, size, MADV_DONTNEED) == 0)
        (void)madvise(memory, size, MADV_HUGEPAGE);
#else
    (void)memory;
    (void)alignment;
    (void)size;
#endif
}

static void *allocate(void *context, size_t alignment, size_t size) {
    void *memory = NULL;
    (void)context;
    if (alignment <= _Alignof(max_align_t))
        return malloc(size);
    if (posix_memalign(&memory, alignment, size) != 0)
        return NULL;
    use_huge_pages(memory, alignment, size);
    return memory;
}

static void release(void *context, void *memory) {
    (void)context;
    pthread_mutex_lock(&lock);
    int keep = shown.count > 0 && is_shown(memory);
    if (keep)
        (void)add(&postponed, memory); /* without memory for the list the block is never freed */
    pthread_mutex_unlock(&lock);
    if (!keep)
        free(memory);
}

static void *resize(void *context, void *memory, size_t size) {
    if (!memory)
        return malloc(size);
    pthread_mutex_lock(&lock);
    int keep = shown.count > 0 && is_shown(memory);
    pthread_mutex_unlock(&lock);
    if (!keep)
        return realloc(memory, size);
    void *moved = malloc(size);
    size_t old = malloc_usable_size(memory);
    if (moved) {
        memcpy(moved, memory, old < size ? old : size);
        release(context, memory);
    }
    return moved;
}

void python_memory_install(void) {
    static const weft_allocator ALLOCATOR = {.allocate = allocate, .resize = resize, .release = release};
    weft_allocator_set(&ALLOCATOR);
}
