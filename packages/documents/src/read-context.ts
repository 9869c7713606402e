import type { DocumentContent, DocumentFormat, DocumentSection, MailHeaders } from "./document.ts";
import type { DocumentLimits } from "./limits.ts";
import type { TextBudget } from "./text-budget.ts";

/** Context of a format's reader. */
export type ReadContext = {
  bytes: Uint8Array;
  format: DocumentFormat;
  limits: DocumentLimits;
  budget: TextBudget;
  /** The encoding in its declared type. */
  label?: string | undefined;
  /** Reads an attachment in its own format. */
  readFormat(context: ReadContext): Promise<ReadResult>;
  /** Depth of nested messages. Default 0. */
  depth?: number;
};

/** A reader's result; sections may be empty. */
export type ReadResult = {
  sections: DocumentSection[];
  title?: string | undefined;
  pages?: number;
  hiddenSheets?: string[];
  mail?: MailHeaders;
  skippedAttachments?: string[];
};

/**
 * A worker's job, one document at a time. Its parts follow: the first at once, each other one when the worker asks for
 * `more`. `format` is undefined for an archive.
 */
export type ReadJob = {
  name: string;
  mimeType?: string;
  format: DocumentFormat | undefined;
  label: string | undefined;
  sizeBytes: number;
};

/** What a worker is sent. */
export type ToReader = ReadJob | { part: Uint8Array };

/** What it sends, in the end its answer. */
export type FromReader = { more: true } | ReadReply;

export type ReadReply =
  | { ok: true; content: DocumentContent }
  | { ok: false; reason: string }
  | { ok: false; isUnsupported: true };
