// Build settings of the studio's page. `--mode site` makes the page that needs no server (docs/browser.md).
import { defineConfig } from "vite";

// File names carry no hashes: the server embeds the files and tags them, and browsers ask it whether they are the same.
export default defineConfig(({ mode }) => ({
    base: "./",
    resolve: {
        alias: {
            "#backend": new URL(mode === "site" ? "src/backends/browser.ts" : "src/backends/server.ts", import.meta.url)
                .pathname,
        },
    },
    worker: { format: "es", rollupOptions: { output: { entryFileNames: "assets/[name].js" } } },
    build: {
        target: "es2022",
        modulePreload: false,
        assetsInlineLimit: 0,
        chunkSizeWarningLimit: 1200,
        rollupOptions: {
            output: {
                entryFileNames: "assets/studio.js",
                chunkFileNames: "assets/[name].js",
                assetFileNames: "assets/studio[extname]",
            },
        },
    },
}));
