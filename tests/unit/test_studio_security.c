/* Access control of the studio, and its robustness against malformed input. */
#include "studio_client.h"

#include "io/file.h"

static const char SCENE[] = "time: {step: 2 ms, frames: 100, rate: 60}\n"
                            "cloth:\n"
                            "  - name: sheet\n"
                            "    grid: {cells: [8, 8], size: [1, 1], axes: [x, z]}\n"
                            "    model: {name: springs, stiffness: fabric}\n"
                            "    pins: [{corner: top-left}]\n"
                            "integrator: implicit-euler\n"
                            "forces: [gravity]\n";

static studio running;
static char local[64]; /* the Host header of a browser */

static int start(void **state) {
    (void)state;
    running = studio_start(SCENE);
    snprintf(local, sizeof local, "127.0.0.1:%d", running.port);
    return 0;
}

static int stop(void **state) {
    (void)state;
    studio_stop(&running);
    return 0;
}

/* A new viewer is served normally, once the studio has noticed that others have left. */
static void assert_well(void) {
    char path[128];
    viewer v;
    snprintf(path, sizeof path, "/ws?token=%s", running.token);
    double begin = seconds();
    for (int status = 503; status != 101; nap(0.01)) {
        status = viewer_try(&running, &v, path, local, "");
        if (status != 101)
            viewer_close(&v);
        assert_true(status == 101 || (status == 503 && seconds() < begin + PATIENCE));
    }
    viewer_must(&v, "\"do\":\"hello\"");
    viewer_must(&v, "\"do\":\"step\"");
    viewer_close(&v);
}

static void requests_without_token_are_refused(void **state) {
    (void)state;
    char body[65536], wrong[64];
    const char *const PATHS[] = {
        "/",       "/index.html", "/assets/x.js", "/thumbnails/flag.png", "/download/1/a.obj", "/recordings/a.yaml",
        "/nothing"};
    for (size_t i = 0; i < sizeof PATHS / sizeof PATHS[0]; i++) {
        assert_int_equal(ask(&running, PATHS[i], local, NULL, "", body, sizeof body), 403);
        assert_null(strstr(body, running.token));
        assert_null(strstr(body, "Set-Cookie"));
        assert_null(strstr(body, "set-cookie"));
    }
    memcpy(wrong, running.token, sizeof wrong);
    wrong[31] = wrong[31] == '0' ? '1' : '0';
    assert_int_equal(ask(&running, "/", local, wrong, "", body, sizeof body), 403);
    wrong[31] = '\0'; /* one digit less */
    assert_int_equal(ask(&running, "/", local, wrong, "", body, sizeof body), 403);
    assert_int_equal(ask(&running, "/", local, "", "", body, sizeof body), 403);
    int status = ask(&running, "/", local, running.token, "", body, sizeof body);
    assert_true(status == 200 || status == 503); /* 503: built without the page */
    assert_int_equal(ask(&running, "/nothing", local, running.token, "", body, sizeof body), 404);
}

static void cookie_grants_access(void **state) {
    (void)state;
    char body[65536], header[160];
    snprintf(header, sizeof header, "Cookie: other=1; weft_%d=%s\r\n", running.port, running.token);
    assert_int_equal(ask(&running, "/nothing", local, NULL, header, body, sizeof body), 404);
    snprintf(header, sizeof header, "Cookie: weft_%d=%.31s\r\n", running.port, running.token);
    assert_int_equal(ask(&running, "/nothing", local, NULL, header, body, sizeof body), 403);
    snprintf(header, sizeof header, "Cookie: xweft_%d=%s\r\n", running.port, running.token);
    assert_int_equal(ask(&running, "/nothing", local, NULL, header, body, sizeof body), 403);
    if (ask(&running, "/", local, running.token, "", body, sizeof body) != 200)
        return;
    const char *cookie = strstr(body, "set-cookie:");
    assert_non_null(cookie);
    assert_non_null(strstr(cookie, "HttpOnly"));
    assert_non_null(strstr(cookie, "SameSite=Strict"));
}

static const char *field(const char *head, const char *name, char value[128]) {
    const char *at = strstr(head, name);
    sscanf(at ? at + strlen(name) : "", ": %127[^\r]", value);
    return at ? value : "";
}

