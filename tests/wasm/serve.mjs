// A web server of static files, as any web host is. With `isolated` it sends the headers that threads need.
import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

const TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".css": "text/css",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".wasm": "application/wasm",
};

const packer = promisify(gzip);
const known = new Map(); // compressed files, which a web host keeps as well

async function pack(file, edit) {
    if (edit) return packer(await edit(readFileSync(file)));
    if (!known.has(file)) known.set(file, await packer(readFileSync(file)));
    return known.get(file);
}

/** The folder's files, for a site in "/one/" as well as in "/". */
const place = path => path.replace(/^\/(one|two)\//, "/");

/** Resolves to { url, requests, close, closeConnections }. `requests` has the paths that were asked for and the bytes
 * that were sent. `edits` changes files for a test: functions of the content, by path. */
export async function serve(folder, { isolated = false, edits = {} } = {}) {
    const requests = [];
    const server = createServer(async (request, response) => {
        const path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
        let file = join(folder, place(path));
        if (existsSync(file) && statSync(file).isDirectory()) file = join(file, "index.html");
        const entry = { path, status: 200, bytes: 0 };
        requests.push(entry);
        if (!existsSync(file)) {
            entry.status = 404;
            response.writeHead(404).end("There is no such file.\n");
            return;
        }
        response.writeHead(200, {
            "content-type": TYPES[extname(file)] ?? "application/octet-stream",
            "content-encoding": "gzip",
            "cache-control": "no-store",
            ...(isolated && {
                "cross-origin-opener-policy": "same-origin",
                "cross-origin-embedder-policy": "require-corp",
            }),
        });
        const packed = await pack(file, edits[path]);
        entry.bytes = packed.length;
        response.end(packed);
    });
    await new Promise(resolve => server.listen(0, "127.0.0.1", resolve));
    return {
        url: `http://127.0.0.1:${server.address().port}/`,
        requests,
        close: () => server.close(),
        closeConnections: () => server.closeAllConnections(),
    };
}
