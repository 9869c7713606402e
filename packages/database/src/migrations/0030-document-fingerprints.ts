import type { Kysely } from "kysely";
import type { ColumnTypes } from "../column-types.ts";
import { createTable } from "./create-table.ts";

/** Hashes of the texts that loaders have read. Earlier texts are added by the next upsert. */
export async function createDocumentFingerprints(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createTable(db, types, {
    name: "documentFingerprints",
    columns: {
      loaderId: "key",
      chunkSet: "key",
      documentNo: "integer-key",
      storeId: "text",
      source: "text",
      hash: "text",
    },
  });
  await db.schema
    .createIndex("documentFingerprintsByHash")
    .on("documentFingerprints")
    .columns(["storeId", "hash", "loaderId"])
    .execute();
}
