/** Where a request waits: the address it comes from, and whether it only asks for something (GET, HEAD). */
export type Caller = { address: string; isRead: boolean };

/** Starts handling a request, at once or when it is its caller's turn. */
type RequestTurns = { take(caller: Caller, begin: () => void): void };

/**
 * Starts one request in each turn of the event loop when several are pending, rotating among addresses: a burst of one
 * address delays its own requests, and leaves other work of the process its time. Reads and all others alternate, so
 * that a read waits for as many messages as there are reads before it, from however many addresses these come. Requests
 * of one address and kind start in order of arrival. Behind a proxy all have its address.
 */
export function createRequestTurns(): RequestTurns {
  const reads = createRotation();
  const others = createRotation();
  let mayReadNext = true;
  let isBusy = false;

  function next(): void {
    const isRead = reads.isEmpty() ? false : mayReadNext || others.isEmpty();
    const begin = (isRead ? reads : others).take();
    isBusy = begin !== undefined;
    if (begin === undefined) return;
    mayReadNext = !isRead;
    setImmediate(next);
    begin();
  }

  return {
    take({ address, isRead }, begin) {
      if (isBusy) return (isRead ? reads : others).add(address, begin);
      isBusy = true;
      mayReadNext = !isRead;
      setImmediate(next);
      begin();
    },
  };
}

/** Requests of several addresses, one of each in its turn. */
function createRotation() {
  /** In the order of their turns. An address is listed only while it has requests. */
  const lines = new Map<string, (() => void)[]>();
  return {
    isEmpty: () => lines.size === 0,
    add(address: string, begin: () => void): void {
      const line = lines.get(address) ?? [];
      line.push(begin);
      lines.set(address, line);
    },
    take(): (() => void) | undefined {
      const [entry] = lines;
      if (entry === undefined) return undefined;
      const [address, line] = entry;
      const begin = line.shift();
      lines.delete(address);
      if (line.length > 0) lines.set(address, line);
      return begin;
    },
  };
}
