import type { ImportedFlow } from "@weft/dialects";
import { type ImportFile, type ImportSource, importFiles } from "@weft/imports";
import { lowerPriority, serveWorker } from "@weft/workers";

// Entry of the import worker: whatever a file does to its reader, the server keeps answering.

export type ImportAnswer = ImportedFlow & { source: ImportSource | "unknown" };

lowerPriority();
serveWorker<readonly ImportFile[], ImportAnswer>(async (files) => importFiles(files));
