/* The model `corotational`: orthotropic finite elements in corotated frames, with bending elements. Follows Etzmuss et
 * al., "A fast finite element solution for cloth modelling" (2003), Bender and Deul, "Adaptive cloth simulation using
 * corotational finite elements" (2013), and Trendafilov (2021). */
#include "cloth/corotational/corotational.h"

#include <math.h>
#include <string.h>

#include "core/elementary.h"
#include "core/memory.h"
#include "core/simd.h"

#define FIELD(member) offsetof(weft_corotational_settings, member)

static const char *const RESTS[] = {"auto", "pattern", "shape", NULL};
static const char *const BENDINGS[] = {"isometric", "edges", "hinge", "springs", "none", NULL};
static const char *const STRAINS[] = {"yarns", "corotated", "green", NULL};
static const char *const FORMER_STRAINS[] = {"threads", "", "", NULL};
static const char *const ROTATIONS[] = {"exact", "frozen", NULL};

/* The largest loss of precision in a strain that single precision allows. Triangles that lose more use double
 * precision. */
static const double MOST_LOSS = 16;

static const weft_param PARAMS[] = {
    {.name = "rest",
     .type = WEFT_CHOICE,
     .offset = FIELD(rest),
     .fallback = "auto",
     .unit = "",
     .help = "rest shape; pattern: rest coordinates in metres; shape: the initial mesh; auto: pattern if both agree",
     .choices = RESTS,
     .flags = WEFT_FIXED},
    {.name = "pattern_scale",
     .type = WEFT_REAL,
     .offset = FIELD(pattern_scale),
     .high = 1e6,
     .fallback = "1",
     .unit = "m",
     .help = "length of one unit of the rest coordinates, for rest: pattern",
     .flags = WEFT_FIXED | WEFT_OPEN_LOW},
    {.name = "angle",
     .type = WEFT_REAL,
     .offset = FIELD(angle),
     .low = -6.2831853071795865,
     .high = 6.2831853071795865,
     .fallback = "0",
     .unit = "rad",
     .help = "angle from u to the weft in the rest shape, towards v"},
    {.name = "weft",
     .type = WEFT_VECTOR,
     .offset = FIELD(weft),
     .fallback = "[1, 0, 0]",
     .unit = "",
     .help = "direction of the weft for meshes without rest coordinates, projected onto each triangle"},
    {.name = "bending",
     .type = WEFT_CHOICE,
     .offset = FIELD(bending),
     .fallback = "isometric",
     .unit = "",
     .help = "isometric: flat at rest; edges: isometric per edge as in Bender and Deul (2013); hinge: at rest in "
             "the initial shape",
     .choices = BENDINGS,
     .flags = WEFT_FIXED},
    {.name = "strain",
     .type = WEFT_CHOICE,
     .offset = FIELD(strain),
     .fallback = "yarns",
     .unit = "",
     .help = "yarns: corotated strain with the elongation of each yarn; corotated: as in Bender and Deul (2013), "
             "shears spontaneously when the tension exceeds 4 times the shear modulus; green: quadratic",
     .choices = STRAINS,
     .former = FORMER_STRAINS},
    {.name = "force",
     .type = WEFT_CHOICE,
     .offset = FIELD(force),
     .fallback = "exact",
     .unit = "",
     .help = "exact: gradient of the energy; frozen: fixed rotations as in Bender and Deul (2013), not conservative "
             "for woven fabrics",
     .choices = ROTATIONS},
    {.name = "hessian",
     .type = WEFT_CHOICE,
     .offset = FIELD(hessian),
     .fallback = "exact",
     .unit = "",
     .help = "matrix of implicit schemes; exact: projected to positive semi-definite; frozen: fixed rotations as in "
             "Bender and Deul (2013)",
     .choices = ROTATIONS},
    {.name = "alpha",
     .type = WEFT_REAL,
     .offset = FIELD(alpha),
     .high = 1e6,
     .fallback = "0",
     .unit = "1/s",
     .help = "mass-proportional Rayleigh damping; the fabric gives the stiffness-proportional part"},
    {.name = "sewn",
     .type = WEFT_REAL,
     .offset = offsetof(weft_corotational_settings, sewn),
     .high = 1,
     .fallback = "1",
     .unit = "",
     .help = "way of the rest shape from the initial shape, 0, to the pattern, 1; a garment is sewn by raising it"},
    {0},
};

