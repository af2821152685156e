/* Bins: the growing lists that tasks write their results to. */
#include "contact/internal.h"

contact_bin *contact_new_bin(weft_contact *contact) {
    contact_bin *bin = contact->spare_bin;
    if (!bin)
        return weft_allocate(1, sizeof *bin);
    contact->spare_bin = bin->next_spare;
    bin->energy = bin->listed_energy = 0;
    bin->leaf_pair_count = bin->pair_count = bin->dead_pairs = bin->row_count = bin->hit_count = bin->fixed_hit_count =
        bin->touch_count = 0;
    return bin;
}

void contact_recycle_bin(weft_contact *contact, contact_bin *bin) {
    bin->next_spare = contact->spare_bin;
    contact->spare_bin = bin;
}

void contact_destroy_bin(contact_bin *bin) {
    void *owned[] = {bin->old_pair, bin->old_leaf_pair, bin->leaf_pair, bin->found, bin->hit,
                     bin->row,      bin->pair,          bin->touch,     bin->near};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; i++)
        free(owned[i]);
    free(bin);
}

weft_status contact_check_bins(weft_contact *contact) {
    int failed = 0;
    for (int32_t i = 0; i < contact->task_count; i++) {
        failed |= contact->task[i].bin->failed;
        contact->task[i].bin->failed = 0;
    }
    for (int32_t i = 0; i < contact->shape_bin_count; i++) {
        failed |= contact->shape_bin[i].failed;
        contact->shape_bin[i].failed = 0;
    }
    return failed ? WEFT_STATUS_NO_MEMORY : WEFT_STATUS_OK;
}

/* One more element of *array; null when out of memory. */
static void *next(void **array, int32_t *count, int32_t *capacity, size_t size, int *failed) {
    if (*count == *capacity) {
        int32_t wanted = *capacity > 0 ? 2 * *capacity : 32;
        void *grown = realloc(*array, (size_t)wanted * size);
        if (!grown) {
            *failed = 1;
            return NULL;
        }
        *array = grown;
        *capacity = wanted;
    }
    return (char *)*array + (size_t)(*count)++ * size;
}

contact_pair *contact_bin_pair(contact_bin *bin) {
    return next((void **)&bin->pair, &bin->pair_count, &bin->pair_capacity, sizeof *bin->pair, &bin->failed);
}

contact_leaf_pair *contact_bin_leaf_pair(contact_bin *bin) {
    return next((void **)&bin->leaf_pair, &bin->leaf_pair_count, &bin->leaf_pair_capacity, sizeof *bin->leaf_pair,
                &bin->failed);
}

contact_row *contact_bin_row(contact_bin *bin) {
    return next((void **)&bin->row, &bin->row_count, &bin->row_capacity, sizeof *bin->row, &bin->failed);
}

contact_row *contact_bin_hit(contact_bin *bin) {
    return next((void **)&bin->hit, &bin->hit_count, &bin->hit_capacity, sizeof *bin->hit, &bin->failed);
}

contact_touch *contact_bin_touch(contact_bin *bin) {
    return next((void **)&bin->touch, &bin->touch_count, &bin->touch_capacity, sizeof *bin->touch, &bin->failed);
}

contact_near *contact_bin_near(contact_bin *bin) {
    return next((void **)&bin->near, &bin->near_count, &bin->near_capacity, sizeof *bin->near, &bin->failed);
}

int32_t *contact_bin_found(contact_bin *bin, int32_t count) {
    return next((void **)&bin->found, &count, &bin->found_capacity, sizeof *bin->found, &bin->failed);
}
