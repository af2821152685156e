#include "wear/garment/svg_path.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "wear/garment/curve.h"
#include "weft/text.h"

static const double PI = 3.14159265358979323846;

weft_vec2 svg_apply(const svg_matrix *m, weft_vec2 p) {
    return (weft_vec2){m->a * p.x + m->c * p.y + m->e, m->b * p.x + m->d * p.y + m->f};
}

svg_matrix svg_combine(const svg_matrix *o, const svg_matrix *i) {
    return (svg_matrix){o->a * i->a + o->c * i->b, o->b * i->a + o->d * i->b,        o->a * i->c + o->c * i->d,
                        o->b * i->c + o->d * i->d, o->a * i->e + o->c * i->f + o->e, o->b * i->e + o->d * i->f + o->f};
}

static const char *skip(const char *text) { return text + strspn(text, " \t\r\n,"); }

/* A number, and not `nan` or `inf`, which strtod takes too. */
static int read_real(const char **text, double *number) {
    const char *at = skip(*text), *end;
    if (!isdigit((unsigned char)*at) && !strchr("+-.", *at))
        return 0;
    if (*at == 0)
        return 0;
    *number = weft_real_parse(at, &end);
    if (end == at || !isfinite(*number) || isalpha((unsigned char)at[*at == '+' || *at == '-']))
        return 0;
    *text = end;
    return 1;
}

/* The matrix of one function; missing arguments have their usual values. */
static int matrix_of(const char *name, size_t length, const double *n, int count, svg_matrix *m) {
    double angle = n[0] * PI / 180, s = sin(angle), c = cos(angle);
    *m = (svg_matrix){1, 0, 0, 1, 0, 0};
    if (length == 6 && strncmp(name, "matrix", 6) == 0 && count == 6)
        *m = (svg_matrix){n[0], n[1], n[2], n[3], n[4], n[5]};
    else if (length == 9 && strncmp(name, "translate", 9) == 0 && (count == 1 || count == 2))
        m->e = n[0], m->f = count == 2 ? n[1] : 0;
    else if (length == 5 && strncmp(name, "scale", 5) == 0 && (count == 1 || count == 2))
        m->a = n[0], m->d = count == 2 ? n[1] : n[0];
    else if (length == 6 && strncmp(name, "rotate", 6) == 0 && (count == 1 || count == 3))
        *m = (svg_matrix){
            c, s, -s, c, count == 3 ? n[1] - c * n[1] + s * n[2] : 0, count == 3 ? n[2] - s * n[1] - c * n[2] : 0};
    else if (length == 5 && strncmp(name, "skewX", 5) == 0 && count == 1)
        m->c = tan(angle);
    else if (length == 5 && strncmp(name, "skewY", 5) == 0 && count == 1)
        m->b = tan(angle);
    else
        return 0;
    return 1;
}

weft_result svg_transform_read(const char *text, svg_matrix *matrix) {
    const char *at = skip(text);
    *matrix = (svg_matrix){1, 0, 0, 1, 0, 0};
    while (*at) {
        double n[6] = {0};
        int count = 0;
        size_t length = strcspn(at, " (");
        const char *open = at + length + strspn(at + length, " "), *inner = open + 1;
        while (*open == '(' && count < 6 && read_real(&inner, &n[count]))
            count++;
        inner = *open == '(' ? skip(inner) : "";
        svg_matrix one;
        if (*inner != ')' || !matrix_of(at, length, n, count, &one))
            return weft_fail(WEFT_BAD_INPUT, "transform: '%.40s' is not a transformation", at);
        *matrix = svg_combine(matrix, &one);
        at = skip(inner + 1);
    }
    return weft_ok();
}

/* The pen while a path is drawn, in coordinates of the file. */
typedef struct pen {
    const svg_matrix *matrix;
    garment_chain *chain;
    weft_vec2 at, start;
    weft_vec2 control; /* the last control of the curve before, for smooth curves */
    char before;       /* the command before, as a capital */
    int outlines;
} pen;

static weft_result draw_cubic(pen *p, weft_vec2 a, weft_vec2 b, weft_vec2 to) {
    p->at = to;
    return garment_chain_curve(p->chain, svg_apply(p->matrix, a), svg_apply(p->matrix, b), svg_apply(p->matrix, to));
}

static weft_result draw_line(pen *p, weft_vec2 to) {
    p->at = to;
    return garment_chain_line(p->chain, svg_apply(p->matrix, to));
}

static weft_result draw_quadratic(pen *p, weft_vec2 c, weft_vec2 to) {
    weft_vec2 inner[2];
    garment_curve_raise(p->at, c, to, inner);
    return draw_cubic(p, inner[0], inner[1], to);
}

