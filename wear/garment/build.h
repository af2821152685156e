/* Builds patterns from the outlines of other programs. */
#ifndef WEFT_WEAR_GARMENT_BUILD_H
#define WEFT_WEAR_GARMENT_BUILD_H

#include "wear/garment/pattern.h"

/* A chain of curves that is being drawn, m. */
typedef struct garment_chain {
    garment_curve *curve;
    uint8_t *corner; /* 1: curve i starts at a corner, where an edge of the panel begins */
    int32_t curves, room;
    weft_vec2 start, at; /* where it began, and where it is now */
} garment_chain;

void garment_chain_start(garment_chain *chain, weft_vec2 point);
void garment_chain_free(garment_chain *chain);
/* Curves of less than 0.01 mm are left out. At most 100,000 curves. */
weft_result garment_chain_line(garment_chain *chain, weft_vec2 to);
weft_result garment_chain_curve(garment_chain *chain, weft_vec2 a, weft_vec2 b, weft_vec2 to);
/* An arc of a circle as cubic curves of at most 45 degrees, whose radius is off by less than 5e-7: two
 * controls and the end of each. `left`: it turns to the left, so counter-clockwise. A radius that is too short is made
 * just long enough. Returns the number of curves. `from` and `to` must differ. */
enum { GARMENT_ARC_CURVES = 8 };
int garment_arc(weft_vec2 from, weft_vec2 to, double radius, int large, int left, weft_vec2 curve[][3]);
weft_result garment_chain_arc(garment_chain *chain, double radius, int large, int left, weft_vec2 to);
/* The area inside, positive if it runs counter-clockwise. */
double garment_chain_area(const garment_chain *chain);
/* Whether it ends where it began, within a tenth of a millimetre. The end is then moved there. */
int garment_chain_closes(garment_chain *chain);
/* The other way round. */
void garment_chain_reverse(garment_chain *chain);
/* Marks corners where the direction changes by more than 20 degrees. */
void garment_chain_find_corners(garment_chain *chain);
/* Turns a closed chain into the edges e1, e2, ... of a panel, one from each corner to the next. Runs that are not
 * counter-clockwise are turned round. A chain without corners becomes two edges. The chain is empty afterwards. */
weft_result garment_chain_to_panel(garment_chain *chain, garment_panel *panel);

/* A new panel with a name that no other has, made of what is allowed in `name`. Null if there are too many panels or
 * no memory; `*result` says which. */
garment_panel *garment_add_panel(garment_pattern *pattern, const char *name, weft_result *result);
/* Copies `text` with other characters where a name does not allow them. */
void garment_make_name(const char *text, char name[GARMENT_NAME]);
/* The name of a file without folder and ending, as a name. */
void garment_name_of_file(const char *path, char name[GARMENT_NAME]);
weft_result garment_add_notch(garment_panel *panel, int32_t edge, double at);
weft_result garment_add_fold(garment_panel *panel, weft_vec2 from, weft_vec2 to, double angle);
weft_result garment_add_seam(garment_pattern *pattern, garment_side a, garment_side b);
/* The point of an outline nearest to `point`: its edge and the fraction of the edge's length. Returns the distance. */
double garment_nearest(const garment_panel *panel, weft_vec2 point, int32_t *edge, double *at);
/* The part of a mannequin that a panel's name suggests. `side` is used for arms and legs if the name does not say left
 * or right: negative for the wearer's right. */
void garment_part_by_name(const char *name, double side, char part[GARMENT_NAME]);
/* Widens the gaps between body and panels where panels of a part would overlap each other or themselves. */
void garment_make_room(garment_pattern *pattern);
/* Places panels that nothing is known about: by their names around arms, legs, hips or torso, those of each part side
 * by side. */
void garment_place_by_name(garment_pattern *pattern);

#endif
