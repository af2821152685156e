#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "apps/cli/command.h"
#include "apps/cli/options.h"
#include "apps/cli/output_plan.h"
#include "apps/cli/progress.h"
#include "apps/cli/proxies.h"
#include "apps/cli/report_crossings.h"
#include "apps/cli/run_output.h"
#include "apps/cli/run_session.h"
#include "apps/cli/say.h"
#include "apps/cli/scene_file.h"
#include "apps/cli/scene_mistakes.h"
#include "apps/cli/view_file.h"
#include "io/notices.h"
#include "weft/scene.h"
#include "weft/text.h"
#include "weft/vec.h"

static void print_bytes(double bytes) {
    static const char *const UNITS[] = {"bytes", "kB", "MB", "GB", "TB"};
    int unit = 0;
    while (bytes >= 1000 && unit < 4) {
        bytes /= 1000;
        unit++;
    }
    printf("%.3g %s", bytes, UNITS[unit]);
}

static void print_time(const weft_sim *sim) {
    const weft_clock *clock = weft_sim_clock(sim);
    double steps = weft_clock_steps(clock);
    printf("time        %d frames at %g/s: %g s, ", clock->frames, clock->rate, clock->frames / clock->rate);
    if (clock->mode == WEFT_TIME_FIXED)
        printf("%g steps of %.4g ms a frame\n", steps, 1000 / (clock->rate * steps));
    else if (clock->mode == WEFT_TIME_ADAPTIVE)
        printf("steps of at most %.4g ms, with errors of about %.3g mm each\n",
               1000 * fmin(clock->step, 1 / clock->rate), 1000 * clock->accuracy);
    else
        printf("steps of at most %.4g ms\n", 1000 * clock->step);
}

static void print_links(const weft_sim *sim, int32_t cloth) {
    static const char *const NAMES[WEFT_LINK_TYPES] = {"structural", "shear", "flexion"};
    int32_t count[WEFT_LINK_TYPES] = {0};
    for (int32_t i = 0; i < weft_sim_link_count(sim, cloth); i++) {
        int32_t type = weft_sim_link(sim, cloth, i).type;
        if (type >= 0 && type < WEFT_LINK_TYPES)
            count[type]++;
    }
    printf("            model %s", weft_sim_model_name(sim, cloth));
    const char *before = ": ";
    for (int type = 0; type < WEFT_LINK_TYPES; type++) {
        if (count[type] > 0)
            printf("%s%d %s", before, count[type], NAMES[type]);
        before = count[type] > 0 ? ", " : before;
    }
    printf("%s\n", before[0] == ',' ? " links" : "");
}

static void print_cloth(const weft_sim *sim, int32_t index) {
    const weft_cloth *cloth = weft_sim_cloth(sim, index);
    const weft_mesh *mesh = cloth->mesh;
    const uint8_t *held = weft_sim_held(sim, index);
    double mass = 0;
    int32_t held_count = 0;
    for (int32_t i = 0; i < mesh->vertex_count; i++) {
        mass += cloth->mass[i];
        held_count += held[i];
    }
    printf("cloth       %s: %d vertices (%d held), %d faces, %d triangles, %.4g m2, %.4g kg\n", cloth->name,
           mesh->vertex_count, held_count, mesh->face_count, mesh->triangle_count, weft_mesh_area(mesh, mesh->position),
           mass);
    print_links(sim, index);
}

