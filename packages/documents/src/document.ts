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
  "email",
  "subtitles",
  "notebook",
] as const;

export type DocumentFormat = (typeof documentFormats)[number];

/** An uploaded file: its name and type are unverified claims. */
export type DocumentInput = { name: string; mimeType?: string; bytes: Uint8Array };

/**
 * An uploaded file that is read as it is needed: `parts` begins with the first part on every call. Whoever takes a part
 * may keep or empty it. `sizeBytes` is the length of all of them.
 */
export type DocumentParts = Omit<DocumentInput, "bytes"> & {
  sizeBytes: number;
  parts(): AsyncIterable<Uint8Array>;
};

/**
 * One part of a document: the whole, a page of a PDF, a sheet, a slide, a chapter, an e-mail attachment. Numbers count
 * from 1. `attachment` is its name, preceded by that of its message if that is an attachment itself.
 */
export type DocumentSection = {
  text: string;
  metadata: { page?: number; sheet?: string; slide?: number; chapter?: number; attachment?: string };
};

/** The text of a document: at least one section; those without text are left out. */
export type DocumentContent = {
  format: DocumentFormat;
  sections: DocumentSection[];
  /** `hiddenSheets`: names of omitted hidden sheets. `skippedAttachments`: names of unreadable attachments. */
  metadata: { title?: string; pages?: number; hiddenSheets?: string[]; skippedAttachments?: string[] } & MailHeaders;
};

/** Sender and recipients of an e-mail, as `Ann Lee <ann@example.org>`, and its date, in ISO 8601. */
export type MailHeaders = { from?: string; to?: string; cc?: string; date?: string };

/** Joins all sections with blank lines, attachments under their names; ends with the names of omitted parts. */
export function toText({ sections, metadata: { hiddenSheets, skippedAttachments } }: DocumentContent): string {
  const parts: string[] = [];
  let attachment: string | undefined;
  for (const { text, metadata } of sections) {
    if (metadata.attachment !== attachment) parts.push(`[Attachment: ${metadata.attachment}]`);
    attachment = metadata.attachment;
    parts.push(text);
  }
  if (hiddenSheets) parts.push(`[Hidden sheets were left out: ${hiddenSheets.join(", ")}]`);
  if (skippedAttachments) parts.push(`[Attachments that cannot be read: ${skippedAttachments.join(", ")}]`);
  return parts.join("\n\n");
}