void weft_corotational_destroy(void *self) {
    weft_corotational *c = self;
    if (!c)
        return;
    free(c->from[1]);
    free(c->from[0]);
    free(c->bound);
    free(c->force_index);
    free(c->force_start);
    free(c->element_force);
    weft_notions_free(&c->notions);
    weft_bending_free(&c->bending);
    free(c->rounded);
    free(c->triangle);
    free(c->corner);
    weft_mesh_destroy(c->cut);
    free(c);
}

/* Green's strain has no rotation to freeze. */
static weft_result check_rotations(const weft_corotational_settings *settings, const char *name) {
    int force = settings->force == WEFT_ROTATION_FROZEN;
    if (settings->strain != WEFT_STRAIN_GREEN || (!force && settings->hessian != WEFT_ROTATION_FROZEN))
        return weft_ok();
    return weft_fail(WEFT_BAD_INPUT,
                     "cloth %s: model.%s: frozen needs model.strain: yarns or corotated; green has no rotations to "
                     "hold still",
                     name, force ? "force" : "hessian");
}

void weft_corotational_take_settings(weft_corotational *c, const weft_corotational_settings *settings,
                                     const weft_cloth *cloth) {
    c->settings = *settings;
    c->mass = cloth->mass;
    c->stretch = cloth->map[WEFT_MAP_STRETCH];
    c->face_stretch = cloth->tailoring ? cloth->tailoring->stretch : NULL;
    c->fabric = cloth->fabric;
    c->turn[0] = weft_cos(settings->angle);
    c->turn[1] = weft_sin(settings->angle);
    c->elasticity = weft_elasticity_of(cloth->fabric);
    c->elasticity.yarns = settings->strain == WEFT_STRAIN_YARNS;
    c->beta = cloth->fabric->damping;
}

double weft_corotational_stretch(const weft_corotational *c, int32_t t) {
    double face = c->face_stretch ? c->face_stretch[c->mesh->triangle_face[t]] : 1;
    return face * weft_map_mean(c->stretch, c->mesh->triangle[t], 3);
}

/* A triangle that is being sewn: S_xy of the initial shape, of which only the part 1 - sewn is left, applied to the
 * pattern. */
static void half_sewn(const weft_corotational *c, int32_t t, weft_vec2 corner[3]) {
    weft_triangle pattern = weft_triangle_make(c->corner[t]);
    const int32_t *v = c->mesh->triangle[t];
    weft_vec3 p[3] = {c->mesh->position[v[0]], c->mesh->position[v[1]], c->mesh->position[v[2]]};
    weft_deformation d = weft_triangle_deform(&pattern, p);
    double left = 1 - c->settings.sewn, xx = 1 + left * (d.xx - 1), xy = left * d.xy, yy = 1 + left * (d.yy - 1);
    for (int k = 0; k < 3; k++) {
        weft_vec2 q = c->corner[t][k];
        corner[k] = (weft_vec2){xx * q.x + xy * q.y, xy * q.x + yy * q.y};
    }
}

static void rest(const void *self, int32_t triangle, weft_vec2 corner[3]) {
    const weft_corotational *c = self;
    if (c->settings.sewn < 1)
        half_sewn(c, triangle, corner);
    else
        memcpy(corner, c->corner[triangle], sizeof c->corner[triangle]);
}

weft_triangle weft_corotational_element(const weft_corotational *c, int32_t t) {
    weft_vec2 corner[3];
    rest(c, t, corner);
    weft_triangle triangle = weft_triangle_make(corner);
    triangle.area *= weft_corotational_stretch(c, t);
    return triangle;
}

/* The factor by which a strain loses precision when the columns of F are computed as differences of sides. It is 1 for
 * a right angle along the yarns. For a needle it is about the longest side over the height. */
static double loss_of(const weft_triangle *t) {
    const double *i = t->inverse, det = fabs(i[0] * i[3] - i[1] * i[2]);
    double e = weft_hypot(i[2], i[3]) / det, f = weft_hypot(i[0], i[1]) / det;
    return fmax(fabs(i[0]) * e + fabs(i[2]) * f, fabs(i[1]) * e + fabs(i[3]) * f);
}

