export { createDocumentStores, type DocumentStores } from "./create-document-stores.ts";
export type { PersonalDocument, PersonalDocuments } from "./files/personal-documents.ts";
export type { AdoptedChunk, LoaderAdoption } from "./loaders/adopt-loaders.ts";
export { createDeleteVectors, type DeleteVectors, resolveStoreId } from "./search/index.ts";
export { countOrphans } from "./state/record.store.ts";
export { componentRoutes } from "./stores/component.routes.ts";
export { documentStoreRoutes } from "./stores/document-store.routes.ts";
export type { OwnStores } from "./stores/own-stores.ts";
export {
  createUpsertHistoryService,
  createVectorUpsertService,
  type UpsertHistoryService,
  upsertHistoryRoutes,
  vectorUpsertRoutes,
} from "./upserts/index.ts";
