export {
  createDeleteVectors,
  type DeleteVectors,
  type DeleteVectorsDeps,
  deleteChunkVector,
} from "./delete-vectors.ts";
export { resolveStoreId } from "./resolve-store-id.ts";
export { assertRetrievalConfig, type RetrievalModels, readRetrievalConfig } from "./retrieval-config.ts";
export { createSearchService, type SearchService } from "./search.service.ts";
