import type { FileTextReader, LoadedPart, LoaderServices, StoredFile } from "@weft/engine/ports/document-loader";
import { type Json, type JsonObject, parseJson, WeftError } from "@weft/schema";
import { type LoadOptions, type SourceServices, toFailure } from "../define-loader.ts";
import { findValue, findValues, toValueText } from "../json-pointer.ts";
import type { FormatSettings } from "./file-fields.ts";

type FileSelection = FormatSettings & {
  files: readonly string[];
  /** Selects files by name; the others are skipped. Default: all. */
  isWanted?: (name: string) => boolean;
};

/**
 * The texts of files, with one file in memory at a time. An unreadable file is a failure, and reading continues with
 * the next.
 */
export async function* loadFiles(
  { files, isWanted, ...settings }: FileSelection,
  services: LoaderServices,
  { signal }: LoadOptions,
): AsyncGenerator<LoadedPart> {
  for (const reference of files) {
    signal.throwIfAborted();
    let name = reference.slice(0, 100);
    try {
      const file = await readStoredFile(reference, services);
      name = file.name;
      if (isWanted?.(name) === false) continue;
      const content = await services.documents.read({ ...file, mimeType: file.mediaType }, { signal });
      yield* toParts(name, content, settings);
    } catch (error) {
      signal.throwIfAborted();
      yield toFailure(name, error);
    }
  }
}

type Content = Awaited<ReturnType<FileTextReader["read"]>>;
type DocumentPart = LoadedPart & { type: "document" };

/** The documents in a file's content, by the settings. Throws `document-unreadable` if there are none. */
function* toParts(source: string, content: Content, settings: FormatSettings): Generator<DocumentPart> {
  let count = 0;
  for (const { text, metadata } of partsOf(source, content, settings)) {
    if (text.trim() === "") continue;
    count += 1;
    yield { type: "document", source, text, metadata: { ...content.metadata, ...metadata } };
  }
  if (count === 0) throw unreadable(source, "the parts selected by the settings contain no text; change the settings");
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

/** A row becomes `column: value` lines, one per column; with a single column, its value. */
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

/**
 * The rows of CSV text (RFC 4180), the header first, one at a time; blank lines are left out. The separator is the most
 * frequent of comma, semicolon and tab in the first line.
 */
function* readCsv(text: string): Generator<string[], undefined> {
  const separator = findSeparator(text);
  let row: string[] = [];
  let start = 0;
  while (start <= text.length) {
    const cell = readCell(text, start, separator);
    row.push(cell.value);
    start = cell.end + 1;
    if (text[cell.end] === separator) continue;
    if (row.length > 1 || row[0]?.trim() !== "") yield row;
    row = [];
    if (text[cell.end] === "\r" && text[start] === "\n") start += 1;
  }
}

function findSeparator(text: string): string {
  const [firstLine = ""] = /^[^\r\n]{0,100000}/.exec(text) ?? [];
  const counts = [",", ";", "\t"].map((sign) => ({ sign, count: firstLine.split(sign).length }));
  return counts.reduce((most, next) => (next.count > most.count ? next : most)).sign;
}

/** `end`: position of the character after the cell: a separator, a line break, or the end. */
function readCell(text: string, start: number, separator: string): { value: string; end: number } {
  if (text[start] !== '"') {
    const end = findEnd(text, start, separator);
    return { value: text.slice(start, end), end };
  }
  let value = "";
  let from = start + 1;
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote === -1) return { value: value + text.slice(from), end: text.length };
    value += text.slice(from, quote);
    if (text[quote + 1] !== '"') {
      const end = findEnd(text, quote + 1, separator);
      return { value: value + text.slice(quote + 1, end), end };
    }
    value += '"';
    from = quote + 2;
  }
}

function findEnd(text: string, start: number, separator: string): number {
  let end = start;
  while (end < text.length && text[end] !== separator && text[end] !== "\n" && text[end] !== "\r") end += 1;
  return end;
}

/**
 * A file by its stored id, or inline as existing clients send it: `data:<media type>;base64,<bytes>,filename:<name>`.
 * Throws `document-unreadable` if there is none.
 */
async function readStoredFile(
  reference: string,
  services: LoaderServices,
): Promise<StoredFile | (InlineFile & { bytes: Uint8Array })> {
  const inline = parseInline(reference);
  if (inline !== undefined) return { ...inline, bytes: decode(inline) };
  const stored = await services.readFile(reference);
  if (stored !== undefined) return stored;
  throw unreadable(`The file ${reference.slice(0, 100)}`, "it is no longer stored; upload it again");
}

/** Its name, if known. */
export async function nameOfFile(reference: string, services: SourceServices): Promise<string> {
  return parseInline(reference)?.name ?? (await services.nameOfFile(reference)) ?? reference.slice(0, 200);
}

type InlineFile = { name: string; mediaType: string; base64: string };

function parseInline(reference: string): InlineFile | undefined {
  if (!reference.startsWith("data:")) return undefined;
  const [head = "", base64 = "", last = ""] = reference.split(",", 3);
  const [mediaType = ""] = head.slice("data:".length).split(";", 1);
  const name = last.startsWith("filename:") ? last.slice("filename:".length) : "file";
  return { name, mediaType, base64 };
}

function decode({ name, base64 }: InlineFile): Uint8Array {
  const bytes = Buffer.from(base64, "base64");
  if (bytes.length === 0) throw unreadable(name, "it is empty, or its data is not valid base64");
  return bytes;
}

export function unreadable(name: string, reason: string): WeftError {
  return new WeftError("document-unreadable", { params: { name: name.slice(0, 200), reason } });
}
