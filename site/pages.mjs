// The frame around the pages of the website, and pages made from Markdown.
import { basename } from "node:path";

export const escape = text =>
    text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

const SECTIONS = [
    ["index.html", "Home"],
    ["gallery.html", "Gallery"],
    ["studio/index.html", "Studio"],
    ["docs/index.html", "Documentation"],
    ["api/index.html", "API"],
    ["experiments.html", "Experiments"],
    ["benchmarks.html", "Benchmarks"],
];

/** A whole page. `path` is its place in the site; all links are relative, so that any folder of a host will do. */
export function page({ path, title, body, head = "", sections = SECTIONS }) {
    const up = "../".repeat(path.split("/").length - 1);
    const links = sections.map(([to, name]) => {
        const here = to === path || (to.startsWith("docs/") && path.startsWith("docs/"));
        return `<a href="${up}${to}"${here ? ' aria-current="page"' : ""}>${name}</a>`;
    });
    return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escape(title)}</title>
<link rel="icon" href="${up}weft.svg" type="image/svg+xml">
<link rel="stylesheet" href="${up}style.css">
${head}</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="site">
<a class="brand" href="${up}index.html"><img src="${up}weft.svg" alt="" width="24" height="24">Weft</a>
${links.slice(1).join("\n")}
</header>
${body}
<footer>Weft is available under the MIT licence. This site sets no cookies and asks no other server for anything.</footer>
</body>
</html>
`;
}

/** The anchor of a heading, as Markdown viewers make it. */
const anchor = text =>
    text
        .toLowerCase()
        .replace(/<[^>]*>|&\w+;/g, "")
        .replace(/[^\p{L}\p{N}\s_-]/gu, "")
        .trim()
        .replace(/\s/g, "-");

/** Makes a renderer for the pages of docs/. `known` are the pages of the site by their place in the repository. */
export function makeRenderer(marked, known) {
    const target = href => {
        if (/^(https?:|#|mailto:)/.test(href)) return href;
        const [file, part] = href.split("#");
        const place = new URL(file, "file:///docs/").pathname.slice(1);
        return known.has(place) ? known.get(place) + (part ? `#${part}` : "") : null;
    };
    const renderer = {
        heading({ tokens, depth }) {
            const text = this.parser.parseInline(tokens);
            return `<h${depth} id="${anchor(text)}">${text}</h${depth}>\n`;
        },
        link({ href, tokens }) {
            const text = this.parser.parseInline(tokens);
            const to = target(href);
            return to === null ? text : `<a href="${escape(to)}">${text}</a>`; // sources are not part of the site
        },
        image({ href, text }) {
            return `<img src="pictures/${escape(basename(href))}" alt="${escape(text)}" loading="lazy">`;
        },
        table(token) {
            const cells = (row, tag) =>
                row.map(cell => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join("");
            const titles = token.header.some(cell => cell.text !== "") ? `<tr>${cells(token.header, "th")}</tr>` : "";
            const rows = token.rows.map(row => `<tr>${cells(row, "td")}</tr>`).join("\n");
            return `<div class="table" tabindex="0"><table>${titles}\n${rows}</table></div>\n`;
        },
        code({ text }) {
            return `<pre tabindex="0"><code>${escape(text)}</code></pre>\n`;
        },
    };
    const made = new marked.Marked({ renderer });
    return text => made.parse(text);
}