/* The script and the style of the page are sent compressed, and not again to who has them. */
static void page_is_sent_compressed_and_once(void **state) {
    (void)state;
    enum { ROOM = 2 << 20 };
    char *body = malloc(ROOM), value[128], header[256];
    assert_non_null(body);
    int status = ask(&running, "/assets/studio.js", local, running.token, "", body, ROOM);
    if (status == 404) { /* built without the page */
        free(body);
        return;
    }
    assert_int_equal(status, 200);
    assert_string_equal(field(body, "content-encoding", value), "");
    unsigned long whole = strtoul(field(body, "content-length", value), NULL, 10);
    static const char *const ACCEPTED[] = {"gzip", "gzip, deflate, br, zstd", "br;q=1.0, gzip;q=0.8", "identity, gzip"};
    for (size_t i = 0; i < sizeof ACCEPTED / sizeof ACCEPTED[0]; i++) {
        snprintf(header, sizeof header, "Accept-Encoding: %s\r\n", ACCEPTED[i]);
        assert_int_equal(ask(&running, "/assets/studio.js", local, running.token, header, body, ROOM), 200);
        assert_string_equal(field(body, "content-encoding", value), "gzip");
        assert_true(3 * strtoul(field(body, "content-length", value), NULL, 10) < whole);
        const char *bytes = strstr(body, "\r\n\r\n");
        assert_non_null(bytes);
        assert_memory_equal(bytes + 4, "\x1f\x8b", 2);
    }
    static const char *const REFUSED[] = {"br", "gzip;q=0", "br, gzip; q=0.0, deflate", "xgzip", "gzip2"};
    for (size_t i = 0; i < sizeof REFUSED / sizeof REFUSED[0]; i++) {
        snprintf(header, sizeof header, "Accept-Encoding: %s\r\n", REFUSED[i]);
        assert_int_equal(ask(&running, "/assets/studio.js", local, running.token, header, body, ROOM), 200);
        assert_string_equal(field(body, "content-encoding", value), "");
    }
    assert_string_equal(field(body, "cache-control", value), "private, no-cache");
    snprintf(header, sizeof header, "If-None-Match: \"0\", %s\r\n", field(body, "etag", value));
    assert_int_equal(ask(&running, "/assets/studio.js", local, running.token, header, body, ROOM), 304);
    assert_null(strstr(body, "content-length"));
    assert_int_equal(ask(&running, "/assets/studio.js", local, NULL, header, body, ROOM), 403);
    assert_int_equal(ask(&running, "/assets/studio.js", local, running.token, "If-None-Match: \"0\"\r\n", body, ROOM),
                     200);
    assert_int_equal(ask(&running, "/", local, running.token, "", body, ROOM), 200);
    assert_string_equal(field(body, "cache-control", value), "no-store");
    free(body);
}

/* Host names that a foreign DNS could resolve to this machine. */
static void foreign_hosts_are_refused(void **state) {
    (void)state;
    char body[4096];
    const char *const FOREIGN[] = {"evil.example",
                                   "127.0.0.1.evil.example",
                                   "localhost.evil.example",
                                   "0.0.0.0",
                                   "127.0.0.1:80:80",
                                   "127.0.0.1:x",
                                   ""};
    for (size_t i = 0; i < sizeof FOREIGN / sizeof FOREIGN[0]; i++) {
        int status = ask(&running, "/nothing", FOREIGN[i], running.token, "", body, sizeof body);
        assert_true(status == 403 || status == 400 || status == 0);
    }
    const char *const OWN[] = {"127.0.0.1", "localhost", "localhost:8000", "[::1]:8000"};
    for (size_t i = 0; i < sizeof OWN / sizeof OWN[0]; i++)
        assert_int_equal(ask(&running, "/nothing", OWN[i], running.token, "", body, sizeof body), 404);
}

