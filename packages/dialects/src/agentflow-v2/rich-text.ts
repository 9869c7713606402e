import { Parser } from "htmlparser2";

/**
 * A text as it was meant, from a value of a rich-text editor: HTML of the editor becomes Markdown, any other text stays
 * as it is. HTML that the editor cannot have written, a table for example, is the author's own and stays HTML.
 */
export function toMarkdown(value: string): string {
  return isEditorHtml(value) ? convert(value) : value;
}

/** Whether the value starts with a block that the editor writes. */
function isEditorHtml(value: string): boolean {
  return /^\s*<(?:p|h[1-6]|ul|ol|blockquote|pre|hr)(?:\s[^<>]*)?\/?>/i.test(value);
}

/** Whether the value starts with a block that the editor does not write. */
export function isOtherHtml(value: string): boolean {
  return /^\s*<(?:table|div|section|article|form|dl|figure|header|footer|main|nav|aside)[\s/>]/i.test(value);
}

const marks = new Map(Object.entries({ strong: "**", b: "**", em: "_", i: "_", s: "~~", del: "~~", code: "`" }));
const blocks = new Set(["p", "div", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre", "ul", "ol", "li", "hr"]);

type List = { ordered: boolean; items: number };

/** A paragraph and whether it follows the one before without an empty line, as items of a list do. */
type Paragraph = { text: string; tight: boolean };

function convert(html: string): string {
  const writer = createWriter();
  const parser = new Parser({
    onopentag: (name, attributes) => writer.open(name, attributes),
    onclosetag: (name) => writer.close(name),
    ontext: (text) => writer.text(text),
  });
  parser.write(html);
  parser.end();
  return writer.end();
}

function createWriter() {
  const paragraphs: Paragraph[] = [];
  const nesting = createNesting();
  const links: { href: string; from: number }[] = [];
  /** In parts: a text that grows is not read again for each of them. */
  let line: string[] = [];
  let heading = "";

  function endParagraph(): void {
    const isFenced = nesting.isPreformatted();
    const text = isFenced ? line.join("").replace(/\n$/, "") : withoutEdges(line.join(""));
    line = [];
    if (text === "") return;
    const place = nesting.takePlace();
    const whole = isFenced ? `\`\`\`\n${text}\n\`\`\`` : heading + text;
    paragraphs.push({ text: indent(whole, place), tight: place.depth > 0 });
  }

  function openBlock(name: string): void {
    endParagraph();
    heading = /^h[1-6]$/.test(name) ? `${"#".repeat(Number(name[1]))} ` : "";
    nesting.open(name);
    if (name === "hr") paragraphs.push({ text: "---", tight: false });
  }

  function closeBlock(name: string): void {
    endParagraph();
    heading = "";
    nesting.close(name);
  }

  /** A link whose text is its address is an address that the editor recognised. */
  function closeLink(): void {
    const link = links.pop();
    if (!link) return;
    const text = line.slice(link.from).join("");
    if (link.href === "" || text === "" || text === link.href || `${text}/` === link.href) return;
    line.length = link.from;
    line.push(`[${text}](${link.href})`);
  }

  function append(text: string): void {
    if (text !== "") line.push(text);
  }

  return {
    open(name: string, attributes: Record<string, string>): void {
      if (blocks.has(name)) openBlock(name);
      else if (name === "br") append("\n");
      else if (name === "a") links.push({ href: attributes.href ?? "", from: line.length });
      else if (!nesting.isPreformatted()) append(marks.get(name) ?? "");
    },
    close(name: string): void {
      if (blocks.has(name)) closeBlock(name);
      else if (name === "a") closeLink();
      else if (!nesting.isPreformatted()) append(marks.get(name) ?? "");
    },
    text(text: string): void {
      if (nesting.isPreformatted()) append(text);
      else append(/\s/.test(line.at(-1)?.at(-1) ?? " ") ? collapse(text).replace(/^ /, "") : collapse(text));
    },
    end(): string {
      endParagraph();
      return join(paragraphs);
    },
  };
}

/** A text without spaces at the ends of its lines. */
function withoutEdges(text: string): string {
  return text
    .replaceAll(/(?<! ) +\n/g, "\n")
    .replaceAll(/\n +/g, "\n")
    .trim();
}

/** The lists, quotations and preformatted blocks that a paragraph is in. */
function createNesting() {
  const lists: List[] = [];
  let quotes = 0;
  let preformatted = 0;
  let marker = "";

  function nest(name: string, by: 1 | -1): void {
    if (name === "blockquote") quotes += by;
    if (name === "pre") preformatted += by;
  }

  return {
    isPreformatted: () => preformatted > 0,
    open(name: string): void {
      nest(name, 1);
      if (name === "ul" || name === "ol") lists.push({ ordered: name === "ol", items: 0 });
      const list = name === "li" ? lists.at(-1) : undefined;
      if (list === undefined) return;
      list.items += 1;
      marker = list.ordered ? `${list.items}. ` : "- ";
    },
    close(name: string): void {
      nest(name, -1);
      if (name === "ul" || name === "ol") lists.pop();
    },
    /** Where the next paragraph stands. The marker of an item is for its first. */
    takePlace() {
      const place = { depth: lists.length, marker, quotes };
      marker = "";
      return place;
    },
  };
}

/** Lists and quotations that lie deeper stand at the margin of this depth. */
const deepest = 50;

/** A paragraph in a list of this depth, at whose marker it begins, and in so many quotations. */
function indent(text: string, place: { depth: number; marker: string; quotes: number }): string {
  const { marker } = place;
  const [depth, quotes] = [Math.min(place.depth, deepest), Math.min(place.quotes, deepest)];
  const outer = "  ".repeat(Math.max(0, depth - 1));
  const margin = depth === 0 ? "" : outer + " ".repeat(marker.length || 2);
  const whole = (marker === "" ? margin : outer + marker) + text.replaceAll("\n", `\n${margin}`);
  const quote = "> ".repeat(quotes);
  return quote + whole.replaceAll("\n", `\n${quote}`);
}

function join(paragraphs: readonly Paragraph[]): string {
  return paragraphs
    .map(({ text, tight }, index) => {
      if (index === 0) return text;
      return (tight && paragraphs[index - 1]?.tight ? "\n" : "\n\n") + text;
    })
    .join("");
}

/** Space as a browser shows it; a space that does not break stays. */
function collapse(text: string): string {
  return text.replaceAll(/[ \t\r\n\f]+/g, " ");
}
