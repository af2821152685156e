#include "apps/cli/device.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "apps/cli/run_session.h"

weft_result weft_device_put(weft_tree *tree, const char *name, const char *option) {
    weft_value *root = weft_tree_root(tree), *value = weft_tree_text(tree, name, option, 0);
    if (!root || root->kind != WEFT_VALUE_MAP)
        return weft_ok(); /* not a scene; the reader reports it */
    if (!value)
        return weft_fail_memory(option, strlen(name));
    weft_value *device = weft_value_find(root, "device");
    if (device && device->kind == WEFT_VALUE_MAP)
        return weft_value_put(tree, device, "name", value);
    return weft_value_put(tree, root, "device", value);
}

/* The name of the device, or null if the scene has none that can be loaded. */
static const weft_value *named_device(const weft_tree *tree) {
    const weft_value *value = weft_value_find(weft_tree_root((weft_tree *)tree), "device");
    if (value && value->kind == WEFT_VALUE_MAP)
        value = weft_value_find(value, "name");
    if (!value || value->kind != WEFT_VALUE_TEXT || strcmp(value->text, "cpu") == 0)
        return NULL;
    return value;
}

/* dlopen names the file that it looked for, which is another one if a library of the device is missing. */
static weft_result fail_load(const char *place, const char *name, const char *file, const char *why) {
    if (strcmp(name, "cuda") != 0 && strcmp(name, "cuda-host") != 0)
        return weft_fail(WEFT_BAD_INPUT, "%sdevice: '%.60s' is not known; known: cpu, cuda", place, name);
    if (why && strstr(why, file) && strstr(why, "No such file"))
        return weft_fail(
            WEFT_UNSUPPORTED,
            "%sdevice: cuda needs %s, which is not installed: build weft where nvcc is, or use device: cpu", place,
            file);
    return weft_fail(WEFT_UNSUPPORTED, "%sdevice: %s cannot be loaded: %.300s", place, file, why ? why : "?");
}

weft_result weft_device_load(weft_registry *registry, const weft_tree *tree) {
    const weft_value *named = named_device(tree);
    if (!named || weft_registry_find(registry, WEFT_DEVICE, named->text))
        return weft_ok();
    char file[64], place[320];
    size_t length = strcspn(named->text, "-");
    weft_value_place(named, place, sizeof place);
    if (length == 0 || strspn(named->text, "abcdefghijklmnopqrstuvwxyz0123456789") < length)
        return weft_fail(WEFT_BAD_INPUT, "%sdevice: '%.60s' is neither cpu nor cuda", place, named->text);
    if (snprintf(file, sizeof file, "libweft_%.*s.so", (int)length, named->text) >= (int)sizeof file)
        return weft_fail(WEFT_BAD_INPUT, "%sdevice: the name is too long", place);
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL); /* a bare name: where this program's libraries are */
    if (!library)
        return fail_load(place, named->text, file, dlerror());
    weft_result result = weft_plugin_enter(registry, library, file);
    return result.code == WEFT_OK ? result : weft_fail(result.code, "%sdevice: %.300s", place, result.message);
}
