import { fileURLToPath } from "node:url";
import { noShare, type Share } from "@weft/schema";
import { createPlaces, createShareQueue, createWorkerClient, type WorkerClient } from "@weft/workers";
import { SqlFailure } from "../driver.ts";
import type { DatabaseAnswer, DatabasePart, DatabaseRequest } from "./protocol.ts";

export type DatabaseProcess = WorkerClient<DatabaseRequest, DatabaseAnswer, DatabasePart>;

const url = new URL("./database-process.ts", import.meta.url);
const sources = fileURLToPath(new URL("../", import.meta.url));
const drivers = fileURLToPath(import.meta.resolve("pg")).replace(/(node_modules[\\/]).*/s, "$1");

/** Its heap, without the memory of SQLite and the drivers' buffers, which the process monitors itself. */
const maxHeapMb = 192;

/**
 * A process that parses data from databases: started by the first request, ended when idle. It has no environment, may
 * start no program, and may read no file but its own sources and the one named, which it may also write.
 */
export function createDatabaseProcess(options: { idleMs: number; file?: string; onEnd?(): void }): DatabaseProcess {
  const { idleMs, file, onEnd = () => undefined } = options;
  const files = file === undefined ? [] : [`--allow-fs-read=${file}`, `--allow-fs-write=${file}`];
  const execArgv = [
    ...["--permission", "--allow-worker", `--allow-fs-read=${sources}*`, `--allow-fs-read=${drivers}*`, ...files],
    ...[`--max-old-space-size=${maxHeapMb}`, "--max-semi-space-size=8", "--no-warnings"],
  ];
  return createWorkerClient({ url, idleMs, onEnd, isProcess: () => true, process: { execArgv, isSilent: true } });
}

/** A process reserved for one caller. */
export type DatabaseSeat = { process: DatabaseProcess; leave(): void };

type SeatRequest = { share: Share; signal: AbortSignal };

/** At most `size` processes, each of which has one caller at a time; callers beyond them take turns by their shares. */
export function createDatabaseProcesses({ size, idleMs }: { size: number; idleMs: number }) {
  const places = createPlaces({ total: size });
  const fullError = () => tooMany();
  const queue = createShareQueue<SeatRequest, DatabaseSeat>({ maxWaiting: 4 * size, fullError });
  const all: DatabaseProcess[] = [];
  const resting: DatabaseProcess[] = [];

  function start(): DatabaseProcess {
    const process = createDatabaseProcess({ idleMs });
    all.push(process);
    return process;
  }

  function give({ share }: SeatRequest): DatabaseSeat | undefined {
    if (!places.take(share)) return undefined;
    const process = resting.pop() ?? start();
    const leave = () => {
      resting.push(process);
      places.give(share);
      queue.serve(give);
    };
    return { process, leave };
  }

  return {
    async take({ share = noShare, signal }: { share?: Share | undefined; signal: AbortSignal }): Promise<DatabaseSeat> {
      const seat = queue.wait({ share, signal });
      queue.serve(give);
      return seat;
    },
    async close(): Promise<void> {
      queue.rejectAll(tooMany());
      await Promise.all(all.map((process) => process.close()));
    },
  };
}

/** Most idle processes kept, over all files. */
const maxResting = 4;

type Resting = { file: string; process: DatabaseProcess };

export type FileProcesses = {
  /** Reserves a process for the file. */
  take(file: string): DatabaseProcess;
  /** Keeps one that answered for the next statement on its file. */
  give(file: string, process: DatabaseProcess): Promise<void>;
  close(): Promise<void>;
};

/** Processes for statements on SQLite files. Each may open only its file, and ends when idle. */
export function createFileProcesses({ idleMs }: { idleMs: number }): FileProcesses {
  const resting: Resting[] = [];
  let isClosed = false;

  function removeLast(matches: (each: Resting) => boolean): DatabaseProcess | undefined {
    const index = resting.findLastIndex(matches);
    return index < 0 ? undefined : resting.splice(index, 1)[0]?.process;
  }

  function start(file: string): DatabaseProcess {
    const process = createDatabaseProcess({
      idleMs,
      file,
      onEnd: () => removeLast((each) => each.process === process),
    });
    return process;
  }

  return {
    take: (file) => removeLast((each) => each.file === file) ?? start(file),
    async give(file, process) {
      if (isClosed) return await process.close();
      resting.push({ file, process });
      if (resting.length > maxResting) await resting.shift()?.process.close();
    },
    async close() {
      isClosed = true;
      await Promise.all(resting.splice(0).map(({ process }) => process.close()));
    },
  };
}

export const tooMany = () =>
  new SqlFailure("Too many statements are running at once. Try again in a moment.", { retryable: true });