void weft_corotational_set(weft_corotational *c, int32_t t, const weft_triangle *triangle) {
    c->triangle[t] = *triangle;
    for (int k = 0; k < 4; k++)
        c->rounded[t][k] = (float)triangle->inverse[k];
    c->rounded[t][4] = (float)triangle->area;
    c->rounded[t][5] = loss_of(triangle) > MOST_LOSS;
}

/* Panels that are wider or longer than in the pattern. */
static void resize(weft_corotational *c, const weft_tailoring *tailoring) {
    const double *width = tailoring ? tailoring->width : NULL, *length = tailoring ? tailoring->length : NULL;
    for (int32_t t = 0; (width || length) && t < c->mesh->triangle_count; t++) {
        int32_t face = c->mesh->triangle_face[t];
        for (int k = 0; k < 3; k++) {
            c->corner[t][k].x *= width ? width[face] : 1;
            c->corner[t][k].y *= length ? length[face] : 1;
        }
    }
}

/* Sets the elements from settings, fabric and rest shape. Changes nothing if the settings are invalid. */
static weft_result tune(weft_corotational *c, const weft_corotational_settings *settings, const weft_cloth *cloth) {
    WEFT_TRY(check_rotations(settings, cloth->name ? cloth->name : ""));
    if (c->bending.by_lines && !c->bending.turned && weft_bending_grid_is_turned(settings->angle) &&
        c->mesh->grid_cells[0] > 1 && c->mesh->grid_cells[1] > 1)
        return weft_fail(WEFT_BAD_INPUT,
                         "cloth %s: model.angle: %g rad turns the weft off the lines of the grid, which isometric "
                         "bending must know before it runs",
                         cloth->name ? cloth->name : "", settings->angle);
    WEFT_TRY(weft_rest_check(settings, cloth->mesh, cloth->name ? cloth->name : ""));
    WEFT_TRY(weft_rest_find(settings, c->mesh, cloth->name ? cloth->name : "", c->corner, &c->rest));
    weft_corotational_take_settings(c, settings, cloth);
    resize(c, cloth->tailoring);
    for (int32_t t = 0; t < c->mesh->triangle_count; t++) {
        weft_triangle triangle = weft_corotational_element(c, t);
        weft_corotational_set(c, t, &triangle);
    }
    weft_bending_tune(&c->bending, cloth, (const weft_vec2(*)[3])c->corner, settings->angle);
    weft_notions_tune(&c->notions, cloth, (const weft_vec2(*)[3])c->corner, settings->sewn, &c->bending);
    weft_corotational_bound(c);
    return weft_ok();
}

static void add_vertex_forces(weft_corotational *c, const int32_t *vertex, int32_t count, int32_t first) {
    for (int32_t i = 0; i < count; i++)
        c->force_index[c->force_start[vertex[i]]++] = first + i;
}

static void count_vertex_forces(weft_corotational *c, const int32_t *vertex, int32_t count) {
    for (int32_t i = 0; i < count; i++)
        c->force_start[vertex[i] + 1]++;
}

/* Lists the element forces of each vertex: triangles, then bending elements, in their order. */
static void list_vertex_forces(weft_corotational *c) {
    int32_t triangles = 3 * c->mesh->triangle_count, edges = c->bending.arity * c->bending.count,
            n = c->mesh->vertex_count;
    count_vertex_forces(c, c->lists[0].vertex, triangles);
    count_vertex_forces(c, c->lists[1].vertex, edges);
    for (int32_t v = 0; v < n; v++)
        c->force_start[v + 1] += c->force_start[v];
    add_vertex_forces(c, c->lists[0].vertex, triangles, 0);
    add_vertex_forces(c, c->lists[1].vertex, edges, triangles);
    /* Filling moved each start to that of the next vertex. */
    for (int32_t v = n; v > 0; v--)
        c->force_start[v] = c->force_start[v - 1];
    c->force_start[0] = 0;
}

static void add_list(weft_corotational *c, weft_element_kind kind, weft_elements list) {
    c->kind[c->list_count] = kind;
    c->lists[c->list_count++] = list;
}

