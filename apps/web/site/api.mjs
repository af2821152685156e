// The API reference: one page per public header, from the XML of Doxygen.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { escape, page } from "./pages.mjs";
import { element, elements, parseXml, textOf } from "./xml.mjs";

const EMPTY = { children: [] };

/** All compounds of a folder of XML by their id. */
function readCompounds(folder) {
    const index = parseXml(readFileSync(join(folder, "index.xml"), "utf8"));
    const list = elements(element(index, "doxygenindex"), "compound").map(({ attributes }) => attributes);
    return new Map(
        list
            .filter(({ kind }) => kind === "file" || kind === "struct" || kind === "union")
            .map(({ refid }) => {
                const root = parseXml(readFileSync(join(folder, `${refid}.xml`), "utf8"));
                return [refid, element(element(root, "doxygen"), "compounddef")];
            }),
    );
}

const nameOf = header => element(header, "location").attributes.file; // weft/sim.h
const placeOf = header => `${nameOf(header).replace("/", "-").replace(/\.h$/, "")}.html`;

/** Where each id of Doxygen is in the site. A member of a struct is at its struct. */
function findPlaces(compounds) {
    const places = new Map();
    for (const [id, compound] of compounds) {
        if (compound.attributes.kind !== "file") continue;
        places.set(id, placeOf(compound));
        for (const section of elements(compound, "sectiondef"))
            for (const member of elements(section, "memberdef")) {
                places.set(member.attributes.id, `${placeOf(compound)}#${textOf(element(member, "name"))}`);
                for (const value of elements(member, "enumvalue"))
                    places.set(value.attributes.id, `${placeOf(compound)}#${textOf(element(value, "name"))}`);
            }
        for (const inner of elements(compound, "innerclass")) {
            const struct = compounds.get(inner.attributes.refid);
            const place = `${placeOf(compound)}#${textOf(inner)}`;
            places.set(inner.attributes.refid, place);
            for (const section of elements(struct ?? EMPTY, "sectiondef"))
                for (const member of elements(section, "memberdef")) places.set(member.attributes.id, place);
        }
    }
    return places;
}

const TITLES = { func: "Functions", enum: "Constants", define: "Macros", typedef: "Types", var: "Variables" };

const block = (text, label) =>
    `<pre tabindex="0" role="region" aria-label="${escape(label)}"><code>${text}</code></pre>`;

const entry = (id, signature, rest) =>
    `<section class="entry" id="${escape(id)}">${block(signature, `Declaration of ${id}`)}\n${rest}</section>`;

/** A table of [name, text, id or nothing]. */
function rows(list) {
    if (list.length === 0) return "";
    const row = ([name, text, id]) =>
        `<tr${id ? ` id="${escape(id)}"` : ""}><td><code>${name}</code></td><td>${text}</td></tr>`;
    return `<div class="table" tabindex="0"><table><tbody>${list.map(row).join("\n")}</tbody></table></div>`;
}

const labelOf = node => textOf(element(node, "name"));
const joined = (type, name) => `${type}${type.endsWith("*") ? "" : " "}${name}`;

/** Writes the parts of a header as HTML. */
class Writer {
    constructor(compounds) {
        this.compounds = compounds;
        this.places = findPlaces(compounds);
        const named = [...this.places.values()].filter(place => place.includes("#"));
        this.byName = new Map(named.map(place => [place.split("#")[1], place]));
    }

    // -- text --

    /** Doxygen links functions only where "()" follows; here each known name is a link. */
    words(text) {
        return escape(text).replace(/\b(?:weft|WEFT)_\w+/g, name =>
            this.byName.has(name) ? `<a href="${this.byName.get(name)}">${name}</a>` : name,
        );
    }

    write(node) {
        if (node === undefined) return "";
        if (typeof node === "string") return this.words(node);
        if (node.name === "ref" && this.places.has(node.attributes.refid))
            return `<a href="${this.places.get(node.attributes.refid)}">${escape(textOf(node))}</a>`;
        const inner = this.inside(node);
        if (node.name === "computeroutput") return `<code>${inner}</code>`;
        if (node.name === "verbatim") return block(inner, "Code");
        if (node.name === "ndash") return "–";
        return inner;
    }

    inside(node) {
        return node.children.map(child => this.write(child)).join("");
    }

    /** The paragraphs of a comment. Doxygen takes the first sentence apart; here it is put back. */
    describe(node) {
        const [[brief], more] = ["briefdescription", "detaileddescription"].map(name =>
            elements(element(node, name) ?? EMPTY, "para").map(para => this.inside(para).trim()),
        );
        if (!brief || more[0] === undefined || more[0].startsWith("<pre")) return [brief, ...more].filter(Boolean);
        return [`${brief} ${more[0]}`, ...more.slice(1)];
    }

    brief(node) {
        return (
            elements(element(node, "briefdescription") ?? EMPTY, "para").map(para => this.inside(para).trim())[0] ?? ""
        );
    }

    paragraphs(node) {
        return this.describe(node)
            .map(text => (text.startsWith("<pre") ? text : `<p>${text}</p>`))
            .join("\n");
    }

    // -- declarations --

    type(node) {
        return this.write(element(node, "type"));
    }

    parameter(node) {
        const name = textOf(element(node, "declname"));
        return name ? joined(this.type(node), name + textOf(element(node, "array"))) : this.type(node);
    }

