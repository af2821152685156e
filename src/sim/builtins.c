/* The list of built-in components: one line each. */
#include "body/shapes.h"
#include "cloth/builtin_models.h"
#include "force/builtin_forces.h"
#include "sim/adaptations.h"
#include "sim/internal.h"
#include "solve/schemes.h"

static const weft_component *const BUILTINS[] = {
    &weft_springs_model,
    &weft_buckling_model,
    &weft_corotational_model,

    &weft_forward_euler,
    &weft_symplectic_euler,
    &weft_verlet,
    &weft_verlet_timecorrected,
    &weft_verlet_taylor,
    &weft_verlet_constraints,
    &weft_implicit_euler,
    &weft_bdf2,
    &weft_projective,
    &weft_xpbd,

    &weft_gravity_force,
    &weft_air_damping_force,
    &weft_settling_force,
    &weft_wind_force,
    &weft_wind_oscillating_force,
    &weft_wind_point_force,
    &weft_wind_vortex_force,

    &weft_sqrt3_adapt,

    &weft_plane_body,
    &weft_sphere_body,
    &weft_box_body,
    &weft_capsule_body,
    &weft_cylinder_body,
    &weft_mesh_body,
};

weft_result weft_register_builtins(weft_registry *registry) {
    for (size_t i = 0; i < sizeof BUILTINS / sizeof BUILTINS[0]; i++)
        WEFT_TRY(weft_registry_add(registry, BUILTINS[i]));
    return weft_ok();
}