static void foreign_origins_are_refused(void **state) {
    (void)state;
    char path[128], own[96];
    viewer v;
    snprintf(path, sizeof path, "/ws?token=%s", running.token);
    const char *const FOREIGN[] = {"Origin: http://evil.example\r\n", "Origin: null\r\n",
                                   "Origin: https://127.0.0.1\r\n", "Origin: http://127.0.0.1:1\r\n"};
    for (size_t i = 0; i < sizeof FOREIGN / sizeof FOREIGN[0]; i++) {
        assert_int_equal(viewer_try(&running, &v, path, local, FOREIGN[i]), 403);
        viewer_close(&v);
    }
    assert_int_equal(viewer_try(&running, &v, "/ws", local, ""), 403);
    viewer_close(&v);
    assert_int_equal(viewer_try(&running, &v, path, "evil.example", ""), 403);
    viewer_close(&v);
    snprintf(own, sizeof own, "Origin: http://%s\r\n", local);
    assert_int_equal(viewer_try(&running, &v, path, local, own), 101);
    viewer_must(&v, "\"do\":\"hello\"");
    viewer_close(&v);
}

static void paths_outside_folder_are_refused(void **state) {
    (void)state;
    char body[65536];
    char secret[512];
    snprintf(secret, sizeof secret, "%s-secret.yaml", running.folder); /* beside the folder, not in it */
    FILE *file = fopen(secret, "w");
    fputs("root:secret\n", file);
    fclose(file);
    const char *const PATHS[] = {"/../scene.yaml",
                                 "/%2e%2e/scene.yaml",
                                 "/..%2fscene.yaml",
                                 "/assets/../../etc/passwd",
                                 "/assets/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
                                 "/thumbnails/../../../etc/passwd",
                                 "/thumbnails/%2e%2e%2fflag.png",
                                 "/download/1/../../scene.yaml",
                                 "/download/1/%2e%2e%2f%2e%2e%2fscene.yaml",
                                 "/download/../scene.yaml",
                                 "/recordings/../scene.yaml",
                                 "/recordings/%2e%2e%2fscene.yaml",
                                 "//etc/passwd",
                                 "/recordings/..%5cscene.yaml",
                                 "/scene.yaml%00.js",
                                 "/recordings/a%00.yaml"};
    for (size_t i = 0; i < sizeof PATHS / sizeof PATHS[0]; i++) {
        int status = ask(&running, PATHS[i], local, running.token, "", body, sizeof body);
        if (status == 200 || strstr(body, "root:") || strstr(body, "cloth:"))
            fail_msg("%s: %d", PATHS[i], status);
    }
    viewer v = viewer_open(&running);
    viewer_must(&v, "\"do\":\"hello\"");
    char fields[700];
    const char *name = strrchr(secret, '/') + 1;
    snprintf(fields, sizeof fields, "\"do\":\"load\",\"scene\":\"../%s\"", name);
    viewer_refused(&v, fields, "not a file below the folder");
    snprintf(fields, sizeof fields, "\"do\":\"load\",\"scene\":\"%s\"", secret);
    viewer_refused(&v, fields, "not a file below the folder");
    snprintf(fields, sizeof fields, "%s/link.yaml", running.folder);
    assert_int_equal(symlink(secret, fields), 0);
    viewer_refused(&v, "\"do\":\"load\",\"scene\":\"link.yaml\"", "not a file below the folder");
    viewer_refused(&v, "\"do\":\"target\",\"mesh\":\"../../etc/passwd\"", "not a file below the folder");
    viewer_refused(&v, "\"do\":\"target\",\"mesh\":\"/etc/passwd\"", "not a file below the folder");
    viewer_refused(&v, "\"do\":\"record\",\"action\":\"save\",\"name\":\"../x\"", "not a file name");
    viewer_refused(&v, "\"do\":\"record\",\"action\":\"save\",\"name\":\".x\"", "not a file name");
    viewer_refused(&v, "\"do\":\"record\",\"action\":\"save\",\"name\":\"a/b\"", "not a file name");
    /* a scene in the folder that names files outside it */
    snprintf(fields, sizeof fields, "include: ../%s\ncloth: {grid: {cells: [2, 2]}}\n", name);
    write_file(running.folder, "include.yaml", fields);
    viewer_refused(&v, "\"do\":\"load\",\"scene\":\"include.yaml\"", "");
    write_file(running.folder, "mesh.yaml", "cloth: {mesh: /etc/passwd}\n");
    viewer_refused(&v, "\"do\":\"load\",\"scene\":\"mesh.yaml\"", "not a file below the folder");
    viewer_close(&v);
    unlink(secret);
}

