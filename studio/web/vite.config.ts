import { defineConfig } from "vite";

// Names without hashes: the server embeds the files and answers with an ETag of its own.
export default defineConfig({
    base: "./",
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
});
