export { assertRetrievalConfig, readRetrievalConfig } from "./ask-stores.ts";
export { createDeleteVectors, type DeleteVectors, deleteChunkVector } from "./delete-vectors.ts";
export { createSearchService, resolveStoreId, type SearchService } from "./search.service.ts";
