import type { Worker } from "node:worker_threads";
import type { Share } from "@weft/schema";
import { createPlaces } from "./places.ts";
import { createShareQueue } from "./share-queue.ts";

type WorkerPoolOptions = {
  /** Concurrent threads; as many again are started for calls that must be alone. */
  size: number;
  /** Calls that one thread holds, all but one of which rest. Default 1. */
  callsPerWorker?: number;
  /** Calls that may wait for a thread. */
  maxWaiting: number;
  /** How long an unused thread is kept. */
  idleMs: number;
  start(): Worker;
  /** Error for a call beyond `maxWaiting`, or beyond its share of it. */
  fullError(): Error;
  closedError(): Error;
};

type SeatRequest = {
  share: Share;
  signal: AbortSignal;
  /** Takes a thread without other calls, and keeps others out. */
  isAlone?: boolean;
};

/** A call's place in a thread. It computes from the start, until it rests or leaves. */
export type Seat = {
  readonly worker: Worker;
  /** The thread belongs to another share, because none was free: use it briefly. */
  readonly isGuest: boolean;
  /** The call waits for something outside: the thread may start another one. */
  rest(): void;
  /** The call continues. */
  resume(): void;
  /** The call is over. Further calls have no effect. */
  leave(): void;
  /** Ends the thread, whatever it is doing and whatever else runs in it. */
  discard(): void;
};

type WorkerPool = {
  /** Waits its turn. Rejects with the signal's reason, `fullError` and `closedError`. */
  take(request: SeatRequest): Promise<Seat>;
  /** Number of calls waiting for a thread. */
  waiting(): number;
  /** Ends all threads; waiting and later calls are rejected. */
  close(): Promise<void>;
};

type Station = {
  worker: Worker;
  owner: Share | undefined;
  seats: number;
  computing: number;
  isAlone: boolean;
  idle?: NodeJS.Timeout;
};

/**
 * Worker threads started on demand, kept while in use and `idleMs` longer. Invariants:
 * - W1 There are at most `size` threads, and as many again for calls that must be alone; of each no share owns more than
 *   `createPlaces` gives it.
 * - W2 A thread begins a call only while none of its calls computes: a call waits for those of its own share alone, or,
 *   where every thread is owned, as a guest of a thread whose calls all rest.
 * - W3 Shares get their turns one after the other, whatever number of calls each has in line.
 * - W4 An unused thread does not keep the process alive.
 */
export function createWorkerPool(options: WorkerPoolOptions): WorkerPool {
  const queue = createShareQueue<SeatRequest, Seat>(options);
  const stations = createStations(options, dispatch);
  let isClosed = false;

  function dispatch(): void {
    if (!isClosed) queue.serve(stations.seat);
  }

  return {
    waiting: queue.waiting,
    async take(request) {
      request.signal.throwIfAborted();
      if (isClosed) throw options.closedError();
      const seat = queue.wait(request);
      dispatch();
      return seat;
    },
    async close() {
      isClosed = true;
      queue.rejectAll(options.closedError());
      await stations.end();
    },
  };
}

type Stations = {
  /** A seat for a call, in a thread that may start it now (W1, W2); undefined if there is none. */
  seat(request: SeatRequest): Seat | undefined;
  end(): Promise<void>;
};