/* An arc of an ellipse is one of a circle, stretched: n has two radii, an angle, and two flags. */
static weft_result draw_arc(pen *p, const double *n, weft_vec2 to) {
    weft_vec2 from = p->at, curve[GARMENT_ARC_CURVES][3];
    double rx = fabs(n[0]), ry = fabs(n[1]), angle = n[2] * PI / 180, c = cos(angle), s = sin(angle);
    if (!(rx > 1e-9 && ry > 1e-9) || (from.x == to.x && from.y == to.y))
        return draw_line(p, to);
    svg_matrix stretch = {c * rx, s * rx, -s * ry, c * ry, 0, 0};
    svg_matrix shrink = {c / rx, -s / ry, s / rx, c / ry, 0, 0};
    weft_vec2 a = svg_apply(&shrink, from), b = svg_apply(&shrink, to);
    if (!(hypot(a.x - b.x, a.y - b.y) > 1e-12))
        return draw_line(p, to);
    int pieces = garment_arc(a, b, 1, n[3] != 0, n[4] != 0, curve);
    for (int i = 0; i < pieces; i++)
        WEFT_TRY(draw_cubic(p, svg_apply(&stretch, curve[i][0]), svg_apply(&stretch, curve[i][1]),
                            i + 1 == pieces ? to : svg_apply(&stretch, curve[i][2])));
    return weft_ok();
}

static weft_result move(pen *p, weft_vec2 to) {
    if (p->outlines > 0 && p->chain->curves > 0)
        return weft_fail(WEFT_BAD_INPUT, "the path has more than one outline");
    p->outlines = 1;
    p->at = p->start = to;
    garment_chain_start(p->chain, svg_apply(p->matrix, to));
    return weft_ok();
}

static weft_vec2 mirrored(const pen *p, const char *after) {
    if (!p->before || !strchr(after, p->before))
        return p->at;
    return (weft_vec2){2 * p->at.x - p->control.x, 2 * p->at.y - p->control.y};
}

/* Draws one command. `n` are its numbers, with relative points already made absolute. */
static weft_result draw(pen *p, char command, const double *n) {
    weft_vec2 q[3] = {{n[0], n[1]}, {n[2], n[3]}, {n[4], n[5]}};
    switch (command) {
    case 'M':
        return move(p, q[0]);
    case 'H':
        return draw_line(p, (weft_vec2){n[0], p->at.y});
    case 'V':
        return draw_line(p, (weft_vec2){p->at.x, n[0]});
    case 'C':
        p->control = q[1];
        return draw_cubic(p, q[0], q[1], q[2]);
    case 'S': {
        weft_vec2 first = mirrored(p, "CS");
        p->control = q[0];
        return draw_cubic(p, first, q[0], q[1]);
    }
    case 'Q':
        p->control = q[0];
        return draw_quadratic(p, q[0], q[1]);
    case 'T':
        p->control = mirrored(p, "QT");
        return draw_quadratic(p, p->control, q[0]);
    case 'A':
        return draw_arc(p, n, (weft_vec2){n[5], n[6]});
    default:
        return draw_line(p, q[0]);
    }
}

/* Numbers of a command, or -1. */
static int numbers_of(char command) {
    static const char COMMANDS[] = "MLHVCSQTAZ";
    static const int NUMBERS[] = {2, 2, 1, 1, 6, 4, 4, 2, 7, 0};
    const char *found = command ? strchr(COMMANDS, command) : NULL;
    return found ? NUMBERS[found - COMMANDS] : -1;
}

/* The flags of an arc are single digits that need no separator. */
static int read_argument(const char **text, char command, int index, double *number) {
    if (command != 'A' || (index != 3 && index != 4))
        return read_real(text, number);
    const char *at = skip(*text);
    if (*at != '0' && *at != '1')
        return 0;
    *number = *at - '0';
    *text = at + 1;
    return 1;
}

static void make_absolute(const pen *p, char command, double *n) {
    int count = numbers_of(command);
    if (command == 'A')
        n[5] += p->at.x, n[6] += p->at.y;
    else if (command == 'V')
        n[0] += p->at.y;
    else
        for (int i = 0; i < count; i++)
            n[i] += i % 2 ? p->at.y : p->at.x;
}

static weft_result close_outline(pen *p) {
    if (p->outlines == 0)
        return weft_fail(WEFT_BAD_INPUT, "path data must begin with M");
    WEFT_TRY(draw_line(p, p->start));
    return weft_ok();
}

weft_result svg_path_read(const char *text, const svg_matrix *matrix, garment_chain *chain, int *closed) {
    pen p = {.matrix = matrix, .chain = chain};
    char command = 0;
    for (const char *at = skip(text); *at; at = skip(at)) {
        const char *place = at;
        double n[8] = {0};
        if (isalpha((unsigned char)*at))
            command = *at++;
        else if (command == 'M' || command == 'm') /* further points are lines */
            command = command == 'M' ? 'L' : 'l';
        char capital = (char)toupper((unsigned char)command);
        int count = numbers_of(capital), read = 0;
        while (read < count && read_argument(&at, capital, read, &n[read]))
            read++;
        if (count < 0 || read < count || (count == 0 && place == at))
            return weft_fail(WEFT_BAD_INPUT, "path data: cannot read '%.24s'", place);
        if (capital != 'M' && p.outlines == 0)
            return weft_fail(WEFT_BAD_INPUT, "path data must begin with M");
        if (command != capital)
            make_absolute(&p, capital, n);
        WEFT_TRY(capital == 'Z' ? close_outline(&p) : draw(&p, capital, n));
        p.before = capital;
    }
    *closed = garment_chain_closes(chain);
    return weft_ok();
}
