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

/** The gallery of the site: files of the scenes, and files of all of them. */
export interface SceneIndex {
    start: string;
    scenes: { name: string; files: string[] }[]; // files relative to the folder of scenes
    fabrics: string[];
}