/** The threads and their owners. `onFree` is called whenever a call may get a seat that had none before. */
function createStations(
  { size, callsPerWorker = 1, idleMs, start: startWorker }: WorkerPoolOptions,
  onFree: () => void,
): Stations {
  const stations = new Map<Worker, Station>();
  const shared = createPlaces({ total: size });
  const alone = createPlaces({ total: size });
  const startSoon = oneAfterTheOther(start, onFree);

  function forget(station: Station): void {
    clearTimeout(station.idle);
    if (!stations.delete(station.worker)) return;
    giveUp(station);
    void station.worker.terminate();
    onFree();
  }

  function giveUp(station: Station): void {
    if (station.owner) (station.isAlone ? alone : shared).give(station.owner);
    station.owner = undefined;
    station.isAlone = false;
  }

  function start(): Station {
    const station: Station = { worker: startWorker(), owner: undefined, seats: 0, computing: 0, isAlone: false };
    stations.set(station.worker, station);
    outlive(station.worker, () => forget(station));
    return station;
  }

  function find({ share, isAlone = false }: SeatRequest): Station | undefined {
    const open = [...stations.values()].filter((station) => isOpen(station, callsPerWorker));
    const own = open.find(({ owner, seats }) => seats > 0 && owner !== undefined && isSame(owner, share));
    if (own && !isAlone) return own;
    // If a share may take another thread and none is free, there are fewer than W1 allows.
    if ((isAlone ? alone : shared).mayTake(share)) return open.findLast(({ seats }) => seats === 0) ?? startSoon();
    if (isAlone || shared.heldBy(share) > 0) return undefined;
    return open.find(({ owner, seats }) => seats > 0 && owner?.isAnonymous === share.isAnonymous);
  }

  function empty(station: Station): void {
    if (!stations.has(station.worker)) return;
    giveUp(station);
    station.worker.unref();
    station.idle = setTimeout(forget, idleMs, station).unref();
  }

  return {
    seat(request) {
      const station = find(request);
      if (station === undefined) return undefined;
      const { share, isAlone = false } = request;
      if (station.seats === 0) {
        occupy(station, { share, isAlone });
        (isAlone ? alone : shared).take(share);
      }
      station.seats += 1;
      station.computing += 1;
      const isGuest = station.owner !== undefined && !isSame(station.owner, share);
      return createSeat(station, { isGuest, dispatch: onFree, empty, forget });
    },
    async end() {
      const workers = [...stations.keys()];
      for (const station of [...stations.values()]) forget(station);
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}

/** A crash of a thread must not crash this process. Every crash is followed by `exit`. */
function outlive(worker: Worker, onExit: () => void): void {
  // A listener for each call that it holds.
  worker.setMaxListeners(0);
  worker.on("error", () => {});
  worker.once("exit", onExit);
}

function occupy(station: Station, { share, isAlone }: { share: Share; isAlone: boolean }): void {
  clearTimeout(station.idle);
  station.worker.ref();
  station.owner = share;
  station.isAlone = isAlone;
}

/**
 * Starts threads one after the other: each takes this one some milliseconds to create, and the processors many to
 * start.
 * Undefined while another is starting; `onBegun` is called when it has started.
 */
function oneAfterTheOther(start: () => Station, onBegun: () => void): () => Station | undefined {
  let starting: Worker | undefined;
  return () => {
    if (starting !== undefined) return undefined;
    const station = start();
    const { worker } = station;
    starting = worker;
    const goOn = () => {
      if (starting !== worker) return;
      starting = undefined;
      setImmediate(onBegun);
    };
    // It ends without having started if it cannot be created.
    worker.once("online", goOn).once("exit", goOn);
    return station;
  };
}

type SeatHooks = {
  isGuest: boolean;
  /** Someone may get a seat now. */
  dispatch(): void;
  /** The last seat of the thread was left. */
  empty(station: Station): void;
  forget(station: Station): void;
};

function createSeat(station: Station, { isGuest, dispatch, empty, forget }: SeatHooks): Seat {
  let state: "computing" | "resting" | "left" = "computing";
  return {
    worker: station.worker,
    isGuest,
    rest() {
      if (state !== "computing") return;
      state = "resting";
      station.computing -= 1;
      dispatch();
    },
    resume() {
      if (state !== "resting") return;
      state = "computing";
      station.computing += 1;
    },
    leave() {
      if (state === "left") return;
      if (state === "computing") station.computing -= 1;
      state = "left";
      station.seats -= 1;
      if (station.seats === 0) empty(station);
      dispatch();
    },
    discard: () => forget(station),
  };
}

function isOpen({ seats, computing, isAlone }: Station, callsPerWorker: number): boolean {
  return computing === 0 && seats < callsPerWorker && !(isAlone && seats > 0);
}

function isSame(one: Share, other: Share): boolean {
  return one.name === other.name && one.isAnonymous === other.isAnonymous;
}
