import { z } from "zod";

/** Format-specific extraction settings of files. */
export const formatFields = {
  pdfUsage: z
    .enum(["perPage", "perFile"])
    .default("perPage")
    .meta({ title: "PDF", help: "One document per page, or one for the whole file." }),
  csvColumn: z.string().max(500).optional().meta({
    title: "Column of a CSV file",
    help: "If empty, each row becomes a document with all its columns.",
    advanced: true,
  }),
  jsonPointers: z.array(z.string().max(500)).max(100).optional().meta({
    title: "Parts of a JSON file",
    help: "JSON pointers such as /articles/*/text. Each value becomes a document. If empty, the whole file.",
    advanced: true,
  }),
  jsonLinesPointer: z.string().max(500).optional().meta({
    title: "Part of a line of JSON lines",
    help: "A JSON pointer such as /text. If empty, the whole line.",
    advanced: true,
  }),
  separateByObject: z.boolean().default(false).meta({
    title: "Separate the items of a JSON list",
    help: "If the file is a list, each item becomes a document.",
    advanced: true,
  }),
};

export type FormatSettings = z.infer<z.ZodObject<typeof formatFields>>;

export const filesField = z.array(z.string().min(1).max(150_000_000)).min(1, "Upload a file").max(10_000).meta({
  title: "Files",
  help: "Text, Markdown, PDF, Word, Excel, PowerPoint, OpenDocument, RTF, EPUB, e-mails (EML), CSV, JSON, HTML, subtitles, Jupyter notebooks.",
  widget: "file",
  ref: "file",
});

/** Field names by which existing clients send files and their extraction settings. */
export const fileKeys = {
  file: "files",
  fileObject: "files",
  txtFile: "files",
  pdfFile: "files",
  docxFile: "files",
  csvFile: "files",
  jsonFile: "files",
  jsonlinesFile: "files",
  excelFile: "files",
  powerpointFile: "files",
  usage: "pdfUsage",
  columnName: "csvColumn",
  pointersName: "jsonPointers",
  pointerName: "jsonLinesPointer",
};

/** Whether a text matches one of the patterns, in which `*` matches anything. Case-insensitive. */
export function createMatcher(patterns: readonly string[]): (text: string) => boolean {
  const lists = patterns.map((pattern) => pattern.toLowerCase().split("*"));
  return (text) => lists.some((pieces) => isLike(text.toLowerCase(), pieces));
}

/** The pieces between the stars must occur in order: a greedy search, in linear time. */
function isLike(text: string, pieces: readonly string[]): boolean {
  const [first = "", ...rest] = pieces;
  if (!text.startsWith(first)) return false;
  if (rest.length === 0) return text === first;
  let from = first.length;
  for (const piece of rest.slice(0, -1)) {
    const found = text.indexOf(piece, from);
    if (found === -1) return false;
    from = found + piece.length;
  }
  const last = rest.at(-1) ?? "";
  return text.length - last.length >= from && text.endsWith(last);
}
