import type { Kysely } from "kysely";
import type { ColumnTypes } from "../column-types.ts";
import { createTable } from "./create-table.ts";

/** Document stores: loaders, their chunks, the record manager's data on vectors, and the upserts. */
export async function createDocumentStoreTables(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createStoreTables(db, types);
  await createChunkTables(db, types);
  await createTable(db, types, {
    name: "upsertJobs",
    columns: {
      runId: "key",
      storeId: "text",
      agentId: "text",
      requestHash: "text",
      state: "text",
      createdDate: "text",
      result: "nullable-text",
      spec: "text",
    },
  });
  await db.schema.createIndex("upsertJobsByStore").on("upsertJobs").columns(["storeId", "createdDate"]).execute();
  await db.schema.createIndex("upsertJobsByState").on("upsertJobs").columns(["state", "createdDate"]).execute();
}

async function createStoreTables(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const dates = { createdDate: "text", updatedDate: "text" } as const;
  await createTable(db, types, {
    name: "documentStores",
    columns: {
      id: "key",
      name: "text",
      ...dates,
      description: "text",
      embeddingConfig: "text",
      vectorStoreConfig: "text",
      recordManagerConfig: "text",
    },
  });
  await db.schema
    .createIndex("documentStoresByUpdate")
    .on("documentStores")
    .columns(["updatedDate desc", "id"])
    .execute();
  await createTable(db, types, {
    name: "documentLoaders",
    columns: {
      id: "key",
      storeId: "text",
      identity: "text",
      loaderName: "text",
      loader: "text",
      splitter: "text",
      source: "text",
      status: "text",
      error: "text",
      chunkSet: "text",
      totalChunks: "integer",
      totalChars: "integer",
      ...dates,
      metadata: "text",
      splitterConfig: "text",
      loaderConfig: "text",
    },
  });
  await db.schema
    .createIndex("documentLoadersByStore")
    .on("documentLoaders")
    .columns(["storeId", "createdDate", "id"])
    .execute();
  await createTable(db, types, {
    name: "documentFiles",
    columns: {
      id: "key",
      storeId: "text",
      loaderId: "text",
      name: "text",
      mime: "text",
      sizeBytes: "integer",
      createdDate: "text",
      bytes: "bytes",
    },
  });
  await db.schema
    .createIndex("documentFilesByLoader")
    .on("documentFiles")
    .columns(["loaderId", "createdDate"])
    .execute();
  await db.schema.createIndex("documentFilesByStore").on("documentFiles").column("storeId").execute();
  await createTable(db, types, {
    name: "documentStoreUses",
    columns: { storeId: "key", agentId: "key" },
  });
  await db.schema.createIndex("documentStoreUsesByAgent").on("documentStoreUses").column("agentId").execute();
}

async function createChunkTables(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  // A set is what one upsert has split; the loader says which one is current.
  await createTable(db, types, {
    name: "documentChunks",
    columns: {
      loaderId: "key",
      chunkSet: "key",
      chunkNo: "integer-key",
      id: "text",
      storeId: "text",
      source: "text",
      metadataHash: "text",
      plan: "text",
      metadata: "text",
      pageContent: "text",
    },
  });
  await db.schema.createIndex("documentChunksById").on("documentChunks").columns(["storeId", "id"]).execute();
  await createTable(db, types, {
    name: "documentRecords",
    isClustered: true,
    columns: {
      collection: "key",
      loaderId: "key",
      id: "key",
      storeId: "text",
      source: "text",
      metadataHash: "text",
      outdatedBy: "text",
    },
  });
  await db.schema.createIndex("documentRecordsByStore").on("documentRecords").column("storeId").execute();
  await createTable(db, types, {
    name: "documentCollections",
    columns: {
      collection: "key",
      storeId: "text",
      embedderId: "text",
      dimension: "integer",
      vectorStoreConfig: "text",
    },
  });
  await db.schema.createIndex("documentCollectionsByStore").on("documentCollections").column("storeId").execute();
}
