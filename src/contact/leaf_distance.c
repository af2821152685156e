/* Lower bounds of distances for the search for candidate pairs. Without a sweep they are the distances. */
#include "contact/leaf_distance.h"

#include "core/simd.h"

#define WEFT_KERNEL "contact/leaf_distance.inc"
#define WEFT_KERNEL_8_LANES
#include "core/simd_kernels.inc"

void leaf_distance(const leaf_features *a, const leaf_features *b, const leaf_sweep *sweep, int same,
                   leaf_distances *found) {
    const leaf_sweep reverse = {{-sweep->along[0], -sweep->along[1], -sweep->along[2]}, sweep->length};
    weft_isa isa = weft_simd_isa();
    WEFT_SIMD_RUN(isa, vertices_to_triangles, a, b, sweep, found->to_triangle[0]);
    if (!same)
        WEFT_SIMD_RUN(isa, vertices_to_triangles, b, a, &reverse, found->to_triangle[1]);
    WEFT_SIMD_RUN(isa, edges_to_edges, a, b, sweep, found->edge_edge);
}
