/** Waits until a condition holds that another process brings about. Rejects after thirty seconds. */
export async function until<T>(probe: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    const value = await probe();
    if (value !== undefined) return value;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("It did not happen in thirty seconds.");
}
