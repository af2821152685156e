/* Which integrators work with which models, and which one is best. */
#include "apps/studio/server/session.h"
#include "weft/integrator.h"
#include "weft/model.h"

int studio_methods_fit(const weft_component *model, const weft_component *integrator) {
    const weft_integrator_functions *steps = integrator->functions;
    const weft_model_functions *cloth = model->functions;
    return !(steps->needs & ~cloth->gives);
}

const char *studio_method_for(const weft_registry *registry, const char *model, const char *wanted) {
    /* stable at any time step first; among those the most accurate one first */
    static const char *const BEST[] = {"bdf2", "implicit-euler", "projective", "xpbd", "verlet", "symplectic-euler"};
    const weft_component *cloth = weft_registry_find(registry, WEFT_MODEL, model);
    const weft_component *steps = weft_registry_find(registry, WEFT_INTEGRATOR, wanted);
    if (!cloth || (steps && studio_methods_fit(cloth, steps)))
        return wanted;
    for (size_t i = 0; i < sizeof BEST / sizeof BEST[0]; i++) {
        steps = weft_registry_find(registry, WEFT_INTEGRATOR, BEST[i]);
        if (steps && studio_methods_fit(cloth, steps))
            return steps->name;
    }
    return wanted;
}
