import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";

export type LoadRequest = {
  port: number;
  method: string;
  path: string;
  headers?: Record<string, string>;
  /** `{{unique}}` in it becomes a text that no other request has, of always the same length. */
  body?: string;
};

/** Measured from outside: sorted latencies of single requests and the requests a second of all connections. */
export type LoadResult = { p50Ms: number; p99Ms: number; perSecond: number; firstByteP50Ms: number };

/**
 * Sends the same request again and again over kept connections, one at a time on each. A raw socket instead of an HTTP
 * client, so that the load costs the machine little. Rejects at the first answer that is not 200.
 */
export async function load(
  request: LoadRequest,
  { connections, seconds, marker }: { connections: number; seconds: number; marker?: string },
): Promise<LoadResult> {
  const nextBytes = createByteSource(request);
  const latencies: number[] = [];
  const firsts: number[] = [];
  const startedAt = performance.now();
  const until = startedAt + seconds * 1_000;
  const workers = Array.from({ length: connections }, async () => {
    const socket = await open(request.port);
    while (performance.now() < until) {
      const sentAt = performance.now();
      const firstAt = await exchange(socket, nextBytes(), marker);
      firsts.push(firstAt - sentAt);
      latencies.push(performance.now() - sentAt);
    }
    socket.destroy();
  });
  await Promise.all(workers);
  const elapsedSeconds = (performance.now() - startedAt) / 1_000;
  return {
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    perSecond: latencies.length / elapsedSeconds,
    firstByteP50Ms: quantile(firsts, 0.5),
  };
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

function toBytes({ method, path, headers = {}, body = "" }: LoadRequest): Buffer {
  const all = { host: "127.0.0.1", ...headers, ...(body === "" ? {} : { "content-length": Buffer.byteLength(body) }) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`);
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true }, () => resolve(socket));
    socket.once("error", reject);
  });
}

/** Resolves when the whole answer is here, with the moment in which its first body bytes (or `marker`) came. */
function exchange(socket: Socket, bytes: Buffer, marker: string | undefined): Promise<number> {
  return new Promise((resolve, reject) => {
    let answer = "";
    let firstAt = 0;
    const onData = (chunk: Buffer) => {
      answer += chunk.toString("latin1");
      if (firstAt === 0 && answer.includes(marker ?? "\r\n\r\n")) firstAt = performance.now();
      if (!isComplete(answer)) return;
      socket.off("data", onData);
      if (!answer.startsWith("HTTP/1.1 200")) return reject(new Error(answer.slice(0, 2_000)));
      resolve(firstAt === 0 ? performance.now() : firstAt);
    };
    socket.on("data", onData);
    socket.write(bytes);
  });
}

function isComplete(answer: string): boolean {
  const headerEnd = answer.indexOf("\r\n\r\n");
  if (headerEnd < 0) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(answer.slice(0, headerEnd));
  if (length) return answer.length >= headerEnd + 4 + Number(length[1]);
  return answer.endsWith("0\r\n\r\n");
}

export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
}
