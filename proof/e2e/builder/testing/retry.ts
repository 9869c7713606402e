/** Until it holds: for 90 seconds, as long as a page is waited for. */
export async function retry(check: () => Promise<void>): Promise<void> {
  const deadline = Date.now() + 90_000;
  for (;;) {
    try {
      await check();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
