import type { TestContext } from "node:test";

/**
 * Stops what the returned function is given after the test, the last first. To be called before the test's storage is
 * made: hooks run in the order of their registration, and everything stops before its database is removed.
 */
export function stopAfter(t: Pick<TestContext, "after">): (stop: () => unknown) => void {
  const stops: (() => unknown)[] = [];
  t.after(async () => {
    for (const stop of stops.toReversed()) await stop();
  });
  return (stop) => void stops.push(stop);
}
