#include "apps/cli/reference.h"

#include <stdio.h>

#include "apps/cli/help_topics.h"
#include "apps/cli/table.h"

static const char START[] = "# Scene reference\n\n"
                            "All keys of a scene. `weft help --markdown` prints this page from the tables that the "
                            "scene reader uses, and a test keeps both equal. `weft help NAME` shows one section.\n\n"
                            "A range that begins with > excludes its lower limit. A value is in the given unit, or it "
                            "names another unit of the same kind: `150 g/m2`, `5 mm`, `30 deg`.\n\n";

static weft_result print_topic(const weft_topic *topic) {
    printf("## %s\n```text\n%s```\n\n", topic->name, topic->text);
    if (topic->params)
        WEFT_TRY(weft_table_print_params_markdown(topic->params()));
    if (!topic->has_presets)
        return weft_ok();
    WEFT_TRY(weft_presets_print(weft_table_print_markdown));
    weft_presets_print_sources("- ");
    printf("\n");
    return weft_ok();
}

static weft_result print_component(const weft_component *component) {
    printf("### %s\n%s\n\n", component->name, component->help);
    if (component->paper && component->paper[0])
        printf("%s\n\n", component->paper);
    return weft_table_print_params_markdown(component->params);
}

static weft_result print_kind(const weft_registry *registry, weft_kind kind, const char *title, const char *where) {
    printf("## %s\n%s\n\n", title, where);
    for (int i = 0; i < weft_registry_count(registry); i++)
        if (weft_registry_at(registry, i)->kind == kind)
            WEFT_TRY(print_component(weft_registry_at(registry, i)));
    return weft_ok();
}

weft_result weft_reference_print(const weft_registry *registry) {
    static const struct {
        weft_kind kind;
        const char *title, *where;
    } KINDS[] = {
        {WEFT_MODEL, "Models", "`model: NAME` or `model: {name: NAME, ...}` of a cloth."},
        {WEFT_INTEGRATOR, "Integrators", "`integrator: NAME` or `integrator: {name: NAME, ...}`."},
        {WEFT_FORCE, "Forces", "`forces: [NAME, {NAME: {...}}]`."},
        {WEFT_BODY, "Bodies", "`bodies: [NAME, {NAME: {...}}]`."},
        {WEFT_ADAPT, "Adaptation", "`adapt: NAME` or `adapt: {name: NAME, ...}`, for all cloths."},
        {WEFT_WRITER, "Writers", "`output: {write: [NAME], NAME: {...}}`."},
    };
    printf("%s", START);
    for (const weft_topic *topic = WEFT_TOPICS; topic->name; topic++)
        WEFT_TRY(print_topic(topic));
    for (size_t i = 0; i < sizeof KINDS / sizeof KINDS[0]; i++)
        WEFT_TRY(print_kind(registry, KINDS[i].kind, KINDS[i].title, KINDS[i].where));
    return weft_ok();
}
