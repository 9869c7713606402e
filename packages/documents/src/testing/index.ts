export { buildDocx, buildPptx, buildXlsx, slideShape, wordParagraph } from "./office-files.ts";
export { buildPdf } from "./pdf-files.ts";
export { buildZipBomb } from "./zip-bomb.ts";
