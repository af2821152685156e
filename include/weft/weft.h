/** @file
 * Weft: cloth simulation. This header includes the whole public API.
 *
 * Quantities are in SI units unless a comment says otherwise. Coordinates are right-handed, with y up. In comments,
 * an expression in parentheses after a pointer, such as (vertex_count), is the number of elements of the array. A
 * pointer must not be null unless its comment allows it.
 *
 * A null pointer that is not allowed is a programming error. In a debug build of the library it stops the program at an
 * assertion. In a release build, functions that return weft_result fail with WEFT_BAD_INPUT and name the argument.
 * Other functions do not check. */
#ifndef WEFT_WEFT_H
#define WEFT_WEFT_H

#include "weft/adapt.h"
#include "weft/base.h"
#include "weft/body.h"
#include "weft/component.h"
#include "weft/contact.h"
#include "weft/fabric.h"
#include "weft/force.h"
#include "weft/hooks.h"
#include "weft/integrator.h"
#include "weft/map.h"
#include "weft/mesh.h"
#include "weft/model.h"
#include "weft/param.h"
#include "weft/portable_math.h"
#include "weft/scene.h"
#include "weft/sim.h"
#include "weft/sort.h"
#include "weft/still.h"
#include "weft/system.h"
#include "weft/tailoring.h"
#include "weft/text.h"
#include "weft/value.h"
#include "weft/vec.h"
#include "weft/work.h"

#endif
