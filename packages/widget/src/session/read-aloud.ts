import { type AgentApi, ApiError } from "../protocol/agent-api.ts";
import { readFrames } from "../protocol/read-frames.ts";
import { strings } from "../strings.ts";

/** Plays an MP3 file to its end, or until `signal` aborts. Rejects with what the browser has against it. */
export type Play = (file: Uint8Array<ArrayBuffer>, signal: AbortSignal) => Promise<void>;

export type ReadAloudDeps = {
  api: Pick<AgentApi, "readAloud">;
  play: Play;
  /** Called after every change of `view`. */
  onChange(): void;
};

/** An answer of this chat. */
export type Spoken = { key: string; chatId: string; messageId: string; text: string };

/** `key`: of the turn whose answer it is. */
export type Aloud = { key: string; state: "loading" | "playing" } | { key: string; state: "failed"; message: string };

/** Reads answers aloud, one at a time. Failures become the state; nothing rejects. */
export type ReadAloud = {
  /** Undefined when nothing is read and nothing failed. */
  view(): Aloud | undefined;
  /** Reads an answer from its beginning, in place of another one. Resolves at its end. */
  listen(spoken: Spoken): Promise<void>;
  stop(): void;
};

/** The longest text that the server reads. */
const mostCharacters = 20_000;

export function createReadAloud({ api, play, onChange }: ReadAloudDeps): ReadAloud {
  let reading = new AbortController();
  let shown: Aloud | undefined;

  function show(next: Aloud | undefined): void {
    shown = next;
    onChange();
  }

  function stop(): void {
    reading.abort();
    if (shown !== undefined) show(undefined);
  }

  return {
    view: () => shown,
    stop,
    async listen({ key, text, ...message }) {
      reading.abort();
      reading = new AbortController();
      const { signal } = reading;
      show({ key, state: "loading" });
      try {
        const response = await api.readAloud({ ...message, text: text.slice(0, mostCharacters) }, signal);
        const file = await readFile(response);
        if (signal.aborted) return;
        show({ key, state: "playing" });
        await play(file, signal);
        if (!signal.aborted) show(undefined);
      } catch (cause) {
        if (signal.aborted) return;
        const message = cause instanceof ApiError && cause.message !== "" ? cause.message : strings.listenFailed;
        show({ key, state: "failed", message });
      }
    },
  };
}

/** The recording in a stream. Rejects with `ApiError` when the stream tells of a failure, or has no end. */
async function readFile({ body }: Response): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  if (body === null) throw broken("");
  for await (const { event, data } of readFrames(body)) {
    const { audioChunk, error } = data as { audioChunk?: unknown; error?: unknown };
    if (event === "tts_data" && typeof audioChunk === "string") pieces.push(fromBase64(audioChunk));
    if (event === "tts_error") throw broken(typeof error === "string" ? error : "");
    if (event === "tts_end") return new Uint8Array(await new Blob(pieces).arrayBuffer());
  }
  throw broken("");
}

function broken(message: string): ApiError {
  return new ApiError(message, { status: 200, isRetryable: true });
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
