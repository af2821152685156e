// Messages between the page and the worker that runs the engine.

export type ToWorker =
    | { kind: "start"; engine: string; site: string } // addresses of the engine's folder and of the page
    | { kind: "message"; text: string } // of the studio's protocol
    | { kind: "upload"; id: number; name: string; bytes: ArrayBuffer }
    | { kind: "read"; id: number; url: string };

export type FromWorker =
    | { kind: "ready" }
    | { kind: "text"; text: string }
    | { kind: "bytes"; bytes: ArrayBuffer }
    | { kind: "failed"; why: string }
    | { kind: "answer"; id: number; value?: string | ArrayBuffer; error?: string };

/** The gallery of the site, made by apps/web/site/build.mjs. */
export interface SceneIndex {
    start: string;
    scenes: { name: string; text: string; files: string[] }[]; // files that it names, relative to the folder of scenes
    fabrics: { name: string; text: string }[]; // published fabrics
}
