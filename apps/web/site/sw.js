// Lets the site work offline after the first visit. It asks the network first, so that a new version shows at once, and
// answers from its store without one. FILES and VERSION come from apps/web/site/build.mjs. All sites of a host share one list of
// stores, so the name has the folder of this site.
const FILES = [];
const VERSION = "";
const OWN = `weft ${new URL(self.registration.scope).pathname} `;
const STORE = OWN + VERSION;

self.addEventListener("install", event => {
    event.waitUntil(caches.open(STORE).then(store => store.addAll(FILES)));
    void self.skipWaiting();
});

self.addEventListener("activate", event => {
    const removeOld = async () => {
        const names = (await caches.keys()).filter(name => name.startsWith(OWN) && name !== STORE);
        await Promise.all(names.map(name => caches.delete(name)));
        await self.clients.claim();
    };
    event.waitUntil(removeOld());
});

async function answer(request) {
    try {
        const response = await fetch(request);
        if (response.ok) {
            const copy = response.clone();
            void caches.open(STORE).then(store => store.put(request, copy));
        }
        return response;
    } catch (error) {
        const address = request.url.replace(/[?#].*/, "").replace(/\/$/, "/index.html");
        const kept = await (await caches.open(STORE)).match(address);
        if (kept) return kept;
        throw error;
    }
}

self.addEventListener("fetch", event => {
    const { method, url } = event.request;
    if (method === "GET" && url.startsWith(self.registration.scope)) event.respondWith(answer(event.request));
});
