import { parentPort, workerData } from "node:worker_threads";
import { lowerPriority } from "@weft/workers/lower-priority";
import { formatOf } from "./detect-format.ts";
import type { DocumentContent, DocumentFormat } from "./document.ts";
import type { DocumentLimits } from "./limits.ts";
import type { FromReader, ReadContext, ReadJob, ReadReply, ReadResult, ToReader } from "./read-context.ts";
import { createTextBudget } from "./text-budget.ts";
import { Unreadable, withoutText } from "./unreadable.ts";

// Entry of a document worker: one document at a time, ordered by the pool. It imports nothing of the schema, which takes
// 20 MB in each thread.

lowerPriority();
let document: { job: ReadJob; bytes: Uint8Array<ArrayBuffer>; length: number } | undefined;
parentPort?.on("message", async (message: ToReader) => {
  if ("sizeBytes" in message) document = { job: message, bytes: new Uint8Array(message.sizeBytes), length: 0 };
  else if (document !== undefined) {
    document.bytes.set(message.part, document.length);
    document.length += message.part.length;
    free(message.part);
    if (document.length < document.bytes.length) return send({ more: true });
    const { job, bytes } = document;
    document = undefined;
    const answer = await reply(job, bytes);
    free(bytes);
    send(answer);
  }
});

function send(message: FromReader): void {
  parentPort?.postMessage(message);
}

/** At once: buffers wait for the collection of the small objects that stand for them. */
function free({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0);
}

async function reply(job: ReadJob, bytes: Uint8Array): Promise<ReadReply> {
  try {
    const { format = formatOf({ ...job, bytes }), label } = job;
    if (format === undefined) return { ok: false, isUnsupported: true };
    return { ok: true, content: await readDocument({ bytes, format, label }, workerData) };
  } catch (error) {
    return { ok: false, reason: error instanceof Unreadable ? error.reason : "it is damaged" };
  }
}

type Input = Pick<ReadContext, "bytes" | "format" | "label">;

/** Reads a document whose format is known. Throws `Unreadable`; anything else that is thrown means damage. */
async function readDocument(input: Input, limits: DocumentLimits): Promise<DocumentContent> {
  const result = await readFormat({ ...input, readFormat, limits, budget: createTextBudget(limits.textCharacters) });
  const sections = result.sections.filter((section) => section.text.trim() !== "");
  if (sections.length === 0) throw new Unreadable(withoutText);
  const { pages, hiddenSheets = [], mail, skippedAttachments = [] } = result;
  const title = result.title?.trim().slice(0, 500);
  return {
    format: input.format,
    sections,
    metadata: {
      ...(title && { title }),
      ...(pages !== undefined && { pages }),
      ...(hiddenSheets.length > 0 && { hiddenSheets }),
      ...mail,
      ...(skippedAttachments.length > 0 && { skippedAttachments }),
    },
  };
}

/** Reads a document in its format. Throws `Unreadable`; anything else that is thrown means damage. */
async function readFormat(context: ReadContext): Promise<ReadResult> {
  const read = await loadReader(context.format);
  return read(context);
}

type Reader = (context: ReadContext) => ReadResult | Promise<ReadResult>;

/** Loaded on first use: the PDF reader alone is 2 MB of code. */
async function loadReader(format: DocumentFormat): Promise<Reader> {
  switch (format) {
    case "html":
      return (await import("./formats/read-html.ts")).readHtml;
    case "pdf":
      return (await import("./formats/read-pdf.ts")).readPdf;
    case "docx":
      return (await import("./ooxml/read-docx.ts")).readDocx;
    case "xlsx":
      return (await import("./ooxml/read-xlsx.ts")).readXlsx;
    case "pptx":
      return (await import("./ooxml/read-pptx.ts")).readPptx;
    case "epub":
      return (await import("./formats/read-epub.ts")).readEpub;
    case "odt":
      return (await import("./odf/read-odf.ts")).readOdt;
    case "odp":
      return (await import("./odf/read-odf.ts")).readOdp;
    case "ods":
      return (await import("./odf/read-odf.ts")).readOds;
    case "rtf":
      return (await import("./rtf/read-rtf.ts")).readRtf;
    case "email":
      return (await import("./formats/read-email.ts")).readEmail;
    case "subtitles":
      return (await import("./formats/read-subtitles.ts")).readSubtitles;
    case "notebook":
      return (await import("./formats/read-notebook.ts")).readNotebook;
    case "json":
    case "jsonl":
      return (await import("./formats/read-json.ts")).readJson;
    case "text":
    case "markdown":
    case "csv":
    case "xml":
    case "yaml":
      return (await import("./formats/read-plain.ts")).readPlain;
  }
}
