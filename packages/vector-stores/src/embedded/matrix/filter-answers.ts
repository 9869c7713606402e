import type { JsonObject } from "@weft/schema";

/** Facts about a row for filters. Rows with equal facts may share one object. */
export type RowFacts = Readonly<JsonObject>;

/** Selects rows; undefined: all. Filters with the same name must accept the same rows. */
export type RowFilter = { name: string; accepts(facts: RowFacts): boolean } | undefined;

/** Caches the latest filters' results per row, so that a repeated filter is evaluated only for new rows. */
export type FilterAnswers = {
  /** Valid until rows are added. */
  of(filter: RowFilter): (position: number) => boolean;
  /** Call for positions that hold another row than before. */
  forget(position: number): void;
};

const mostFilters = 16;
const accepted = 1;
const refused = 2;

/** `facts`: of the rows, by position. */
export function createFilterAnswers(facts: readonly RowFacts[]): FilterAnswers {
  const kept = new Map<string, Uint8Array>();

  function answersOf(name: string): Uint8Array {
    const known = kept.get(name) ?? new Uint8Array(facts.length);
    const answers = known.length < facts.length ? new Uint8Array(Math.ceil(facts.length * 1.25)) : known;
    if (answers !== known) answers.set(known);
    kept.delete(name);
    kept.set(name, answers);
    const [oldest] = kept.keys();
    if (kept.size > mostFilters && oldest !== undefined) kept.delete(oldest);
    return answers;
  }

  return {
    of(filter) {
      if (filter === undefined) return () => true;
      const answers = answersOf(filter.name);
      return (position) => {
        const known = answers[position];
        if (known !== 0) return known === accepted;
        const isAccepted = filter.accepts(facts[position] ?? {});
        answers[position] = isAccepted ? accepted : refused;
        return isAccepted;
      };
    },
    forget(position) {
      // Writes beyond the end of a typed array are ignored.
      for (const answers of kept.values()) answers[position] = 0;
    },
  };
}
