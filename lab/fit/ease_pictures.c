/* Maps of a garment in false colours: on the body from the front and the back, and in the flat pattern. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "lab/fit/ease.h"
#include "lab/textile/test_page.h"
#include "render/render.h"
#include "weft/sort.h"
#include "weft/vec.h"

enum { WIDTH = 620, HEIGHT = 640, FLAT_WIDTH = 920, FLAT_HEIGHT = 460 };

/* One quantity: a value for each corner of each triangle, and the range of its colours. */
typedef struct fit_map {
    const char *name, *file, *caption; /* name with unit, as in the legend */
    int32_t color;                     /* weft_color_choice whose unit the legend shows */
    double *corner;                    /* (triangle_count x 3) */
    double low, high;
} fit_map;

/* Averages values of triangles over those at each vertex that belong to the same panel, so that maps are smooth. */
static void smooth(const weft_mesh *mesh, const double *value, double factor, double *corner) {
    for (int32_t t = 0; t < mesh->triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            int32_t v = mesh->triangle[t][k];
            double sum = 0, weight = 0;
            for (int32_t i = mesh->vertex_triangle_start[v]; i < mesh->vertex_triangle_start[v + 1]; i++) {
                int32_t other = mesh->vertex_triangle[i];
                if (mesh->face_group[mesh->triangle_face[other]] != mesh->face_group[mesh->triangle_face[t]])
                    continue;
                double area = weft_garment_fit_area(mesh, other);
                sum += area * value[other];
                weight += area;
            }
            corner[3 * (size_t)t + (size_t)k] = factor * sum / weight;
        }
}

static int compare(const void *a, const void *b) {
    double p = *(const double *)a, q = *(const double *)b;
    return p < q ? -1 : p > q;
}

/* The colours span from 0 to the value that one corner in a hundred exceeds, so that a single one does not hide the
 * rest. */
static weft_result set_range(fit_map *map, int32_t triangles) {
    size_t n = 3 * (size_t)triangles;
    double *sorted = malloc((n + 1) * sizeof *sorted);
    if (!sorted)
        return weft_fail_memory("a map", n * sizeof *sorted);
    for (size_t i = 0; i < n; i++)
        sorted[i] = map->corner[i];
    weft_sort(sorted, n, sizeof *sorted, compare);
    map->low = 0;
    map->high = n > 0 ? fmax(sorted[n - 1 - n / 100], 1e-3) : 1;
    free(sorted);
    return weft_ok();
}

/* Corners of their own for all triangles, so that a map may jump at a seam. */
typedef struct corners {
    weft_vec3 *x;
    int32_t *triangle;
} corners;

static weft_result take_corners(const weft_garment_fit *fit, int flat, corners *c) {
    const weft_mesh *mesh = fit->mesh;
    size_t n = 3 * (size_t)mesh->triangle_count;
    c->x = malloc((n + 1) * sizeof *c->x);
    c->triangle = malloc((n + 1) * sizeof *c->triangle);
    if (!c->x || !c->triangle)
        return weft_fail_memory("a map", n * sizeof *c->x);
    for (int32_t t = 0; t < mesh->triangle_count; t++) {
        int32_t h = mesh->face_halfedge[mesh->triangle_face[t]];
        for (int k = 0; k < 3; k++, h = mesh->next[h])
            for (int m = 0; m < 3; m++)
                if (mesh->triangle[t][m] == mesh->origin[h]) {
                    size_t at = 3 * (size_t)t + (size_t)m;
                    weft_vec2 uv = mesh->halfedge_uv[h];
                    c->x[at] = flat ? (weft_vec3){uv.x, uv.y, 0} : fit->x[mesh->origin[h]];
                    c->triangle[at] = (int32_t)at;
                }
    }
    return weft_ok();
}