/* The lists of triangles and bending elements are always there, because a change of the mesh refers to them. */
static void list_elements(weft_corotational *c) {
    const weft_notions *n = &c->notions;
    add_list(c, WEFT_TRIANGLES,
             (weft_elements){.count = c->mesh->triangle_count, .arity = 3, .vertex = c->mesh->triangle[0]});
    add_list(c, WEFT_BENDS,
             (weft_elements){.count = c->bending.count,
                             .arity = c->bending.arity,
                             .vertex = c->bending.vertex,
                             .idle = c->bending.idle,
                             .tensor = weft_bending_is_tensor(&c->bending)});
    if (n->tie_count > 0)
        add_list(c, WEFT_TIES, (weft_elements){.count = n->tie_count, .arity = 2, .vertex = n->tie_ends});
    if (n->crease.count > 0)
        add_list(c, WEFT_CREASES, (weft_elements){.count = n->crease.count, .arity = 4, .vertex = n->crease.vertex});
}

weft_result weft_corotational_arrange(weft_corotational *c, const weft_corotational_settings *settings,
                                      const weft_cloth *cloth) {
    c->mesh = cloth->mesh;
    if (cloth->mesh->face_count != cloth->mesh->triangle_count) {
        WEFT_TRY(weft_mesh_triangulate(cloth->mesh, &c->cut));
        c->mesh = c->cut;
    }
    WEFT_TRY(
        weft_bending_create((weft_bending_kind)settings->bending, cloth->mesh, c->mesh, settings->angle, &c->bending));
    size_t triangles = (size_t)c->mesh->triangle_count, vertices = (size_t)c->mesh->vertex_count;
    size_t forces = 3 * triangles + (size_t)c->bending.arity * (size_t)c->bending.count;
    if (!(c->corner = weft_allocate(triangles, sizeof *c->corner)) ||
        !(c->triangle = weft_allocate(triangles, sizeof *c->triangle)) ||
        !(c->rounded = weft_allocate(triangles, sizeof *c->rounded)) ||
        !(c->element_force = weft_allocate(forces, sizeof *c->element_force)) ||
        !(c->force_start = weft_allocate(vertices + 1, sizeof *c->force_start)) ||
        !(c->force_index = weft_allocate(forces, sizeof *c->force_index)) ||
        !(c->bound = weft_allocate(vertices, sizeof *c->bound)))
        return weft_fail_memory("finite elements", triangles * sizeof *c->triangle + forces * sizeof *c->element_force);
    WEFT_TRY(weft_notions_create(cloth, c->mesh, &c->notions));
    list_elements(c);
    list_vertex_forces(c);
    return weft_ok();
}

static weft_result create(const void *settings, const weft_cloth *cloth, void **self) {
    *self = NULL;
    weft_corotational *c = weft_allocate(1, sizeof *c);
    if (!c)
        return weft_fail_memory("finite elements", sizeof *c);
    weft_result result = weft_corotational_arrange(c, settings, cloth);
    if (result.code == WEFT_OK)
        result = tune(c, settings, cloth);
    if (result.code == WEFT_OK)
        *self = c;
    else
        weft_corotational_destroy(c);
    return result;
}

static weft_result retune(void *self, const void *settings, const weft_cloth *cloth) {
    return tune(self, settings, cloth);
}

static int32_t element_lists(const void *self, const weft_elements **lists) {
    const weft_corotational *c = self;
    *lists = c->lists;
    return c->bending.count == 0 && c->list_count == 2 ? 1 : c->list_count;
}

static void element_blocks(const void *self, int32_t list, const int32_t *element, int32_t count, const weft_vec3 *x,
                           const weft_vec3 *v, double *stiffness, double *damping) {
    (void)v;
    const weft_corotational *c = self;
    int32_t kind = c->kind[list], arity = c->lists[list].arity;
    size_t stride = 9 * (size_t)(arity * (arity - 1) / 2);
    for (int32_t i = 0; i < count; i++) {
        double *k = stiffness + stride * (size_t)i, *d = damping ? damping + stride * (size_t)i : NULL;
        if (kind == WEFT_TIES)
            weft_tie_blocks(&c->notions, element[i], x, k, d);
        else if (kind != WEFT_TRIANGLES)
            weft_bending_blocks(kind == WEFT_BENDS ? &c->bending : &c->notions.crease, element[i], x, k, d);
        if (kind != WEFT_TRIANGLES)
            continue;
        const int32_t *corner = c->mesh->triangle[element[i]];
        weft_vec3 p[3] = {x[corner[0]], x[corner[1]], x[corner[2]]};
        const weft_triangle *triangle = &c->triangle[element[i]];
        if (c->settings.strain == WEFT_STRAIN_GREEN)
            weft_green_blocks(triangle, &c->elasticity, 0, c->beta, p, k, d);
        else
            weft_triangle_blocks(triangle, &c->elasticity, (weft_rotation)c->settings.hessian, 0, c->beta, p, k, d);
    }
}

