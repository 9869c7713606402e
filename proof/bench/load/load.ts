import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { AnswerReader } from "./answer-reader.ts";

export type LoadRequest = {
  port: number;
  /** Default: 127.0.0.1. */
  host?: string;
  /** Whether over TLS. Default false. */
  secure?: boolean;
  method: string;
  path: string;
  headers?: Record<string, string>;
  /** `{{unique}}` in it becomes a text that no other request has, of always the same length. */
  body?: string;
};

/**
 * How much: connections, each with one request at a time, for so many `seconds` or until so many `requests` were sent.
 * `marker`: the text that ends the wait for the first token.
 */
export type LoadSize = { connections: number; seconds?: number; requests?: number; marker?: string };

/**
 * Measured from outside: latencies of single requests and the requests a second of all connections. `cores`: how much of
 * a processor the load itself took, this process with all of its threads.
 */
export type LoadResult = {
  p50Ms: number;
  p99Ms: number;
  perSecond: number;
  count: number;
  firstByteP50Ms: number;
  cores: number;
};

/** The server broke off a connection, refused one or kept silent. */
export class ConnectionLost extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ConnectionLost";
  }
}

/** No answer that is worth measuring keeps silent for so long. */
const longestSilenceMs = 60_000;

/**
 * Sends the same request again and again over kept connections, one at a time on each. A raw socket that reads into one
 * buffer instead of an HTTP client, so that the load costs the machine little. Rejects with `UnexpectedAnswer` at the
 * first answer that is not 200, and with `ConnectionLost` when a connection fails or keeps silent for a minute.
 */
export async function load(request: LoadRequest, size: LoadSize): Promise<LoadResult> {
  const nextBytes = createByteSource(request);
  const latencies: number[] = [];
  const firsts: number[] = [];
  const cpuAtStart = process.cpuUsage();
  const startedAt = performance.now();
  const until = startedAt + (size.seconds ?? Number.POSITIVE_INFINITY) * 1_000;
  let left = size.requests ?? Number.POSITIVE_INFINITY;
  const mayGoOn = () => left-- > 0 && performance.now() < until;
  const connections = Array.from({ length: size.connections }, () =>
    occupy(request, { marker: size.marker, nextBytes, mayGoOn, latencies, firsts }),
  );
  await Promise.all(connections);
  const elapsedMs = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpuAtStart);
  return {
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    perSecond: (latencies.length * 1_000) / elapsedMs,
    count: latencies.length,
    firstByteP50Ms: quantile(firsts, 0.5),
    cores: (user + system) / 1_000 / elapsedMs,
  };
}

type Work = {
  marker: string | undefined;
  nextBytes(): Buffer;
  mayGoOn(): boolean;
  latencies: number[];
  firsts: number[];
};

/** Keeps one connection busy. */
function occupy(request: LoadRequest, { marker, nextBytes, mayGoOn, latencies, firsts }: Work): Promise<void> {
  return new Promise((resolve, reject) => {
    const reader = new AnswerReader(marker);
    let sentAt = 0;
    const end = (error?: Error) => {
      socket.destroy();
      if (error === undefined) resolve();
      else reject(error);
    };
    const send = () => {
      if (!mayGoOn()) return end();
      reader.reset();
      sentAt = performance.now();
      socket.write(nextBytes());
    };
    const socket = open(request, send, (bytes) => {
      try {
        if (!reader.take(bytes)) return;
      } catch (error) {
        return end(error as Error);
      }
      const now = performance.now();
      latencies.push(now - sentAt);
      firsts.push((reader.markedAt || now) - sentAt);
      send();
    });
    socket.setTimeout(longestSilenceMs, () => end(new ConnectionLost("The server did not answer within a minute.")));
    socket.once("error", (cause) => end(new ConnectionLost(`The connection failed: ${cause.message}`, { cause })));
    socket.once("close", () => end(new ConnectionLost("The server closed the connection.")));
  });
}

const readBufferBytes = 256 * 1_024;

/** `onBytes` gets a view into a buffer that the next read overwrites. */
function open(
  { host = "127.0.0.1", port, secure = false }: LoadRequest,
  onOpen: () => void,
  onBytes: (bytes: Buffer) => void,
): Socket {
  const callback = (length: number, buffer: Uint8Array) => {
    onBytes(buffer.subarray(0, length) as Buffer);
    return true;
  };
  const onread = { buffer: Buffer.allocUnsafeSlow(readBufferBytes), callback };
  const options = { host, port, noDelay: true };
  if (!secure) return connect({ ...options, onread }, onOpen);
  const socket = connectTls({ ...options, servername: host }, onOpen);
  return socket.on("data", onBytes);
}

const placeHolder = "{{unique}}";

function createByteSource(request: LoadRequest): () => Buffer {
  const bytes = toBytes(request);
  const place = bytes.lastIndexOf(placeHolder);
  if (place < 0) return () => bytes;
  return () => {
    const copy = Buffer.from(bytes);
    copy.write(randomBytes(placeHolder.length).toString("hex").slice(0, placeHolder.length), place);
    return copy;
  };
}

/** The bytes of a request. */
export function toBytes({ method, path, host = "127.0.0.1", port, headers = {}, body = "" }: LoadRequest): Buffer {
  const length = body === "" ? {} : { "content-length": Buffer.byteLength(body) };
  const lines = Object.entries({ host: `${host}:${port}`, ...headers, ...length }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`);
}

export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
}
