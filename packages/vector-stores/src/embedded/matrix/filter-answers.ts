import type { JsonObject } from "@weft/schema";

/** What a filter can ask about a row. Rows with equal facts may share one object. */
export type RowFacts = Readonly<JsonObject>;

/** Which rows are meant; undefined: all. Filters of one name accept the same. */
export type RowFilter = { name: string; accepts(facts: RowFacts): boolean } | undefined;

/** What the latest filters said of each row, so that one that comes again is asked about new rows alone. */
export type FilterAnswers = {
  /** Good until rows are added. */
  of(filter: RowFilter): (position: number) => boolean;
  /** To be called for positions that have another row than before. */
  forget(position: number): void;
};

const mostFilters = 16;
const [accepted, refused] = [1, 2];

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
        const isAccepted = filter.accepts(facts[position] as RowFacts);
        answers[position] = (isAccepted ? accepted : refused) as number;
        return isAccepted;
      };
    },
    forget(position) {
      // Beyond the end of an array nothing is written.
      for (const answers of kept.values()) answers[position] = 0;
    },
  };
}
