#include <stdio.h>
#include <weft/weft.h>

static weft_result hang(weft_sim *sim) {
    int32_t sheet;
    WEFT_TRY(weft_sim_add_sheet(sim, "sheet", NULL, "wool", &sheet)); /* 1 m x 1 m, downwards from the origin */
    WEFT_TRY(weft_sim_pin_corner(sim, sheet, "top-left"));
    WEFT_TRY(weft_sim_pin_corner(sim, sheet, "top-right"));
    WEFT_TRY(weft_sim_run(sim, 1)); /* s, with gravity */
    printf("after %.2f s the hem is at y = %.3f m\n", weft_sim_time(sim), weft_sim_positions(sim, sheet)[115].y);
    return weft_ok();
}

int main(void) {
    weft_sim *sim;
    weft_result result = weft_sim_create(NULL, &sim); /* null: the built-in components */
    if (result.code == WEFT_OK)
        result = hang(sim);
    if (result.code != WEFT_OK)
        fprintf(stderr, "%s\n", result.message);
    weft_sim_destroy(sim);
    return result.code != WEFT_OK;
}
