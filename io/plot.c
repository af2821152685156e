/* Draws line plots as SVG. */
#include "io/plot.h"

#include <math.h>
#include <string.h>

#include "io/file.h"

enum { WIDTH = 760, HEIGHT = 460, LEFT = 80, RIGHT = 170, TOP = 44, BOTTOM = 56 };

/* Distinguishable for colour-blind readers: M. Okabe, K. Ito, Color Universal Design, 2008; yellow is replaced. */
static const char *const COLORS[8] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                      "#56b4e9", "#e69f00", "#000000", "#7f7f7f"};

static const char DASHES[] = " stroke-dasharray='5 4'";

typedef struct axis {
    double low, high, tick;
} axis;

/* About six intervals of 1, 2 or 5 times a power of ten. Both ends are on ticks. */
static axis make_axis(double low, double high) {
    if (!(low < high)) {
        low -= 0.5 * fabs(low) + 1e-9;
        high += 0.5 * fabs(high) + 1e-9;
    }
    double rough = (high - low) / 6, power = pow(10, floor(log10(rough))), part = rough / power;
    double tick = power * (part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10);
    return (axis){tick * floor(low / tick + 1e-9), tick * ceil(high / tick - 1e-9), tick};
}

/* The coordinate of a value on an axis: the value, or its decimal logarithm. */
static double place(const weft_plot *plot, double value) { return plot->powers ? log10(value) : value; }

static axis make_decades(double low, double high) {
    double from = floor(low + 1e-9), to = ceil(high - 1e-9);
    return (axis){from, to > from ? to : from + 1, 1};
}

static void find_axes(const weft_plot *plot, axis *x, axis *y) {
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int s = 0; s < plot->count; s++)
        for (int i = 0; i < plot->series[s].count; i++) {
            const double at[2] = {place(plot, plot->series[s].x[i]), place(plot, plot->series[s].y[i])};
            for (int k = 0; k < 2; k++) {
                low[k] = fmin(low[k], at[k]);
                high[k] = fmax(high[k], at[k]);
            }
        }
    *x = plot->powers ? make_decades(low[0], high[0]) : make_axis(low[0], high[0]);
    *y = plot->powers ? make_decades(low[1], high[1]) : make_axis(low[1], high[1]);
}

static double across(const axis *x, double value) {
    return LEFT + (value - x->low) / (x->high - x->low) * (WIDTH - LEFT - RIGHT);
}

static double down(const axis *y, double value) {
    return HEIGHT - BOTTOM - (value - y->low) / (y->high - y->low) * (HEIGHT - TOP - BOTTOM);
}

static int ticks(const axis *a) { return (int)((a->high - a->low) / a->tick + 0.5); }

/* Rounds a tick value near zero to exactly zero. */
static double tick_at(const axis *a, int i) {
    double value = a->low + i * a->tick;
    return fabs(value) < 1e-9 * a->tick ? 0 : value;
}

static void put_grid(weft_output *out, const weft_plot *plot, const axis *x, const axis *y) {
    for (int i = 0; i <= ticks(x); i++) {
        double v = tick_at(x, i);
        weft_output_print(out,
                          "<path d='M%.1f %d V%d' stroke='#ddd'/>"
                          "<text x='%.1f' y='%d' text-anchor='middle'>%.6g</text>\n",
                          across(x, v), TOP, HEIGHT - BOTTOM, across(x, v), HEIGHT - BOTTOM + 18,
                          plot->powers ? pow(10, v) : v);
    }
    for (int i = 0; i <= ticks(y); i++) {
        double v = tick_at(y, i);
        weft_output_print(out,
                          "<path d='M%d %.1f H%d' stroke='#ddd'/>"
                          "<text x='%d' y='%.1f' text-anchor='end'>%.6g</text>\n",
                          LEFT, down(y, v), WIDTH - RIGHT, LEFT - 8, down(y, v) + 4, plot->powers ? pow(10, v) : v);
    }
}

static void put_curve(weft_output *out, const weft_plot *plot, const weft_series *series, const axis *x,
                      const axis *y) {
    const char *color = COLORS[series->color % 8];
    if (series->style != WEFT_PLOT_DOTS) {
        weft_output_print(out, "<polyline fill='none' stroke='%s' stroke-width='1.8'%s points='", color,
                          series->style == WEFT_PLOT_DASHED ? DASHES : "");
        for (int i = 0; i < series->count; i++)
            weft_output_print(out, "%.2f,%.2f ", across(x, place(plot, series->x[i])),
                              down(y, place(plot, series->y[i])));
        weft_output_print(out, "'/>\n");
    }
    for (int i = 0; (plot->powers || series->style == WEFT_PLOT_DOTS) && i < series->count; i++)
        weft_output_print(out, "<circle cx='%.2f' cy='%.2f' r='3' fill='%s'/>\n", across(x, place(plot, series->x[i])),
                          down(y, place(plot, series->y[i])), color);
}

static void put_name(weft_output *out, const weft_series *series, int line) {
    const char *color = COLORS[series->color % 8];
    int left = WIDTH - RIGHT + 14, at = TOP + 12 + 20 * line;
    if (series->style == WEFT_PLOT_DOTS)
        weft_output_print(out, "<circle cx='%d' cy='%d' r='3' fill='%s'/>", left + 12, at, color);
    else
        weft_output_print(out, "<path d='M%d %d h24' stroke='%s' stroke-width='1.8'%s/>", left, at, color,
                          series->style == WEFT_PLOT_DASHED ? DASHES : "");
    weft_output_print(out, "<text x='%d' y='%d'>%s</text>\n", left + 32, at + 4, series->name);
}

static void put_series(weft_output *out, const weft_plot *plot, const axis *x, const axis *y) {
    int named = 0;
    for (int s = 0; s < plot->count; s++) {
        put_curve(out, plot, &plot->series[s], x, y);
        if (s == 0 || strcmp(plot->series[s].name, plot->series[s - 1].name) != 0)
            put_name(out, &plot->series[s], named++);
    }
}

/* Total width, with space for the longest name. A letter is at most 7 wide. */
static int width_of(const weft_plot *plot) {
    size_t longest = 0;
    for (int s = 0; s < plot->count; s++)
        if (strlen(plot->series[s].name) > longest)
            longest = strlen(plot->series[s].name);
    int names = 50 + 7 * (int)longest;
    return WIDTH - RIGHT + (names > RIGHT ? names : RIGHT);
}

weft_result weft_plot_write(const weft_plot *plot, const char *path) {
    weft_output out;
    axis x, y;
    int width = width_of(plot);
    find_axes(plot, &x, &y);
    WEFT_TRY(weft_output_open(&out, path));
    weft_output_print(&out,
                      "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' viewBox='0 0 %d %d' "
                      "font-family='sans-serif' font-size='12'>\n<rect width='%d' height='%d' fill='white'/>\n"
                      "<text x='%d' y='26' font-size='15'>%s</text>\n",
                      width, HEIGHT, width, HEIGHT, width, HEIGHT, LEFT, plot->title);
    put_grid(&out, plot, &x, &y);
    put_series(&out, plot, &x, &y);
    weft_output_print(&out, "<text x='%d' y='%d' text-anchor='middle'>%s</text>\n", (LEFT + WIDTH - RIGHT) / 2,
                      HEIGHT - 14, plot->x_label);
    weft_output_print(&out, "<text transform='translate(20 %d) rotate(-90)' text-anchor='middle'>%s</text>\n</svg>\n",
                      (TOP + HEIGHT - BOTTOM) / 2, plot->y_label);
    return weft_output_commit(&out);
}
