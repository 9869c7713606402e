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

/** A file as someone sent it: its name and type are what they say, and nothing more. */
export type DocumentInput = { name: string; mimeType?: string; bytes: Uint8Array };

/**
 * One part of a document: the whole of it, a page of a PDF, a sheet, a slide, a chapter, what is attached to an e-mail.
 * Numbers count from 1. `attachment` is its name, behind that of the message it is attached to if that is one itself.
 */
export type DocumentSection = {
  text: string;
  metadata: { page?: number; sheet?: string; slide?: number; chapter?: number; attachment?: string };
};

/** The text of a document. A section without text is left out; there is at least one. */
export type DocumentContent = {
  format: DocumentFormat;
  sections: DocumentSection[];
  /**
   * `hiddenSheets`: names of the sheets that were left out because the workbook hides them. `skippedAttachments`: names
   * of the attachments that cannot be read.
   */
  metadata: { title?: string; pages?: number; hiddenSheets?: string[]; skippedAttachments?: string[] } & MailHeaders;
};

/** Who wrote an e-mail to whom, as `Ann Lee <ann@example.org>`, and when, in ISO 8601. */
export type MailHeaders = { from?: string; to?: string; cc?: string; date?: string };

/**
 * All sections, a blank line between each, attachments below their names; at the end the names of what was left out.
 */
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
