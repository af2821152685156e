// The WebSocket connection: commands and answers, events, frames. It reconnects automatically.
import { readBinary, type BinaryMessage, type Hello, type ServerEvent } from "./protocol";

export type LinkState = "connecting" | "open" | "lost" | "refused";

export type Answer = Record<string, unknown>;

interface Waiting {
    resolve: (answer: Answer) => void;
    reject: (error: Error) => void;
}

export class Link {
    onState: (state: LinkState, retryIn: number) => void = () => undefined;
    onHello: (hello: Hello) => void = () => undefined;
    onEvent: (event: ServerEvent) => void = () => undefined;
    onBinary: (message: BinaryMessage) => void = () => undefined;
    lastId = 0;
    private socket: WebSocket | null = null;
    private readonly waiting = new Map<number, Waiting>();
    private tries = 0;
    private wasOpen = false; // since the last attempt
    private timer = 0;

    constructor(private readonly address: string) {}

    open(): void {
        clearTimeout(this.timer);
        this.onState("connecting", 0);
        const socket = new WebSocket(this.address);
        socket.binaryType = "arraybuffer";
        this.socket = socket;
        this.wasOpen = false;
        socket.onopen = () => {
            this.wasOpen = true;
            this.send("hello", { quantise: true })
                .then(answer => {
                    this.tries = 0;
                    this.onState("open", 0);
                    this.onHello(answer as unknown as Hello);
                })
                .catch(() => socket.close());
        };
        socket.onmessage = (message: MessageEvent<string | ArrayBuffer>) => {
            if (typeof message.data === "string") this.readText(message.data);
            else this.onBinary(readBinary(message.data));
        };
        socket.onclose = () => this.lost();
    }

    get isOpen(): boolean {
        return this.socket?.readyState === WebSocket.OPEN;
    }

    /** Sends a command. Rejects with the server's error message, or if the connection is lost. */
    send(name: string, fields: Record<string, unknown> = {}): Promise<Answer> {
        const socket = this.socket;
        if (!socket || socket.readyState !== WebSocket.OPEN)
            return Promise.reject(new Error("Not connected to weft studio."));
        const id = ++this.lastId;
        socket.send(JSON.stringify({ id, do: name, ...fields }));
        return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    }

    /** Acknowledges a frame that was drawn. The server sends no answer. */
    ack(sequence: number): void {
        if (this.socket?.readyState === WebSocket.OPEN)
            this.socket.send(JSON.stringify({ id: ++this.lastId, do: "ack", sequence }));
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

    private lost(): void {
        this.socket = null;
        for (const { reject } of this.waiting.values()) reject(new Error("The connection was lost."));
        this.waiting.clear();
        const seconds = Math.min(8, 0.5 * 2 ** this.tries++);
        this.onState("lost", seconds);
        this.timer = window.setTimeout(() => this.open(), seconds * 1000);
        if (!this.wasOpen) void this.askWhy();
    }

    // A browser does not tell why a WebSocket failed. A server that was restarted has another token and answers 403.
    private async askWhy(): Promise<void> {
        const answer = await fetch(location.href, { method: "GET", cache: "no-store" }).catch(() => null);
        if (answer?.status !== 403 || this.isOpen) return;
        clearTimeout(this.timer);
        this.onState("refused", 0);
    }
}
