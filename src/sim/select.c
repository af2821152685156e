/* Selects vertices for pins and maps: by corner, side, box, group or number. */
#include <math.h>
#include <stdio.h>

#include "core/require.h"
#include "sim/internal.h"

static int on_side(const weft_mesh *mesh, const char *side, int32_t i) {
    int32_t columns = mesh->grid_cells[0] + 1, rows = mesh->grid_cells[1] + 1;
    if (i >= columns * rows)
        return 0; /* centre vertices of criss-cross cells */
    int32_t column = i % columns, row = i / columns;
    return (strcmp(side, "left") == 0 && column == 0) || (strcmp(side, "right") == 0 && column == columns - 1) ||
           (strcmp(side, "top") == 0 && row == 0) || (strcmp(side, "bottom") == 0 && row == rows - 1);
}

static int in_corner(const weft_mesh *mesh, const char *corner, int32_t i) {
    const char *dash = strchr(corner, '-');
    char side[2][16] = {"", ""};
    if (!dash || (size_t)(dash - corner) >= sizeof side[0] || strlen(dash + 1) >= sizeof side[1])
        return 0;
    memcpy(side[0], corner, (size_t)(dash - corner));
    strcpy(side[1], dash + 1);
    return on_side(mesh, side[0], i) && on_side(mesh, side[1], i);
}

static int between(double a, double lo, double hi) { return a >= fmin(lo, hi) && a <= fmax(lo, hi); }

static int in_box(const weft_select *select, weft_vec3 p) {
    return between(p.x, select->a.x, select->b.x) && between(p.y, select->a.y, select->b.y) &&
           between(p.z, select->a.z, select->b.z);
}

static int in_list(const weft_select *select, int32_t vertex) {
    for (int32_t i = 0; i < select->vertex_count; i++)
        if (select->vertices[i] == vertex)
            return 1;
    return 0;
}

/* `g a b` in an OBJ file puts faces into both groups. Here such a group is called "a b". */
static int group_matches(const char *group, const char *name) {
    size_t length = strlen(name);
    if (strcmp(group, name) == 0)
        return 1;
    for (const char *at = group; *at; at += strcspn(at, " "), at += strspn(at, " "))
        if (strcspn(at, " ") == length && strncmp(at, name, length) == 0)
            return 1;
    return 0;
}

static int in_group(const weft_mesh *mesh, const char *name, int32_t i) {
    if (!mesh->face_group)
        return 0;
    for (int32_t k = mesh->vertex_triangle_start[i]; k < mesh->vertex_triangle_start[i + 1]; k++) {
        int32_t group = mesh->face_group[mesh->triangle_face[mesh->vertex_triangle[k]]];
        if (group >= 0 && group_matches(mesh->group_name[group], name))
            return 1;
    }
    return 0;
}

/* Vertices of the named group of vertices, in the mesh that knows the numbers of the file. */
static int32_t find_vertex_group(const weft_mesh *mesh, const char *name, int32_t *vertices) {
    int32_t count = 0;
    for (int32_t g = 0; g < mesh->vertex_group_count; g++) {
        const weft_vertex_group *group = &mesh->vertex_group[g];
        if (strcmp(group->name, name) != 0)
            continue;
        for (int32_t i = 0; i < mesh->vertex_count; i++) {
            int32_t low = 0, high = group->count;
            while (low < high) {
                int32_t middle = low + (high - low) / 2;
                if (group->vertex[middle] < mesh->source_vertex[i])
                    low = middle + 1;
                else
                    high = middle;
            }
            if (low < group->count && group->vertex[low] == mesh->source_vertex[i])
                vertices[count++] = i;
        }
        return count;
    }
    return count;
}

static int32_t nearest(const weft_vec3 *x, int32_t count, weft_vec3 p) {
    int32_t best = 0;
    for (int32_t i = 1; i < count; i++)
        if (weft_distance(x[i], p) < weft_distance(x[best], p))
            best = i;
    return best;
}

static int chosen(const weft_mesh *mesh, const weft_select *select, weft_vec3 p, int32_t i) {
    switch (select->kind) {
    case WEFT_SELECT_VERTICES:
        return in_list(select, mesh->source_vertex[i]);
    case WEFT_SELECT_SIDE:
        return on_side(mesh, select->name, i);
    case WEFT_SELECT_CORNER:
        return in_corner(mesh, select->name, i);
    case WEFT_SELECT_BOX:
        return in_box(select, p);
    case WEFT_SELECT_SPHERE:
        return weft_distance(p, select->a) <= select->radius;
    case WEFT_SELECT_GROUP:
        return in_group(mesh, select->name, i);
    case WEFT_SELECT_ALL:
        return 1;
    case WEFT_SELECT_NEAREST:
        break;
    }
    return 0;
}

