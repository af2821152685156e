#include "io/run_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "io/json.h"
#include "io/notices.h"
#include "weft/param.h"
#include "weft/text.h"

/* "[1, 0, 0.5]" */
static void write_numbers(weft_json *json, const char *key, const char *value, int count) {
    weft_json_array(json, key);
    const char *at = value + strspn(value, " [");
    for (int i = 0; i < count; i++) {
        const char *end;
        weft_json_real(json, NULL, weft_real_parse(at, &end));
        at = end + strspn(end, ", ");
    }
    weft_json_end(json, ']');
}

static void write_setting(weft_json *json, const weft_param *row, const char *path, const char *value) {
    switch (row->type) {
    case WEFT_REAL:
        weft_json_real(json, path, weft_real_parse(value, NULL));
        break;
    case WEFT_INT:
        weft_json_integer(json, path, strtoll(value, NULL, 10));
        break;
    case WEFT_BOOL:
        weft_json_bool(json, path, strcmp(value, "true") == 0);
        break;
    case WEFT_PAIR:
        write_numbers(json, path, value, 2);
        break;
    case WEFT_VECTOR:
        write_numbers(json, path, value, 3);
        break;
    default:
        weft_json_text(json, path, value);
        break;
    }
}

static void write_settings(weft_json *json, const weft_sim *sim) {
    char path[256], value[512];
    const weft_param *row;
    weft_json_object(json, "settings");
    weft_json_text(json, "integrator", weft_sim_integrator_name(sim));
    weft_json_text(json, "device", weft_sim_device_name(sim));
    if (weft_sim_device_hardware(sim)[0])
        weft_json_text(json, "device_hardware", weft_sim_device_hardware(sim));
    for (int i = 0; weft_sim_param_at(sim, i, path, sizeof path, &row); i++)
        if (weft_sim_get(sim, path, value, sizeof value).code == WEFT_OK)
            write_setting(json, row, path, value);
    weft_json_end(json, '}');
}

static void write_worst(weft_json *json, const weft_step_cost *worst) {
    weft_json_object(json, "worst_step");
    weft_json_real(json, "time", worst->time);
    weft_json_real(json, "ms", 1000 * worst->seconds);
    if (worst->parts > 0) { /* not before a resume */
        weft_json_real(json, "detection_ms", 1000 * worst->detection_seconds);
        weft_json_real(json, "solve_ms", 1000 * worst->solve_seconds);
        weft_json_real(json, "remesh_ms", 1000 * worst->remesh_seconds);
        weft_json_integer(json, "halvings", worst->halvings);
        weft_json_integer(json, "parts", worst->parts);
        weft_json_integer(json, "solves", worst->newton);
        weft_json_integer(json, "iterations", worst->iterations);
        weft_json_integer(json, "contacts", worst->contacts);
        weft_json_text(json, "why", weft_step_cost_reason(worst));
    }
    weft_json_end(json, '}');
}

static void write_times(weft_json *json, const weft_run_log *log, const weft_step_times *times) {
    weft_json_object(json, "ms_per_step");
    weft_json_real(json, "mean", times->mean);
    weft_json_real(json, "median", times->median);
    weft_json_real(json, "p95", times->p95);
    weft_json_real(json, "max", times->max);
    weft_json_end(json, '}');
    weft_json_object(json, "phase_ms_per_step");
    for (int i = 0; i < WEFT_PHASES; i++)
        weft_json_real(json, weft_phase_name((weft_phase)i),
                       log->steps > 0 ? 1000 * log->phases[i] / (double)log->steps : 0);
    weft_json_end(json, '}');
    write_worst(json, &log->worst);
    weft_json_real(json, "write_seconds", log->write_seconds);
}

/* Writes the number of connected parts and the first of them. */
static void write_pieces(weft_json *json, const weft_sim *sim, int32_t cloth) {
    enum { MOST = 100 };
    weft_piece piece[MOST];
    int32_t count;
    if (weft_sim_list_pieces(sim, cloth, piece, MOST, &count).code != WEFT_OK)
        return;
    weft_json_integer(json, "pieces", count);
    weft_json_array(json, "parts");
    for (int32_t i = 0; i < count && i < MOST; i++) {
        weft_json_object(json, NULL);
        weft_json_integer(json, "triangles", piece[i].triangles);
        weft_json_integer(json, "first_triangle", piece[i].triangle);
        weft_json_real(json, "area", piece[i].area);
        weft_json_real(json, "mass", piece[i].mass);
        weft_json_array(json, "centre");
        weft_json_real(json, NULL, piece[i].centre.x);
        weft_json_real(json, NULL, piece[i].centre.y);
        weft_json_real(json, NULL, piece[i].centre.z);
        weft_json_end(json, ']');
        weft_json_end(json, '}');
    }
    weft_json_end(json, ']');
}

