import { Parser } from "htmlparser2";
import { decodeText, htmlCharset } from "../decode-text.ts";
import type { ReadContext, ReadResult } from "../read-context.ts";
import { type BlockKind, createTextBlocks, type TextBudget } from "../text-budget.ts";
import { maxDepth, tooDeep, Unreadable } from "../unreadable.ts";

/** What a reader of the page reads: headings, paragraphs, items of lists, rows of tables; no scripts and styles. */
export function readHtml({ bytes, budget }: ReadContext): ReadResult {
  const page = createPageText(budget);
  let skipped = 0;
  let depth = 0;
  const parser = new Parser({
    onopentag(name) {
      depth += 1;
      if (depth > maxDepth) throw new Unreadable(tooDeep);
      if (skipped > 0 || unread.has(name)) skipped += 1;
      else page.open(name);
    },
    onclosetag(name) {
      depth -= 1;
      if (skipped > 0) skipped -= 1;
      else page.close(name);
    },
    ontext(text) {
      if (skipped === 0) page.text(text);
    },
  });
  const html = decodeText(bytes, htmlCharset);
  for (let start = 0; start < html.length; start += pieceCharacters) {
    parser.write(html.slice(start, start + pieceCharacters));
  }
  parser.end();
  return { sections: [{ text: page.toText(), metadata: {} }], title: page.title() };
}

/** Text is worked on in pieces no longer than this. */
const pieceCharacters = 64 * 1024;

const unread = new Set(["script", "style", "template", "noscript", "iframe", "svg"]);

/** Takes the tags and texts of an HTML page, in their order and properly nested. */
type PageText = {
  open(tag: string): void;
  close(tag: string): void;
  text(text: string): void;
  toText(): string;
  title(): string;
};

/** Text of an HTML page. What stands in a cell makes one line, unless there is a table in it. */
function createPageText(budget: TextBudget): PageText {
  const flow = createFlow();
  const title = createLine();
  let isTitle = false;
  return {
    open(tag) {
      if (tag === "title") isTitle = true;
      else if (tag === "br") flow.line.lineBreak();
      else if (tag === "table") flow.openTable();
      else if (isCell(tag)) flow.openCell();
      else if (blockTags.has(tag)) flow.endBlock(tag === "li" ? "item" : undefined);
      if (tag === "pre") flow.line.keepSpace(1);
    },
    close(tag) {
      if (tag === "title") isTitle = false;
      else if (tag === "table") flow.closeTable();
      else if (tag === "tr") flow.closeRow();
      else if (isCell(tag)) flow.closeCell();
      else if (blockTags.has(tag)) flow.endBlock(tag === "li" ? "paragraph" : undefined);
      if (tag === "pre") flow.line.keepSpace(-1);
    },
    text(text) {
      (isTitle ? title : flow.line).add(budget.take(text));
    },
    toText: flow.toText,
    title: title.take,
  };
}

const blockTags = new Set(
  "address article aside blockquote body button caption center dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr legend li main menu nav ol option p pre search section select summary textarea ul".split(
    " ",
  ),
);

function isCell(tag: string): boolean {
  return tag === "td" || tag === "th";
}

/** Blocks and tables. A row is held for every open table, and whether text goes into a cell of it. */
function createFlow() {
  const blocks = createTextBlocks();
  const line = createLine();
  const tables: { row: string[]; isInCell: boolean }[] = [];
  let kind: BlockKind = "paragraph";
  const flush = () => {
    const text = line.take().trim();
    if (text === "") return;
    blocks.add(kind, kind === "item" ? `- ${text}` : text);
    kind = "paragraph";
  };
  return {
    line,
    endBlock(next: BlockKind | undefined) {
      if (tables.at(-1)?.isInCell) line.add(" ");
      else flush();
      kind = next ?? kind;
    },
    openTable() {
      flush();
      tables.push({ row: [], isInCell: false });
    },
    openCell() {
      flush();
      const table = tables.at(-1);
      if (table !== undefined) table.isInCell = true;
    },
    closeCell() {
      const table = tables.at(-1);
      if (table === undefined) return;
      table.row.push(line.take().replace(/\s+/g, " ").trim());
      table.isInCell = false;
    },
    closeRow() {
      const table = tables.at(-1);
      if (table === undefined) return;
      blocks.add("row", table.row.join("\t"));
      table.row = [];
    },
    closeTable() {
      flush();
      tables.pop();
    },
    toText() {
      flush();
      return blocks.toText();
    },
  };
}

/** Text in work, its white space collapsed as a browser does, except while it is kept. */
function createLine() {
  let text = "";
  let endsInSpace = true;
  let keepers = 0;
  return {
    add(added: string) {
      const collapsed = keepers > 0 ? added : added.replace(/[ \t\r\n\f]+/g, " ");
      const rest = keepers === 0 && endsInSpace && collapsed.startsWith(" ") ? collapsed.slice(1) : collapsed;
      if (rest === "") return;
      text += rest;
      endsInSpace = rest.endsWith(" ");
    },
    lineBreak() {
      text += "\n";
      endsInSpace = true;
    },
    keepSpace(change: 1 | -1) {
      keepers += change;
    },
    take() {
      const taken = text.replaceAll(" \n", "\n");
      text = "";
      endsInSpace = true;
      return taken;
    },
  };
}
