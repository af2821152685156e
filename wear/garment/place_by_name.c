/* Places panels of patterns that do not say where they belong. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "wear/garment/build.h"
#include "wear/garment/reading.h"

static const double PI = 3.14159265358979323846;

/* Whether `name` has one of the words in it, in any case. */
static int has_word(const char *name, const char *const *word) {
    for (; *word; word++)
        for (const char *at = name; *at; at++)
            if (strncasecmp(at, *word, strlen(*word)) == 0)
                return 1;
    return 0;
}

void garment_part_by_name(const char *name, double side, char part[GARMENT_NAME]) {
    static const char *const ARM[] = {"sleeve", "arm", "cuff", NULL}, *const LEG[] = {"pant", "trouser", "leg", NULL},
                             *const HIPS[] = {"skirt", "waistband", "hip", NULL}, *const LEFT[] = {"left", NULL},
                             *const RIGHT[] = {"right", NULL};
    const char *hand = has_word(name, RIGHT) || (side < 0 && !has_word(name, LEFT)) ? "right" : "left";
    if (has_word(name, ARM))
        snprintf(part, GARMENT_NAME, "%s_arm", hand);
    else if (has_word(name, LEG) && !has_word(name, HIPS)) /* GarmentCode labels skirts as legs, too */
        snprintf(part, GARMENT_NAME, "%s_leg", hand);
    else
        snprintf(part, GARMENT_NAME, "%s", has_word(name, HIPS) ? "hips" : "torso");
}

/* The first panel of a part lies in front, a second one behind; "back" in the name says so too. Others follow in
 * between. */
static double angle_of(const garment_panel *panel, int before) {
    static const char *const BACK[] = {"back", NULL}, *const FRONT[] = {"front", NULL};
    if (has_word(panel->name, BACK))
        return PI;
    if (has_word(panel->name, FRONT))
        return 0;
    return fmod(before * 5 * PI / 7, 2 * PI);
}

/* The radius at which two panels of a part lie side by side, m. */
static double room_for(const garment_panel *a, const garment_panel *b) {
    double apart = fabs(remainder(a->place.angle - b->place.angle, 2 * PI));
    double width = 0.5 * (a->high.x - a->low.x + b->high.x - b->low.x);
    double a_low = -a->place.drop - (a->high.y - a->low.y), b_low = -b->place.drop - (b->high.y - b->low.y);
    int beside = a_low < -b->place.drop && b_low < -a->place.drop;
    return beside && apart > 0.1 ? 1.1 * width / apart : 0;
}

void garment_make_room(garment_pattern *pattern) {
    int32_t parts;
    const garment_part *part = garment_usual_parts(&parts);
    for (int32_t p = 0; p < pattern->panels; p++) {
        garment_panel *panel = &pattern->panel[p];
        double radius = 1.1 * (panel->high.x - panel->low.x) / (2 * PI), body = 0;
        for (int32_t q = 0; q < pattern->panels; q++)
            if (q != p && strcmp(pattern->panel[q].place.around, panel->place.around) == 0)
                radius = fmax(radius, room_for(panel, &pattern->panel[q]));
        for (int32_t i = 0; i < parts; i++)
            body = strcmp(part[i].name, panel->place.around) == 0 ? part[i].radius : body;
        panel->place.gap = fmax(panel->place.gap, ceil((radius - body) / GARMENT_CM) * GARMENT_CM);
    }
}

void garment_place_by_name(garment_pattern *pattern) {
    for (int32_t p = 0; p < pattern->panels; p++) {
        garment_panel *panel = &pattern->panel[p];
        int before = 0;
        garment_part_by_name(panel->name, 0, panel->place.around);
        for (int32_t q = 0; q < p; q++)
            before += strcmp(pattern->panel[q].place.around, panel->place.around) == 0;
        panel->place.angle = angle_of(panel, before);
        panel->place.gap = 0.03;
        panel->place.drop = 0;
    }
    garment_make_room(pattern);
}
