import { WeftError } from "@weft/schema";
import { z } from "zod";
import { defineLoader } from "../define-loader.ts";
import { createMatcher, fileKeys, filesField, formatFields } from "./file-fields.ts";
import { loadFiles, nameOfFile } from "./load-files.ts";

const patterns = z.array(z.string().min(1).max(300)).max(100).optional();

export const folder = defineLoader({
  name: "folder",
  title: "Folder of files",
  summary: "Multiple uploaded files: all of them, or those with matching names.",
  group: "file",
  config: z.object({
    files: filesField,
    include: patterns.meta({ title: "Only these names", help: "For example *.md; * matches anything." }),
    exclude: patterns.meta({ title: "Not these names", help: "For example draft-*." }),
    ...formatFields,
  }),
  aliases: { names: ["folderFiles"], keys: fileKeys },
  adapt(config) {
    if (!config.folderPath || config.files) return config;
    const reason = "Folders of the server are not read. Upload the files, and send their ids as files.";
    throw new WeftError("parameters-invalid", { params: { reason } });
  },
  async sourceOf({ files }, services) {
    return (await Promise.all(files.map((reference) => nameOfFile(reference, services)))).sort().join("\n");
  },
  load({ include = [], exclude = [], ...selection }, services, options) {
    const isIncluded = include.length === 0 ? () => true : createMatcher(include);
    const isExcluded = createMatcher(exclude);
    const isWanted = (name: string) => isIncluded(name) && !isExcluded(name);
    return loadFiles({ ...selection, isWanted }, services, options);
  },
});
