import type { FileTextReader, LoadedPart } from "@weft/engine";
import { parseJson } from "@weft/knowledge";
import type { Json, JsonObject } from "@weft/schema";
import { findValue, findValues, toValueText } from "../json-pointer.ts";
import type { FormatSettings } from "./file-fields.ts";
import { readCsv } from "./read-csv.ts";
import { unreadable } from "./stored-file.ts";

type Content = Awaited<ReturnType<FileTextReader["read"]>>;
type DocumentPart = LoadedPart & { type: "document" };

/** The documents that a file's content is, as the settings say. Throws `document-unreadable` when there is none. */
export function* toParts(source: string, content: Content, settings: FormatSettings): Generator<DocumentPart> {
  let count = 0;
  for (const { text, metadata } of partsOf(source, content, settings)) {
    if (text.trim() === "") continue;
    count += 1;
    yield { type: "document", source, text, metadata: { ...content.metadata, ...metadata } };
  }
  if (count === 0) throw unreadable(source, "what the settings take of it contains no text; change them");
}

type TextPart = { text: string; metadata: JsonObject };

function partsOf(source: string, content: Content, settings: FormatSettings): Iterable<TextPart> {
  const [first] = content.sections;
  const text = first?.text ?? "";
  switch (content.format) {
    case "csv":
      return csvParts(source, text, settings.csvColumn);
    case "json":
      return jsonParts(text, settings);
    case "jsonl":
      return jsonLineParts(text, settings.jsonLinesPointer);
    case "pdf":
      return settings.pdfUsage === "perFile" ? [joinSections(content)] : content.sections;
    default:
      return content.sections;
  }
}

function joinSections({ sections }: Content): TextPart {
  return { text: sections.map(({ text }) => text).join("\n\n"), metadata: {} };
}

/** A row reads as `column: value`, a line for each column; of one column alone, as its value. */
function* csvParts(source: string, text: string, column: string | undefined): Generator<TextPart> {
  const rows = readCsv(text);
  const header = rows.next().value ?? [];
  const index = column === undefined ? -1 : header.findIndex((name) => name.trim() === column.trim());
  if (column !== undefined && index === -1) {
    const names = header.slice(0, 20).join(", ");
    throw unreadable(source, `it has no column "${column}"; it has: ${names}${header.length > 20 ? ", …" : ""}`);
  }
  let row = 1;
  for (const cells of rows) {
    row += 1;
    const lines = cells.map((cell, place) => `${header[place]?.trim() || `column ${place + 1}`}: ${cell}`);
    yield { text: index === -1 ? lines.join("\n") : (cells[index] ?? ""), metadata: { row } };
  }
}

function* jsonParts(text: string, { jsonPointers = [], separateByObject }: FormatSettings): Generator<TextPart> {
  const pointers = separateByObject ? ["/*"] : jsonPointers;
  if (pointers.length === 0) {
    yield { text, metadata: {} };
    return;
  }
  const root = parseJson(text) ?? null;
  const items: Json = separateByObject && !Array.isArray(root) ? [root] : root;
  for (const wanted of pointers) {
    for (const { pointer, value } of findValues(items, wanted))
      yield { text: toValueText(value), metadata: { pointer } };
  }
}

function* jsonLineParts(text: string, pointer: string | undefined): Generator<TextPart> {
  let line = 0;
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf("\n", start);
    const end = found === -1 ? text.length : found;
    const value = parseJson(text.slice(start, end));
    line += 1;
    start = end + 1;
    const wanted = value === undefined ? undefined : findValue(value, pointer ?? "");
    if (wanted !== undefined) yield { text: toValueText(wanted), metadata: { line } };
  }
}