/* The recordings folder is replaced by a link that leads outside. */
static void links_outside_folder_are_refused(void **state) {
    (void)state;
    char link[512];
    viewer v = viewer_open(&running);
    viewer_must(&v, "\"do\":\"hello\"");
    snprintf(link, sizeof link, "%s/recordings", running.folder);
    assert_int_equal(symlink("/tmp", link), 0);
    viewer_refused(&v, "\"do\":\"record\",\"action\":\"save\",\"name\":\"weft-studio-test\"", "not a file below");
    assert_int_equal(access("/tmp/weft-studio-test.yaml", F_OK), -1);
    unlink(link);
    viewer_close(&v);
}

static int upload(const char *name, const char *length, const char *text, char *body, size_t size) {
    char request[4096];
    int used = snprintf(request, sizeof request,
                        "POST /upload?name=%s&token=%s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n"
                        "Content-Length: %s\r\n\r\n%s",
                        name, running.token, local, length, text);
    return ask_raw(&running, request, (size_t)used, body, size);
}

static int count_uploads(const char *excerpt) {
    char path[512];
    int count = 0;
    snprintf(path, sizeof path, "%s/uploads", running.folder);
    DIR *folder = opendir(path);
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));)
        count += strstr(entry->d_name, excerpt) != NULL;
    closedir(folder);
    return count;
}

static void wait_for_uploads(const char *excerpt, int count) {
    for (double begin = seconds(); count_uploads(excerpt) != count; nap(0.01))
        assert_true(seconds() < begin + PATIENCE);
}

