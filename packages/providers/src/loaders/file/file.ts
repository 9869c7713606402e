import { z } from "zod";
import { defineLoader } from "../define-loader.ts";
import { fileKeys, filesField, formatFields } from "./file-fields.ts";
import { loadFiles, nameOfFile } from "./load-files.ts";

export const file = defineLoader({
  name: "file",
  title: "File",
  summary:
    "Uploaded files: PDF, Word, Excel, PowerPoint, OpenDocument, RTF, EPUB, e-mails, text, Markdown, HTML, CSV, JSON and others.",
  group: "file",
  config: z.object({ files: filesField, ...formatFields }),
  aliases: {
    names: [
      ...["fileLoader", "textFile", "pdfFile", "docxFile", "csvFile", "jsonFile", "jsonlinesFile"],
      ...["microsoftWord", "microsoftExcel", "microsoftPowerpoint", "unstructuredFileLoader"],
    ],
    keys: fileKeys,
  },
  async sourceOf({ files }, services) {
    return (await Promise.all(files.map((reference) => nameOfFile(reference, services)))).sort().join("\n");
  },
  load: loadFiles,
});
