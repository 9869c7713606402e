// Asks the address it is given every 10 ms, without waiting for answers, and sends how long each took, in ms, once it is
// told to stop; one that is not answered counts as well. The first is left out: it makes the connection.

const [address = ""] = process.argv.slice(2);
const times: number[] = [];
const open = new Set<Promise<void>>();

async function ping(): Promise<void> {
  const startedAt = performance.now();
  try {
    await (await fetch(address)).text();
  } catch {
    // A server that stands still for so long that it cannot be reached says it by the time this took.
  }
  times.push(performance.now() - startedAt);
}

await ping();
times.length = 0;
const timer = setInterval(() => {
  const answer = ping().finally(() => open.delete(answer));
  open.add(answer);
}, 10);
process.once("message", async () => {
  clearInterval(timer);
  await Promise.allSettled(open);
  process.send?.(times, () => process.disconnect());
});

export {};
