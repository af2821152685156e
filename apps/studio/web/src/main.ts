// Entry point: builds the page, connects its parts, and handles keys and dropped files.
import { backend } from "#backend";
import { Busy } from "./busy";
import { Compare } from "./compare";
import { byId, h, memory } from "./dom";
import { Exports } from "./exports";
import { Gallery } from "./gallery";
import { Hands, modes } from "./hands/hands";
import { Overlay } from "./hands/overlay";
import { helpDialog } from "./help";
import { icon, type IconName } from "./icons";
import { Link } from "./link";
import { Notices } from "./notices";
import { FalseColour } from "./panels/colour";
import { Sidebar } from "./panels/sidebar";
import { PatternView } from "./pattern/patternView";
import { Plots } from "./plots/plots";
import { useFiles } from "./recordings";
import { Share } from "./share/share";
import { Studio } from "./studio";
import { Theme } from "./theme";
import { TimeBar } from "./timebar";
import { watchTips } from "./tips";
import { Stage } from "./view/stage";

/** Without WebGL there is no studio; the page then says so. */
function makeStage(): Stage {
    try {
        return new Stage(byId("canvas") as HTMLCanvasElement);
    } catch (error) {
        const text = "The studio needs WebGL 2, which this browser does not have or has switched off.";
        byId("view").replaceChildren(h("p", { id: "unsupported", role: "alert" }, text));
        throw error;
    }
}

const link = new Link(backend);
const studio = new Studio(link);
const stage = makeStage();
// The stage must be the first listener, because others ask it where its panes are.
studio.on("scene", ({ scene, isNew }) => stage.setScene(scene, isNew));
const theme = new Theme();
const notices = new Notices(studio);
const busy = new Busy(studio, link);
const colours = new FalseColour(studio, stage);
const sidebar = new Sidebar(studio, stage, colours);
const plots = new Plots(studio);
const timebar = new TimeBar(studio);
const gallery = new Gallery(studio);
const compare = new Compare(studio, stage);
const exports = new Exports(studio, stage);
const share = new Share(studio, stage);
const overlay = new Overlay();
const hands = new Hands({ studio, stage, overlay });
const pattern = new PatternView(studio, stage, group => sidebar.reveal(group));
const help = helpDialog();

function tool(name: IconName, id: string, tip: string, click: () => void, text = ""): HTMLButtonElement {
    const button = h(
        "button",
        { id, "data-tip": tip, "aria-label": tip.split(" · ")[0] },
        icon(name),
        text ? h("span", { class: "wide" }, text) : null,
    );
    button.addEventListener("click", click);
    return button;
}

const sceneName = h("b", { id: "scene-name" });
const sceneTitle = h("button", { id: "scene-title", "aria-label": "Scenes" }, sceneName);
sceneTitle.addEventListener("click", () => gallery.open());
const undo = tool("undo", "undo", "Undo · Ctrl Z", () => void studio.act("undo"));
const redo = tool("redo", "redo", "Redo · Ctrl Shift Z", () => void studio.act("redo"));

function togglePlots(): void {
    const on = document.body.classList.toggle("with-plots");
    memory.set("plots", on ? "1" : "0");
    plots.draw();
}

function togglePanels(): void {
    document.body.classList.toggle("without-panels");
}

byId("topbar").append(
    h(
        backend.shares ? "a" : "div", // the website has a front page
        backend.shares
            ? { class: "brand", href: "../index.html", "aria-label": "Weft, the website" }
            : { class: "brand" },
        h("img", { src: "./assets/weft.svg", alt: "", width: 22, height: 22 }),
        h("span", {}, "Weft"),
    ),
    tool("gallery", "scenes", "Scenes · G", () => gallery.open()),
    sceneTitle,
    h("span", { class: "gap" }),
    undo,
    redo,
    h("span", { class: "line" }),
    compare.menu,
    exports.record,
    exports.menu,
    backend.shares ? share.button : "",
    h("span", { class: "line" }),
    tool("home", "home", "Reset the view · F", () => stage.goHome()),
    tool("pattern", "toggle-pattern", "Show or hide the pattern · N", () => pattern.toggle()),
    tool("plots", "toggle-plots", "Show or hide the plots", togglePlots),
    tool("theme", "theme", "Dark or light theme", () => theme.toggle()),
    tool("panel", "toggle-panels", "Show or hide the panels · \\", togglePanels),
    tool("help", "show-help", "Help: tools and keys · ?", () => help.showModal()),
);
byId("view").append(
    overlay.element,
    compare.captions,
    hands.bar,
    colours.element,
    colours.probe,
    exports.jobs,
    pattern.element,
    busy.element,
    notices.list,
    notices.banner,
);
document.body.append(sidebar.element, timebar.element);
watchTips();

// Plots are below the view; on narrow screens they are a tab of the panels.
const narrow = window.matchMedia("(max-width: 760px)");
const placePlots = (): void => {
    if (narrow.matches) sidebar.plots.append(plots.element);
    else {
        document.body.append(plots.element);
        if (sidebar.element.dataset.tab === "plots") sidebar.choose("setup");
    }
};
narrow.addEventListener("change", placePlots);
placePlots();
document.body.classList.toggle("with-plots", (memory.get("plots") ?? "1") === "1");

