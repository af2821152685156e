// Lines drawn over the view: the selection box, the stroke of a cut, and the wind arrow.
const svg = "http://www.w3.org/2000/svg";

export class Overlay {
    readonly element = document.createElementNS(svg, "svg");
    private readonly shape = document.createElementNS(svg, "path");
    private readonly label = document.createElementNS(svg, "text");

    constructor() {
        this.element.id = "overlay";
        this.element.setAttribute("aria-hidden", "true");
        this.element.append(this.shape, this.label);
    }

    clear(): void {
        this.draw("", "");
    }

    box(x0: number, y0: number, x1: number, y1: number): void {
        this.draw("box", `M${x0} ${y0}H${x1}V${y1}H${x0}Z`);
    }

    stroke(points: { x: number; y: number }[]): void {
        this.draw("stroke", points.map((p, i) => `${i === 0 ? "M" : "L"}${p.x.toFixed(1)} ${p.y.toFixed(1)}`).join(""));
    }

    arrow(x0: number, y0: number, x1: number, y1: number, text: string): void {
        const angle = Math.atan2(y1 - y0, x1 - x0);
        const barb = (turn: number): string =>
            `M${x1} ${y1}L${x1 - 14 * Math.cos(angle + turn)} ${y1 - 14 * Math.sin(angle + turn)}`;
        this.draw("arrow", `M${x0} ${y0}L${x1} ${y1}${barb(0.45)}${barb(-0.45)}`);
        this.label.setAttribute("x", String(x1 + 14));
        this.label.setAttribute("y", String(y1 - 10));
        this.label.textContent = text;
    }

    private draw(kind: string, path: string): void {
        this.shape.setAttribute("class", kind);
        this.shape.setAttribute("d", path);
        this.label.textContent = "";
    }
}
