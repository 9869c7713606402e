/** Waits until a condition holds that another process brings about. Rejects after `patienceMs`, thirty seconds by default. */
export async function until<T>(probe: () => T | undefined | Promise<T | undefined>, patienceMs = 30_000): Promise<T> {
  const giveUpAt = performance.now() + patienceMs;
  while (performance.now() < giveUpAt) {
    const value = await probe();
    if (value !== undefined) return value;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`It did not happen in ${patienceMs / 1_000} seconds.`);
}
