/* positions.h5: /case_000012/CLOTH/positions (frames x vertices x 3, m, single precision), times (s), frames and
 * triangles. If the mesh changes during the run, each frame has a group: /case_000012/CLOTH/frame_0003/positions. */
#include <hdf5.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab/study/journal.h"
#include "lab/study/positions.h"
#include "lab/study/provenance.h"
#include "lab/study/results.h"
#include "weft-io/checkpoint.h"

enum { COMPRESSION = 4 /* of 9 */, CHUNK = 1 << 18 /* numbers */ };

/* -- small pieces; they return a negative number on failure, as HDF5 does -- */

static herr_t put_text(hid_t object, const char *name, const char *text) {
    hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, strlen(text) + 1);
    hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    herr_t status = attribute < 0 ? -1 : H5Awrite(attribute, type, text);
    if (attribute >= 0)
        H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
    return status;
}

static void put_fact(void *file, const char *key, const char *value) {
    if (strlen(value) < 60000) /* the limit of an attribute; provenance.json has the rest */
        (void)put_text(*(hid_t *)file, key, value);
}

static herr_t put_array(hid_t group, const char *name, hid_t type, int rank, const hsize_t *size, const void *data,
                        const char *unit) {
    hid_t space = H5Screate_simple(rank, size, NULL), settings = H5Pcreate(H5P_DATASET_CREATE);
    hsize_t count = 1;
    for (int i = 0; i < rank; i++)
        count *= size[i];
    if (rank > 1 && count > 1024) {
        hsize_t chunk[3] = {size[0], size[1], rank > 2 ? size[2] : 0}, slice = count / size[0];
        chunk[0] = slice * chunk[0] > CHUNK ? (slice > CHUNK ? 1 : CHUNK / slice) : chunk[0];
        H5Pset_chunk(settings, rank, chunk);
        H5Pset_shuffle(settings);
        H5Pset_deflate(settings, COMPRESSION);
    }
    H5Pset_obj_track_times(settings, 0); /* equal results give equal files */
    hid_t set = H5Dcreate2(group, name, type, space, H5P_DEFAULT, settings, H5P_DEFAULT);
    herr_t status = set < 0 ? -1 : H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
    if (status >= 0 && unit)
        status = put_text(set, "unit", unit);
    if (set >= 0)
        H5Dclose(set);
    H5Pclose(settings);
    H5Sclose(space);
    return status;
}

static hid_t make_group(hid_t parent, const char *name) {
    hid_t settings = H5Pcreate(H5P_GROUP_CREATE);
    H5Pset_obj_track_times(settings, 0);
    hid_t group = H5Gcreate2(parent, name, H5P_DEFAULT, settings, H5P_DEFAULT);
    H5Pclose(settings);
    return group;
}

/* -- one cloth of one case -- */

typedef struct track {
    weft_positions *frame; /* entries of one cloth */
    int count;
} track;

/* The triangles that were written last. Cases with the same mesh share them by a hard link. */
typedef struct shared_mesh {
    hid_t file;
    uint64_t hash;
    int32_t count;
    char path[200]; /* "" before the first */
} shared_mesh;

static herr_t put_triangles(hid_t group, const weft_positions *entry, shared_mesh *mesh) {
    hsize_t size[2] = {(hsize_t)entry->triangle_count, 3};
    uint64_t hash =
        weft_hash_bytes(WEFT_HASH_START, entry->triangle, 3 * sizeof *entry->triangle * (size_t)entry->triangle_count);
    if (mesh->path[0] && mesh->hash == hash && mesh->count == entry->triangle_count)
        return H5Lcreate_hard(mesh->file, mesh->path, group, "triangles", H5P_DEFAULT, H5P_DEFAULT);
    ssize_t length = H5Iget_name(group, mesh->path, sizeof mesh->path - sizeof "/triangles");
    if (length > 0 && length < (ssize_t)(sizeof mesh->path - sizeof "/triangles"))
        strcat(mesh->path, "/triangles");
    else
        mesh->path[0] = '\0';
    mesh->hash = hash;
    mesh->count = entry->triangle_count;
    return put_array(group, "triangles", H5T_NATIVE_INT32, 2, size, entry->triangle, NULL);
}

static herr_t put_constant(hid_t group, const track *t, shared_mesh *mesh) {
    size_t vertices = (size_t)t->frame[0].vertex_count;
    float *all = malloc((size_t)t->count * vertices * 3 * sizeof *all + 1);
    double *times = malloc((size_t)t->count * sizeof *times);
    int32_t *frames = malloc((size_t)t->count * sizeof *frames);
    herr_t status = all && times && frames ? 0 : -1;
    for (int i = 0; i < t->count && status >= 0; i++) {
        memcpy(all + (size_t)i * vertices * 3, t->frame[i].position, vertices * 3 * sizeof *all);
        times[i] = t->frame[i].time;
        frames[i] = t->frame[i].frame;
    }
    hsize_t size[3] = {(hsize_t)t->count, vertices, 3};
    if (status >= 0)
        status = put_array(group, "positions", H5T_NATIVE_FLOAT, 3, size, all, "m");
    if (status >= 0)
        status = put_array(group, "times", H5T_NATIVE_DOUBLE, 1, size, times, "s");
    if (status >= 0)
        status = put_array(group, "frames", H5T_NATIVE_INT32, 1, size, frames, NULL);
    if (status >= 0)
        status = put_triangles(group, &t->frame[0], mesh);
    free(all);
    free(times);
    free(frames);
    return status;
}

