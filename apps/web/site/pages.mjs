// The frame around the pages of the website, and pages made from Markdown.
import { basename, dirname, join } from "node:path";
import { escape, highlight } from "./highlight.mjs";

export { escape };

const SECTIONS = [
    ["index.html", "Home"],
    ["gallery.html", "Gallery"],
    ["studio/index.html", "Studio"],
    ["docs/index.html", "Documentation"],
    ["api/index.html", "API"],
    ["experiments.html", "Experiments"],
    ["benchmarks.html", "Benchmarks"],
];

/** The bar with the sections. `path` is the page's place in the site; all links are relative, so that any folder of a
 * host will do. */
export function bar(path) {
    const up = "../".repeat(path.split("/").length - 1);
    const links = SECTIONS.slice(1).map(([to, name]) => {
        const folder = to.includes("/") ? `${dirname(to)}/` : to;
        const here = path.startsWith(folder) ? ' aria-current="page"' : "";
        return `<a href="${up}${to}"${here}>${name}</a>`;
    });
    return `<header class="site">
<a class="brand" href="${up}index.html"><img src="${up}weft.svg" alt="" width="26" height="26">Weft</a>
<nav aria-label="Site">${links.join("\n")}</nav>
</header>`;
}

/** A whole page. */
export function page({ path, title, body, head = "", description = "" }) {
    const up = "../".repeat(path.split("/").length - 1);
    return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
${description ? `<meta name="description" content="${escape(description)}">\n` : ""}<title>${escape(title)}</title>
<link rel="icon" href="${up}weft.svg" type="image/svg+xml">
<link rel="stylesheet" href="${up}style.css">
<script defer src="${up}offline.js"></script>
${head}</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
${bar(path)}
${body}
<footer>Weft is available under the MIT licence. This site sets no cookies and asks no other server for anything.</footer>
</body>
</html>
`;
}

/** A code block. It can be focused, because keys then scroll it. */
export const code = (text, language) =>
    `<pre tabindex="0" role="region" aria-label="Code"><code>${highlight(text, language)}</code></pre>\n`;

/** The anchor of a heading, as Markdown viewers make it. */
const anchor = text =>
    text
        .toLowerCase()
        .replace(/<[^>]*>|&\w+;/g, "")
        .replace(/[^\p{L}\p{N}\s_-]/gu, "")
        .trim()
        .replace(/\s/g, "-");

/** Where a link leads: unchanged to other hosts, null to sources, which are not part of the site. */
function target(href, folder, known) {
    if (/^(https?:|#|mailto:)/.test(href)) return href;
    const [file, part] = href.split("#");
    const place = known.get(join(folder, file));
    return place === undefined ? null : place + (part ? `#${part}` : "");
}

/** Makes a function of (text, folder) that renders a page of the repository's `folder` for the folder docs/ of the
 * site. `known` are the pages of the site by their place in the repository. */
export function makeRenderer(marked, known) {
    let folder = "docs";
    let used = new Map();
    const renderer = {
        heading({ tokens, depth }) {
            const text = this.parser.parseInline(tokens);
            const name = anchor(text);
            const count = used.get(name) ?? 0; // the second one of a name gets "-1"
            used.set(name, count + 1);
            const id = count === 0 ? name : `${name}-${count}`;
            const link = depth > 1 ? ` <a class="anchor" href="#${id}" aria-label="Link to this part">#</a>` : "";
            return `<h${depth} id="${id}">${text}${link}</h${depth}>\n`;
        },
        link({ href, tokens }) {
            const text = this.parser.parseInline(tokens);
            const to = target(href, folder, known);
            return to === null ? text : `<a href="${escape(to)}">${text}</a>`;
        },
        image({ href, text }) {
            const place = href.includes("/thumbnails/") ? "../studio/thumbnails" : "pictures";
            return `<img src="${place}/${escape(basename(href))}" alt="${escape(text)}" loading="lazy">`;
        },
        table(token) {
            const cells = (row, tag) =>
                row.map(cell => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join("");
            const titles = token.header.some(cell => cell.text !== "")
                ? `<thead><tr>${cells(token.header, "th")}</tr></thead>`
                : "";
            const rows = token.rows.map(row => `<tr>${cells(row, "td")}</tr>`).join("\n");
            return `<div class="table" tabindex="0"><table>${titles}<tbody>\n${rows}</tbody></table></div>\n`;
        },
        code({ text, lang }) {
            return code(text, lang);
        },
    };
    const made = new marked.Marked({ renderer });
    return (text, from) => {
        folder = from;
        used = new Map();
        return made.parse(text.replace(/^<!--.*-->$/gm, ""));
    };
}
