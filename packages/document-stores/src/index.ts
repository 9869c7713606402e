export { createDocumentStores, type DocumentStores } from "./create-document-stores.ts";
export { upsertHistoryRoutes } from "./history/upsert-history.routes.ts";
export { createUpsertHistoryService, type UpsertHistoryService } from "./history/upsert-history.service.ts";
export { createDeleteVectors, type DeleteVectors } from "./search/delete-vectors.ts";
export type { SearchService } from "./search/search.service.ts";
export { openPlace, recordUses, removeUsesOf } from "./state/index.ts";
export { type ComponentRouteDeps, componentRoutes } from "./stores/component.routes.ts";
export { documentStoreRoutes } from "./stores/document-store.routes.ts";
export type { DocumentStoreService } from "./stores/document-store.service.ts";
export { type LoaderRouteDeps, loaderRoutes } from "./stores/loader.routes.ts";
export {
  assertIdle,
  createVectorUpsertService,
  type UpsertRouteDeps,
  upsertRoutes,
  type VectorUpsertRouteDeps,
  vectorUpsertRoutes,
} from "./upserts/index.ts";