    field(member) {
        return joined(this.type(member), `<b>${labelOf(member)}</b>${escape(textOf(element(member, "argsstring")))}`);
    }

    signature(member) {
        const name = `<b>${labelOf(member)}</b>`;
        const { kind } = member.attributes;
        if (kind === "function") {
            const list = elements(member, "param").map(one => this.parameter(one));
            return `${joined(this.type(member), name)}(${list.join(", ")})`;
        }
        if (kind !== "define") return (kind === "typedef" ? "typedef " : "") + this.field(member);
        const list = elements(member, "param").map(one => textOf(element(one, "defname")));
        const value = textOf(element(member, "initializer"));
        return `#define ${name}${list.length > 0 ? `(${list.join(", ")})` : ""}${value.includes("\n") ? "" : ` ${escape(value)}`}`;
    }

    constants(member) {
        const values = elements(member, "enumvalue").map(value => [
            `${labelOf(value)} ${escape(textOf(element(value, "initializer")))}`.trim(),
            this.describe(value).join(" "),
            labelOf(value),
        ]);
        const isNamed = /^\w+$/.test(labelOf(member));
        const id = isNamed ? labelOf(member) : `enum-${values[0][2]}`;
        const title = isNamed ? `enum <b>${id}</b>` : "enum";
        return entry(id, title, this.paragraphs(member) + rows(values));
    }

    member(node) {
        if (node.attributes.kind === "enum") return this.constants(node);
        return entry(labelOf(node), this.signature(node), this.paragraphs(node));
    }

    struct(inner) {
        const compound = this.compounds.get(inner.attributes.refid);
        if (!compound) return "";
        const members = elements(compound, "sectiondef").flatMap(section => elements(section, "memberdef"));
        const list = members.map(member => [this.field(member), this.describe(member).join(" ")]);
        return entry(textOf(inner), `struct <b>${textOf(inner)}</b>`, this.paragraphs(compound) + rows(list));
    }

    /** The sections of a header: [title, entries]. */
    sections(header) {
        const found = elements(header, "sectiondef").map(section => [
            textOf(element(section, "header")) || TITLES[section.attributes.kind],
            elements(section, "memberdef").map(member => this.member(member)),
        ]);
        const structs = elements(header, "innerclass").map(inner => this.struct(inner));
        return structs.some(Boolean) ? [...found, ["Structures", structs]] : found;
    }
}

function navigation(headers, here) {
    const item = (header, library) =>
        `<li><a href="${placeOf(header)}"${header === here ? ' aria-current="page"' : ""}>${nameOf(header).slice(library.length + 1)}</a></li>`;
    const part = library => {
        const own = headers.filter(header => nameOf(header).startsWith(`${library}/`));
        return `<li class="topic">lib${library}</li>${own.map(header => item(header, library)).join("")}`;
    };
    return `<ul>${["weft", "weft-io"].map(part).join("")}</ul>`;
}

function frame(headers, here, article) {
    const list = navigation(headers, here);
    return `<main class="docs api"><nav class="side" aria-label="Headers">${list}</nav>
<details class="side"><summary>All headers</summary><nav aria-label="Headers">${list}</nav></details>
<article id="main">${article}</article></main>`;
}

const LEAD = `<h1>API reference</h1><p class="lead">The C library. <code>libweft</code> is the engine; it needs only a C compiler. <code>libweft-io</code> reads and writes files. <a href="../docs/quick-start.html">Start here</a>; <a href="../docs/python.html">Python</a> and <a href="../docs/browser.html">JavaScript</a> have pages of their own.</p>`;
const MISSING = `<main id="main"><h1>API reference</h1><p>This copy of the site was made without Doxygen. Run <code>make docs</code>.</p></main>`;

/** Writes the pages with `put(path, text)`, or a note where there is no Doxygen. */
export function writeApi(folder, put) {
    const whole = (path, title, body) => put(path, page({ path, title: `Weft: ${title}`, body }));
    if (!existsSync(join(folder, "index.xml"))) {
        whole("api/index.html", "API", MISSING);
        return;
    }
    const compounds = readCompounds(folder);
    const headers = [...compounds.values()]
        .filter(({ attributes }) => attributes.kind === "file")
        .sort((a, b) => (nameOf(a).replace("/", " ") < nameOf(b).replace("/", " ") ? -1 : 1)); // weft/ before weft-io/
    const writer = new Writer(compounds);
    for (const header of headers) {
        const sections = writer
            .sections(header)
            .map(([title, list]) => `<h2>${escape(title)}</h2>\n${list.join("\n")}`);
        const article = `<h1><code>&lt;${nameOf(header)}&gt;</code></h1>${writer.paragraphs(header)}${sections.join("\n")}`;
        whole(`api/${placeOf(header)}`, nameOf(header), frame(headers, header, article));
    }
    const summary = headers.map(
        header =>
            `<tr><td><a href="${placeOf(header)}"><code>${nameOf(header)}</code></a></td><td>${writer.brief(header)}</td></tr>`,
    );
    const table = `<div class="table" tabindex="0"><table><thead><tr><th>header</th><th>contents</th></tr></thead><tbody>${summary.join("\n")}</tbody></table></div>`;
    whole("api/index.html", "API", frame(headers, null, LEAD + table));
}
