// The connection to the studio: commands and answers, events, frames. It reconnects automatically.
import type { Backend, Connection } from "./backends/backend";
import { readBinary, type BinaryMessage, type Hello, type ServerEvent } from "./protocol";

/** "lost": it tries again by itself. "refused": there is no use in trying. "stopped": the user may start it again. */
export type LinkState = "connecting" | "open" | "lost" | "refused" | "stopped";

export type Answer = Record<string, unknown>;

/** A command without an answer yet. */
export interface Pending {
    name: string;
    fields: Record<string, unknown>;
    since: number; // performance.now() when it was sent
}

interface Waiting extends Pending {
    resolve: (answer: Answer) => void;
    reject: (error: Error) => void;
}

export class Link {
    onState: (state: LinkState, retryIn: number, why?: string) => void = () => undefined;
    onHello: (hello: Hello) => void = () => undefined;
    onEvent: (event: ServerEvent) => void = () => undefined;
    onBinary: (message: BinaryMessage) => void = () => undefined;
    lastId = 0;
    private connection: Connection | null = null;
    private readonly waiting = new Map<number, Waiting>();
    private tries = 0;
    private wasOpen = false; // since the last attempt
    private timer = 0;

    constructor(readonly backend: Backend) {}

    open(): void {
        clearTimeout(this.timer);
        this.onState("connecting", 0);
        this.wasOpen = false;
        const connection = this.backend.connect({
            opened: () => {
                this.wasOpen = true;
                this.send("hello", { quantise: true })
                    .then(answer => {
                        this.tries = 0;
                        this.onState("open", 0);
                        this.onHello(answer as unknown as Hello);
                    })
                    .catch(() => connection.close());
            },
            received: message => {
                if (typeof message === "string") this.readText(message);
                else this.onBinary(readBinary(message));
            },
            closed: why => this.lost(why),
        });
        this.connection = connection;
    }

    get isOpen(): boolean {
        return this.connection?.isOpen ?? false;
    }

    /** Sends a command. Rejects with the studio's error message, or if the connection is lost. */
    send(name: string, fields: Record<string, unknown> = {}): Promise<Answer> {
        const connection = this.connection;
        if (!connection?.isOpen) return Promise.reject(new Error(`Not connected to ${this.backend.name}.`));
        const id = ++this.lastId;
        connection.send(JSON.stringify({ id, do: name, ...fields }));
        const since = performance.now();
        return new Promise((resolve, reject) => this.waiting.set(id, { name, fields, since, resolve, reject }));
    }

    /** The oldest command without an answer. */
    get pending(): Pending | null {
        for (const waiting of this.waiting.values()) return waiting;
        return null;
    }

    /** Ends the connection, whether it answers or not, and begins anew. */
    restart(): void {
        this.connection?.close();
        this.open();
    }

    /** Acknowledges a frame that was drawn. There is no answer. */
    ack(sequence: number): void {
        if (this.connection?.isOpen) this.connection.send(JSON.stringify({ id: ++this.lastId, do: "ack", sequence }));
    }

    private readText(text: string): void {
        const message = JSON.parse(text) as { re?: number; error?: string; event?: string };
        if (message.event !== undefined) {
            this.onEvent(message as ServerEvent);
            return;
        }
        const waiting = this.waiting.get(message.re ?? 0);
        this.waiting.delete(message.re ?? 0);
        if (!waiting) return;
        if (message.error !== undefined) waiting.reject(new Error(message.error));
        else waiting.resolve(message);
    }

    private lost(why?: string): void {
        this.connection = null;
        const lost = this.backend.returns ? "The connection was lost." : "The engine stopped before it answered.";
        for (const { reject } of this.waiting.values()) reject(new Error(lost));
        this.waiting.clear();
        if (this.wasOpen && !this.backend.returns) {
            this.onState("stopped", 0, why);
            return;
        }
        const seconds = Math.min(8, 0.5 * 2 ** this.tries++);
        this.onState("lost", seconds, why);
        this.timer = window.setTimeout(() => this.open(), seconds * 1000);
        if (!this.wasOpen) void this.askWhy();
    }

    private async askWhy(): Promise<void> {
        const why = await this.backend.refuses();
        if (why === null || this.isOpen) return;
        clearTimeout(this.timer);
        this.onState("refused", 0, why);
    }
}
