import type { PartMapping } from "./component.ts";

const sizes = { chunkSize: "chunkSize", chunkOverlap: "chunkOverlap" };

/** Splitters, under their own names: document stores know them. */
export const splitters: ReadonlyMap<string, PartMapping> = byName({
  recursiveCharacterTextSplitter: { ...sizes, separators: "separators" },
  characterTextSplitter: { ...sizes, separator: "separator" },
  tokenTextSplitter: { ...sizes, encodingName: "encodingName" },
  markdownTextSplitter: { ...sizes, splitByHeaders: "splitByHeaders" },
  htmlToMarkdownTextSplitter: sizes,
  codeTextSplitter: { ...sizes, language: "language" },
});

const described = { metadata: "metadata", omitMetadataKeys: "omitMetadataKeys" };
const page = { url: "url", relativeLinksMethod: "relativeLinksMethod", limit: "limit" };

/** Loaders, under their own names: document stores know them. */
export const loaders: ReadonlyMap<string, PartMapping> = byName({
  plainText: { ...described, text: "text" },
  textFile: { ...described, txtFile: "txtFile" },
  pdfFile: { ...described, pdfFile: "pdfFile", usage: "usage" },
  docxFile: { ...described, docxFile: "docxFile" },
  microsoftWord: { ...described, docxFile: "docxFile" },
  microsoftExcel: { ...described, excelFile: "excelFile" },
  microsoftPowerpoint: { ...described, powerpointFile: "powerpointFile" },
  csvFile: { ...described, csvFile: "csvFile", columnName: "columnName" },
  jsonFile: { ...described, jsonFile: "jsonFile", pointersName: "pointersName", separateByObject: "separateByObject" },
  jsonlinesFile: { ...described, jsonlinesFile: "jsonlinesFile", pointerName: "pointerName" },
  fileLoader: { ...described, file: "file", usage: "usage", pointerName: "pointerName" },
  unstructuredFileLoader: { ...described, fileObject: "fileObject" },
  cheerioWebScraper: { ...described, ...page, selector: "selector" },
  puppeteerWebScraper: { ...described, ...page, cssSelector: "cssSelector" },
  playwrightWebScraper: { ...described, ...page, cssSelector: "cssSelector" },
  apiLoader: { ...described, url: "url", method: "method", headers: "headers", body: "body" },
});

/** The input that holds the files of a loader. */
export const fileInputs: readonly string[] = [
  ...["txtFile", "pdfFile", "docxFile", "excelFile", "powerpointFile", "csvFile", "jsonFile", "jsonlinesFile"],
  ...["file", "fileObject"],
];

/** The one input without which a loader loads nothing. */
export const sourceInputs: readonly string[] = ["text", "url", ...fileInputs];

function byName(entries: Readonly<Record<string, PartMapping["settings"]>>): ReadonlyMap<string, PartMapping> {
  const idle = ["textSplitter"];
  return new Map(Object.entries(entries).map(([name, settings]) => [name, { name, settings, idle }]));
}
