import type { Tables } from "@weft/database";
import { toFilterKeys } from "@weft/providers/vector-stores";
import type { JsonObject } from "@weft/schema";
import type { Kysely } from "kysely";
import { createVectorMatrix, type VectorMatrix } from "./vector-matrix.ts";
import type { StoredCollection } from "./vector-record.store.ts";

/** The vectors of one collection in memory, brought up to date from the database when asked. */
export type CollectionCopy = {
  readonly matrix: VectorMatrix;
  /** The number of the last change that is in it. */
  seen(): number;
  /** Resolves when the copy has at least the changes that the row of the collection speaks of, whoever made them. */
  follow(stored: StoredCollection): Promise<void>;
};

/** What is read at a time. */
const pageBytes = 1024 * 1024;

export function createCollectionCopy(
  read: Kysely<Tables>,
  { collectionKey, dimension }: StoredCollection,
): CollectionCopy {
  const matrix = createVectorMatrix(dimension);
  const pageRows = Math.min(4_096, Math.max(64, Math.floor(pageBytes / (dimension * 4))));
  let seen = 0;
  let turn: Promise<void> = Promise.resolve();

  /** Rows that change while this reads come again with their new number: that is why the order is that of changes. */
  async function readChanges(): Promise<void> {
    let after = { change: seen, rowKey: Number.MAX_SAFE_INTEGER };
    for (;;) {
      const page = await readPage(read, { collectionKey, after, limit: pageRows });
      for (const { rowKey, vector, metadata } of page) {
        matrix.put({ rowKey, vector, filterKeys: toNumericFilterKeys(JSON.parse(metadata)) });
      }
      const last = page.at(-1);
      if (last === undefined || page.length < pageRows) return;
      after = last;
    }
  }

  async function catchUp({ changes, lastRemoval }: StoredCollection): Promise<void> {
    if (changes <= seen) return;
    const isBehindRemoval = lastRemoval > seen && matrix.size > 0;
    await readChanges();
    if (isBehindRemoval) matrix.retain(await readRowKeys(read, collectionKey));
    seen = changes;
  }

  return {
    matrix,
    seen: () => seen,
    follow(stored) {
      const own = turn.then(() => catchUp(stored));
      turn = own.catch(() => {});
      return own;
    },
  };
}

/** The filter keys as numbers, which take less room in memory than texts. */
export function toNumericFilterKeys(metadata: JsonObject): number[] {
  return toFilterKeys(metadata).map((key) => Number.parseInt(key, 36));
}

type PageQuery = { collectionKey: number; after: { change: number; rowKey: number }; limit: number };

function readPage(read: Kysely<Tables>, { collectionKey, after, limit }: PageQuery) {
  return read
    .selectFrom("vectorRecords")
    .select(["rowKey", "change", "vector", "metadata"])
    .where("collectionKey", "=", collectionKey)
    .where((row) => row.eb(row.refTuple("change", "rowKey"), ">", row.tuple(after.change, after.rowKey)))
    .orderBy("change")
    .orderBy("rowKey")
    .limit(limit)
    .execute();
}

async function readRowKeys(read: Kysely<Tables>, collectionKey: number): Promise<Set<number>> {
  const rows = await read
    .selectFrom("vectorRecords")
    .select("rowKey")
    .where("collectionKey", "=", collectionKey)
    .execute();
  return new Set(rows.map(({ rowKey }) => rowKey));
}
