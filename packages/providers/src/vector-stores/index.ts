export { type Aliased, findByAnyName, toOwnConfig } from "../own-config.ts";
export { serveWorker } from "../worker/serve-worker.ts";
export { createWorkerClient, type WorkerClient, WorkerEnded } from "../worker/worker-client.ts";
export { defineVectorStore, type VectorStore, type VectorStoreServices } from "./define-vector-store.ts";
export { matchesFilter, toFilterKey, toFilterKeys } from "./filter-keys.ts";
export { candidatesOf, fuseMatches } from "./fuse-matches.ts";
export { assertSameEmbedder, assertVectorLengths, lastOfEachId } from "./mismatch.ts";
export { toIndexedTerms, toQueryTerms } from "./terms.ts";