/* Names the Poisson ratios that follow from the other values, because symmetry couples them to the moduli. */
static void print_ratios(const weft_scene_file *scene, int32_t index) {
    const weft_fabric *fabric = weft_sim_cloth(scene->sim, index)->fabric;
    const weft_value *value = weft_value_find(weft_scene_file_cloth(scene, index), "fabric");
    int weft = weft_value_find(value, "poisson_weft") != NULL, warp = weft_value_find(value, "poisson_warp") != NULL;
    int stretch = weft_value_find(value, "stretch_weft") != NULL || weft_value_find(value, "stretch_warp") != NULL;
    if ((weft && warp) || (!weft && !warp && !stretch))
        return;
    const weft_value *name = weft_value_find(value, "preset");
    name = name ? name : weft_value_find(value, "name");
    const weft_fabric_preset *preset = weft_fabric_preset_find(name ? name->text : "wool");
    int both = !weft && !warp && preset && fabric->poisson_weft != preset->fabric.poisson_weft;
    printf("            fabric: ");
    if (both || warp)
        printf("poisson_weft %.4g%s", fabric->poisson_weft, both ? " and " : "");
    if (both || !warp)
        printf("poisson_warp %.4g", fabric->poisson_warp);
    printf(" follow%s from the other values\n", both ? "" : "s");
}

/* The corotated strain of Trendafilov (2021) makes a fabric shear spontaneously above four times its shear stiffness;
 * see src/cloth/corotational/triangle_element.c. The load is the weight of the cloth when it hangs by one side,
 * along its longer dimension. */
static void print_self_shear(const weft_sim *sim, int32_t index) {
    static const double GRAVITY = 9.81;
    const weft_cloth *cloth = weft_sim_cloth(sim, index);
    const weft_mesh *mesh = cloth->mesh;
    char path[300], strain[32];
    snprintf(path, sizeof path, "cloth.%s.model.strain", cloth->name);
    if (weft_sim_get(sim, path, strain, sizeof strain).code != WEFT_OK || strcmp(strain, "corotated") != 0)
        return;
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, longest = 0;
    for (int32_t i = 0; i < mesh->vertex_count; i++)
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], (&mesh->position[i].x)[k]);
            high[k] = fmax(high[k], (&mesh->position[i].x)[k]);
        }
    for (int k = 0; k < 3; k++)
        longest = fmax(longest, high[k] - low[k]);
    double load = cloth->fabric->density * GRAVITY * longest, most = 4 * cloth->fabric->shear;
    if (load > most)
        printf("warning     cloth %s: hung by one side it carries %.3g N/m. With strain: corotated a fabric shears "
               "spontaneously above 4 times its shear stiffness, here %.3g N/m, and its shape then depends on the "
               "mesh. Use strain: yarns\n",
               cloth->name, load, most);
}

