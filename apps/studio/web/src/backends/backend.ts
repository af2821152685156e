// Where the studio runs: in the server of `weft studio`, or in a worker of this page. Both speak the same protocol.

/** A connection that was begun. It is of no use after `closed`. */
export interface Connection {
    readonly isOpen: boolean;
    send(text: string): void;
    close(): void;
}

export interface Listener {
    opened(): void;
    received(message: string | ArrayBuffer): void;
    /** `why` is a reason for the user, if one is known. */
    closed(why?: string): void;
}

export interface Backend {
    /** Names the place in texts: "weft studio". */
    readonly name: string;
    /** Whether it renders pictures and videos. The page itself takes pictures otherwise. */
    readonly renders: boolean;
    /** Whether a lost connection may come back by itself. An engine that stopped starts anew only if the user asks. */
    readonly returns: boolean;
    /** Whether the address of this page can be given to others. */
    readonly shares: boolean;
    /** The file name endings of the meshes that it reads. */
    readonly meshes: readonly string[];
    connect(listener: Listener): Connection;
    /** Resolves to a reason for the user if it turns this page away, so that there is no use in trying again; else to
     * null. */
    refuses(): Promise<string | null>;
    /** Stores a file. Resolves to its path for commands, or throws the reason why not. */
    upload(name: string, file: Blob): Promise<string>;
    /** Resolves to an address from which the browser can save the file that an answer names. */
    fileAddress(url: string): Promise<string>;
}
