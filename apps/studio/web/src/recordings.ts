// Files from the user: a mesh becomes the cloth, a recording (scene and inputs) is opened.
import type { Studio } from "./studio";

/** Stores a file in the studio. Resolves to its path there, or throws the reason why not. */
export async function upload(studio: Studio, file: File): Promise<string> {
    const limit = studio.hello?.upload_limit ?? 0;
    const size = (bytes: number): string => `${(bytes / 1048576).toFixed(0)} MiB`;
    if (limit > 0 && file.size > limit)
        throw new Error(`${file.name} has ${size(file.size)}; at most ${size(limit)} are allowed.`);
    const name = file.name.replace(/[^A-Za-z0-9\-_. ]/g, "_");
    return studio.link.backend.upload(name, file);
}

/** Loads a scene or a recording, and plays it. */
export async function openRecording(studio: Studio, scene: string): Promise<void> {
    if (await studio.act("load", { scene })) await studio.act("play");
}

/** Shows the notes of an answer. */
export function tellNotes(studio: Studio, answer: Record<string, unknown> | null): void {
    for (const note of (answer?.notes as string[] | undefined) ?? []) studio.tell(note);
}

/** The extension of a file with its dot, in small letters. */
function ending(file: File): string {
    return file.name.slice(file.name.lastIndexOf(".")).toLowerCase();
}

/** Uploads a mesh file and uses it as the cloth. */
export async function useMesh(studio: Studio, file: File, cloth = 0): Promise<void> {
    try {
        const { meshes } = studio.link.backend;
        if (!meshes.includes(ending(file)))
            throw new Error(
                `${file.name} is not a mesh file that can be read here. It must end in ${meshes.join(", ")}.`,
            );
        const mesh = await upload(studio, file);
        tellNotes(studio, await studio.act("target", { mesh, cloth }));
    } catch (error) {
        studio.complain(error);
    }
}

/** Uploads the inputs of a recording. If the studio gave them another name, returns a scene that names them so. */
async function uploadInputs(studio: Studio, scene: File, inputs: File): Promise<File> {
    const path = await upload(studio, inputs);
    const stored = path.slice(path.lastIndexOf("/") + 1);
    if (stored === inputs.name) return scene;
    const text = await scene.text();
    return new File([text.replace(/^inputs:.*$/m, `inputs: ${JSON.stringify(stored)}`)], scene.name);
}

/** Uses files that were dropped or chosen. A recording is a .yaml file and its .inputs file. */
export async function useFiles(studio: Studio, files: File[]): Promise<void> {
    const scene = files.find(file => ending(file) === ".yaml");
    const inputs = files.filter(file => ending(file) === ".inputs");
    if (!scene && inputs.length > 0) {
        studio.complain(new Error("A recording has two files. Drop its .yaml file together with its .inputs file."));
        return;
    }
    if (!scene) {
        if (files.length > 0) await useMesh(studio, files[0]);
        return;
    }
    try {
        let opened = scene;
        for (const file of inputs) opened = await uploadInputs(studio, opened, file);
        await openRecording(studio, await upload(studio, opened));
    } catch (error) {
        studio.complain(error);
    }
}