static double mean_edge(const weft_mesh *mesh) {
    double sum = 0;
    for (int32_t t = 0; t < mesh->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            sum += weft_distance(mesh->position[mesh->triangle[t][k]], mesh->position[mesh->triangle[t][(k + 1) % 3]]);
    return mesh->triangle_count > 0 ? sum / (3.0 * mesh->triangle_count) : INFINITY;
}

/* The thickness matters only if something can touch. */
static void print_thickness(const weft_sim *sim, int32_t index) {
    const weft_cloth *cloth = weft_sim_cloth(sim, index);
    const weft_contact_settings *contact = weft_sim_contact_settings(sim);
    if (!contact->self && weft_sim_body_count(sim) == 0)
        return;
    double thickness = contact->thickness, edge = mean_edge(cloth->mesh);
    if (thickness > edge)
        printf("warning     contact.thickness %.3g mm is more than the edges of cloth %s, %.3g mm in the mean: contact "
               "within one layer will be slow and rough; choose less than half the edge length\n",
               1000 * thickness, cloth->name, 1000 * edge);
}

static void print_proxy(const weft_proxy *proxy, int keep) {
    const weft_mesh *mesh = weft_proxy_mesh(proxy);
    weft_proxy_fit fit = weft_proxy_fit_at_rest(proxy);
    printf("            proxy: %d vertices, %d faces, %.3g mm from the cloth, at most %.3g mm%s\n", mesh->vertex_count,
           mesh->face_count, 1000 * fit.mean, 1000 * fit.farthest, keep ? "; the cloth is written too" : "");
    if (fit.far_count > 0)
        printf("warning     %d vertices of the proxy are farther than %.3g mm (one edge length) from the cloth: is the "
               "mesh in the same place as the cloth?\n",
               fit.far_count, 1000 * fit.limit);
}

static void print_forces(const weft_value *root) {
    const weft_value *forces = weft_value_find(root, "forces");
    printf("forces      ");
    for (const weft_value *force = forces ? forces->first : NULL; force; force = force->next)
        printf("%s%s", force->kind == WEFT_VALUE_MAP && force->first ? force->first->key : force->text,
               force->next ? ", " : "");
    printf("%s\n", !forces ? "gravity, because the scene names no forces" : forces->first ? "" : "none");
}

static void print_bodies(const weft_sim *sim) {
    int32_t count = weft_sim_body_count(sim);
    for (int32_t i = 0; i < count; i++)
        printf("%s%s%s", i == 0 ? "bodies      " : ", ", weft_sim_body_name(sim, i), i + 1 == count ? "\n" : "");
}

static void print_stability(weft_sim *sim) {
    double stable = weft_sim_stable_step(sim);
    char warning[256];
    printf("integrator  %s", weft_sim_integrator_name(sim));
    if (!isfinite(stable)) {
        printf(", no limit on the step\n");
        return;
    }
    printf(", stable up to a step of about %.3g ms\n", 1000 * stable);
    weft_long_step_write(sim, warning, sizeof warning);
    if (warning[0])
        printf("warning     %s\n", warning);
}

/* Estimated bytes per frame; -1 for an unknown writer. */
static double frame_bytes(const char *writer, const weft_mesh *mesh, const weft_output_plan *plan) {
    double corners = 0;
    for (int32_t h = 0; h < mesh->halfedge_count; h++)
        corners += mesh->face[h] != WEFT_NONE;
    if (strcmp(writer, "pc2") == 0 || strcmp(writer, "mdd") == 0)
        return 12.0 * mesh->vertex_count;
    if (strcmp(writer, "obj") == 0)
        return 36.0 * mesh->vertex_count + 6 * corners + 3.0 * mesh->face_count;
    if (strcmp(writer, "ply") == 0)
        return (plan->pressure ? 28.0 : 24.0) * mesh->vertex_count + 4 * corners +
               (plan->strain ? 25.0 : 1.0) * mesh->face_count;
    if (strcmp(writer, "glb") == 0)
        return 24.0 * mesh->vertex_count;
    if (strcmp(writer, "usda") == 0)
        return 78.0 * mesh->vertex_count;
    return -1;
}

/* Estimated bytes of frames.weft: all frames, plus the topology, which is stored once. */
static double take_bytes(const weft_sim *sim, const weft_proxies *proxies, const weft_output_plan *plan,
                         double frames) {
    double bytes = 0, once = 0;
    for (int32_t i = 0; i < proxies->cloth_count; i++) {
        const weft_proxy *proxy = proxies->proxy[i];
        const weft_mesh *mesh = proxy ? weft_proxy_mesh(proxy) : weft_sim_cloth(sim, i)->mesh;
        bytes += 12.0 * mesh->vertex_count + (mesh->face_count + (proxy ? 0 : weft_sim_link_count(sim, i))) / 8.0;
        bytes += plan->strain && !proxy ? 24.0 * mesh->triangle_count : 0;
        bytes += plan->pressure && !proxy ? 4.0 * mesh->vertex_count : 0;
        once += 12.0 * mesh->vertex_count + 4.0 * mesh->face_count + 12.0 * mesh->halfedge_count;
        once += 16.0 * (mesh->triangle_count + (proxy ? 0 : weft_sim_link_count(sim, i)));
    }
    for (int32_t i = 0; i < weft_sim_body_count(sim); i++) {
        weft_body_surface surface;
        if (!weft_sim_body_moves(sim, i) || weft_sim_body_surface(sim, i, &surface).code != WEFT_OK)
            continue;
        bytes += 12.0 * surface.vertex_count;
        once += 12.0 * surface.triangle_count;
        free(surface.triangle);
        free(surface.position);
    }
    return once + frames * bytes;
}

/* The number of frames that a writer with the parameter `every` writes. */
static double frames_written(const weft_planned_writer *writer, double frames) {
    const weft_param *row = weft_params_find(writer->component->params, "every");
    if (!row || row->type != WEFT_INT)
        return frames;
    int32_t every;
    memcpy(&every, (const char *)writer->settings + row->offset, sizeof every);
    return ceil((frames - 1) / every) + 1;
}

static void print_disk(const weft_sim *sim, const weft_proxies *proxies, const weft_output_plan *plan) {
    double frames = (double)weft_sim_clock(sim)->frames + 1;
    printf("files       ");
    for (int i = 0; i < plan->count; i++) {
        const char *name = plan->writer[i].component->name;
        double bytes = 0;
        for (int32_t k = 0; k < proxies->shape_count; k++)
            bytes += frames_written(&plan->writer[i], frames) * frame_bytes(name, proxies->shape[k].mesh, plan);
        printf("%s%s ", i > 0 ? ", " : "", name);
        if (bytes >= 0) {
            printf("about ");
            print_bytes(bytes);
        }
    }
    printf("%s", plan->count > 0 ? "" : "no shapes");
    if (plan->take) {
        printf(", frames.weft about ");
        print_bytes(take_bytes(sim, proxies, plan, frames));
    }
    printf(", checkpoint ");
    print_bytes((double)weft_sim_snapshot_size(sim));
    printf("\n");
}

static void print_memory(void) {
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0)
        return;
    printf("memory      ");
    print_bytes(1024.0 * (double)usage.ru_maxrss);
    printf(" peak so far\n");
}

