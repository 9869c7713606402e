import { connect } from "node:net";
import { type LoadRequest, toBytes } from "../load/load.ts";

/** What all clients together saw. Times in milliseconds: one of each stream, and one of each token. */
export type StreamTimes = { firstTokenMs: number[]; delayMs: number[] };

type Streams = { clients: number; tokens: number };

/**
 * Opens that many streams at the same moment, each over a connection of its own, and reads them to their ends. Rejects
 * when one of them has another status than 200, ends before it has brought all `tokens`, or keeps silent for a minute.
 */
export async function openStreams(request: LoadRequest, { clients, tokens }: Streams): Promise<StreamTimes> {
  const times: StreamTimes = { firstTokenMs: [], delayMs: [] };
  await Promise.all(Array.from({ length: clients }, () => openStream(request, tokens, times)));
  return times;
}

const longestSilenceMs = 60_000;

function openStream(request: LoadRequest, tokens: number, times: StreamTimes): Promise<void> {
  const { host = "127.0.0.1", port } = request;
  return new Promise((resolve, reject) => {
    const reader = createStampReader(tokens, times);
    const socket = connect({ host, port, noDelay: true }, () => {
      reader.sent();
      socket.write(toBytes(request));
    });
    const end = (problem?: string) => {
      socket.destroy();
      if (problem === undefined) resolve();
      else reject(new Error(`A stream ended after ${reader.seen()} of ${tokens} tokens: ${problem}`));
    };
    socket.on("data", (piece) => {
      const state = reader.take(piece);
      if (state !== "open") end(state === "complete" ? undefined : state);
    });
    socket.setTimeout(longestSilenceMs, () => end("it kept silent for a minute."));
    socket.once("error", (error) => end(error.message));
    socket.once("close", () => end("the connection was closed."));
  });
}

/** What the beginning of a token, or of the last chunk, may take. */
const keptCharacters = 64;

/** Finds tokens in an answer as its bytes come. */
function createStampReader(tokens: number, times: StreamTimes) {
  let sentUs = 0;
  let seen = 0;
  let rest = "";

  /** An answer may repeat its tokens once it is complete: no more than there are count. */
  function note(text: string): void {
    const now = nowUs();
    for (const [, stamp] of text.matchAll(stamps)) {
      if (seen === tokens) return;
      if (seen === 0) times.firstTokenMs.push((now - sentUs) / 1_000);
      seen += 1;
      times.delayMs.push((now - Number(stamp)) / 1_000);
    }
  }

  return {
    sent() {
      sentUs = nowUs();
    },
    seen: () => seen,
    /** Whether more is to come, or what is wrong with the answer. */
    take(piece: Buffer): string {
      const text = rest + piece.toString("latin1");
      if (seen === 0 && text.startsWith("HTTP/") && !text.startsWith("HTTP/1.1 200")) return text.slice(0, 1_000);
      if (seen < tokens) note(text);
      rest = text.slice(Math.max(text.lastIndexOf(" ") + 1, text.length - keptCharacters));
      if (!text.endsWith(lastChunk)) return "open";
      return seen === tokens ? "complete" : "it is complete.";
    },
  };
}

/** A token of `model.ts`. */
const stamps = /\bt(\d{6,}) /g;
/** RFC 9112, section 7.1. */
const lastChunk = "0\r\n\r\n";

/** The clock that all processes of a machine share, in microseconds. */
function nowUs(): number {
  return Number(process.hrtime.bigint() / 1_000n);
}
