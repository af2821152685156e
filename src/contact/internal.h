/* All internal headers of contact. */
#ifndef WEFT_CONTACT_INTERNAL_H
#define WEFT_CONTACT_INTERNAL_H

#include "contact/box_tree.h"
#include "contact/contact_constraints.h"
#include "contact/contact_step.h"
#include "contact/contact_world.h"
#include "contact/distance.h"
#include "contact/pair_cache.h"
#include "contact/spatial_hash.h"
#include "core/memory.h"

#endif
