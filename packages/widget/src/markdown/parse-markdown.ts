/** Text with marks. A link leads to an address that is safe to open. */
export type Inline =
  | { type: "text" | "code"; text: string }
  | { type: "strong" | "emphasis" | "deleted"; content: Inline[] }
  | { type: "link"; href: string; content: Inline[] }
  | { type: "break" };

export type Block =
  | { type: "paragraph"; content: Inline[] }
  | { type: "heading"; level: number; content: Inline[] }
  | { type: "code"; language: string; text: string }
  | { type: "quote"; blocks: Block[] }
  | { type: "list"; isOrdered: boolean; start: number; items: Block[][] }
  | { type: "table"; head: Inline[][]; rows: Inline[][][] }
  | { type: "rule" };

/**
 * Reads the Markdown that models write: CommonMark's common part, tables and strike-through of GitHub. HTML stays text,
 * and images become links, so that showing an answer sends no request to third parties. Accepts any text.
 */
export function parseMarkdown(text: string): Block[] {
  return parseBlocks(text.replaceAll(/\r\n?/g, "\n").split("\n"), 0);
}

/** Deeper nesting stays text. */
const mostDepth = 12;

type Reader = { lines: readonly string[]; at: number; depth: number };
type BlockRule = (reader: Reader, line: string) => Block | undefined;

function parseBlocks(lines: readonly string[], depth: number): Block[] {
  const reader: Reader = { lines, at: 0, depth };
  const blocks: Block[] = [];
  while (reader.at < lines.length) {
    const line = lines[reader.at] ?? "";
    if (line.trim() === "") reader.at += 1;
    else blocks.push(parseBlock(reader, line));
  }
  return blocks;
}

function parseBlock(reader: Reader, line: string): Block {
  for (const rule of rules) {
    const block = rule(reader, line);
    if (block !== undefined) return block;
  }
  return parseParagraph(reader);
}

const fence = /^ {0,3}(`{3,}|~{3,})\s*([\w+#.-]*)[^`]*$/;
const heading = /^ {0,3}(#{1,6})\s+(.*?)(?:\s+#+)?\s*$/;
const rule = /^ {0,3}([-*_])(?:\s*\1){2,}\s*$/;
const quote = /^ {0,3}> ?/;
const bullet = /^( {0,3})([-*+]|\d{1,9}[.)])(\s+|$)/;
const delimiter = /^ {0,3}\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;

const rules: readonly BlockRule[] = [parseFence, parseHeading, parseRule, parseQuote, parseList, parseTable];