static void uploads_are_checked(void **state) {
    (void)state;
    static const char MESH[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";
    char body[4096], length[32], path[512];
    snprintf(length, sizeof length, "%zu", sizeof MESH - 1);
    assert_int_equal(upload("quad.obj", length, MESH, body, sizeof body), 200);
    assert_non_null(strstr(body, "{\"path\":\"uploads/quad.obj\"}"));
    assert_int_equal(upload("..%2fquad.obj", length, MESH, body, sizeof body), 400);
    assert_int_equal(upload(".quad.obj", length, MESH, body, sizeof body), 400);
    assert_int_equal(upload("quad.sh", length, MESH, body, sizeof body), 400);
    assert_int_equal(upload("quad.obj", "99999999999", "", body, sizeof body), 413);
    assert_int_equal(upload("quad.obj", "0", "", body, sizeof body), 400);
    snprintf(path, sizeof path, "%s/uploads/quad.sh", running.folder);
    assert_int_equal(access(path, F_OK), -1);
    viewer v = viewer_open(&running);
    viewer_must(&v, "\"do\":\"hello\"");
    viewer_must(&v, "\"do\":\"target\",\"mesh\":\"uploads/quad.obj\"");
    viewer_must(&v, "\"do\":\"step\"");
    viewer_must(&v, "\"do\":\"load\",\"scene\":\"scene\"");
    viewer_close(&v);
    /* interrupted in the middle: nothing is kept */
    int fd = dial(&running);
    char request[512];
    int used = snprintf(request, sizeof request,
                        "POST /upload?name=half.obj&token=%s HTTP/1.1\r\nHost: %s\r\nContent-Length: 1000\r\n\r\nv 0",
                        running.token, local);
    send_all(fd, request, (size_t)used);
    wait_for_uploads("half", 1);
    close(fd);
    wait_for_uploads("half", 0);
}

static int upload_text(const char *name, const char *text, char *body, size_t size) {
    char length[32];
    snprintf(length, sizeof length, "%zu", strlen(text));
    return upload(name, length, text, body, size);
}

static void uploads_replace_nothing(void **state) {
    (void)state;
    static const char RECORDING[] = "cloth:\n  - grid: {cells: [2, 2], size: [1, 1]}\ninputs: kept.inputs\n";
    static const char SCENE_FILE[] = "cloth:\n  - grid: {cells: [3, 3], size: [1, 1]}\n";
    char body[4096], path[512], *bytes;
    size_t size;
    assert_int_equal(upload_text("kept.yaml", RECORDING, body, sizeof body), 200);
    assert_non_null(strstr(body, "{\"path\":\"recordings/kept.yaml\"}"));
    assert_int_equal(upload_text("kept.yaml", RECORDING, body, sizeof body), 200); /* the same again */
    assert_non_null(strstr(body, "{\"path\":\"recordings/kept.yaml\"}"));
    assert_int_equal(upload_text("kept.yaml", SCENE_FILE, body, sizeof body), 200); /* no recording: it has no inputs */
    assert_non_null(strstr(body, "{\"path\":\"uploads/kept.yaml\"}"));
    static const char OTHER[] = "cloth:\n  - grid: {cells: [4, 4], size: [1, 1]}\ninputs: kept.inputs\n";
    assert_int_equal(upload_text("kept.yaml", OTHER, body, sizeof body), 200);
    assert_non_null(strstr(body, "{\"path\":\"recordings/kept-2.yaml\"}"));
    snprintf(path, sizeof path, "%s/recordings/kept.yaml", running.folder);
    must(weft_file_read(path, &bytes, &size));
    assert_string_equal(bytes, RECORDING);
    free(bytes);
    assert_int_equal(upload_text("mesh.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n", body, sizeof body), 200);
    assert_int_equal(upload_text("mesh.obj", "v 0 0 0\nv 2 0 0\nv 1 1 0\nf 1 2 3\n", body, sizeof body), 200);
    assert_non_null(strstr(body, "{\"path\":\"uploads/mesh-2.obj\"}"));
    /* what is no scene is not kept */
    assert_int_equal(upload_text("bad.yaml", "time: {step: 1 ms}\n", body, sizeof body), 400);
    assert_non_null(strstr(body, "bad.yaml: not a scene: it has no 'cloth'"));
    assert_int_equal(upload_text("bad.yaml", "cloth: [\n", body, sizeof body), 400);
    assert_non_null(strstr(body, "bad.yaml:"));
    assert_int_equal(count_uploads("bad"), 0);
    assert_int_equal(count_uploads(".part"), 0);
}

/* Reads until the studio ends the connection. Returns the HTTP status, or 0 if it does not end. */
static int answer_of_last_request(int fd, char *body, size_t size) {
    size_t used = 0;
    ssize_t got = 1;
    int status = 0;
    for (; got > 0 && used + 1 < size && can_read(fd, 5); used += got > 0 ? (size_t)got : 0)
        got = recv(fd, body + used, size - 1 - used, 0);
    body[used] = '\0';
    if (got == 0)
        sscanf(body, "HTTP/1.%*d %d", &status);
    return status;
}

/* The body of such a request is not read, so its connection cannot serve another request. */
static void refused_posts_end_the_connection(void **state) {
    (void)state;
    static const struct {
        const char *path, *headers, *body, *said;
        int status;
    } REFUSED[] = {
        {"/upload?name=a.obj&", "Transfer-Encoding: chunked\r\n", "5\r\nv 0 0\r\n0\r\n\r\n", "Content-Length", 411},
        {"/upload?name=a.obj&", "Transfer-Encoding: chunked\r\n", "", "Content-Length", 411},
        {"/upload?name=a.obj&", "", "", "Content-Length", 411},
        {"/upload?name=a.obj&", "Content-Length: 99999999999\r\n", "v 0", "64 MiB", 413},
        {"/upload?name=a.sh&", "Content-Length: 5\r\n", "v 0 0", "must end in", 400},
        {"/other?", "Content-Length: 5\r\n", "v 0 0", "POST is allowed", 405},
        {"/other?", "Transfer-Encoding: chunked\r\n", "5\r\nv 0 0\r\n0\r\n\r\n", "POST is allowed", 405},
        {"/upload?name=a.obj&x", "Transfer-Encoding: chunked\r\n", "", "token", 403}};
    for (size_t i = 0; i < sizeof REFUSED / sizeof REFUSED[0]; i++) {
        char request[1024], body[4096];
        int fd = dial(&running);
        int used = snprintf(request, sizeof request, "POST %stoken=%s HTTP/1.1\r\nHost: %s\r\n%s\r\n%s",
                            REFUSED[i].path, running.token, local, REFUSED[i].headers, REFUSED[i].body);
        send_all(fd, request, (size_t)used);
        assert_int_equal(answer_of_last_request(fd, body, sizeof body), REFUSED[i].status);
        assert_non_null(strstr(body, "connection: close"));
        assert_non_null(strstr(body, REFUSED[i].said));
        close(fd);
    }
    assert_int_equal(count_uploads("a."), 0);
    assert_well();
}

/* -- messages -- */

static void bad_messages_are_refused(void **state) {
    (void)state;
    viewer v = viewer_open(&running);
    viewer_must(&v, "\"do\":\"hello\"");
    const char *const BAD[] = {"",
                               "{",
                               "[]",
                               "null",
                               "{\"id\":1}",
                               "{\"do\":\"play\"}",
                               "{\"id\":-1,\"do\":\"play\"}",
                               "{\"id\":1e400,\"do\":\"play\"}",
                               "{\"id\":1,\"id\":2,\"do\":\"play\"}",
                               "{\"id\":1,\"do\":7}",
                               "{\"id\":1,\"do\":\"\\u0000\"}"};
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        viewer_send(&v, BAD[i]);
        int answered = 0;
        while (!answered && viewer_next(&v, PATIENCE))
            answered = v.last_code == 1 && strstr(v.last, "\"error\"") != NULL;
        if (!answered)
            fail_msg("no refusal of %s", BAD[i]);
    }
    viewer_refused(&v, "\"do\":\"plya\"", "did you mean 'play'?");
    viewer_refused(&v, "\"do\":\"drag\",\"vertices\":[81],\"to\":[[0,0,0]]", "numbered from 0");
    viewer_refused(&v, "\"do\":\"drag\",\"vertices\":[1],\"to\":[]", "'to' has 0 points");
    viewer_refused(&v, "\"do\":\"drag\",\"vertices\":[1],\"to\":[[0,0]]", "'to' must be");
    viewer_refused(&v, "\"do\":\"drag\",\"cloth\":3,\"vertices\":[1],\"to\":[[0,0,0]]", "'cloth' must be");
    viewer_refused(&v, "\"do\":\"set\",\"path\":\"cloth.sheet.fabric.density\",\"value\":-1", "below 0");
    viewer_refused(&v, "\"do\":\"set\",\"path\":\"cloth.sheet.fabric.densiti\",\"value\":1", "did you mean 'density'?");
    viewer_refused(&v, "\"do\":\"scrub\",\"frame\":100000", "not recorded");
    viewer_refused(&v, "\"do\":\"compare\",\"panes\":[{},{},{}]", "1, 2 or 4");
    viewer_refused(&v, "\"do\":\"algorithm\",\"model\":\"springz\"", "springs");
    viewer_refused(&v, "\"do\":\"cut\",\"eye\":[0,0,0],\"rays\":[[1,0,0]]", "2 to 10000");
    viewer_refused(&v, "\"do\":\"body\",\"body\":0", "no bodies");
    viewer_refused(&v, "\"do\":\"export\",\"what\":\"frame\",\"format\":\"exe\"", "obj, ply, glb or png");
    viewer_refused(&v, "\"do\":\"show\",\"scalar\":\"charm\"", "cannot be shown");
    viewer_close(&v);
}