const char *const *weft_select_names(weft_select_kind kind) {
    static const char *const SIDES[] = {"left", "right", "top", "bottom", NULL};
    static const char *const CORNERS[] = {"top-left", "top-right", "bottom-left", "bottom-right", NULL};
    return kind == WEFT_SELECT_SIDE ? SIDES : kind == WEFT_SELECT_CORNER ? CORNERS : NULL;
}

static weft_result check_name(const sim_cloth *cloth, const weft_select *select) {
    const char *what = select->kind == WEFT_SELECT_SIDE ? "side" : "corner";
    const char *const *names = weft_select_names(select->kind);
    for (int i = 0; names[i]; i++)
        if (strcmp(select->name, names[i]) == 0)
            return weft_ok();
    return weft_fail(WEFT_BAD_INPUT, "cloth '%s': %s '%.32s' is not one of %s, %s, %s, %s", cloth->name, what,
                     select->name, names[0], names[1], names[2], names[3]);
}

static weft_result check_select(const sim_cloth *cloth, const weft_select *select) {
    const weft_mesh *mesh = cloth->base ? cloth->base : cloth->mesh;
    int by_grid = select->kind == WEFT_SELECT_SIDE || select->kind == WEFT_SELECT_CORNER;
    if (by_grid && mesh->grid_cells[0] == 0)
        return weft_fail(WEFT_BAD_INPUT,
                         "cloth '%s' is not a grid and has no side or corner '%s'; choose by box, sphere, nearest, "
                         "group or vertices",
                         cloth->name, select->name);
    if (by_grid)
        WEFT_TRY(check_name(cloth, select));
    if (select->kind == WEFT_SELECT_VERTICES)
        for (int32_t i = 0; i < select->vertex_count; i++)
            if (select->vertices[i] < 0 || select->vertices[i] >= mesh->input_vertex_count)
                return weft_fail(WEFT_BAD_INPUT, "cloth '%s': vertex %d: there are %d vertices, numbered from 0",
                                 cloth->name, select->vertices[i], mesh->input_vertex_count);
    return weft_ok();
}

static weft_result no_group(const sim_cloth *cloth, const char *name) {
    char groups[256] = "";
    size_t used = 0;
    for (int32_t i = 0; i < cloth->mesh->group_count && used + 3 < sizeof groups; i++)
        used += (size_t)snprintf(groups + used, sizeof groups - used, "%s'%.40s'", used > 0 ? ", " : "",
                                 cloth->mesh->group_name[i]);
    const weft_mesh *named = cloth->base ? cloth->base : cloth->mesh;
    for (int32_t i = 0; i < named->vertex_group_count && used + 3 < sizeof groups; i++)
        used += (size_t)snprintf(groups + used, sizeof groups - used, "%s'%.40s'", used > 0 ? ", " : "",
                                 named->vertex_group[i].name);
    return weft_fail(WEFT_BAD_INPUT, "cloth '%s': '%.64s' selects no vertex; the mesh has %s%s", cloth->name, name,
                     groups[0] ? "the groups " : "no groups", groups);
}

weft_result weft_sim_select(const weft_sim *sim, int32_t cloth, const weft_select *select, int32_t *vertices,
                            int32_t *count) {
    WEFT_REQUIRE(sim);
    WEFT_REQUIRE(select);
    WEFT_REQUIRE(vertices);
    WEFT_REQUIRE(count);
    WEFT_REQUIRE_IF(select->kind == WEFT_SELECT_SIDE || select->kind == WEFT_SELECT_CORNER ||
                        select->kind == WEFT_SELECT_GROUP,
                    select->name);
    WEFT_TRY(sim_require_cloth(sim, cloth));
    const sim_cloth *c = &sim->cloth[cloth];
    WEFT_TRY(check_select(c, select));
    const weft_mesh *named = c->base ? c->base : c->mesh; /* has sides, corners and the numbers of the file */
    int by_name =
        select->kind == WEFT_SELECT_SIDE || select->kind == WEFT_SELECT_CORNER || select->kind == WEFT_SELECT_VERTICES;
    const weft_mesh *mesh = by_name ? named : c->mesh;
    sim_fetch_quietly(sim);
    const weft_vec3 *x = c->prepared ? sim->x + c->first : c->mesh->position;
    *count = 0;
    if (select->kind == WEFT_SELECT_NEAREST)
        vertices[(*count)++] = nearest(x, c->mesh->vertex_count, select->a);
    else
        for (int32_t i = 0; i < mesh->vertex_count; i++)
            if (chosen(mesh, select, x[i], i))
                vertices[(*count)++] = i;
    if (*count == 0 && select->kind == WEFT_SELECT_GROUP)
        *count = find_vertex_group(named, select->name, vertices);
    if (*count == 0 && select->kind == WEFT_SELECT_GROUP)
        return no_group(c, select->name);
    if (*count == 0)
        return weft_fail(WEFT_BAD_INPUT, "cloth '%s': %s%s%s selects no vertex", c->name,
                         select->name ? "'" : "the selection", select->name ? select->name : "",
                         select->name ? "'" : "");
    return weft_ok();
}
