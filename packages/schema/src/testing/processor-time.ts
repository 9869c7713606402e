/**
 * Milliseconds for which this thread has had a processor. Unlike the time on the wall they do not grow with what else the
 * machine does, so that tests may compare them with a limit.
 */
export function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

const attempts = 3;

/**
 * The longest turn of the event loop during `run`, as `watchTurns` has it. One beyond the limit is measured again, twice: a
 * machine whose processors are taken away for a while counts that time as theirs, whereas what the code itself takes,
 * it takes each time.
 */
export async function longestTurnOf(run: () => Promise<void>, limitMs: number): Promise<number> {
  let leastMs = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < attempts && leastMs >= limitMs; attempt += 1) {
    const turns = watchTurns();
    await run();
    leastMs = Math.min(leastMs, turns.stop());
  }
  return leastMs;
}

/**
 * Watches the event loop of this thread. `stop` returns the most processor time, in milliseconds, that passed between two
 * moments at which it would have answered.
 */
export function watchTurns(): { stop(): number } {
  let last = processorMs();
  let longest = 0;
  const look = () => {
    const now = processorMs();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(look, 5);
  return {
    stop() {
      clearInterval(timer);
      look();
      return longest;
    },
  };
}
