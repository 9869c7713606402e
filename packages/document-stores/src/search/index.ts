export { createDeleteVectors, type DeleteVectors, deleteChunkVector } from "./delete-vectors.ts";
export { resolveStoreId } from "./resolve-store-id.ts";
export { assertRetrievalConfig, readRetrievalConfig } from "./retrieval-config.ts";
export { createSearchService, type SearchService } from "./search.service.ts";