/* Returns whether the studio closes the connection, with or without a close frame. */
static int hangs_up(viewer *v) {
    while (viewer_next(v, PATIENCE))
        if (v->last_code == 8)
            return 1;
    return can_read(v->fd, 0); /* the connection ended before the timeout */
}

static void oversized_messages_close_connection(void **state) {
    (void)state;
    size_t size = (1 << 20) + 1;
    char *text = malloc(size);
    assert_non_null(text);
    memset(text, ' ', size);
    viewer v = viewer_open(&running);
    viewer_send_frame(&v, 128 | 1, text, size, size);
    assert_true(hangs_up(&v));
    assert_int_equal(v.last_code, 8);
    assert_int_equal((unsigned char)v.last[0] << 8 | (unsigned char)v.last[1], 1009);
    viewer_close(&v);
    v = viewer_open(&running); /* declared as huge: refused before it arrives */
    viewer_send_frame(&v, 128 | 1, text, 10, UINT64_C(1) << 40);
    assert_true(hangs_up(&v));
    viewer_close(&v);
    v = viewer_open(&running); /* in many small fragments */
    for (int i = 0; i < 300; i++)
        viewer_send_frame(&v, i == 0 ? 1 : 0, text, 4096, 4096);
    assert_true(hangs_up(&v));
    viewer_close(&v);
    free(text);
    assert_well();
}

