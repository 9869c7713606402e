export { type DocumentExpectation, judgeDocument } from "./judge-document.ts";
export { buildDocx, buildPptx, buildXlsx, slideShape, wordParagraph } from "./office-files.ts";
export { buildPdf } from "./pdf-files.ts";
export { sampleExpectations } from "./sample-expectations.ts";
export { buildZipBomb } from "./zip-bomb.ts";
