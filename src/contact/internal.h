/* All internal headers of contact. */
#ifndef WEFT_CONTACT_INTERNAL_H
#define WEFT_CONTACT_INTERNAL_H

#include "contact/box_tree.h"
#include "contact/constraints.h"
#include "contact/distance.h"
#include "contact/pair_cache.h"
#include "contact/response.h"
#include "contact/spatial_hash.h"
#include "contact/world.h"
#include "core/memory.h"

#endif
