import type { StoreQuestionInput } from "@weft/schema";
import { lowerPriority, serveWorker } from "@weft/workers";
import { readQuestionFile } from "./question-file.ts";

// Entry of the worker that reads question files: whatever a file does to its parser, the server keeps responding.

lowerPriority();
serveWorker<string, StoreQuestionInput[]>(async (text) => readQuestionFile(text));