static weft_result draw(const weft_garment_fit *fit, const fit_map *map, int flat, double azimuth, int legend,
                        weft_picture *picture) {
    weft_view view = weft_view_default();
    corners c = {0};
    weft_renderer *renderer = NULL;
    weft_shot_body *body = calloc((size_t)fit->bodies + 1, sizeof *body);
    int32_t count = 3 * fit->mesh->triangle_count;
    view.width = flat ? FLAT_WIDTH : WIDTH;
    view.height = flat ? FLAT_HEIGHT : HEIGHT;
    view.azimuth = azimuth;
    view.elevation = flat ? 0 : 0.1;
    view.field_of_view = 0.2;
    view.ground = 0;
    view.vignette = 0;
    view.smooth = 0;
    view.color = map->color;
    view.color_low = map->low;
    view.color_high = map->high;
    view.legend = legend;
    weft_result result = body ? take_corners(fit, flat, &c) : weft_fail_memory("a map", sizeof *body);
    for (int32_t i = 0; result.code == WEFT_OK && i < fit->bodies; i++)
        body[i] = (weft_shot_body){.position = fit->body[i].position,
                                   .vertex_count = fit->body[i].vertices,
                                   .triangle = fit->body[i].triangle[0],
                                   .triangle_count = fit->body[i].triangles};
    if (result.code == WEFT_OK) {
        weft_shot_cloth cloth = {.position = c.x,
                                 .vertex_count = count,
                                 .triangle = c.triangle,
                                 .triangle_count = fit->mesh->triangle_count,
                                 .scalar = map->corner};
        weft_framing framing = weft_framing_start(&view);
        weft_framing_add(&framing, c.x, count);
        weft_shot shot = {.cloth = &cloth,
                          .cloth_count = 1,
                          .body = body,
                          .body_count = flat ? 0 : fit->bodies,
                          .low = framing.low,
                          .high = framing.high,
                          .scalar_name = map->name};
        weft_camera camera = weft_framing_camera(&framing, &view, 0);
        result = weft_renderer_create(&view, 1, &renderer);
        if (result.code == WEFT_OK)
            result = weft_renderer_frame(renderer, &shot, &camera, picture);
        weft_renderer_destroy(renderer);
    }
    free(body);
    free(c.triangle);
    free(c.x);
    return result;
}

static weft_result put_map(const weft_garment_fit *fit, const fit_map *map, weft_lab_page *page) {
    static const char *const LABELS[] = {"front", "back"};
    static const double PI = 3.14159265358979323846;
    weft_picture side[2] = {{0}}, sheet = {0}, flat = {0};
    char file[64], caption[300];
    weft_result result = draw(fit, map, 0, 0.25, 0, &side[0]);
    if (result.code == WEFT_OK)
        result = draw(fit, map, 0, 0.25 + PI, 1, &side[1]);
    if (result.code == WEFT_OK)
        result = weft_picture_tile(side, LABELS, 2, 2, weft_view_default().background, &sheet);
    snprintf(file, sizeof file, "%s.png", map->file);
    snprintf(caption, sizeof caption, "%s on the body.", map->caption);
    if (result.code == WEFT_OK)
        result = weft_lab_page_picture(page, file, &sheet, caption);
    if (result.code == WEFT_OK)
        result = draw(fit, map, 1, 0, 1, &flat);
    snprintf(file, sizeof file, "%s-pattern.png", map->file);
    snprintf(caption, sizeof caption, "%s in the pattern.", map->caption);
    if (result.code == WEFT_OK)
        result = weft_lab_page_picture(page, file, &flat, caption);
    weft_picture_destroy(&flat);
    weft_picture_destroy(&sheet);
    weft_picture_destroy(&side[1]);
    weft_picture_destroy(&side[0]);
    return result;
}

weft_result weft_garment_fit_pictures(const weft_garment_fit *fit, weft_lab_page *page) {
    const weft_mesh *mesh = fit->mesh;
    double *corner = malloc((3 * (size_t)mesh->triangle_count + 1) * sizeof *corner);
    if (!corner)
        return weft_fail_memory("maps", 3 * (size_t)mesh->triangle_count * sizeof *corner);
    fit_map maps[] = {{"pressure", "pressure", "Contact pressure, kPa,", WEFT_COLOR_PRESSURE, corner, 0, 0},
                      {"strain, %", "strain", "Largest strain, %,", WEFT_COLOR_STRETCH, corner, 0, 0},
                      {"tension", "tension", "Largest tension, N/m,", WEFT_COLOR_STRESS_WEFT, corner, 0, 0}};
    weft_result result = weft_ok();
    for (int i = 0; i < 3 && result.code == WEFT_OK; i++) {
        if (i == 0)
            for (int32_t c = 0; c < 3 * mesh->triangle_count; c++)
                corner[c] = fit->pressure[mesh->triangle[c / 3][c % 3]] / 1000;
        else
            smooth(mesh, i == 1 ? fit->stretch : fit->tension, i == 1 ? 100 : 1, corner);
        result = set_range(&maps[i], mesh->triangle_count);
        if (result.code == WEFT_OK)
            result = put_map(fit, &maps[i], page);
    }
    free(corner);
    return result;
}
