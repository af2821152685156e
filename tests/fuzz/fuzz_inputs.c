/* Fuzzes inputs files: parses them and replays them on a small cloth. */
#include "io/inputs.h"
#include "weft/weft.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static weft_sim *make_sim(const weft_registry *registry) {
    weft_sim *sim;
    weft_mesh *mesh;
    weft_grid grid = weft_grid_default();
    grid.cells[0] = grid.cells[1] = 2;
    if (weft_sim_create(registry, &sim).code != WEFT_OK)
        return NULL;
    weft_sim_set_threads(sim, 1);
    if (weft_mesh_create_grid(&grid, &mesh).code != WEFT_OK ||
        weft_sim_add_cloth(sim, "c", mesh, &weft_fabric_preset_at(0)->fabric, "springs", NULL).code != WEFT_OK ||
        weft_sim_add_body(sim, "sphere", NULL, NULL).code != WEFT_OK) {
        weft_sim_destroy(sim);
        return NULL;
    }
    return sim;
}

/* Applies all inputs before one short step. The step is skipped if a body is moved or a parameter set: a body may be
 * moved through the cloth at any speed, which is valid but slow. */
static void replay(const weft_registry *registry, weft_inputs *inputs) {
    weft_sim *sim = make_sim(registry);
    weft_report report;
    int moved = 0;
    for (int32_t i = 0; i < inputs->count; i++) {
        inputs->input[i].step = 0;
        moved |= inputs->input[i].kind == WEFT_INPUT_MOVE_BODY || inputs->input[i].kind == WEFT_INPUT_SET;
    }
    if (sim && weft_inputs_apply(inputs, sim).code == WEFT_OK && !moved)
        (void)weft_sim_step(sim, 1e-4, &report);
    weft_sim_destroy(sim);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static weft_registry *registry;
    weft_inputs inputs;
    if (!registry && weft_registry_create(&registry).code != WEFT_OK)
        return 0;
    if (size < 65536 && weft_inputs_read_memory((const char *)bytes, size, "fuzz", &inputs).code == WEFT_OK)
        replay(registry, &inputs);
    if (size < 65536)
        weft_inputs_free(&inputs);
    return 0;
}