theme.onChange = dark => {
    stage.setTheme(dark);
    plots.draw();
};
theme.apply();

link.onState = (state, retryIn, why) => {
    busy.follow(state);
    notices.connection({ state, retryIn, why }, () => link.open());
    // An engine that stopped may have done so because of the link in the address, so it starts without that.
    if (state === "stopped") readsAddress = false;
    if (state === "connecting" && !backend.returns) isFirst = true;
};
link.onBinary = message => stage.receive(message);
stage.onShape = shape => {
    colours.widen();
    studio.takeMesh(shape);
};
stage.onDrawn = frame => {
    busy.frame();
    timebar.follow(frame);
    colours.fit();
    pattern.follow();
    link.ack(frame.sequence);
};
studio.on("scene", ({ scene }) => {
    // A title may be long: the bar shows its first clause, the tooltip all of it.
    const isRecording = scene.path.startsWith("recordings/");
    const title = isRecording ? `${scene.name} (recording)` : scene.title || scene.name;
    sceneName.textContent = title.split(/[:;.](?:\s|$)/, 1)[0];
    sceneTitle.dataset.tip = title;
    document.title = `${scene.name}${isRecording ? " (recording)" : ""} · Weft studio`;
});
// A new simulation starts playing at once.
let isFirst = true;
let readsAddress = true;
studio.on("time", time => {
    if (isFirst) void begin(!time.playing && time.last === 0);
    isFirst = false;
});
async function begin(isNew: boolean): Promise<void> {
    if (isNew && !(readsAddress && (await share.openAddress()))) await studio.act("play");
    busy.opened();
}
studio.on("history", history => {
    undo.disabled = history.undo === null;
    redo.disabled = history.redo === null;
    undo.dataset.tip = `Undo${history.undo === null ? "" : `: ${history.undo}`} · Ctrl Z`;
    redo.dataset.tip = `Redo${history.redo === null ? "" : `: ${history.redo}`} · Ctrl Shift Z`;
});

// Space presses a control that the keyboard has reached. On one that was clicked, Space plays and pauses.
let isPointing = false; // the last input came from the pointer
let wasClicked = false; // the pointer gave the focus to where it is
for (const [topic, points] of [
    ["pointerdown", true],
    ["keydown", false],
] as const)
    document.addEventListener(topic, () => (isPointing = points), { capture: true });
document.addEventListener("focusin", () => (wasClicked = isPointing));

function takesSpace(target: EventTarget | null): boolean {
    if (!(target instanceof HTMLElement)) return false;
    return target.matches("[role=menuitem]") || (!wasClicked && target.matches("button, summary, [type=checkbox]"));
}

function keyDown(event: KeyboardEvent): void {
    if (
        event.target instanceof HTMLElement &&
        event.target.matches("input:not([type=range], [type=checkbox]), select, textarea")
    )
        return;
    if (document.querySelector("dialog[open]")) return;
    const key = event.key.toLowerCase();
    if (key === " " && takesSpace(event.target)) return;
    if (event.ctrlKey || event.metaKey) {
        if (key === "z" || key === "y") {
            event.preventDefault();
            void studio.act(key === "y" || event.shiftKey ? "redo" : "undo");
        }
        return;
    }
    const mode = modes.find(m => m.key === key);
    const actions: Record<string, () => void> = {
        " ": () => timebar.toggle(),
        ".": () => timebar.step(false),
        ">": () => timebar.step(true),
        r: () => void studio.act("restart"),
        l: () => void studio.act("live"),
        p: () => hands.selection.act("pin"),
        u: () => hands.selection.act("free"),
        t: () => hands.setGizmo(true),
        y: () => hands.setGizmo(false),
        f: () => stage.goHome(),
        g: () => gallery.open(),
        n: () => pattern.toggle(),
        "\\": togglePanels,
        "?": () => help.showModal(),
        escape: () => hands.escape(),
    };
    if (mode) hands.choose(mode.name);
    else if (key in actions) actions[key]();
    else return;
    event.preventDefault();
}
document.addEventListener("keydown", keyDown);

// A mesh file dropped anywhere becomes the cloth; a recording is opened.
document.addEventListener("dragover", event => {
    event.preventDefault();
    document.body.classList.add("dropping");
});
for (const name of ["dragleave", "drop"])
    document.addEventListener(name, event => {
        event.preventDefault();
        document.body.classList.remove("dropping");
    });
document.addEventListener("drop", event => {
    void useFiles(studio, [...(event.dataTransfer?.files ?? [])]);
});

// On narrow screens the panels are a sheet at the lower edge, which its grip opens and closes.
sidebar.element.querySelector(".grip")?.addEventListener("click", () => document.body.classList.toggle("sheet-open"));
for (const tab of sidebar.element.querySelectorAll("[data-tab]"))
    tab.addEventListener("click", () => {
        if (narrow.matches) document.body.classList.add("sheet-open");
        plots.draw();
    });

// For tests and the browser's console.
declare global {
    interface Window {
        weft: { studio: Studio; stage: Stage; plots: Plots };
    }
}
window.weft = { studio, stage, plots };
link.open();
