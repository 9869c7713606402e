export const documentFormats = [
  "text",
  "markdown",
  "html",
  "csv",
  "json",
  "jsonl",
  "xml",
  "yaml",
  "pdf",
  "docx",
  "xlsx",
  "pptx",
  "epub",
  "odt",
  "ods",
  "odp",
  "rtf",
  "subtitles",
  "notebook",
] as const;

export type DocumentFormat = (typeof documentFormats)[number];

/** A file as somebody sent it: its name and type are what they say, and nothing more. */
export type DocumentInput = { name: string; mimeType?: string; bytes: Uint8Array };

/** One part of a document: the whole of it, a page of a PDF, a sheet, a slide, a chapter. Numbers count from 1. */
export type DocumentSection = {
  text: string;
  metadata: { page?: number; sheet?: string; slide?: number; chapter?: number };
};

/** The text of a document. A section without text is left out; there is at least one. */
export type DocumentContent = {
  format: DocumentFormat;
  sections: DocumentSection[];
  /** `hiddenSheets`: names of the sheets that were left out because the workbook hides them. */
  metadata: { title?: string; pages?: number; hiddenSheets?: string[] };
};

/** All sections, a blank line between each, and at the end the names of hidden sheets. */
export function toText({ sections, metadata: { hiddenSheets } }: DocumentContent): string {
  const hidden = hiddenSheets && `[Hidden sheets were left out: ${hiddenSheets.join(", ")}]`;
  return [...sections.map((section) => section.text), ...(hidden ? [hidden] : [])].join("\n\n");
}
