// Colours for code blocks: comments, texts, keywords and keys, as HTML. No parser: wrong colours do no harm.

export const escape = text =>
    text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

const words = list => `\\b(?:${list.replaceAll(" ", "|")})\\b`;
const TEXT = String.raw`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'`;
const HASH = String.raw`(?<![^\s])#.*`;
const C =
    "break case char const double else enum extern float for if int long return sizeof static struct switch typedef unsigned void while NULL";
const JS =
    "async await break case class const else export extends false for from function if import in let new null of return this throw true typeof undefined while";
const PYTHON =
    "and as assert class def elif else except False finally for from if import in is lambda None not or pass raise return True try while with yield";
const LANGUAGES = {
    sh: { c: HASH, s: TEXT, k: String.raw`^\s*(?:\w+=\S+ )*(?:sudo )?[\w./-]+(?=\s|$)` },
    yaml: { c: HASH, s: TEXT, k: String.raw`[\w-]+(?=:(?:\s|$))` },
    c: { c: String.raw`\/\*[\s\S]*?\*\/|\/\/.*`, s: TEXT, k: `^#\\s*\\w+|${words(C)}` },
    js: { c: String.raw`\/\*[\s\S]*?\*\/|\/\/.*`, s: `${TEXT}|\`[^\`]*\``, k: words(JS) },
    python: { c: HASH, s: `"""[\\s\\S]*?"""|${TEXT}`, k: words(PYTHON) },
};
const ALSO = {
    ts: "js",
    javascript: "js",
    typescript: "js",
    py: "python",
    bash: "sh",
    yml: "yaml",
    h: "c",
    json: "js",
};

/** The HTML of a code block's text. */
export function highlight(text, language = "") {
    const rules = LANGUAGES[language] ?? LANGUAGES[ALSO[language]];
    if (!rules) return escape(text);
    const pattern = new RegExp(
        Object.entries(rules)
            .map(([kind, rule]) => `(?<${kind}>${rule})`)
            .join("|"),
        "gm",
    );
    let html = "";
    let end = 0;
    for (const found of text.matchAll(pattern)) {
        const [kind] = Object.entries(found.groups).find(([, value]) => value !== undefined);
        html += `${escape(text.slice(end, found.index))}<i class="${kind}">${escape(found[0])}</i>`;
        end = found.index + found[0].length;
    }
    return html + escape(text.slice(end));
}
