export { createDocumentStores, type DocumentStores } from "./create-document-stores.ts";
export { upsertHistoryRoutes } from "./history/upsert-history.routes.ts";
export { createUpsertHistoryService, type UpsertHistoryService } from "./history/upsert-history.service.ts";
export type { AdoptedChunk, LoaderAdoption } from "./loaders/adopt-loaders.ts";
export { createDeleteVectors, type DeleteVectors } from "./search/delete-vectors.ts";
export { componentRoutes } from "./stores/component.routes.ts";
export { documentStoreRoutes } from "./stores/document-store.routes.ts";
export { createVectorUpsertService, vectorUpsertRoutes } from "./upserts/index.ts";
