// Line icons on a grid of 24 x 24.

const paths = {
    hand: "M8 13V5.5a1.5 1.5 0 0 1 3 0V11m0-.5v-6a1.5 1.5 0 0 1 3 0V11m0-4.5a1.5 1.5 0 0 1 3 0V12m0-2.5a1.5 1.5 0 0 1 3 0V15c0 4-2.5 6.5-6 6.5-3 0-4.4-1.2-6-3.6L4.6 14a1.6 1.6 0 0 1 2.6-1.8L8 13.2",
    select: "M4 8V4h4M16 4h4v4M20 16v4h-4M8 20H4v-4M9 9h6v6H9z",
    pin: "M9 3h6l-1 6 3 3v2H7v-2l3-3-1-6zM12 14v7",
    cut: "M6 9a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM6 21a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8.2 8 20 19M8.2 16 20 5",
    body: "M12 2v20M2 12h20M12 2l-2.5 2.5M12 2l2.5 2.5M12 22l-2.5-2.5M12 22l2.5-2.5M2 12l2.5-2.5M2 12l2.5 2.5M22 12l-2.5-2.5M22 12l-2.5 2.5",
    wind: "M3 8h10a2.5 2.5 0 1 0-2.4-3.2M3 12h15a3 3 0 1 1-2.8 4M3 16h8a2.5 2.5 0 1 1-2.4 3.2",
    orbit: "M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM3 12c0-2.2 4-4 9-4s9 1.8 9 4-4 4-9 4M12 16l-2.5-2M12 16l-2.2 2.4",
    play: "M7 4.5v15l12-7.5z",
    pause: "M8 5v14M16 5v14",
    step: "M6 5v14l9-7zM18 5v14",
    restart: "M4 4v5h5M4.6 9A8 8 0 1 1 4 13",
    live: "M5 5l7 7-7 7M12 5l7 7-7 7",
    record: "M12 18a6 6 0 1 0 0-12 6 6 0 0 0 0 12z",
    save: "M12 3v12m0 0-4-4m4 4 4-4M4 17v3h16v-3",
    undo: "M8 5 4 9l4 4M4 9h10a6 6 0 0 1 0 12h-3",
    redo: "M16 5l4 4-4 4M20 9H10a6 6 0 0 0 0 12h3",
    help: "M9 9a3 3 0 1 1 4.2 2.7c-.8.4-1.2 1-1.2 2M12 17.5v.01M12 22a10 10 0 1 0 0-20 10 10 0 0 0 0 20z",
    theme: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 3v18a9 9 0 0 0 0-18z",
    pattern: "M5 20V9l3-5h2c0 3 4 3 4 0h2l3 5v11zM9 20v-6m6 6v-6",
    gallery: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z",
    compare: "M4 4h16v16H4zM12 4v16M4 12h16",
    plots: "M4 4v16h16M7 15l4-5 3 3 5-7",
    panel: "M4 4h16v16H4zM14 4v16",
    home: "M4 11l8-7 8 7M6 10v10h12V10",
    reset: "M5 5v4h4M5.4 9A7.5 7.5 0 1 1 4.6 13",
    close: "M6 6l12 12M18 6 6 18",
    chevron: "M8 5l7 7-7 7",
    plus: "M12 5v14M5 12h14",
    upload: "M12 16V4m0 0L8 8m4-4 4 4M4 16v4h16v-4",
    share: "M15 8l-6 3.5M15 16l-6-3.5M18 9a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM6 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM18 21a3 3 0 1 0 0-6 3 3 0 0 0 0 6z",
    check: "M5 12.5 10 17 19 7",
} as const;

export type IconName = keyof typeof paths;

const svg = "http://www.w3.org/2000/svg";

export function icon(name: IconName): SVGSVGElement {
    const element = document.createElementNS(svg, "svg");
    element.setAttribute("viewBox", "0 0 24 24");
    element.setAttribute("class", `icon icon-${name}`);
    element.setAttribute("aria-hidden", "true");
    const path = document.createElementNS(svg, "path");
    path.setAttribute("d", paths[name]);
    element.append(path);
    return element;
}