static weft_result print_intersections(weft_sim *sim) {
    char done[400];
    weft_separation_write(sim, done, sizeof done);
    if (done[0])
        printf("%s     %s\n", weft_sim_separated(sim).left > 0 ? "warning" : "contact", done);
    weft_repair_write(sim, done, sizeof done);
    if (done[0])
        printf("contact     %s\n", done);
    return weft_crossings_print(sim);
}

/* What the check reads and owns. */
typedef struct scene_check {
    weft_session session;
    weft_scene_file scene;
    weft_output_plan plan;
    weft_proxies proxies;
} scene_check;

static weft_result open_scene(scene_check *check, const char *name, const weft_words *sets, const weft_words *plugins) {
    WEFT_TRY(weft_session_open(&check->session, plugins));
    WEFT_TRY(weft_scene_file_open(&check->scene, name));
    for (int i = 0; i < sets->count; i++)
        WEFT_TRY(weft_scene_file_set(&check->scene, sets->word[i]));
    return weft_ok();
}

/* Finds scenes that a writer cannot write, in the folder that a run would use. */
static weft_result check_output(scene_check *check) {
    const weft_clock *clock = weft_sim_clock(check->scene.sim);
    char folder[160];
    snprintf(folder, sizeof folder, "out/%s", check->scene.name);
    weft_take take = {
        .directory = folder, .name = check->scene.name, .rate = clock->rate, .frame_count = (int64_t)clock->frames + 1};
    return weft_run_output_check(&check->plan, &check->proxies, check->scene.sim, &take);
}

static weft_result prepare_scene(scene_check *check, weft_inputs *inputs) {
    WEFT_TRY(weft_scene_file_inputs(&check->scene, inputs));
    WEFT_TRY(weft_scene_file_prepare(&check->scene, check->session.registry, 0));
    WEFT_TRY(weft_scene_file_check_inputs(&check->scene, check->session.registry, inputs));
    return weft_inputs_allow_cuts(inputs, check->scene.sim);
}

