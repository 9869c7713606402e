import type { DocumentFormat, DocumentInput } from "./document.ts";
import { standardLimits } from "./limits.ts";
import { Unreadable } from "./unreadable.ts";
import { readZipDirectory } from "./zip/zip-directory.ts";

/**
 * The format of a file: a PDF and an office file by its content, any other by its extension, else by its declared type.
 * Undefined if unsupported. Throws `Unreadable` for a file named as a PDF or an office file that is none.
 */
export function formatOf({ name, mimeType, bytes }: DocumentInput): DocumentFormat | undefined {
  const named = formatOfName(name) ?? formatOfType(mimeType);
  return formatOfContent(bytes, named) ?? named;
}

/** Whether a file that begins so is a zip archive, such as an office file: only all of it tells its format. */
export function isArchive(bytes: Uint8Array): boolean {
  return startsWith(bytes, "PK\x03\x04");
}

/** The media types of a format. */
export function mediaTypesOf(format: DocumentFormat): string[] {
  return Object.keys(mimeTypes).filter((type) => mimeTypes[type] === format);
}

const extensions: Record<string, DocumentFormat> = {
  ...toRecord(
    "txt text log css js mjs cjs ts tsx jsx py java kt c h cpp cs go rs rb php sh sql ini toml tex rst",
    "text",
  ),
  ...toRecord("md markdown", "markdown"),
  ...toRecord("html htm xhtml", "html"),
  ...toRecord("csv tsv", "csv"),
  ...toRecord("jsonl ndjson", "jsonl"),
  ...toRecord("yaml yml", "yaml"),
  ...toRecord("docx docm dotx", "docx"),
  ...toRecord("xlsx xlsm xltx", "xlsx"),
  ...toRecord("pptx pptm potx ppsx", "pptx"),
  ...toRecord("srt vtt", "subtitles"),
  ipynb: "notebook",
  ...toRecord("odt ott", "odt"),
  ...toRecord("ods ots", "ods"),
  ...toRecord("odp otp", "odp"),
  rtf: "rtf",
  eml: "email",
  epub: "epub",
  json: "json",
  xml: "xml",
  pdf: "pdf",
};

const officeType = "application/vnd.openxmlformats-officedocument";
const mimeTypes: Record<string, DocumentFormat> = {
  ...toRecord("text/markdown text/x-markdown", "markdown"),
  ...toRecord("text/html application/xhtml+xml", "html"),
  ...toRecord("text/csv application/csv text/tab-separated-values", "csv"),
  ...toRecord("application/json text/json", "json"),
  ...toRecord("application/jsonl application/json-lines text/jsonl application/x-ndjson", "jsonl"),
  ...toRecord("application/xml text/xml", "xml"),
  ...toRecord("application/yaml application/x-yaml text/yaml text/x-yaml", "yaml"),
  ...toRecord("text/plain application/javascript application/sql", "text"),
  ...toRecord("application/x-subrip text/vtt", "subtitles"),
  "application/x-ipynb+json": "notebook",
  ...toRecord("application/rtf text/rtf text/richtext", "rtf"),
  "message/rfc822": "email",
  "application/vnd.oasis.opendocument.text": "odt",
  "application/vnd.oasis.opendocument.spreadsheet": "ods",
  "application/vnd.oasis.opendocument.presentation": "odp",
  "application/epub+zip": "epub",
  "application/pdf": "pdf",
  [`${officeType}.wordprocessingml.document`]: "docx",
  [`${officeType}.spreadsheetml.sheet`]: "xlsx",
  [`${officeType}.presentationml.presentation`]: "pptx",
};

function toRecord(keys: string, format: DocumentFormat): Record<string, DocumentFormat> {
  return Object.fromEntries(keys.split(" ").map((key) => [key, format]));
}

function formatOfName(name: string): DocumentFormat | undefined {
  const extension = /\.([a-z0-9]{1,10})$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(extensions, extension) ? extensions[extension] : undefined;
}

function formatOfType(mimeType = ""): DocumentFormat | undefined {
  const [essence = ""] = mimeType.toLowerCase().split(";", 1);
  const type = essence.trim();
  if (Object.hasOwn(mimeTypes, type)) return mimeTypes[type];
  return type.startsWith("text/") ? "text" : undefined;
}

function formatOfContent(bytes: Uint8Array, named: DocumentFormat | undefined): DocumentFormat | undefined {
  if (startsWith(bytes, "%PDF-")) return "pdf";
  if (isArchive(bytes)) return formatOfArchive(bytes, named);
  if (startsWith(bytes, "{\\rtf")) return "rtf";
  // Some producers put bytes before the header of a PDF, which readers skip.
  if (bytes.length === 0 || (named === "pdf" && latin1(bytes.subarray(0, 1024)).includes("%PDF-"))) return named;
  if (named === "pdf") throw new Unreadable("it is called a PDF, and its content is none");
  if (named === "rtf") throw new Unreadable("it is called rtf, and its content is not");
  if (!isOffice(named)) return named;
  if (startsWith(bytes, "\xd0\xcf\x11\xe0"))
    throw new Unreadable(`it is protected by a password or in an old format; save it as ${named} without a password`);
  throw new Unreadable(`it is called ${named}, and its content is not`);
}

function formatOfArchive(bytes: Uint8Array, named: DocumentFormat | undefined): DocumentFormat | undefined {
  const names = readNames(bytes, named);
  const folders = { "word/": "docx", "xl/": "xlsx", "ppt/": "pptx" } as const;
  for (const [folder, format] of Object.entries(folders)) {
    if (names.some((name) => name.startsWith(folder))) return format;
  }
  if (names.includes("META-INF/container.xml")) return "epub";
  if (names.includes("content.xml")) {
    const kind = openDocumentType.exec(latin1(bytes.subarray(0, 200)))?.[1];
    if (kind !== undefined) return openDocumentFormats[kind];
    if (isOpenDocument(named)) return named;
  }
  if (isOffice(named)) throw new Unreadable(`it is called ${named}, and its content is another zip archive`);
  return undefined;
}

/** An OpenDocument file's first, uncompressed part declares its type. Source: OpenDocument 1.3, part 2, section 3.3. */
const openDocumentType = /mimetypeapplication\/vnd\.oasis\.opendocument\.(text|spreadsheet|presentation)/;
const openDocumentFormats: Record<string, DocumentFormat> = { text: "odt", spreadsheet: "ods", presentation: "odp" };

/** Undefined for a damaged archive that does not claim to be a document. */
function readNames(bytes: Uint8Array, named: DocumentFormat | undefined): string[] {
  try {
    return readZipDirectory(bytes, standardLimits.zipEntries).map((entry) => entry.name);
  } catch (error) {
    if (isOffice(named)) throw error;
    return [];
  }
}

function isOffice(format: DocumentFormat | undefined): boolean {
  return format === "docx" || format === "xlsx" || format === "pptx" || format === "epub" || isOpenDocument(format);
}

function isOpenDocument(format: DocumentFormat | undefined): boolean {
  return format === "odt" || format === "ods" || format === "odp";
}

function startsWith(bytes: Uint8Array, magic: string): boolean {
  return latin1(bytes.subarray(0, magic.length)) === magic;
}

function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