static herr_t put_changing(hid_t group, const track *t, shared_mesh *mesh) {
    const weft_positions *shape = &t->frame[0];
    herr_t status = 0;
    for (int i = 0; i < t->count && status >= 0; i++) {
        char name[32];
        snprintf(name, sizeof name, "frame_%04d", t->frame[i].frame);
        hid_t inner = make_group(group, name);
        hsize_t size[2] = {(hsize_t)t->frame[i].vertex_count, 3}, one = 1;
        if (t->frame[i].triangle_count > 0)
            shape = &t->frame[i];
        status = inner < 0 ? -1 : put_array(inner, "positions", H5T_NATIVE_FLOAT, 2, size, t->frame[i].position, "m");
        if (status >= 0)
            status = put_array(inner, "time", H5T_NATIVE_DOUBLE, 1, &one, &t->frame[i].time, "s");
        if (status >= 0)
            status = put_triangles(inner, shape, mesh);
        if (inner >= 0)
            H5Gclose(inner);
    }
    return status;
}

static herr_t put_cloth(hid_t parent, const track *t, shared_mesh *mesh) {
    int changes = 0;
    for (int i = 1; i < t->count; i++)
        changes |= t->frame[i].triangle_count > 0 || t->frame[i].vertex_count != t->frame[0].vertex_count;
    hid_t group = make_group(parent, t->frame[0].name);
    if (group < 0)
        return -1;
    herr_t status = changes ? put_changing(group, t, mesh) : put_constant(group, t, mesh);
    H5Gclose(group);
    return status;
}

/* -- cases -- */

static int count_entries(const weft_case_outcome *outcome, int32_t *cloths) {
    weft_positions entry;
    size_t at = 0;
    int count = 0;
    for (*cloths = 0; weft_positions_next(outcome->block, outcome->block_size, &at, &entry); count++)
        *cloths = entry.cloth + 1 > *cloths ? entry.cloth + 1 : *cloths;
    return count;
}

static herr_t put_case(shared_mesh *mesh, int64_t index, const weft_case_outcome *outcome) {
    int32_t cloths;
    char name[32];
    int count = count_entries(outcome, &cloths);
    weft_positions *entries = malloc(((size_t)count + 1) * sizeof *entries);
    snprintf(name, sizeof name, "case_%06" PRId64, index);
    hid_t group = entries ? make_group(mesh->file, name) : -1;
    herr_t status = group < 0 ? -1 : 0;
    for (int32_t c = 0; c < cloths && status >= 0; c++) {
        track t = {.frame = entries};
        weft_positions entry;
        for (size_t at = 0; weft_positions_next(outcome->block, outcome->block_size, &at, &entry);)
            if (entry.cloth == c)
                t.frame[t.count++] = entry;
        if (t.count > 0)
            status = put_cloth(group, &t, mesh);
    }
    if (group >= 0)
        H5Gclose(group);
    free(entries);
    return status;
}

static weft_result fill(hid_t file, const weft_results *results, const char *journal, const char *path) {
    shared_mesh mesh = {.file = file};
    WEFT_TRY(weft_provenance_tell(results, put_fact, &file));
    for (int64_t i = 0; i < results->study->case_count; i++) {
        const weft_row *row = &results->row[i];
        weft_case_outcome outcome;
        if (!row->is_done || row->size == 0)
            continue;
        WEFT_TRY(weft_journal_read(journal, row->offset, row->size, &outcome));
        herr_t status = put_case(&mesh, i, &outcome);
        weft_case_outcome_free(&outcome);
        if (status < 0)
            return weft_fail(WEFT_BAD_FILE, "%.300s: HDF5 cannot write case %" PRId64, path, i);
    }
    return weft_ok();
}

weft_result weft_results_write_hdf5(const weft_results *results, const char *journal, const char *path) {
    char part[1100];
    snprintf(part, sizeof part, "%s.part", path);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* HDF5 would print; the caller reports failures */
    hid_t settings = H5Pcreate(H5P_FILE_CREATE);
    H5Pset_obj_track_times(settings, 0);
    hid_t file = H5Fcreate(part, H5F_ACC_TRUNC, settings, H5P_DEFAULT);
    H5Pclose(settings);
    if (file < 0)
        return weft_fail(WEFT_BAD_FILE, "%.300s: HDF5 cannot create it", part);
    weft_result result = fill(file, results, journal, path);
    if (H5Fclose(file) < 0 && result.code == WEFT_OK)
        result = weft_fail(WEFT_BAD_FILE, "%.300s: HDF5 cannot complete it", part);
    if (result.code == WEFT_OK && rename(part, path) != 0)
        result = weft_fail(WEFT_BAD_FILE, "%.300s: cannot be renamed", part);
    if (result.code != WEFT_OK)
        unlink(part);
    return result;
}
