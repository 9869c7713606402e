import type { DocumentSection } from "../document.ts";
import { attributeOf, walkXml, type XmlAttributes, type XmlHandler } from "../ooxml/walk-xml.ts";
import type { ReadContext, ReadResult } from "../read-context.ts";
import { Unreadable } from "../unreadable.ts";
import { openArchive } from "../zip/archive.ts";
import { createOdfFlow } from "./odf-flow.ts";
import { createOdfStyles, type OdfStyles } from "./odf-styles.ts";

/**
 * One section per sheet, one line per row, tab-separated, as for an Excel workbook: raw numbers, dates in ISO 8601.
 * Hidden sheets are only named.
 */
export function readOds(context: ReadContext): ReadResult {
  const { content, styles, title } = openOdfPackage(context);
  const sections: DocumentSection[] = [];
  const hiddenSheets: string[] = [];
  const sheet = createSheet(context);
  let depth = 0;
  walkOdfBody(content, styles, {
    open(name, attributes) {
      if (name !== "table") return depth === 1 ? sheet.open(name, attributes) : undefined;
      depth += 1;
      if (depth === 1) sheet.start(attributes);
    },
    close(name) {
      if (name === "table") depth -= 1;
      if (name !== "table" || depth > 0) return depth === 1 ? sheet.close(name) : undefined;
      const { text, style, metadata } = sheet.end();
      if (styles.isHidden(style)) hiddenSheets.push(metadata.sheet);
      else sections.push({ text, metadata });
    },
    text: sheet.text,
  });
  if (sections.every(({ text }) => text === "") && hiddenSheets.length > 0) {
    throw new Unreadable(
      `only its hidden sheets have text (${hiddenSheets.join(", ").slice(0, 500)}); show them first`,
    );
  }
  return { sections, title, hiddenSheets };
}

/**
 * Headings, paragraphs, lists, tables and links in order, as Markdown, then the notes that the text refers to as `[1]`.
 */
export function readOdt(context: ReadContext): ReadResult {
  const { content, styles, title } = openOdfPackage(context);
  const flow = createOdfFlow({ budget: context.budget, styles, plain: "paragraph" });
  walkOdfBody(content, styles, flow);
  return { sections: [{ text: flow.toText(), metadata: {} }], title };
}

/** One section per slide: its shapes and tables as Markdown, separated by blank lines, then its notes. */
export function readOdp({ budget, ...context }: ReadContext): ReadResult {
  const { content, styles, title } = openOdfPackage({ budget, ...context });
  const startShape = (isTitle: boolean) => createOdfFlow({ budget, styles, plain: "line", isTitle });
  const sections: DocumentSection[] = [];
  let shape = startShape(false);
  let texts: string[] = [];
  let notes: string[] | undefined;
  const endShape = (isTitle = false) => {
    const text = shape.toText();
    if (text !== "") (notes ?? texts).push(text);
    shape = startShape(isTitle);
  };
  walkOdfBody(content, styles, {
    open(name, attributes) {
      if (shapes.has(name)) endShape(attributes["presentation:class"] === "title");
      else if (name === "notes") notes = [];
      else shape.open(name, attributes);
    },
    close(name) {
      if (shapes.has(name)) endShape();
      else if (name === "notes") {
        if (notes !== undefined && notes.length > 0) texts.push(`Notes: ${notes.join("\n\n")}`);
        notes = undefined;
      } else if (name === "page") {
        sections.push({ text: texts.join("\n\n"), metadata: { slide: sections.length + 1 } });
        texts = [];
      } else shape.close(name);
    },
    text: (text) => shape.text(text),
  });
  return { sections, title };
}

const shapes = new Set(["frame", "custom-shape", "rect", "ellipse", "circle", "polygon", "path", "line", "connector"]);

/** Limits of a spreadsheet's row and cell. */
const mostColumns = 16_384;
const longestText = 32_767;

function createSheet({ budget, limits }: ReadContext) {
  let cellsLeft = limits.cells;
  let table: XmlAttributes = {};
  let rows: string[] = [];
  let row: string[] = [];
  /** Column of the next cell. Empty cells at the end of a row are never written. */
  let column = 0;
  let rowTimes = 1;
  let cell: { shown: string; attributes: XmlAttributes } | undefined;
  let isParagraph = false;
  const addCell = (value: string, times: number) => {
    if (value === "") {
      column += times;
      return;
    }
    if (column + times > mostColumns) throw new Unreadable(`a sheet has more than ${mostColumns} columns`);
    cellsLeft -= times * rowTimes;
    if (cellsLeft < 0) throw new Unreadable("it has too many cells; split it");
    while (row.length < column) row.push("");
    for (let count = 0; count < times; count += 1) row.push(value);
    column = row.length;
  };
  const endRow = () => {
    const line = row.join("\t");
    for (let count = 0; line !== "" && count < rowTimes; count += 1) rows.push(budget.take(line));
  };
  const endCell = () => {
    if (cell === undefined) return;
    const value = toValue(cell.attributes) ?? cell.shown.replace(/\s+/g, " ").trim();
    if (value.length > longestText) throw new Unreadable(`a cell holds more than ${longestText} characters`);
    addCell(value, timesOf(cell.attributes, "number-columns-repeated"));
    cell = undefined;
  };
  return {
    start(attributes: XmlAttributes) {
      table = attributes;
      rows = [];
    },
    open(name: string, attributes: XmlAttributes) {
      if (name === "table-row") {
        row = [];
        column = 0;
        rowTimes = timesOf(attributes, "number-rows-repeated");
      } else if (name === "table-cell" || name === "covered-table-cell") cell = { shown: "", attributes };
      else if (name === "p") isParagraph = true;
      else if (name === "line-break" || name === "s" || name === "tab") addShown(" ");
    },
    close(name: string) {
      if (name === "table-row") endRow();
      else if (name === "table-cell" || name === "covered-table-cell") endCell();
      else if (name === "p") {
        isParagraph = false;
        addShown(" ");
      }
    },
    text(text: string) {
      if (isParagraph) addShown(text);
    },
    end: () => ({
      text: rows.join("\n"),
      style: attributeOf(table, "style-name"),
      metadata: { sheet: attributeOf(table, "name") ?? "" },
    }),
  };

  function addShown(text: string): void {
    if (cell !== undefined) cell.shown += text;
  }
}