function parseFence(reader: Reader, line: string): Block | undefined {
  const [, mark = "", language = ""] = fence.exec(line) ?? [];
  if (mark === "") return undefined;
  const rest = reader.lines.slice(reader.at + 1);
  const isEnd = (one: string) => one.trim().startsWith(mark) && /^(`+|~+)$/.test(one.trim());
  const end = rest.findIndex(isEnd);
  const inside = end === -1 ? rest : rest.slice(0, end);
  reader.at += inside.length + 2;
  return { type: "code", language, text: inside.join("\n") };
}

function parseHeading(reader: Reader, line: string): Block | undefined {
  const [, marks, text = ""] = heading.exec(line) ?? [];
  if (marks === undefined) return undefined;
  reader.at += 1;
  return { type: "heading", level: marks.length, content: parseInline(text) };
}

function parseRule(reader: Reader, line: string): Block | undefined {
  if (!rule.test(line)) return undefined;
  reader.at += 1;
  return { type: "rule" };
}

function parseQuote(reader: Reader, line: string): Block | undefined {
  if (!quote.test(line) || reader.depth >= mostDepth) return undefined;
  const inside: string[] = [];
  while (quote.test(reader.lines[reader.at] ?? "")) {
    inside.push((reader.lines[reader.at] ?? "").replace(quote, ""));
    reader.at += 1;
  }
  return { type: "quote", blocks: parseBlocks(inside, reader.depth + 1) };
}

function parseList(reader: Reader, line: string): Block | undefined {
  const [, , mark = ""] = bullet.exec(line) ?? [];
  if (mark === "" || reader.depth >= mostDepth) return undefined;
  const isOrdered = /\d/.test(mark);
  const items: Block[][] = [];
  for (;;) {
    const [all = "", , next = ""] = bullet.exec(reader.lines[reader.at] ?? "") ?? [];
    if (next === "" || /\d/.test(next) !== isOrdered || rule.test(reader.lines[reader.at] ?? "")) break;
    items.push(parseBlocks(takeItem(reader, all.length), reader.depth + 1));
  }
  return { type: "list", isOrdered, start: isOrdered ? Number.parseInt(mark, 10) : 1, items };
}

/** The lines of an item without its marker: indented ones, those that continue a paragraph, and blank ones between. */
function takeItem(reader: Reader, width: number): string[] {
  const taken = [(reader.lines[reader.at] ?? "").slice(width)];
  for (reader.at += 1; reader.at < reader.lines.length; reader.at += 1) {
    const line = reader.lines[reader.at] ?? "";
    const indent = line.length - line.trimStart().length;
    const isBlank = line.trim() === "";
    if (isBlank && !continuesAfterBlank(reader, width)) break;
    if (!isBlank && indent < Math.min(width, 2) && startsBlock(line)) break;
    taken.push(isBlank ? "" : line.slice(Math.min(indent, width)));
  }
  return taken;
}

/** Whether the next line that is not blank belongs to the item, or is the next item: then the blank line ends nothing. */
function continuesAfterBlank({ lines, at }: Reader, width: number): boolean {
  const next = lines.slice(at).find((line) => line.trim() !== "") ?? "";
  const indent = next.length - next.trimStart().length;
  return next !== "" && (indent >= Math.min(width, 2) || (bullet.test(next) && !rule.test(next)));
}

function startsBlock(line: string): boolean {
  return [fence, heading, rule, quote, bullet].some((pattern) => pattern.test(line));
}

function parseTable(reader: Reader, line: string): Block | undefined {
  if (!line.includes("|") || !delimiter.test(reader.lines[reader.at + 1] ?? "")) return undefined;
  const head = cellsOf(line);
  if (head.length !== cellsOf(reader.lines[reader.at + 1] ?? "").length) return undefined;
  reader.at += 2;
  const rows: Inline[][][] = [];
  for (; (reader.lines[reader.at] ?? "").includes("|"); reader.at += 1) {
    const cells = cellsOf(reader.lines[reader.at] ?? "");
    rows.push(head.map((_, column) => parseInline(cells[column] ?? "")));
  }
  return { type: "table", head: head.map((cell) => parseInline(cell)), rows };
}

function cellsOf(line: string): string[] {
  const inside = line
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  return inside.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

function parseParagraph(reader: Reader): Block {
  const first = reader.at;
  for (reader.at += 1; reader.at < reader.lines.length; reader.at += 1) {
    const line = reader.lines[reader.at] ?? "";
    if (line.trim() === "" || startsBlock(line)) break;
  }
  const lines = reader.lines.slice(first, reader.at).map((line) => line.trimStart());
  return { type: "paragraph", content: parseInline(lines.join("\n").trimEnd()) };
}

type InlineRule = { pattern: RegExp; toInline(match: RegExpExecArray, depth: number): Inline | undefined };

/** The address of a link, which may hold one pair of parentheses; a title after it is left out. */
const address = String.raw`\(\s*<?((?:[^\s()<>]|\([^\s()]*\))*)>?(?:\s+"[^"]*")?\s*\)`;

/** Tried at each place in this order. None can start over far behind: a long answer takes linear time. */
const inlineRules: readonly InlineRule[] = [
  { pattern: /\\([!-/:-@[-`{-~])/y, toInline: ([, text = ""]) => ({ type: "text", text }) },
  {
    pattern: /(`+)(?!`)([^\n]{1,2000}?)(?<!`)\1(?!`)/y,
    toInline: ([, , text = ""]) => ({ type: "code", text: text.trim() }),
  },
  { pattern: new RegExp(String.raw`!?\[((?:[^[\]]|\[[^[\]]*\]){0,1000})\]${address}`, "y"), toInline: toLink },
  { pattern: /<?(https?:\/\/[^\s<>"'`]{1,2000})>?/y, toInline: toAutoLink },
  { pattern: /(\*\*|__)(?=\S)([^\n]{1,1000}?)(?<=\S)\1/y, toInline: (match, depth) => within("strong", match, depth) },
  { pattern: /(~~)(?=\S)([^\n]{1,1000}?)(?<=\S)\1/y, toInline: (match, depth) => within("deleted", match, depth) },
  {
    pattern: /(\*)(?=[^\s*])([^\n]{1,1000}?)(?<=[^\s*])\1(?!\*)/y,
    toInline: (match, depth) => within("emphasis", match, depth),
  },
  {
    pattern: /(?<![\p{L}\p{N}])(_)(?=[^\s_])([^\n]{1,1000}?)(?<=[^\s_])\1(?![\p{L}\p{N}])/uy,
    toInline: (match, depth) => within("emphasis", match, depth),
  },
  { pattern: / {2,}\n|\\\n|\n/y, toInline: () => ({ type: "break" }) },
];

/** Where a rule can begin. */
const special = /[\\`![<*_~\n]|https?:\/\/| {2,}\n/g;

function parseInline(text: string, depth = 0): Inline[] {
  const found: Inline[] = [];
  const addText = (more: string) => {
    const last = found.at(-1);
    if (last?.type === "text") last.text += more;
    else if (more !== "") found.push({ type: "text", text: more });
  };
  let at = 0;
  while (at < text.length) {
    special.lastIndex = at;
    const next = depth > mostDepth ? text.length : (special.exec(text)?.index ?? text.length);
    addText(text.slice(at, next));
    at = next;
    if (at === text.length) break;
    const [inline, length] = matchInline(text, at, depth) ?? [undefined, 1];
    if (inline === undefined || inline.type === "text") addText(inline?.text ?? text.slice(at, at + length));
    else found.push(inline);
    at += length;
  }
  return found;
}

function matchInline(text: string, at: number, depth: number): [Inline, number] | undefined {
  for (const { pattern, toInline } of inlineRules) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    const inline = match === null ? undefined : toInline(match, depth);
    if (match !== null && inline !== undefined) return [inline, match[0].length];
  }
  return undefined;
}

function within(type: "strong" | "emphasis" | "deleted", [, , text = ""]: RegExpExecArray, depth: number): Inline {
  return { type, content: parseInline(text, depth + 1) };
}

function toLink([, label = "", target = ""]: RegExpExecArray, depth: number): Inline | undefined {
  const href = toSafeAddress(target);
  const content = parseInline(label || target, depth + mostDepth);
  return href === undefined ? undefined : { type: "link", href, content };
}

/** Punctuation at the end of an address belongs to the sentence. */
function toAutoLink(match: RegExpExecArray): Inline | undefined {
  const [all, raw = ""] = match;
  const isClosed = all.startsWith("<") && all.endsWith(">");
  const text = isClosed ? raw : raw.replace(/[.,;:!?)\]]+$/, "");
  const href = toSafeAddress(text);
  if (href === undefined) return undefined;
  if (!isClosed) match[0] = all.slice(0, all.indexOf(text) + text.length);
  return { type: "link", href, content: [{ type: "text", text }] };
}

/** An absolute address that a click may open; undefined for any other, such as `javascript:`. */
export function toSafeAddress(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, href } = new URL(text);
  return ["http:", "https:", "mailto:"].includes(protocol) ? href : undefined;
}