static void write_cloths(weft_json *json, const weft_sim *sim) {
    int64_t vertices = 0, triangles = 0;
    weft_json_array(json, "cloths");
    for (int32_t i = 0; i < weft_sim_cloth_count(sim); i++) {
        const weft_cloth *cloth = weft_sim_cloth(sim, i);
        weft_json_object(json, NULL);
        weft_json_text(json, "name", cloth->name);
        weft_json_text(json, "model", weft_sim_model_name(sim, i));
        weft_json_integer(json, "vertices", cloth->mesh->vertex_count);
        weft_json_integer(json, "triangles", cloth->mesh->triangle_count);
        weft_json_integer(json, "links", weft_sim_link_count(sim, i));
        write_pieces(json, sim, i);
        weft_json_end(json, '}');
        vertices += cloth->mesh->vertex_count;
        triangles += cloth->mesh->triangle_count;
    }
    weft_json_end(json, ']');
    weft_json_integer(json, "vertices", vertices);
    weft_json_integer(json, "triangles", triangles);
}

/* Writes the force of each pin and drag on its vertices, N. */
static weft_result write_reactions(weft_json *json, weft_sim *sim) {
    enum { MOST = 100 }; /* vertices; use the API for more */
    int32_t written = 0;
    weft_json_array(json, "held");
    for (int32_t c = 0; c < weft_sim_cloth_count(sim); c++) {
        const weft_cloth *cloth = weft_sim_cloth(sim, c);
        int32_t count = cloth->mesh->vertex_count;
        weft_vec3 *reaction = malloc((size_t)count * sizeof *reaction);
        if (!reaction)
            return weft_fail_memory("reactions", (size_t)count * sizeof *reaction);
        weft_result result = weft_sim_reactions(sim, c, reaction);
        for (int32_t i = 0; result.code == WEFT_OK && i < count && written < MOST; i++) {
            if (!weft_sim_held(sim, c)[i])
                continue;
            weft_json_object(json, NULL);
            weft_json_text(json, "cloth", cloth->name);
            weft_json_integer(json, "vertex", i);
            weft_json_array(json, "force");
            weft_json_real(json, NULL, reaction[i].x);
            weft_json_real(json, NULL, reaction[i].y);
            weft_json_real(json, NULL, reaction[i].z);
            weft_json_end(json, ']');
            weft_json_end(json, '}');
            written++;
        }
        free(reaction);
        WEFT_TRY(result);
    }
    weft_json_end(json, ']');
    return weft_ok();
}

static int has_contact(const weft_sim *sim) {
    return weft_sim_body_count(sim) > 0 || weft_sim_contact_settings(sim)->self;
}

/* Intersections are counted in the last state by the audit, which is independent of the contact code. */
static weft_result write_contact(weft_json *json, weft_sim *sim, const weft_run_log *log) {
    weft_intersections left;
    if (!has_contact(sim))
        return weft_ok();
    WEFT_TRY(weft_sim_intersections(sim, &left));
    weft_json_object(json, "contact");
    weft_json_integer(json, "contacts", log->contacts);
    weft_json_integer(json, "impulses", log->impulses);
    weft_json_integer(json, "zones", log->zones);
    weft_json_integer(json, "unresolved", log->unresolved);
    weft_json_integer(json, "event_count", weft_sim_event_count(sim)); /* the list has the first ones */
    weft_json_array(json, "events");
    for (int64_t i = 0; weft_sim_event_at(sim, i); i++) {
        char text[400];
        weft_event_write(sim, weft_sim_event_at(sim, i), text, sizeof text);
        weft_json_object(json, NULL);
        weft_json_real(json, "time", weft_sim_event_at(sim, i)->time);
        weft_json_text(json, "text", text);
        weft_json_end(json, '}');
    }
    weft_json_end(json, ']');
    weft_json_object(json, "intersections");
    weft_json_integer(json, "self", left.self);
    weft_json_integer(json, "cloths", left.cloths);
    weft_json_integer(json, "bodies", left.bodies);
    weft_json_end(json, '}');
    weft_json_end(json, '}');
    return weft_ok();
}

/* `share` is the fraction of the total step time. */
static void write_adaptation(weft_json *json, const weft_sim *sim, const weft_run_log *log) {
    int changes = 0;
    for (int32_t i = 0; i < weft_sim_cloth_count(sim); i++)
        changes |= weft_sim_changes(sim, i);
    if (!changes)
        return;
    weft_json_object(json, "adaptation");
    weft_json_real(json, "triangles_mean", log->steps > 0 ? log->triangle_steps / (double)log->steps : 0);
    weft_json_integer(json, "inserted", log->inserted);
    weft_json_integer(json, "removed", log->removed);
    weft_json_integer(json, "turned", log->turned);
    weft_json_integer(json, "skipped", log->skipped);
    weft_json_real(json, "share", log->step_seconds > 0 ? log->phases[WEFT_PHASE_ADAPT] / log->step_seconds : 0);
    weft_json_end(json, '}');
}

