#include "tests/stress/stress_options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "weft/text.h"

static const char HELP[] =
    "usage: stress_scenes [OPTION]... [SCENE]...\n"
    "Makes random scenes from seeds, runs them and checks every step. With scene files, runs those instead.\n"
    "\n"
    "  --seeds N          number of seeds (default 100)\n"
    "  --first N          first seed (default 1); from 1000000 on, scenes are small and short\n"
    "  --minutes M        start no scene after M minutes; 0: no limit (default)\n"
    "  --jobs N           scenes at a time, 1 to 256 (default 1)\n"
    "  --limit S          CPU seconds per scene (default 30)\n"
    "  --out DIR          where scenes that fail are kept, for weft run (default stress-failures)\n"
    "  --json FILE        also write the summary to FILE, as a JSON object\n"
    "  --seed N           run one seed in this process and print every frame\n"
    "  --write-only DIR   write the scenes of the seeds and run none\n"
    "  --strict           exit with 1 on the classes from stall on too\n"
    "  --updates N        exit with 1 if a step takes more than N Newton updates\n"
    "  --verbose          print a line for every scene, with its time\n"
    "  --help             print this text\n"
    "\n"
    "Classes of failures:\n"
    "  intersection       an edge passes through a triangle, or cloth lies inside of a body\n"
    "  unresolved         a step left collisions: cloth may have passed through\n"
    "  not-finite         a position or velocity is not finite\n"
    "  diverged           a step of an implicit scheme failed\n"
    "  crash              the process ended, or a call failed that should not\n"
    "  bad-start          the scene is refused, or intersects at the start\n"
    "  stall              a step takes more than 100 times the median, which counts as 0.2 ms at least\n"
    "  slow               the scene is not done after --limit, and no single step is to blame\n"
    "  energy             energy rises by over 1 % of that at the start, and nothing drives the scene\n"
    "  stretch            edges stretch more than the speed of the cloth explains\n"
    "  unstable           a step of an explicit scheme failed, or xpbd or projective exploded\n"
    "\n"
    "The exit status is 1 if a class before 'stall' occurred, and 2 if the arguments are wrong.\n";

void stress_options_help(void) { fputs(HELP, stdout); }

static weft_result read_number(const char *name, const char *text, double low, double high, int whole, double *value) {
    const char *end = text;
    double read = *text ? weft_real_parse(text, &end) : 0;
    if (end == text || *end || !(read >= low && read <= high) || (whole && read != floor(read)))
        return weft_fail(WEFT_BAD_INPUT, "%s '%.60s': not a %snumber from %g to %g", name, text, whole ? "whole " : "",
                         low, high);
    *value = read;
    return weft_ok();
}

/* An option with a number. Sets `known` if `name` is one. */
static weft_result read_number_option(const char *name, const char *text, stress_options *options, int *known) {
    static const double MOST_SEED = 9007199254740992.0; /* doubles hold whole numbers up to here */
    double value = 0;
    *known = 1;
    if (strcmp(name, "--seeds") == 0) {
        WEFT_TRY(read_number(name, text, 1, 1e9, 1, &value));
        options->seeds = (uint64_t)value;
    } else if (strcmp(name, "--first") == 0 || strcmp(name, "--seed") == 0) {
        WEFT_TRY(read_number(name, text, 0, MOST_SEED, 1, &value));
        options->first = (uint64_t)value;
        options->single |= name[6] == '\0';
    } else if (strcmp(name, "--minutes") == 0) {
        WEFT_TRY(read_number(name, text, 0, 1e6, 0, &options->minutes));
    } else if (strcmp(name, "--jobs") == 0) {
        WEFT_TRY(read_number(name, text, 1, 256, 1, &value));
        options->jobs = (int)value;
    } else if (strcmp(name, "--updates") == 0) {
        WEFT_TRY(read_number(name, text, 1, 1e9, 1, &value));
        options->updates = (int64_t)value;
    } else if (strcmp(name, "--limit") == 0) {
        WEFT_TRY(read_number(name, text, 1, 1e6, 1, &value));
        options->limit = (int)value;
    } else {
        *known = 0;
    }
    return weft_ok();
}

static weft_result read_value_option(const char *name, const char *text, stress_options *options) {
    int known;
    if (strcmp(name, "--out") == 0)
        options->out = text;
    else if (strcmp(name, "--write-only") == 0)
        options->only = text;
    else if (strcmp(name, "--json") == 0)
        options->json = text;
    else {
        WEFT_TRY(read_number_option(name, text ? text : "", options, &known));
        if (!known)
            return weft_fail(WEFT_BAD_INPUT, "unknown option '%.60s' (see --help)", name);
    }
    return weft_ok();
}

static weft_result check_options(const stress_options *options) {
    if (options->file_count > 0 && (options->only || options->single))
        return weft_fail(WEFT_BAD_INPUT, "'%.200s': scene files cannot be combined with --seed and --write-only",
                         options->file[0]);
    if ((options->out && !*options->out) || (options->only && !*options->only))
        return weft_fail(WEFT_BAD_INPUT, "%s '': the folder needs a name", options->only ? "--write-only" : "--out");
    return weft_ok();
}

weft_result stress_options_read(int count, char **word, stress_options *options) {
    *options = (stress_options){.first = 1, .seeds = 100, .jobs = 1, .limit = 30, .out = "stress-failures"};
    options->file = word; /* files move to the front of the list */
    for (int i = 0; i < count; i++) {
        if (strcmp(word[i], "--strict") == 0)
            options->strict = 1;
        else if (strcmp(word[i], "--verbose") == 0)
            options->verbose = 1;
        else if (strcmp(word[i], "--help") == 0)
            options->help = 1;
        else if (word[i][0] != '-')
            options->file[options->file_count++] = word[i];
        else {
            const char *name = word[i], *text = i + 1 < count ? word[i + 1] : NULL;
            if (!text && (strcmp(name, "--out") == 0 || strcmp(name, "--write-only") == 0))
                return weft_fail(WEFT_BAD_INPUT, "%s needs a folder", name);
            if (!text && strcmp(name, "--json") == 0)
                return weft_fail(WEFT_BAD_INPUT, "--json needs a file");
            WEFT_TRY(read_value_option(name, text, options));
            i++;
        }
    }
    return check_options(options);
}
