import type { StoreQuestionInput } from "@weft/schema";
import { lowerPriority, serveWorker } from "@weft/workers";
import { readQuestionFile } from "./question-file.ts";

// Entry of the worker of question files: whatever a file does to its parser, the server goes on answering.

lowerPriority();
serveWorker<string, StoreQuestionInput[]>(async (text) => readQuestionFile(text));
