// The server of `weft studio`: a WebSocket for messages, HTTP for files.
import type { Backend, Connection, Listener } from "./backend";

function socketAddress(): string {
    const address = new URL("ws", location.href);
    address.protocol = "ws:";
    address.search = location.search;
    address.hash = "";
    return address.href;
}

class SocketConnection implements Connection {
    private readonly socket = new WebSocket(socketAddress());

    constructor(listener: Listener) {
        this.socket.binaryType = "arraybuffer";
        this.socket.onopen = () => listener.opened();
        this.socket.onmessage = (message: MessageEvent<string | ArrayBuffer>) => listener.received(message.data);
        this.socket.onclose = () => listener.closed();
    }

    get isOpen(): boolean {
        return this.socket.readyState === WebSocket.OPEN;
    }

    send(text: string): void {
        this.socket.send(text);
    }

    close(): void {
        this.socket.close();
    }
}

export const backend: Backend = {
    name: "weft studio",
    renders: true,
    returns: true,
    shares: false,
    meshes: [".obj", ".ply", ".stl", ".fbx", ".gltf", ".glb", ".dae"],

    connect: listener => new SocketConnection(listener),

    // A browser does not tell why a WebSocket failed. A server that was restarted has another token and answers 403.
    async refuses() {
        const answer = await fetch(location.href, { method: "GET", cache: "no-store" }).catch(() => null);
        return answer?.status === 403
            ? "weft studio was restarted and has a new address. Open the new link that it printed."
            : null;
    },

    async upload(name, file) {
        const response = await fetch(`upload?name=${encodeURIComponent(name)}`, { method: "POST", body: file });
        const answer = (await response.json()) as { path?: string; error?: string };
        if (!response.ok || answer.path === undefined)
            throw new Error(answer.error ?? `${name}: the server refused the file.`);
        return answer.path;
    },

    fileAddress: url => Promise.resolve(url.replace(/^\//, "")),
};
