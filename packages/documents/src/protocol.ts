import type { DocumentContent, DocumentFormat } from "./document.ts";

/** What a worker is told to read, one document at a time. */
export type ReadJob = { bytes: Uint8Array; format: DocumentFormat };

/** What it answers. */
export type ReadReply = { ok: true; content: DocumentContent } | { ok: false; reason: string };
