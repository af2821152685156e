// Reads the XML that Doxygen writes: elements, attributes, text and the five entities. No comments within elements.

const ENTITIES = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const plain = text =>
    text.replace(/&(#x[0-9a-f]+|#\d+|\w+);/gi, (whole, name) => {
        if (name[0] !== "#") return ENTITIES[name] ?? whole;
        return String.fromCodePoint(name[1] === "x" ? parseInt(name.slice(2), 16) : Number(name.slice(1)));
    });

/** Returns the root: { name, attributes, children }, where a child is an element or a text. */
export function parseXml(text) {
    const root = { name: "", attributes: {}, children: [] };
    const open = [root];
    for (const [, closing, name, rest, empty, words] of text.matchAll(
        /<(?:[?!][^>]*|(\/?)([\w:]+)((?:\s+[\w:]+=(?:"[^"]*"|'[^']*'))*)\s*(\/?))>|([^<]+)/g,
    )) {
        if (words !== undefined) open.at(-1).children.push(plain(words));
        else if (name === undefined) continue;
        else if (closing) open.pop();
        else {
            const pairs = [...rest.matchAll(/([\w:]+)=["']([^"']*)["']/g)].map(([, key, value]) => [key, plain(value)]);
            const made = { name, attributes: Object.fromEntries(pairs), children: [] };
            open.at(-1).children.push(made);
            if (!empty) open.push(made);
        }
    }
    return root;
}

export const elements = (node, name) => node.children.filter(child => child.name === name);
export const element = (node, name) => elements(node, name)[0];
export const textOf = node =>
    node === undefined ? "" : typeof node === "string" ? node : node.children.map(textOf).join("");
