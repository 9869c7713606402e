import type { Tables } from "@weft/database";
import type { Kysely } from "kysely";
import type { RankedRows } from "../keywords/search-by-terms.ts";

/** What is found of a record by keyword search. Terms and filter keys are letters, digits and their marks only. */
export type KeywordEntry = {
  rowKey: number;
  terms: readonly string[];
  filterKeys: readonly string[];
};

/** The rows of one collection that have all of the filter keys. */
export type KeywordScope = { collectionKey: number; filterKeys: readonly string[] };

/** The full-text index of one kind of database. */
export type KeywordIndex = {
  /** Adds entries, or replaces those of the same rows. */
  put(tx: Kysely<Tables>, collectionKey: number, entries: readonly KeywordEntry[]): Promise<void>;
  remove(tx: Kysely<Tables>, rowKeys: readonly number[]): Promise<void>;
  within(read: Kysely<Tables>, scope: KeywordScope): RankedRows<number>;
};
