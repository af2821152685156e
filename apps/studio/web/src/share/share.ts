// The Share button, and opening the link that the address of the page holds.
import { h } from "../dom";
import { icon } from "../icons";
import type { Param, Vec3 } from "../protocol";
import { belongsToPane, type Studio } from "../studio";
import type { Stage } from "../view/stage";
import { readFragment, writeFragment, type Shared } from "./link";

/** Rounds for a short link; the view is the same to a pixel. */
const rounded = (numbers: number[]): Vec3 => numbers.map(value => Number(value.toPrecision(6))) as Vec3;

export class Share {
    readonly button: HTMLButtonElement;
    private ownForces = 0; // number of forces of the scene itself

    constructor(
        private readonly studio: Studio,
        private readonly stage: Stage,
    ) {
        this.button = h(
            "button",
            {
                id: "share",
                "data-tip": "Copy a link to this scene, its parameters and the view",
                "aria-label": "Share",
            },
            icon("share"),
            h("span", { class: "wide" }, "Share"),
        );
        this.button.addEventListener("click", () => void this.copy());
        studio.on("scene", ({ scene, isNew }) => {
            if (isNew) this.ownForces = scene.panes[0].forces.length;
        });
        window.addEventListener("hashchange", () => void this.openAddress());
    }

    /** Collects what a link holds. */
    private async collect(): Promise<Shared> {
        const scene = this.studio.scene;
        if (!scene) throw new Error("There is no scene yet.");
        const source = await this.studio.link.send("source");
        const camera = this.stage.cameraNow();
        const several = scene.panes.length > 1;
        const changed = (params: Param[], own: boolean): Record<string, string> =>
            Object.fromEntries(
                params
                    .filter(param => this.studio.isChanged(param) && (several && belongsToPane(param.path)) === own)
                    .map(param => [param.path, param.value]),
            );
        const shared: Shared = {
            weft: this.studio.hello?.version,
            panes: scene.panes.map(({ model, integrator, params }) => ({
                model,
                integrator,
                ...(several && { values: changed(params, true) }),
            })),
            forces: scene.panes[0].forces.slice(this.ownForces).map(force => force.name),
            values: changed(scene.panes[0].params, false),
            camera: { eye: rounded(camera.eye), target: rounded(camera.target), fov: camera.fov },
        };
        if (typeof source.text === "string") {
            const own = /\.\.\/uploads\/([^"\]},\n]*)/.exec(source.text);
            if (own) throw new Error(`The scene uses your file ${own[1]}, which a link cannot hold.`);
            return { ...shared, text: source.text, name: scene.name };
        }
        return { ...shared, scene: scene.path };
    }

    private async copy(): Promise<void> {
        try {
            const address = new URL(location.href);
            address.hash = await writeFragment(await this.collect());
            history.replaceState(null, "", address);
            // Without permission for the clipboard, the address bar has the link.
            const copied = await navigator.clipboard.writeText(address.href).then(
                () => true,
                () => false,
            );
            this.studio.tell(
                copied ? "The link is in the clipboard and in the address bar." : "The address bar has the link.",
            );
        } catch (error) {
            this.studio.complain(error);
        }
    }

    /** Opens the link in the address, if it is one. Resolves to whether a scene was opened. */
    async openAddress(): Promise<boolean> {
        try {
            const shared = this.studio.link.backend.shares ? await readFragment(location.hash) : null;
            return shared !== null && (await this.open(shared).catch((error: unknown) => this.blame(shared, error)));
        } catch (error) {
            this.studio.complain(error);
            return false;
        }
    }

    /** Throws the error again. If another version made the link, the message says so: parameters and scenes differ. */
    private blame({ weft }: Shared, error: unknown): never {
        const own = this.studio.hello?.version;
        if (weft === undefined || weft === own || !(error instanceof Error)) throw error;
        throw new Error(`${error.message} (The link was made by Weft ${weft}; this is Weft ${own}.)`);
    }

    private async load({ scene, text, name }: Shared): Promise<void> {
        const { link } = this.studio;
        const path = scene ?? (await link.backend.upload(`${name ?? "shared"}.yaml`, new Blob([text ?? ""])));
        await link.send("load", { scene: path });
    }

    private async open(shared: Shared): Promise<boolean> {
        const { studio } = this;
        await this.load(shared);
        const before = studio.scene?.panes ?? [];
        const differ = (pane: { model: string; integrator: string }, i: number): boolean =>
            pane.model !== before.at(i)?.model || pane.integrator !== before.at(i)?.integrator;
        const isGiven = shared.panes.length > 0; // else the scene's own methods
        if (isGiven && (shared.panes.length !== before.length || shared.panes.some(differ)))
            await studio.link.send("compare", { panes: shared.panes });
        for (const add of shared.forces) await studio.link.send("force", { add });
        if (Object.keys(shared.values).length > 0) await studio.link.send("set", { values: shared.values });
        for (const [pane, { values = {} }] of shared.panes.entries())
            if (Object.keys(values).length > 0) await studio.link.send("set", { values, pane });
        if (shared.camera) this.stage.setCamera(shared.camera);
        if (shared.note) {
            this.stage.goHome();
            studio.emit("notice", { text: shared.note, kind: "warning" });
        }
        await studio.act("play");
        return true;
    }
}
