/* The built-in forces. */
#ifndef WEFT_FORCE_BUILTIN_FORCES_H
#define WEFT_FORCE_BUILTIN_FORCES_H

#include "weft/force.h"

extern const weft_component weft_gravity_force;
extern const weft_component weft_air_damping_force;
extern const weft_component weft_settling_force;
extern const weft_component weft_wind_force;
extern const weft_component weft_wind_oscillating_force;
extern const weft_component weft_wind_point_force;
extern const weft_component weft_wind_vortex_force;

#endif
