// Registers the service worker, once the page is idle: sw.js beside this file.
if ("serviceWorker" in navigator && window.isSecureContext) {
    const address = new URL("sw.js", document.currentScript.src);
    window.addEventListener("load", () => {
        const register = () => navigator.serviceWorker.register(address).catch(() => undefined);
        setTimeout(register, 3000);
    });
}
