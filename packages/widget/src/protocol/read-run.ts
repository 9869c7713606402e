import type { Frame } from "@weft/conversation";
import { type AgentApi, ApiError } from "./agent-api.ts";
import { readFrames } from "./read-frames.ts";

/** The state of the connection: an answer may be under way in each of them. */
export type Line = "open" | "reconnecting" | "offline";

export type ReadRunDeps = {
  api: Pick<AgentApi, "events">;
  signal: AbortSignal;
  isOnline(): boolean;
  /** Resolves after the time, or earlier when the browser is back online. */
  pause(ms: number): Promise<void>;
  onLine(line: Line): void;
};

export type RunStart = {
  /** Sends the message. Called again when the line broke before the first frame, so it must be repeatable. */
  open(): Promise<Response>;
  /** Id of the last frame that was read before. */
  lastId?: string | undefined;
};

/** Waits between attempts. While the browser is offline none is used up; a frame gives all of them back. */
const waitsMs: readonly number[] = [0, 500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000, 8_000];
const offlineWaitMs = 5_000;

/**
 * The frames of a run, each once, ending with `end`. When the line breaks, reading goes on after the last frame. Rejects
 * with `ApiError` when the server refuses, and with what broke the line when that cannot be mended.
 */
export async function* readRun(deps: ReadRunDeps, start: RunStart): AsyncGenerator<Frame, void, undefined> {
  const place: Place = { ...start, waits: [...waitsMs] };
  for (;;) {
    const broken = yield* readOnce(deps, place);
    if (broken === undefined) return;
    await bridge(deps, place, broken.cause);
  }
}

/** How far reading has come, and the waits that are left. */
type Place = RunStart & { waits: number[] };

/** The error of a broken connection; undefined at the end of the run. */
async function* readOnce(
  { api, signal, onLine }: ReadRunDeps,
  place: Place,
): AsyncGenerator<Frame, { cause: unknown } | undefined, undefined> {
  try {
    const { lastId } = place;
    const { body } = await (lastId === undefined ? place.open() : api.events(lastId, signal));
    onLine("open");
    for await (const frame of body === null ? [] : readFrames(body)) {
      place.waits = [...waitsMs];
      place.lastId = frame.id;
      yield frame;
      if (frame.event === "end") return undefined;
    }
    return { cause: new TypeError("The stream ended before the run did.") };
  } catch (cause) {
    if (signal.aborted || !isBrokenLine(cause)) throw cause;
    return { cause };
  }
}

async function bridge({ signal, isOnline, pause, onLine }: ReadRunDeps, place: Place, broken: unknown): Promise<void> {
  const isAway = !isOnline();
  const waitMs = isAway ? offlineWaitMs : place.waits.shift();
  if (waitMs === undefined) throw broken;
  onLine(isAway ? "offline" : "reconnecting");
  await pause(waitMs);
  if (signal.aborted) throw broken;
}

/** `fetch` and streams reject with a TypeError, and proxies answer for a server that is away. */
function isBrokenLine(cause: unknown): boolean {
  if (cause instanceof ApiError) return cause.isRetryable || [502, 503, 504].includes(cause.status);
  return cause instanceof TypeError;
}
