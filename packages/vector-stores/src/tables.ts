import type { Generated } from "kysely";

/** The embedded vector store. */
export type VectorCollectionRow = {
  collectionKey: Generated<number>;
  /** Its name; `dropped/<collectionKey>` once it is dropped, while its records are being removed. */
  collection: string;
  embedderId: string;
  dimension: number;
  /** Incremented by every write; tells a copy in memory whether it is stale. */
  changes: number;
  /** The value of `changes` after the last removal of records. */
  lastRemoval: number;
};

export type VectorRecordRow = {
  /** Also the row's number in the keyword index. */
  rowKey: Generated<number>;
  collectionKey: number;
  id: string;
  /** The collection's `changes` after the write. */
  change: number;
  text: string;
  /** JSON text of an object. */
  metadata: string;
  /** 32-bit floats, little-endian. */
  vector: Uint8Array;
};

declare module "@weft/database" {
  interface Tables {
    vectorCollections: VectorCollectionRow;
    vectorRecords: VectorRecordRow;
  }
}
