import type { Frame } from "@weft/conversation";
import { type AgentApi, ApiError } from "../protocol/agent-api.ts";
import { readFrames } from "../protocol/read-frames.ts";
import { strings } from "../strings.ts";

/** Plays an MP3 file to its end, or until `signal` aborts. Rejects with what the browser has against it. */
export type Play = (file: Uint8Array<ArrayBuffer>, signal: AbortSignal) => Promise<void>;

export type ReadAloudDeps = {
  api: Pick<AgentApi, "readAloud" | "stopReadingAloud">;
  play: Play;
  /** Called after every change of `view`. */
  onChange(): void;
};

/** An answer of this chat. */
export type Spoken = { key: string; chatId: string; messageId: string; text: string };

/** `key`: of the turn whose answer it is. */
export type Aloud = { key: string; state: "loading" | "playing" } | { key: string; state: "failed"; message: string };

/**
 * Reads answers aloud, one at a time. The server reads an answer to a visitor once, so recordings are kept while they fit,
 * and played again. Failures become the state; nothing rejects.
 */
export type ReadAloud = {
  /** Undefined when nothing is read and nothing failed. */
  view(): Aloud | undefined;
  /** Reads an answer from its beginning, in place of another one. Resolves at its end. */
  listen(spoken: Spoken): Promise<void>;
  /**
   * The next frame of the recording that comes with an answer. It is played once it is whole; what the browser has
   * against that is not shown, for nobody asked.
   */
  hear(spoken: Omit<Spoken, "text">, frame: Frame): void;
  /** The stream of an answer is over: a recording that is not whole is given up. */
  over(key: string): void;
  stop(): void;
};

/** The longest text that the server reads. */
const mostCharacters = 20_000;
const mostKeptBytes = 32 * 1_024 * 1_024;

export function createReadAloud({ api, play, onChange }: ReadAloudDeps): ReadAloud {
  let reading = new AbortController();
  let shown: Aloud | undefined;
  let coming: { key: string; pieces: Piece[] } | undefined;
  /** Whole recordings by the key of their turn, the newest last. */
  const kept = new Map<string, Blob>();

  function show(next: Aloud | undefined): void {
    shown = next;
    onChange();
  }

  function begin(key: string): AbortSignal {
    reading.abort();
    coming = undefined;
    reading = new AbortController();
    show({ key, state: "loading" });
    return reading.signal;
  }

  function keep(key: string, pieces: readonly Piece[]): Blob {
    const recording = new Blob([...pieces]);
    kept.delete(key);
    kept.set(key, recording);
    let bytes = 0;
    for (const [other, { size }] of [...kept].reverse()) {
      bytes += size;
      if (bytes > mostKeptBytes) kept.delete(other);
    }
    return recording;
  }

  async function playWhole(key: string, recording: Blob, signal: AbortSignal): Promise<void> {
    const file = new Uint8Array(await recording.arrayBuffer());
    if (signal.aborted) return;
    show({ key, state: "playing" });
    await play(file, signal);
    if (!signal.aborted) show(undefined);
  }

  function stop(): void {
    reading.abort();
    coming = undefined;
    if (shown !== undefined) show(undefined);
  }

  async function fetchPieces({ text, ...message }: Omit<Spoken, "key">, signal: AbortSignal): Promise<Piece[]> {
    return readPieces(await api.readAloud({ ...message, text: text.slice(0, mostCharacters) }, signal));
  }

  return {
    view: () => shown,
    stop,

    hear({ key, ...message }, { event, data }) {
      if (event === "tts_start") {
        const signal = begin(key);
        const own = { key, pieces: [] };
        coming = own;
        const tell = () => coming === own && void api.stopReadingAloud(message).catch(() => undefined);
        signal.addEventListener("abort", tell);
      }
      if (coming?.key !== key) return;
      const piece = pieceOf(data);
      if (piece !== undefined) coming.pieces.push(piece);
      if (event !== "tts_end") return;
      const { pieces } = coming;
      coming = undefined;
      const { signal } = reading;
      playWhole(key, keep(key, pieces), signal).catch(() => signal.aborted || show(undefined));
    },

    over(key) {
      if (coming?.key !== key) return;
      coming = undefined;
      show(undefined);
    },

    async listen({ key, text, ...message }) {
      const signal = begin(key);
      try {
        const recording = kept.get(key) ?? keep(key, await fetchPieces({ ...message, text }, signal));
        await playWhole(key, recording, signal);
      } catch (cause) {
        if (signal.aborted) return;
        const message = cause instanceof ApiError && cause.message !== "" ? cause.message : strings.listenFailed;
        show({ key, state: "failed", message });
      }
    },
  };
}

type Piece = Uint8Array<ArrayBuffer>;

/** The recording in a stream. Rejects with `ApiError` when the stream tells of a failure, or has no end. */
async function readPieces({ body }: Response): Promise<Piece[]> {
  const pieces: Piece[] = [];
  if (body === null) throw broken("");
  for await (const { event, data } of readFrames(body)) {
    const piece = pieceOf(data);
    if (piece !== undefined) pieces.push(piece);
    if (event === "tts_error") throw broken(String((data as { error?: unknown }).error ?? ""));
    if (event === "tts_end") return pieces;
  }
  throw broken("");
}

function broken(message: string): ApiError {
  return new ApiError(message, { status: 200, isRetryable: true });
}

/** Undefined for a frame that brings none. */
function pieceOf(data: unknown): Piece | undefined {
  const { audioChunk } = data as { audioChunk?: unknown };
  return typeof audioChunk === "string"
    ? Uint8Array.from(atob(audioChunk), (character) => character.charCodeAt(0))
    : undefined;
}
