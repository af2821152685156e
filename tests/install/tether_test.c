/* Loads the tether plugin and compares a displaced vertex with x(t) = a cos(omega t). */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <weft/weft.h>

enum { STEPS = 1000 };
static const double AMPLITUDE = 0.1, DT = 1e-3, FREQUENCY = 0.7;

static weft_result swing(weft_registry *registry, double *found) {
    weft_sim *sim;
    weft_mesh *mesh;
    weft_grid grid = weft_grid_default();
    int32_t cloth;
    const weft_fabric_preset *wool = weft_fabric_preset_find("wool");
    if (!wool)
        return weft_fail(WEFT_BAD_INPUT, "no preset wool");
    WEFT_TRY(weft_sim_create(registry, &sim));
    WEFT_TRY(weft_sim_remove_force(sim, 0)); /* without gravity the solution is known */
    WEFT_TRY(weft_mesh_create_grid(&grid, &mesh));
    weft_vec3 start = mesh->position[7];
    WEFT_TRY(weft_sim_add_cloth(sim, "patch", mesh, &wool->fabric, "tether", &cloth));
    WEFT_TRY(weft_sim_set_integrator(sim, "symplectic-euler"));
    WEFT_TRY(weft_sim_set_real(sim, "cloth.patch.model.frequency", FREQUENCY));
    WEFT_TRY(weft_sim_prepare(sim));
    WEFT_TRY(weft_sim_place(sim, cloth, 7, weft_add(start, weft_vec3_make(0, 0, AMPLITUDE)), weft_vec3_make(0, 0, 0)));
    for (int i = 0; i < STEPS; i++) {
        weft_report report;
        WEFT_TRY(weft_sim_step(sim, DT, &report));
    }
    *found = weft_sim_positions(sim, cloth)[7].z - start.z;
    weft_sim_destroy(sim);
    return weft_ok();
}

int main(int count, char **words) {
    void *plugin = count == 2 ? dlopen(words[1], RTLD_NOW) : NULL;
    void *symbol = plugin ? dlsym(plugin, "weft_plugin") : NULL;
    if (!symbol) {
        fprintf(stderr, "%s\n", count == 2 ? dlerror() : "usage: tether_test PLUGIN");
        return 1;
    }
    weft_plugin_entry entry;
    memcpy(&entry, &symbol, sizeof entry);
    weft_registry *registry = NULL;
    double found = 0;
    weft_result result = weft_registry_create(&registry);
    if (result.code == WEFT_OK)
        result = entry(registry);
    if (result.code == WEFT_OK)
        result = swing(registry, &found);
    weft_registry_destroy(registry);
    double expected = AMPLITUDE * cos(2 * 3.14159265358979323846 * FREQUENCY * DT * STEPS);
    printf("%s z = %.6f m, expected %.6f m\n", result.message, found, expected);
    /* Symplectic Euler is first order: the error is about omega dt / 2 times the amplitude. */
    return !(result.code == WEFT_OK && fabs(found - expected) < 5e-3 * AMPLITUDE);
}
