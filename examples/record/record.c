/* Simulates a scene file for one second. Writes OBJ files, a take for `weft render`, and a checkpoint. */
#include <stdio.h>
#include <stdlib.h>
#include <weft-io/weft-io.h>
#include <weft/weft.h>

static void must(weft_result result) {
    if (result.code != WEFT_OK) {
        fprintf(stderr, "%s\n", result.message);
        exit(1);
    }
}

static void save(const weft_sim *sim, const char *path) {
    weft_checkpoint checkpoint = {.frame = weft_sim_frame(sim), .size = weft_sim_snapshot_size(sim)};
    checkpoint.snapshot = malloc(checkpoint.size);
    if (!checkpoint.snapshot)
        must(weft_fail_memory("a snapshot", checkpoint.size));
    weft_sim_snapshot(sim, checkpoint.snapshot);
    must(weft_checkpoint_write(path, &checkpoint));
    free(checkpoint.snapshot);
}

int main(int count, char **words) {
    if (count != 3) {
        fprintf(stderr, "usage: record SCENE FOLDER\n");
        return 1;
    }
    weft_registry *registry;
    weft_tree *tree;
    weft_sim *sim;
    weft_recorder *recorder;
    weft_scene_files files = weft_scene_files_make(NULL);
    must(weft_registry_create(&registry));
    must(weft_writers_register(registry));
    must(weft_yaml_read(words[1], &tree));
    must(weft_scene_read(registry, tree, &files, &sim));
    weft_tree_destroy(tree);

    double rate = weft_sim_clock(sim)->rate;
    weft_take take = {.directory = words[2], .name = "scene", .rate = rate, .frame_count = (int64_t)rate + 1};
    must(weft_recorder_create(sim, &take, &recorder));
    weft_recorder_use_take(recorder);
    must(weft_recorder_add_writer(recorder, registry, "obj", NULL));
    must(weft_recorder_write_frame(recorder));
    while (weft_sim_frame(sim) < take.frame_count - 1) {
        must(weft_sim_advance_frame(sim, NULL, NULL));
        must(weft_recorder_write_frame(recorder));
    }
    must(weft_recorder_close(recorder, 1));
    char path[1024];
    snprintf(path, sizeof path, "%s/checkpoint", words[2]);
    save(sim, path);
    printf("%lld frames, state %016llx\n", (long long)weft_sim_frame(sim), (unsigned long long)weft_sim_hash(sim));
    weft_sim_destroy(sim);
    weft_registry_destroy(registry);
}
