import type { VectorRecord } from "@weft/engine";

/** Small enough for SQLite to write and index within a few milliseconds, which is how long the event loop waits. */
const maxBatchRecords = 32;
const maxBatchCharacters = 32_000;

/** Records in the portions in which they are written. A portion has one record at least, however long. */
export function* toWriteBatches(records: readonly VectorRecord[]): Generator<VectorRecord[]> {
  let batch: VectorRecord[] = [];
  let characters = 0;
  for (const record of records) {
    const isFull = batch.length === maxBatchRecords || characters + record.text.length > maxBatchCharacters;
    if (isFull && batch.length > 0) {
      yield batch;
      batch = [];
      characters = 0;
    }
    batch.push(record);
    characters += record.text.length;
  }
  if (batch.length > 0) yield batch;
}
