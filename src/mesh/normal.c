/* Vertex normals, weighted by triangle area. */
#include "weft/mesh.h"
#include "weft/vec.h"

void weft_mesh_vertex_normals(const weft_mesh *mesh, const weft_vec3 *x, weft_vec3 *normal) {
    for (int32_t v = 0; v < mesh->vertex_count; v++) {
        weft_vec3 sum = weft_vec3_make(0, 0, 0);
        for (int32_t i = mesh->vertex_triangle_start[v]; i < mesh->vertex_triangle_start[v + 1]; i++) {
            const int32_t *t = mesh->triangle[mesh->vertex_triangle[i]];
            sum = weft_add(sum, weft_cross(weft_sub(x[t[1]], x[t[0]]), weft_sub(x[t[2]], x[t[0]])));
        }
        normal[v] = weft_normalize(sum);
    }
}
