/** Begins the handling of a request, at once or when its address has its turn. */
export type RequestTurns = { take(address: string, begin: () => void): void };

/**
 * Begins one request in each turn of the event loop while several are there, the addresses by turns: a burst of one
 * address delays its own requests, and leaves other work of the process its time. Requests of one address begin in the
 * order in which they came. Behind a proxy all have its address, and begin in the order of their arrival.
 */
export function createRequestTurns(): RequestTurns {
  /** In the order of their turns. An address stays in it only while it has requests. */
  const lines = new Map<string, (() => void)[]>();
  let isBusy = false;

  function next(): void {
    const [entry] = lines;
    if (entry === undefined) {
      isBusy = false;
      return;
    }
    const [address, line] = entry;
    const begin = line.shift();
    lines.delete(address);
    if (line.length > 0) lines.set(address, line);
    setImmediate(next);
    begin?.();
  }

  return {
    take(address, begin) {
      if (isBusy) {
        const line = lines.get(address) ?? [];
        line.push(begin);
        lines.set(address, line);
        return;
      }
      isBusy = true;
      setImmediate(next);
      begin();
    },
  };
}
