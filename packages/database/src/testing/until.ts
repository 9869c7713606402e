/** Longer than anything takes on a loaded machine, and shorter than a test may take: the failure names what did not happen. */
const longestMs = 100_000;

/** Waits until a condition holds that something else brings about. Rejects after `patienceMs`. */
export async function until<T>(
  probe: () => T | undefined | Promise<T | undefined>,
  patienceMs = longestMs,
): Promise<T> {
  const giveUpAt = performance.now() + patienceMs;
  while (performance.now() < giveUpAt) {
    const value = await probe();
    if (value !== undefined) return value;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`It did not happen in ${patienceMs / 1_000} seconds.`);
}
