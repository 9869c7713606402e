import { type FilterCondition, type JsonObject, meetsCondition, readFilter, WeftError } from "@weft/schema";

/** The filter of one search, as stores use it. */
export type SearchFilter = {
  /** A record must have at least one key of each group: an index of the keys excludes the others. */
  readonly keyGroups: readonly (readonly string[])[];
  /** Whether all records with these keys match. If not, some do not. */
  readonly isExact: boolean;
  /** Whether nothing can match. */
  readonly isImpossible: boolean;
  matches(metadata: JsonObject): boolean;
};

/** Throws for a meaningless filter: callers that accept external filters validate first. */
export function toSearchFilter(filter: JsonObject = {}): SearchFilter {
  const read = readFilter(filter);
  if ("problem" in read) {
    const { path, reason } = read.problem;
    throw new WeftError("parameters-invalid", { params: { reason: `filter.${path.join(".")} ${reason}` } });
  }
  const { condition } = read;
  const { groups, isExact } = toKeys(condition);
  return {
    keyGroups: groups,
    isExact,
    isImpossible: groups.some(({ length }) => length === 0),
    matches: (metadata) => meetsCondition(metadata, condition),
  };
}

/** The filter keys of a record: texts, numbers and booleans, including those in lists. */
export function toFilterKeys(metadata: JsonObject): string[] {
  const keys = Object.entries(metadata).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).flatMap((each) => (isFilterable(each) ? [toFilterKey(name, each)] : [])),
  );
  return [...new Set(keys)];
}

export function isFilterable(value: unknown): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

type Keys = { groups: string[][]; isExact: boolean };

/** For conditions that keys cannot express. */
const anything: Keys = { groups: [], isExact: false };
/** Indexes limit the words of one query. */
const mostKeys = 64;

function toKeys(condition: FilterCondition): Keys {
  switch (condition.type) {
    case "in": {
      const group = [...new Set(condition.values.map((value) => toFilterKey(condition.name, value)))];
      return group.length > mostKeys ? anything : { groups: [group], isExact: true };
    }
    case "all": {
      const parts = condition.of.map(toKeys);
      const groups = parts.flatMap((part) => part.groups);
      return { groups: groups.slice(0, mostKeys), isExact: groups.length <= mostKeys && parts.every(isExactly) };
    }
    case "any": {
      const parts = condition.of.map(toKeys);
      const group = [...new Set(parts.flatMap(({ groups: [first = []] }) => first))];
      if (group.length > mostKeys || parts.some(({ groups }) => groups.length === 0)) return anything;
      return { groups: [group], isExact: parts.every((part) => isExactly(part) && part.groups.length === 1) };
    }
    default:
      return anything;
  }
}

function isExactly({ isExact }: Keys): boolean {
  return isExact;
}

/**
 * A short name for "this field has this value", the same everywhere, for stores to index. Two facts may collide (in
 * 2^53), so results are checked with `SearchFilter.matches`.
 */
function toFilterKey(name: string, value: string | number | boolean): string {
  return hash53(JSON.stringify([name, value])).toString(36);
}

/** cyrb53 by bryc (public domain): fast, well distributed, not for secrets. */
function hash53(text: string): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return 4294967296 * (2097151 & low) + (high >>> 0);
}
