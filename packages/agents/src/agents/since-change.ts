import { LRUCache } from "lru-cache";

/** Resolves with what `ask` reads, or with what it read before when nothing has changed since. */
type Remembered<T> = (question: string, ask: () => Promise<T>) => Promise<T>;

/**
 * Remembers at most `max` answers of the database until the next change. `count` is another number after each change, at
 * once; nothing is remembered while it is undefined.
 */
export function sinceChange<T extends object | string>(count: () => number | undefined, max: number): Remembered<T> {
  const answers = new LRUCache<string, T>({ max });
  let askedAt = count();
  return async (question, ask) => {
    const now = count();
    if (now !== askedAt) {
      answers.clear();
      askedAt = now;
    }
    const known = answers.get(question);
    if (known !== undefined) return known;
    const answer = await ask();
    if (now !== undefined && count() === now) answers.set(question, answer);
    return answer;
  };
}
