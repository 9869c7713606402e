export { accepted, documentStoreTag, upsertRoutes, wantsNoWait } from "./upsert.routes.ts";
export { createUpsertService, type UpsertService } from "./upsert.service.ts";
export { upsertHistoryRoutes } from "./upsert-history.routes.ts";
export { createUpsertHistoryService, type UpsertHistoryService } from "./upsert-history.service.ts";
export { createUpsertJobs, type UpsertJobs } from "./upsert-jobs.service.ts";
export { sumOf } from "./upsert-settlement.ts";
export { createVectorUpsertService, vectorUpsertRoutes } from "./vector-upsert.ts";
