import { quantile } from "../load/load.ts";
import type { Sample } from "./probe.ts";

/** The medians of one figure in the middle and the last third of a soak, and what the last may be at most. */
export type Comparison = { what: string; before: number; after: number; limit: number; isFlat: boolean };

/** Limits: some growth of what was there before, and so much whatever it was. */
const limits = [
  { what: "heap after a collection, MB", of: "heapMb", factor: 1.1, more: 2 },
  { what: "resident, MB", of: "residentMb", factor: 1.1, more: 10 },
  { what: "descriptors", of: "descriptors", factor: 1, more: 8 },
  { what: "WAL, MB", of: "walMb", factor: 1.2, more: 4 },
  { what: "p50, ms", of: "p50Ms", factor: 1.25, more: 1 },
  { what: "p99, ms", of: "p99Ms", factor: 1.5, more: 5 },
] as const;

/** The first third is warm-up: caches fill, code is compiled, SQLite's WAL gets its size. */
export function judge(samples: readonly Sample[]): Comparison[] {
  const third = Math.floor(samples.length / 3);
  const middle = samples.slice(-2 * third, -third);
  const last = samples.slice(-third);
  return limits.map(({ what, of, factor, more }) => {
    const median = (part: readonly Sample[]) =>
      quantile(
        part.map((sample) => sample[of]),
        0.5,
      );
    const [before, after] = [median(middle), median(last)];
    const limit = before * factor + more;
    return { what, before, after, limit, isFlat: after <= limit };
  });
}
