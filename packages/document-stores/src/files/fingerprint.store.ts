import { createHash } from "node:crypto";
import type { Tables } from "@weft/database";
import { createPause } from "@weft/workers";
import type { Kysely } from "kysely";
import type { ChunkSet } from "../state/chunk.store.ts";
import type { DocumentFingerprintRow, DocumentLoaderRow } from "../tables.ts";

type Handle = Kysely<Tables>;

/** Databases limit the parameters of a statement. */
const rowsAtOnce = 100;
const idsAtOnce = 500;

export async function insertFingerprints(tx: Handle, rows: readonly DocumentFingerprintRow[]): Promise<void> {
  for (let start = 0; start < rows.length; start += rowsAtOnce) {
    const some = rows.slice(start, start + rowsAtOnce);
    await tx.insertInto("documentFingerprints").values(some).execute();
  }
}

/** In the order in which the documents were read. */
export function readFingerprints(db: Handle, { loaderId, chunkSet }: ChunkSet): Promise<DocumentFingerprintRow[]> {
  return db
    .selectFrom("documentFingerprints")
    .selectAll()
    .where("loaderId", "=", loaderId)
    .where("chunkSet", "=", chunkSet)
    .orderBy("documentNo")
    .execute();
}

export async function deleteFingerprints(tx: Handle, { loaderId, chunkSet }: ChunkSet): Promise<void> {
  await tx
    .deleteFrom("documentFingerprints")
    .where("loaderId", "=", loaderId)
    .where("chunkSet", "=", chunkSet)
    .execute();
}

/** Deletes those of every other chunk set of the loader. */
export async function deleteOtherFingerprints(tx: Handle, loaderId: string, keptSet: string): Promise<void> {
  await tx
    .deleteFrom("documentFingerprints")
    .where("loaderId", "=", loaderId)
    .where("chunkSet", "!=", keptSet)
    .execute();
}

/** Records that the chunks of a document no longer match the text that was read. */
export async function clearFingerprint(
  tx: Handle,
  { loaderId, chunkSet, source }: ChunkSet & { source: string },
): Promise<void> {
  await tx
    .updateTable("documentFingerprints")
    .set({ hash: "" })
    .where("loaderId", "=", loaderId)
    .where("chunkSet", "=", chunkSet)
    .where("source", "=", source)
    .execute();
}

/** A document in the current chunk set of a loader. */
export type RepeatedDocument = Pick<DocumentFingerprintRow, "loaderId" | "storeId" | "source" | "hash"> &
  Pick<DocumentLoaderRow, "loaderName" | "status" | "error">;

/** Documents whose text several loaders of their store have, in loader order. `like`: only texts of this loader. */
export function listRepeated(db: Handle, storeIds: readonly string[], like?: ChunkSet): Promise<RepeatedDocument[]> {
  if (storeIds.length === 0) return Promise.resolve([]);
  let repeated = db
    .selectFrom("documentFingerprints")
    .select("hash")
    .where("storeId", "in", storeIds)
    .where("hash", "!=", "")
    .groupBy(["storeId", "hash"])
    .having(({ fn }) => fn.count("loaderId").distinct(), ">", 1);
  if (like !== undefined) {
    const own = db.selectFrom("documentFingerprints").select("hash").where("loaderId", "=", like.loaderId);
    repeated = repeated.where("hash", "in", own.where("chunkSet", "=", like.chunkSet));
  }
  return currentOf(db)
    .where("documentFingerprints.storeId", "in", storeIds)
    .select(["documentFingerprints.loaderId", "documentFingerprints.storeId", "documentFingerprints.source"])
    .select([
      "documentFingerprints.hash",
      "documentLoaders.loaderName",
      "documentLoaders.status",
      "documentLoaders.error",
    ])
    .where("documentFingerprints.hash", "in", repeated)
    .orderBy("documentLoaders.createdDate")
    .orderBy("documentLoaders.id")
    .orderBy("documentFingerprints.documentNo")
    .execute();
}

