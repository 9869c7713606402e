export { createDeleteVectors, type DeleteVectors, deleteChunkVector } from "./delete-vectors.ts";
export { assertRetrievalConfig, readRetrievalConfig } from "./retrieval-config.ts";
export { createSearchService, resolveStoreId, type SearchService } from "./search.service.ts";
