import type { Tables } from "@weft/database";
import type { Kysely } from "kysely";
import type { DocumentLoaderRow, LoaderStatus } from "../tables.ts";
import { countDocuments, listRepeated, type RepeatedDocument } from "./fingerprint.store.ts";

/** A document with the same text as a document of another loader. */
export type SameText = {
  document: string;
  loaderId: string;
  loaderName: string;
  source: string;
};

/** Other loaders of the store that have the texts of a loader. */
export type Copies = {
  /** The first few: of each document the loader that was added first, then further ones. */
  sameAs: SameText[];
  /** Whether earlier loaders at the same stage of indexing have all of its documents: deleting it loses no text. */
  isCopy: boolean;
};

/** For a loader that shares no text with another one. */
export const noCopies: Copies = { sameAs: [], isCopy: false };

/** Finds the texts that loaders share with others of their store. Loaders without any are not in the map. */
export async function findCopies(db: Kysely<Tables>, storeIds: readonly string[]): Promise<Map<string, Copies>> {
  const repeated = await listRepeated(db, storeIds);
  const loaderIds = [...new Set(repeated.map(({ loaderId }) => loaderId))];
  return compareLoaders(repeated, await countDocuments(db, loaderIds));
}

/** As `findCopies`, for one loader. */
export async function findCopiesOf(db: Kysely<Tables>, { id, storeId, chunkSet }: DocumentLoaderRow): Promise<Copies> {
  const repeated = await listRepeated(db, [storeId], { loaderId: id, chunkSet });
  if (repeated.length === 0) return noCopies;
  return compareLoaders(repeated, await countDocuments(db, [id])).get(id) ?? noCopies;
}

/** More would only make the response long. */
const maxNamed = 20;

/**
 * Compares loaders by their repeated documents, which are in loader order. `documents` has the total number of
 * documents of each requested loader. Of any text, the first of the loaders that are furthest is never a copy: if all
 * copies are deleted at once, each text stays as searchable as it was.
 */
export function compareLoaders(
  repeated: readonly RepeatedDocument[],
  documents: ReadonlyMap<string, number>,
): Map<string, Copies> {
  const texts = Map.groupBy(repeated, textOf);
  const firsts = new Map([...texts].map(([text, all]) => [text, firstOf(all)]));
  const holders = new Map([...texts].map(([text, all]) => [text, oneOfEach(all)]));
  const copies = new Map<string, Copies>();
  for (const [loaderId, own] of Map.groupBy(repeated, (document) => document.loaderId)) {
    const total = documents.get(loaderId);
    const sameAs = total === undefined ? [] : sameTexts(own, holders);
    if (sameAs.length === 0) continue;
    const isElsewhere = (document: RepeatedDocument) => isBefore(firsts.get(textOf(document)), document);
    copies.set(loaderId, { sameAs, isCopy: own.length === total && own.every(isElsewhere) });
  }
  return copies;
}

/** Stores are compared separately. */
const textOf = ({ storeId, hash }: RepeatedDocument) => `${storeId} ${hash}`;

/** The first document of each of the first loaders, up to the number that is named. */
function oneOfEach(holders: readonly RepeatedDocument[]): RepeatedDocument[] {
  const found = new Map<string, RepeatedDocument>();
  for (const holder of holders) {
    if (!found.has(holder.loaderId)) found.set(holder.loaderId, holder);
    if (found.size > maxNamed) break;
  }
  return [...found.values()];
}

function sameTexts(
  own: readonly RepeatedDocument[],
  holders: ReadonlyMap<string, readonly RepeatedDocument[]>,
): SameText[] {
  const others = own.map((document) => {
    const all = holders.get(textOf(document)) ?? [];
    return { document: document.source, holders: all.filter(({ loaderId }) => loaderId !== document.loaderId) };
  });
  const found: SameText[] = [];
  for (let rank = 0; rank < maxNamed; rank += 1) {
    for (const { document, holders: named } of others) {
      const other = named[rank];
      if (other === undefined) continue;
      const { loaderId, loaderName, source } = other;
      found.push({ document, loaderId, loaderName, source });
      if (found.length === maxNamed) return found;
    }
  }
  return found;
}

/** The first loaders with a text: among those that are searched, and among those that are at least split. */
type Firsts = { searched: RepeatedDocument | undefined; split: RepeatedDocument | undefined };

function firstOf(holders: readonly RepeatedDocument[]): Firsts {
  return {
    searched: holders.find((holder) => stageOf(holder) === "searched"),
    split: holders.find((holder) => stageOf(holder) !== undefined),
  };
}

/** Whether an earlier loader has the document's text too, and is at least as far. */
function isBefore(firsts: Firsts | undefined, document: RepeatedDocument): boolean {
  const stage = stageOf(document);
  const first = stage && firsts?.[stage];
  return first !== undefined && first.loaderId !== document.loaderId;
}

const stages: Readonly<Partial<Record<LoaderStatus, "searched" | "split">>> = {
  UPSERTED: "searched",
  UPSERTING: "searched",
  SYNC: "split",
  SYNCING: "split",
};

/**
 * The indexing stage of a loader. Undefined if it changed or failed: it may load a different text next time, so it is
 * not compared.
 */
function stageOf({ status, error }: RepeatedDocument): "searched" | "split" | undefined {
  return error === "" ? stages[status] : undefined;
}
