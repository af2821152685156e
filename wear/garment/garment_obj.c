#include "io/file.h"
#include "wear/garment/garment_files.h"

weft_result garment_obj_write(const garment_sewn *sewn, const char *path) {
    const weft_mesh *mesh = sewn->mesh;
    weft_output out;
    WEFT_TRY(weft_output_open(&out, path));
    weft_output_print(&out, "# positions in m around the body; texture coordinates: the flat pattern in m\n");
    for (int32_t v = 0; v < mesh->vertex_count; v++)
        weft_output_print(&out, "v %.9g %.9g %.9g\n", mesh->position[v].x, mesh->position[v].y, mesh->position[v].z);
    for (int32_t f = 0; f < mesh->face_count; f++) {
        int32_t h = mesh->face_halfedge[f];
        for (int c = 0; c < 3; c++, h = mesh->next[h])
            weft_output_print(&out, "vt %.9g %.9g\n", mesh->halfedge_uv[h].x, mesh->halfedge_uv[h].y);
    }
    for (int32_t f = 0; f < mesh->face_count; f++) {
        int32_t h = mesh->face_halfedge[f];
        if (f == 0 || mesh->face_group[f] != mesh->face_group[f - 1])
            weft_output_print(&out, "g %s\n", mesh->group_name[mesh->face_group[f]]);
        weft_output_print(&out, "f");
        for (int c = 0; c < 3; c++, h = mesh->next[h])
            weft_output_print(&out, " %d/%d", mesh->origin[h] + 1, 3 * f + c + 1);
        weft_output_print(&out, "\n");
    }
    return weft_output_commit(&out);
}
