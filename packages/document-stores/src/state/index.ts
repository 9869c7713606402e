export * as chunkRows from "./chunk.store.ts";
export {
  deleteSomeOfSet,
  findLiveChunks,
  findMetadataNames,
  hasMetadataName,
  lastChunkNo,
  readAdded,
} from "./chunk.store.ts";
export * as storeRows from "./document-store.store.ts";
export { findStore, lockStore, updateStore } from "./document-store.store.ts";
export {
  deleteLoader,
  findLoader,
  findLoaderByIdentity,
  holdConfig,
  listLoaderStates,
  listLoaders,
  saveLoader,
  updateLoader,
} from "./loader.store.ts";
export { type LoaderEvent, type LoaderStatus, nextStatus } from "./loader-status.ts";
export { changeLoaders, outdateLoaders } from "./outdate-loaders.ts";
export * as recordRows from "./record.store.ts";
export { deleteUnwritten, findCollection, listCollections, listRecords, markUnwritten } from "./record.store.ts";
export {
  assertConfigured,
  collectionName,
  createStoreBackend,
  openPlace,
  readChoice,
  type StoreBackend,
} from "./store-backend.ts";
export { chunkNotFound, loaderNotFound, storeNotFound } from "./store-not-found.ts";
export { recordUsers, recordUses, removeUsesOf, usesOf } from "./store-use.store.ts";
export { cutValue, toDocumentStore, toLoaderView, toShortLoaderView } from "./store-view.ts";
export {
  deleteEndedBefore,
  endJob,
  findJob,
  findOpenJob,
  firstInLine,
  insertJob,
  listEnding,
  listJobs,
  listNeverBegun,
  listOpenJobs,
} from "./upsert-job.store.ts";
