/** Lets the event loop turn whenever a piece of work has taken long enough: to be awaited after each of its steps. */
export function createPause(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < maxTurnMs) return;
    await new Promise((resolve) => setImmediate(resolve));
    since = performance.now();
  };
}

const maxTurnMs = 8;
