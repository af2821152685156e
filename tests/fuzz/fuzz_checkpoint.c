/* Fuzzes the checkpoint reader. The hash at the end would reject nearly every mutation, so each input is also tried
 * with a matching hash. */
#include <stdlib.h>
#include <string.h>

#include "io/bytes.h"
#include "weft-io/checkpoint.h"
#include "weft/weft.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* A restored snapshot must leave a state that can be stepped. */
static void restore(const void *snapshot, size_t size) {
    static weft_sim *sim;
    weft_report report;
    if (!sim) {
        weft_registry *registry;
        weft_mesh *mesh;
        weft_grid grid = weft_grid_default();
        grid.cells[0] = grid.cells[1] = 2;
        if (weft_registry_create(&registry).code != WEFT_OK || weft_sim_create(registry, &sim).code != WEFT_OK ||
            weft_mesh_create_grid(&grid, &mesh).code != WEFT_OK ||
            weft_sim_add_cloth(sim, "c", mesh, &weft_fabric_preset_at(0)->fabric, "springs", NULL).code != WEFT_OK)
            abort();
        weft_sim_set_threads(sim, 1);
    }
    if (weft_sim_restore(sim, snapshot, size).code == WEFT_OK)
        (void)weft_sim_step(sim, 1e-4, &report);
}

static void try_bytes(const void *bytes, size_t size) {
    weft_checkpoint c;
    weft_result result = weft_checkpoint_read_memory(bytes, size, "fuzz", &c);
    if ((result.code == WEFT_OK) != (c.snapshot != NULL) || c.frame < 0 || c.csv_size < 0 || c.size > size)
        abort();
    if (result.code == WEFT_OK)
        restore(c.snapshot, c.size);
    free(c.snapshot);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    try_bytes(bytes, size);
    uint8_t *copy = size >= 8 ? malloc(size) : NULL;
    if (!copy)
        return 0;
    memcpy(copy, bytes, size - 8);
    weft_bytes_put(copy + size - 8, weft_hash_bytes(WEFT_HASH_START, copy, size - 8), 8, 0);
    try_bytes(copy, size);
    free(copy);
    return 0;
}
