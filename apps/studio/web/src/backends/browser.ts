// The engine as WebAssembly, in a worker of this page.
import type { Backend, Connection, Listener } from "./backend";
import type { FromWorker, ToWorker } from "./workerMessages";

interface Waiting {
    resolve: (value: never) => void;
    reject: (error: Error) => void;
}

class WorkerConnection implements Connection {
    isOpen = false;
    private readonly worker = new Worker(new URL("./engine.worker.ts", import.meta.url), { type: "module" });
    private readonly waiting = new Map<number, Waiting>();
    private lastId = 0;

    constructor(private readonly listener: Listener) {
        this.worker.onmessage = (event: MessageEvent<FromWorker>) => this.receive(event.data);
        this.worker.onerror = event => this.fail(event.message || "The engine could not be loaded.");
        this.post({ kind: "start", engine: new URL("../engine/", location.href).href, site: location.href });
    }

    send(text: string): void {
        this.post({ kind: "message", text });
    }

    close(): void {
        this.worker.terminate();
        this.fail("closed");
    }

    /** Asks the worker for a file operation. */
    ask<T>(make: (id: number) => ToWorker): Promise<T> {
        const id = ++this.lastId;
        this.post(make(id));
        return new Promise<T>((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    }

    private post(message: ToWorker): void {
        this.worker.postMessage(message);
    }

    private receive(message: FromWorker): void {
        if (message.kind === "ready") {
            this.isOpen = true;
            this.listener.opened();
        } else if (message.kind === "text") this.listener.received(message.text);
        else if (message.kind === "bytes") this.listener.received(message.bytes);
        else if (message.kind === "failed") this.fail(message.why);
        else {
            const waiting = this.waiting.get(message.id);
            this.waiting.delete(message.id);
            if (message.error !== undefined) waiting?.reject(new Error(message.error));
            else waiting?.resolve(message.value as never);
        }
    }

    private fail(why: string): void {
        if (!this.isOpen && this.waiting.size === 0 && why === "closed") return;
        this.isOpen = false;
        for (const { reject } of this.waiting.values()) reject(new Error(why));
        this.waiting.clear();
        this.worker.terminate();
        this.listener.closed(why);
    }
}

const LACK =
    typeof WebAssembly === "undefined"
        ? "The studio needs WebAssembly, which this browser does not have or has switched off."
        : null;

let connection: WorkerConnection | null = null;

function open(): WorkerConnection {
    if (!connection?.isOpen) throw new Error("The engine is not running.");
    return connection;
}

export const backend: Backend = {
    name: "the engine",
    renders: false,
    returns: false,
    shares: true,
    meshes: [".obj", ".ply"],

    connect(listener) {
        if (LACK !== null) {
            queueMicrotask(() => listener.closed(LACK));
            return { isOpen: false, send: () => undefined, close: () => undefined };
        }
        connection = new WorkerConnection(listener);
        return connection;
    },

    refuses: () => Promise.resolve(LACK),

    async upload(name, file) {
        const bytes = await file.arrayBuffer();
        return open().ask<string>(id => ({ kind: "upload", id, name, bytes }));
    },

    async fileAddress(url) {
        const bytes = await open().ask<ArrayBuffer>(id => ({ kind: "read", id, url }));
        const address = URL.createObjectURL(new Blob([bytes]));
        setTimeout(() => URL.revokeObjectURL(address), 60000);
        return address;
    },
};
