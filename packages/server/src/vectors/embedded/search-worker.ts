import { workerData } from "node:worker_threads";
import { openReader } from "@weft/database";
import { serveWorker } from "@weft/providers/vector-stores";
import { createCollectionSearcher } from "./search-collection.ts";
import type { SearchAnswer, SearchRequest, SearchWorkerData } from "./search-protocol.ts";

// Entry of the search worker: it reads, compares and ranks beside the event loop of the process.

const { memoryBytes, ...storage } = workerData as SearchWorkerData;
const search = createCollectionSearcher(await openReader(storage), memoryBytes);
serveWorker<SearchRequest, SearchAnswer>(search);