function timesOf(attributes: XmlAttributes, name: string): number {
  const times = Number(attributeOf(attributes, name) ?? 1);
  return Number.isSafeInteger(times) && times > 0 ? times : 1;
}

/** The value of a cell other than text. Source: OpenDocument 1.3, part 3, section 19.387. */
function toValue(attributes: XmlAttributes): string | undefined {
  switch (attributeOf(attributes, "value-type")) {
    case "float":
    case "percentage":
    case "currency":
      return toNumber(attributeOf(attributes, "value"));
    case "date":
      return attributeOf(attributes, "date-value")?.replace(/T00:00:00(\.0+)?$/, "");
    case "time":
      return toClock(attributeOf(attributes, "time-value"));
    case "boolean":
      return attributeOf(attributes, "boolean-value")?.toUpperCase();
    default:
      return undefined;
  }
}

function toNumber(value: string | undefined): string | undefined {
  const number = Number(value ?? Number.NaN);
  return Number.isFinite(number) ? String(Number(number.toPrecision(15))) : undefined;
}

/** `PT26H30M00S` as `26:30:00`. */
function toClock(duration = ""): string | undefined {
  const parts = /^PT(\d{1,9})H(\d{1,2})M(\d{1,2})/.exec(duration)?.slice(1);
  return parts?.map((part) => part.padStart(2, "0")).join(":");
}

type OdfPackage = {
  content: Uint8Array;
  /** Shared by all parts; the content adds its own. */
  styles: OdfStyles;
  title: string;
};

/** Opens an OpenDocument file. Source: OpenDocument 1.3, parts 2 (packages) and 3 (schema). */
function openOdfPackage({ bytes, format, limits }: ReadContext): OdfPackage {
  const archive = openArchive(bytes, limits);
  if (isEncrypted(archive.read("META-INF/manifest.xml"))) {
    throw new Unreadable("it is protected by a password; save it without one");
  }
  const content = archive.read("content.xml");
  if (content === undefined) throw new Unreadable(`it is no ${format} file: its content is missing`);
  const styles = createOdfStyles();
  walkXml(archive.read("styles.xml") ?? new Uint8Array(), { open: styles.note });
  return { content, styles, title: readTitle(archive.read("meta.xml")) };
}

function isEncrypted(manifest: Uint8Array | undefined): boolean {
  let found = false;
  walkXml(manifest ?? new Uint8Array(), {
    open(name) {
      if (name === "encryption-data") found = true;
    },
  });
  return found;
}

function readTitle(meta: Uint8Array | undefined): string {
  let title = "";
  let isTitle = false;
  walkXml(meta ?? new Uint8Array(), {
    open(name) {
      isTitle = name === "title";
    },
    close() {
      isTitle = false;
    },
    text(text) {
      if (isTitle) title += text;
    },
  });
  return title;
}

/**
 * Reads the body of a content part, and notes the styles before it. Skips hidden text, tracked deletions, comments and
 * tables of contents.
 */
function walkOdfBody(
  content: Uint8Array,
  styles: OdfStyles,
  handler: Required<Pick<XmlHandler, "open" | "close" | "text">>,
): void {
  let isBody = false;
  let hidden = 0;
  walkXml(content, {
    skipped,
    open(name, attributes) {
      if (name === "body") isBody = true;
      if (!isBody) styles.note(name, attributes);
      else if (hidden > 0 || isHidden(name, attributes, styles)) hidden += 1;
      else handler.open(name, attributes);
    },
    close(name) {
      if (hidden > 0) hidden -= 1;
      else if (isBody) handler.close(name);
    },
    text(text) {
      if (isBody && hidden === 0) handler.text(text);
    },
  });
}

const skipped = new Set([
  ...["tracked-changes", "annotation", "table-of-content", "forms", "ruby-text", "note-citation", "desc", "title"],
  ...["hidden-text", "hidden-paragraph", "page-thumbnail", "master-page"],
]);

/** Parts of a slide that repeat on every one. */
const repeated = new Set(["page-number", "date-time", "footer", "header", "page"]);

function isHidden(name: string, attributes: XmlAttributes, styles: OdfStyles): boolean {
  if (name === "section") return attributeOf(attributes, "display") === "none";
  if (name === "frame") return repeated.has(attributes["presentation:class"] ?? "");
  return (name === "span" || name === "p" || name === "h") && styles.isHidden(attributes["text:style-name"]);
}