static void truncated_messages_do_no_harm(void **state) {
    (void)state;
    static const char TEXT[] = "{\"id\":1,\"do\":\"hello\"}";
    for (size_t cut = 0; cut < sizeof TEXT; cut += 3) {
        viewer v = viewer_open(&running);
        viewer_send_frame(&v, 128 | 1, TEXT, cut, sizeof TEXT - 1);
        viewer_close(&v);
    }
    static const char HEAD[] = "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
    for (size_t cut = 1; cut < sizeof HEAD; cut += 5) {
        int fd = dial(&running);
        send_all(fd, HEAD, cut);
        close(fd);
    }
    assert_well();
}

static uint32_t next_random(uint32_t *seed) { return *seed = *seed * 1664525u + 1013904223u; }

static void random_bytes_do_no_harm(void **state) {
    (void)state;
    uint32_t seed = 7;
    for (int round = 0; round < 40; round++) {
        unsigned char noise[600];
        for (size_t i = 0; i < sizeof noise; i++)
            noise[i] = (unsigned char)(next_random(&seed) >> 24);
        int fd = dial(&running);
        send_all(fd, noise, sizeof noise);
        close(fd);
        viewer v = viewer_open(&running); /* random bytes instead of frames, and as frames of every kind */
        if (round % 2 == 0)
            send_all(v.fd, noise, sizeof noise);
        for (unsigned code = 0; code < 16; code++)
            viewer_send_frame(&v, 128 | code, noise + 30 * code, 30, 30);
        viewer_close(&v);
    }
    assert_well();
}

/* Of 100 simultaneous viewers, as many as allowed may watch, and the others are refused. Afterwards the studio works
 * normally. */
static void number_of_viewers_is_limited(void **state) {
    (void)state;
    enum { MANY = 100 };
    viewer v[MANY];
    int opened = 0, refused = 0;
    char path[128];
    snprintf(path, sizeof path, "/ws?token=%s", running.token);
    for (int i = 0; i < MANY; i++) {
        int status = viewer_try(&running, &v[i], path, local, "");
        opened += status == 101;
        refused += status == 503;
    }
    assert_int_equal(opened, 32);
    assert_int_equal(refused, MANY - 32);
    for (int i = 0; i < 32; i++) {
        viewer_must(&v[i], "\"do\":\"hello\"");
        assert_true(viewer_frame(&v[i], PATIENCE));
    }
    for (int i = 0; i < MANY; i++)
        viewer_close(&v[i]);
    assert_well();
    int fd[MANY]; /* and 100 silent connections */
    for (int i = 0; i < MANY; i++)
        fd[i] = dial(&running);
    assert_well();
    for (int i = 0; i < MANY; i++)
        close(fd[i]);
    assert_well();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requests_without_token_are_refused),
        cmocka_unit_test(cookie_grants_access),
        cmocka_unit_test(page_is_sent_compressed_and_once),
        cmocka_unit_test(foreign_hosts_are_refused),
        cmocka_unit_test(foreign_origins_are_refused),
        cmocka_unit_test(paths_outside_folder_are_refused),
        cmocka_unit_test(links_outside_folder_are_refused),
        cmocka_unit_test(uploads_are_checked),
        cmocka_unit_test(uploads_replace_nothing),
        cmocka_unit_test(refused_posts_end_the_connection),
        cmocka_unit_test(bad_messages_are_refused),
        cmocka_unit_test(oversized_messages_close_connection),
        cmocka_unit_test(truncated_messages_do_no_harm),
        cmocka_unit_test(random_bytes_do_no_harm),
        cmocka_unit_test(number_of_viewers_is_limited),
    };
    signal(SIGPIPE, SIG_IGN);
    return cmocka_run_group_tests(tests, start, stop);
}
