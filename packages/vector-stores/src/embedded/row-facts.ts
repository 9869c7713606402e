import type { Json, JsonObject } from "@weft/schema";
import { isFilterable } from "../port/search-filter.ts";
import type { RowFacts } from "./vector-matrix.ts";

/** Makes one object of equal facts: passages of one document have most of their metadata in common. */
export type FactsTable = {
  /** Of the JSON text of a row's metadata. */
  of(metadata: string): RowFacts;
  /** What they take in memory. An estimate. */
  bytes(): number;
};

/** Between texts in memory and what objects of them take. */
const bytesOfCharacter = 4;

/** `rows`: how many rows there are. Facts that none of them has any more are forgotten after a while. */
export function createFactsTable(rows: () => number): FactsTable {
  const known = new Map<string, RowFacts>();
  let characters = 0;
  return {
    of(metadata) {
      const facts = toFacts(JSON.parse(metadata) as JsonObject);
      const text = JSON.stringify(facts);
      const before = known.get(text);
      if (before !== undefined) return before;
      if (known.size > 2 * rows() + 1_000) {
        known.clear();
        characters = 0;
      }
      known.set(text, facts);
      characters += text.length;
      return facts;
    },
    bytes: () => characters * bytesOfCharacter,
  };
}

/** What filters look at: of an object only that it is there. */
function toFacts(metadata: JsonObject): RowFacts {
  const facts = Object.entries(metadata).flatMap(([name, value]): [string, Json][] => {
    if (value === null) return [];
    if (Array.isArray(value)) return [[name, value.filter(isFilterable)]];
    return [[name, isFilterable(value) ? value : {}]];
  });
  return Object.fromEntries(facts);
}