static int element_sums(const void *self, int32_t list, const int32_t *element, int32_t count, const double (*place)[8],
                        double h, float *record) {
    const weft_corotational *c = self;
    weft_isa isa = weft_simd_isa();
    if (c->kind[list] == WEFT_TIES || c->kind[list] == WEFT_CREASES)
        return 0; /* few: element_blocks computes them */
    return c->kind[list] == WEFT_BENDS ? weft_bending_sums(&c->bending, isa, element, count, place, h, record)
                                       : weft_triangle_sums(c, isa, element, count, place, h, record);
}

/* No edge tears here: creases yield once per step. */
static int yield(void *self, const weft_work *work, const weft_vec3 *x, uint8_t *face_open) {
    (void)work;
    (void)face_open;
    weft_corotational *c = self;
    weft_notions_yield(&c->notions, x);
    return 0;
}

/* The rest angles of creases, which yield. */
static size_t state_size(const void *self) {
    return (size_t)((const weft_corotational *)self)->notions.crease.count * sizeof(double);
}

static void state_save(const void *self, void *buffer) {
    const weft_notions *n = &((const weft_corotational *)self)->notions;
    for (int32_t i = 0; i < n->crease.count; i++)
        memcpy((char *)buffer + (size_t)i * sizeof(double), &n->crease.bend[i].rest, sizeof(double));
}

static weft_result state_load(void *self, const void *buffer, size_t size) {
    weft_notions *n = &((weft_corotational *)self)->notions;
    if (size != state_size(self))
        return weft_fail(WEFT_BAD_INPUT, "state of creases: %zu bytes, but %zu are needed", size, state_size(self));
    for (int32_t i = 0; i < n->crease.count; i++) {
        double angle;
        memcpy(&angle, (const char *)buffer + (size_t)i * sizeof angle, sizeof angle);
        if (!(fabs(angle) <= 4)) /* pi, rounded up */
            return weft_fail(WEFT_BAD_INPUT, "state of creases: angle %d is not finite or beyond a half turn", i);
    }
    for (int32_t i = 0; i < n->crease.count; i++)
        memcpy(&n->crease.bend[i].rest, (const char *)buffer + (size_t)i * sizeof(double), sizeof(double));
    return weft_ok();
}

static const weft_model_kernels KERNELS = {.element_sums = element_sums, .describe = weft_corotational_describe};

/* Why the model does not depend on a property of the fabric. */
static const char *unused(const void *settings, const char *property) {
    const weft_corotational_settings *s = settings;
    return s->bending == WEFT_BENDING_NONE && strncmp(property, "bend_", 5) == 0 ? "model.bending is none" : NULL;
}

static const weft_model_functions FUNCTIONS = {
    .gives = WEFT_FORCES | WEFT_HESSIANS | WEFT_RESHAPES | WEFT_MAPS | WEFT_TAILORS,
    .create = create,
    .destroy = weft_corotational_destroy,
    .retune = retune,
    .energy = weft_corotational_energy,
    .force = weft_corotational_force,
    .element_lists = element_lists,
    .element_blocks = element_blocks,
    .highest_frequency = weft_corotational_highest_frequency,
    .vertex_damping = weft_corotational_vertex_damping,
    .measure = weft_corotational_measure,
    .reshape = weft_corotational_reshape,
    .tear = yield,
    .state_size = state_size,
    .state_save = state_save,
    .state_load = state_load,
    .rest = rest,
    .facet_energy = weft_corotational_facet_energy,
    .edge_energy = weft_corotational_edge_energy,
    .rest_area = weft_rest_area,
    .kernels = &KERNELS,
    .unused = unused,
};

const weft_component weft_corotational_model = {
    .abi = WEFT_ABI,
    .kind = WEFT_MODEL,
    .name = "corotational",
    .help = "continuum: orthotropic finite elements in corotated frames, with bending elements",
    .settings_size = sizeof(weft_corotational_settings),
    .params = PARAMS,
    .functions = &FUNCTIONS,
    .paper = "Etzmuss et al. 2003, A fast finite element solution for cloth modelling; Bender & Deul 2013, Adaptive "
             "cloth simulation using corotational finite elements",
};