static weft_result read_scene(scene_check *check) {
    weft_scene_file *scene = &check->scene;
    weft_view view;
    weft_inputs inputs = {0};
    WEFT_TRY(weft_output_plan_read(&check->plan, scene, check->session.registry));
    WEFT_TRY(weft_view_of_scene(scene, &view));
    weft_result prepared = prepare_scene(check, &inputs);
    weft_inputs_free(&inputs);
    WEFT_TRY(prepared);
    WEFT_TRY(weft_scene_locate(scene->tree, weft_sim_adapt_start(scene->sim)));
    WEFT_TRY(weft_proxies_read(&check->proxies, scene));
    return check_output(check);
}

static void drop_scene(scene_check *check) {
    weft_proxies_destroy(&check->proxies);
    weft_output_plan_destroy(&check->plan);
    weft_sim_destroy(check->scene.sim);
    check->scene.sim = NULL;
}

/* Prints all mistakes that do not depend on each other, one per line: takes the value of each out of the scene and
 * reads the rest again. Other errors stop the search, because they may follow from what is missing. */
static int print_mistakes(scene_check *check, weft_result result) {
    enum { MOST = 50 };
    char told[600], again[600];
    int status = weft_command_failed(&result);
    snprintf(told, sizeof told, "%s", result.message);
    for (int i = 0; i < MOST && check->scene.tree && weft_scene_mistake_remove(check->scene.tree, result.message);
         i++) {
        drop_scene(check);
        result = read_scene(check);
        if (result.code == WEFT_OK || !weft_scene_mistake_is_local(result.message))
            break;
        snprintf(again, sizeof again, "%s", result.message);
        if (strcmp(again, told) == 0)
            continue; /* another value of the same name was meant */
        snprintf(told, sizeof told, "%s", again);
        weft_command_failed(&result);
    }
    return status;
}

static weft_result print_scene(scene_check *check) {
    weft_scene_file *scene = &check->scene;
    weft_scene_file_print_notices(scene);
    weft_say("scene       %s\n", scene->path);
    print_time(scene->sim);
    for (int32_t i = 0; i < weft_sim_cloth_count(scene->sim); i++) {
        print_cloth(scene->sim, i);
        print_ratios(scene, i);
        print_self_shear(scene->sim, i);
        print_thickness(scene->sim, i);
        if (check->proxies.proxy[i])
            print_proxy(check->proxies.proxy[i], check->proxies.keep[i]);
    }
    print_forces(weft_tree_root(scene->tree));
    print_bodies(scene->sim);
    print_stability(scene->sim);
    WEFT_TRY(print_intersections(scene->sim));
    print_disk(scene->sim, &check->proxies, &check->plan);
    print_memory();
    return weft_ok();
}

static int check_scene(scene_check *check, const char *name, const weft_words *sets, const weft_words *plugins) {
    weft_result result = open_scene(check, name, sets, plugins);
    if (result.code != WEFT_OK)
        return weft_command_failed(&result);
    result = read_scene(check);
    if (result.code != WEFT_OK)
        return print_mistakes(check, result);
    result = print_scene(check);
    return result.code == WEFT_OK ? WEFT_EXIT_OK : weft_command_failed(&result);
}

int weft_command_check(int argc, char **argv) {
    weft_words sets = {0}, plugins = {0}, words;
    const weft_option table[] = {
        {"--set", WEFT_OPTION_WORDS, &sets, "PATH=VALUE",
         "change a value of the scene, for example cloth.fabric.density=0.3", 0},
        {"--plugin", WEFT_OPTION_WORDS, &plugins, "FILE", "load components from a shared object", 0},
        {0},
    };
    weft_usage usage = {
        "check", "SCENE", 1, 1, "Checks a scene, and reports mistakes, sizes and warnings. Writes no files.",
        "",      table};
    int status = weft_usage_read(&usage, argc, argv, &words);
    if (status >= 0)
        return status;
    scene_check check = {0};
    status = check_scene(&check, words.word[0], &sets, &plugins);
    drop_scene(&check);
    weft_scene_file_close(&check.scene);
    weft_session_close(&check.session);
    return status;
}
