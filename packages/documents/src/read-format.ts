import type { DocumentFormat } from "./document.ts";
import type { ReadContext, ReadResult } from "./read-context.ts";

/** Reads a document in its format. Throws `Unreadable`; anything else that is thrown means damage. */
export async function readFormat(context: ReadContext): Promise<ReadResult> {
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
      return (await import("./odf/read-odt.ts")).readOdt;
    case "odp":
      return (await import("./odf/read-odp.ts")).readOdp;
    case "ods":
      return (await import("./odf/read-ods.ts")).readOds;
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
