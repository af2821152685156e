// Build settings of the studio's page.
import { defineConfig } from "vite";

// File names carry no hashes: the server embeds the files and forbids caching.
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