/** Number of documents of each loader, including those whose text is unknown. */
export async function countDocuments(db: Handle, loaderIds: readonly string[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (let start = 0; start < loaderIds.length; start += idsAtOnce) {
    const rows = await currentOf(db)
      .select(({ fn }) => ["documentFingerprints.loaderId", fn.countAll<number>().as("documents")])
      .where("documentFingerprints.loaderId", "in", loaderIds.slice(start, start + idsAtOnce))
      .groupBy("documentFingerprints.loaderId")
      .execute();
    for (const { loaderId, documents } of rows) counts.set(loaderId, Number(documents));
  }
  return counts;
}

function currentOf(db: Handle) {
  return db
    .selectFrom("documentFingerprints")
    .innerJoin("documentLoaders", (join) =>
      join
        .onRef("documentLoaders.id", "=", "documentFingerprints.loaderId")
        .onRef("documentLoaders.chunkSet", "=", "documentFingerprints.chunkSet"),
    );
}

/** Collects the documents that one upsert of one loader reads. */
export type FingerprintReader = {
  /** Adds a loaded text. Texts of one source, such as the pages of a file, are one document. */
  read(source: string, text: string): Promise<void>;
  /** Notes that an existing chunk of this source stays, beside the text that was read. */
  keep(source: string): void;
  /**
   * Each document with its hash, which is empty where its chunks are not, or not only, those of a text that was read
   * now. Unchanged documents keep their hash. Call once, at the end.
   */
  settle(options: { failedSources: ReadonlySet<string>; before: readonly DocumentFingerprintRow[] }): Fingerprint[];
};

type Fingerprint = { source: string; hash: string };

/** Beyond this number the other documents of a loader stay unknown: it is never a copy as a whole. */
const maxDocuments = 10_000;

export function createFingerprintReader(): FingerprintReader {
  const hashes = new Map<string, TextHash>();
  const kept = new Set<string>();
  const pause = createPause();
  let isCut = false;

  return {
    async read(source, text) {
      const known = hashes.get(source);
      if (known === undefined && hashes.size >= maxDocuments) isCut = true;
      else {
        const hash = known ?? createTextHash();
        hashes.set(source, hash);
        await hash.add(text, pause);
      }
    },

    keep(source) {
      if (kept.size < maxDocuments) kept.add(source);
      else if (!kept.has(source)) isCut = true;
    },

    settle({ failedSources, before }) {
      const earlier = new Map(before.map(({ source, hash }) => [source, hash]));
      const hashOf = (source: string) => {
        const read = hashes.get(source);
        if (read === undefined) return kept.has(source) ? earlier.get(source) : undefined;
        const hash = read.digest();
        return kept.has(source) || failedSources.has(source) ? undefined : (hash ?? null);
      };
      const sources = [...new Set([...hashes.keys(), ...kept, ...failedSources])];
      const found = sources.map((source) => ({ source, hash: hashOf(source) }));
      // A document without text has no chunks, so nothing can be a copy of it.
      const documents = found
        .filter(({ hash }) => hash !== null)
        .map(({ source, hash }) => ({ source, hash: hash ?? "" }));
      const isMore = isCut || documents.length > maxDocuments;
      return isMore ? [...documents.slice(0, maxDocuments), { source: "", hash: "" }] : documents;
    },
  };
}

type TextHash = {
  /** Adds a text; a boundary between two counts as white space. Yields to the event loop while reading a long one. */
  add(text: string, pause: () => Promise<unknown>): Promise<void>;
  /** Hexadecimal SHA-256 of all texts; undefined if they are only white space. Call once, at the end. */
  digest(): string | undefined;
};

const charactersAtOnce = 65_536;

/** Hashes a sequence of texts: equal words give an equal hash, however they are spaced. */
export function createTextHash(): TextHash {
  const hash = createHash("sha256");
  let isEmpty = true;
  let isApart = false;

  function addPiece(piece: string): void {
    const words = piece.replaceAll(/\s+/g, " ");
    const text = words.trim();
    if (words.startsWith(" ")) isApart = true;
    if (text === "") return;
    // By code units, so that a cut may split a character.
    hash.update(isApart && !isEmpty ? ` ${text}` : text, "utf16le");
    isEmpty = false;
    isApart = words.endsWith(" ");
  }

  return {
    async add(text, pause) {
      isApart = true;
      for (let start = 0; start < text.length; start += charactersAtOnce) {
        addPiece(text.slice(start, start + charactersAtOnce));
        await pause();
      }
    },
    digest: () => (isEmpty ? undefined : hash.digest("hex")),
  };
}
