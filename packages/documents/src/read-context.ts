import type { DocumentContent, DocumentFormat, DocumentSection, MailHeaders } from "./document.ts";
import type { DocumentLimits } from "./limits.ts";
import type { TextBudget } from "./text-budget.ts";

/** What a reader of one format gets. */
export type ReadContext = {
  bytes: Uint8Array;
  format: DocumentFormat;
  limits: DocumentLimits;
  budget: TextBudget;
  /** The encoding that its type names. */
  label?: string | undefined;
  /** Reads what is attached, in its own format. */
  readFormat(context: ReadContext): Promise<ReadResult>;
  /** How many messages it is attached to, one within the other. Default 0. */
  depth?: number;
};

/** What it gives back; sections may be empty. */
export type ReadResult = {
  sections: DocumentSection[];
  title?: string | undefined;
  pages?: number;
  hiddenSheets?: string[];
  mail?: MailHeaders;
  skippedAttachments?: string[];
};

/** What a worker is told to read, one document at a time. */
export type ReadJob = { bytes: Uint8Array; format: DocumentFormat; label?: string | undefined };

/** What it answers. */
export type ReadReply = { ok: true; content: DocumentContent } | { ok: false; reason: string };
