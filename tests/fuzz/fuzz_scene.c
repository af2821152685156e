/* Fuzzes scene files: reads a scene into a simulation and takes one step. */
#include "weft-io/yaml.h"
#include "weft/weft.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void step(const weft_registry *registry, const weft_tree *tree) {
    weft_sim *sim;
    weft_report report;
    if (weft_scene_read(registry, tree, NULL, &sim).code != WEFT_OK)
        return;
    weft_sim_set_threads(sim, 1);
    (void)weft_sim_step(sim, 0.001, &report);
    weft_sim_destroy(sim);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static weft_registry *registry;
    if (!registry && weft_registry_create(&registry).code != WEFT_OK)
        return 0;
    weft_tree *tree;
    if (weft_yaml_read_memory((const char *)bytes, size, "fuzz", &tree).code != WEFT_OK)
        return 0;
    /* Large grids are valid but too slow here. A scene without a cloth has nothing to set. */
    if (weft_value_find(weft_tree_root(tree), "cloth"))
        (void)weft_tree_set(tree, "cloth.grid.cells", "[3, 2]");
    step(registry, tree);
    weft_tree_destroy(tree);
    return 0;
}