static void write_yarn_panel(weft_json *json, const weft_cloth *cloth, const weft_yarn_panel *panel) {
    weft_json_object(json, NULL);
    weft_json_text(json, "cloth", cloth->name);
    weft_json_text(json, "panel", cloth->mesh->group_name[panel->group]);
    weft_json_integer(json, "frames_over", panel->frames);
    weft_json_integer(json, "frame", panel->frame);
    weft_json_real(json, "time", panel->time);
    weft_json_text(json, "along", panel->along_warp ? "warp" : "weft");
    weft_json_real(json, "stretch", panel->stretch);
    weft_json_integer(json, "triangles_over", panel->triangles);
    weft_json_array(json, "at");
    weft_json_real(json, NULL, panel->at.x);
    weft_json_real(json, NULL, panel->at.y);
    weft_json_real(json, NULL, panel->at.z);
    weft_json_end(json, ']');
    weft_json_array(json, "in_panel");
    weft_json_real(json, NULL, panel->place.x);
    weft_json_real(json, NULL, panel->place.y);
    weft_json_end(json, ']');
    weft_json_end(json, '}');
}

/* The panels of garments whose yarns were stretched above the limit. */
static void write_yarns(weft_json *json, const weft_sim *sim, const weft_yarn_watch *yarns) {
    if (!yarns || yarns->panels == 0)
        return;
    weft_json_object(json, "yarns");
    weft_json_real(json, "limit", WEFT_YARN_LIMIT);
    weft_json_integer(json, "frames", yarns->frames);
    weft_json_integer(json, "frames_over", yarns->over);
    weft_json_array(json, "panels");
    for (int32_t i = 0; i < yarns->panels; i++)
        if (yarns->panel[i].frames > 0)
            write_yarn_panel(json, weft_sim_cloth(sim, yarns->panel[i].cloth), &yarns->panel[i]);
    weft_json_end(json, ']');
    weft_json_end(json, '}');
}

static void write_outcome(weft_json *json, const weft_sim *sim, const weft_run_log *log, const weft_measures *last) {
    char hash[20];
    snprintf(hash, sizeof hash, "%016" PRIx64, weft_sim_hash(sim));
    weft_json_integer(json, "halvings", log->halvings);
    weft_json_integer(json, "links_broken", last->links_broken);
    if (log->solves > 0) {
        weft_json_object(json, "solver");
        weft_json_integer(json, "solves", log->solves);
        weft_json_integer(json, "iterations", log->iterations);
        weft_json_integer(json, "not_converged", log->not_converged);
        weft_json_integer(json, "newton_not_converged", log->newton_not_converged);
        weft_json_end(json, '}');
    }
    weft_json_object(json, "energy");
    weft_json_real(json, "kinetic", last->kinetic);
    weft_json_real(json, "elastic", last->elastic);
    weft_json_real(json, "potential", last->potential);
    weft_json_end(json, '}');
    weft_json_object(json, "edge_stretch");
    weft_json_real(json, "mean", last->stretch_mean);
    weft_json_real(json, "max", last->stretch_max);
    weft_json_end(json, '}');
    weft_json_object(json, "fabric_strain");
    weft_json_real(json, "yarn_max", last->yarn_max);
    weft_json_real(json, "shear_max", last->shear_max);
    weft_json_end(json, '}');
    weft_json_text(json, "state_hash", hash);
}

weft_result weft_run_report_print(weft_output *output, const weft_run_account *run) {
    weft_measures last;
    weft_sim *sim = run->sim;
    const weft_run_log *log = run->log;
    weft_step_times times = weft_run_log_times(log);
    WEFT_TRY(weft_sim_measure(sim, &last));
    weft_json json;
    weft_json_start(&json, output);
    weft_json_object(&json, NULL);
    weft_json_text(&json, "version", weft_version());
    weft_json_text(&json, "scene", run->scene);
    weft_json_text(&json, "status", run->status);
    weft_json_integer(&json, "threads", weft_sim_threads(sim));
    weft_json_integer(&json, "frames", weft_sim_frame(sim));
    weft_json_integer(&json, "frames_wanted", weft_sim_clock(sim)->frames);
    weft_json_integer(&json, "steps", weft_sim_step_count(sim));
    weft_json_real(&json, "simulated_seconds", weft_sim_time(sim));
    weft_json_real(&json, "wall_seconds", log->step_seconds + log->write_seconds);
    write_times(&json, log, &times);
    weft_json_array(&json, "notices");
    for (int i = 0; i < run->notice_count; i++)
        weft_json_text(&json, NULL, run->notice[i]);
    weft_json_end(&json, ']');
    write_cloths(&json, sim);
    write_outcome(&json, sim, log, &last);
    write_yarns(&json, sim, run->yarns);
    write_adaptation(&json, sim, log);
    WEFT_TRY(write_contact(&json, sim, log));
    WEFT_TRY(write_reactions(&json, sim));
    write_settings(&json, sim);
    weft_json_end(&json, '}');
    weft_output_print(output, "\n");
    return weft_ok();
}

weft_result weft_run_report_write(const char *directory, const weft_run_account *run) {
    char path[1024];
    if (snprintf(path, sizeof path, "%s/report.json", directory) >= (int)sizeof path)
        return weft_fail(WEFT_BAD_FILE, "%.300s...: the path is too long", directory);
    weft_output output;
    WEFT_TRY(weft_output_open(&output, path));
    weft_result result = weft_run_report_print(&output, run);
    if (result.code != WEFT_OK) {
        weft_output_discard(&output);
        return result;
    }
    return weft_output_commit(&output);
}
