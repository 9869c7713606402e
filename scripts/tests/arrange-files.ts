/** A seed can be given again, to have the same order. */
export type Arrangement = { seed: number; secondsOf(file: string): number };

/** Long files begin first, so that none is left alone at the end. */
const longSeconds = 8;

/** The order in which files begin: long ones first, the rest by chance, so that files which need their neighbours are found. */
export function arrangeFiles(files: readonly string[], { seed, secondsOf }: Arrangement): string[] {
  const long = files.filter((file) => secondsOf(file) >= longSeconds);
  const rest = files.filter((file) => secondsOf(file) < longSeconds);
  return [...long.sort((a, b) => secondsOf(b) - secondsOf(a) || (a < b ? -1 : 1)), ...shuffle(rest.sort(), seed)];
}

function shuffle<T>(items: readonly T[], seed: number): T[] {
  const next = mulberry32(seed);
  return items
    .map((item) => ({ item, place: next() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}

/** Numbers from 0 to 1 that follow from a seed (Tommy Ettinger's Mulberry32). */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
