#include <stdio.h>
#include <stdlib.h>
#include <weft/weft.h>

static void must(weft_result result) {
    if (result.code != WEFT_OK) {
        fprintf(stderr, "%s\n", result.message);
        exit(1);
    }
}

int main(void) {
    weft_registry *registry;
    weft_sim *sim;
    weft_mesh *mesh;
    weft_grid grid = weft_grid_default(); /* 10 x 10 cells, 1 m x 1 m, downwards from the origin */
    weft_pin pin = weft_pin_default();
    int32_t sheet, gravity, steps;
    const weft_fabric_preset *wool = weft_fabric_preset_find("wool"); /* null if there is no such preset */
    if (!wool)
        return 1;
    must(weft_registry_create(&registry));
    must(weft_sim_create(registry, &sim));
    must(weft_mesh_create_grid(&grid, &mesh));
    must(weft_sim_add_cloth(sim, "sheet", mesh, &wool->fabric, NULL, &sheet));
    must(weft_sim_add_force(sim, "gravity", &gravity));
    must(weft_sim_add_pin(sim, sheet, &pin, (int32_t[]){0, 10}, 2)); /* the two upper corners */
    while (weft_sim_time(sim) < 1)
        must(weft_sim_advance_frame(sim, NULL, &steps));
    printf("after %.2f s the hem is at y = %.3f m\n", weft_sim_time(sim), weft_sim_positions(sim, sheet)[115].y);
    weft_sim_destroy(sim);
    weft_registry_destroy(registry);
}
