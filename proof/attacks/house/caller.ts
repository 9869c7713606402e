import { type IncomingMessage, request as sendHttp } from "node:http";

export type Answer = {
  status: number;
  headers: Readonly<Record<string, string>>;
  text: string;
  json<T = unknown>(): T;
};

/** An answer whose head has come. `end` resolves with its whole body, and rejects when it is cut off. */
export type OpenAnswer = { response: IncomingMessage; end: Promise<Buffer> };

export type CallOptions = { headers?: Record<string, string>; signal?: AbortSignal };

/** A caller that sends requests from its own address and keeps everything that comes back. */
export type Caller = {
  /** Its address, one of the loopback range. */
  address: string;
  /** `body`: an object is sent as JSON, text and bytes as they are. */
  send(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Answer>;
  /** A request without waiting for the end of its answer: resolves with its head. */
  open(method: string, path: string, body?: unknown, options?: CallOptions): Promise<OpenAnswer>;
  /** Whether anything that came back holds a text. */
  hasSeen(text: string): boolean;
};

export type CallerOptions = { port: number; address: string; headers: Record<string, string> };

export function createCaller({ port, address, headers: own }: CallerOptions): Caller {
  const received: string[] = [];

  function open(method: string, path: string, body?: unknown, { headers, signal }: CallOptions = {}) {
    const payload = toPayload(body);
    return new Promise<OpenAnswer>((resolve, reject) => {
      const sent = sendHttp(
        {
          host: "127.0.0.1",
          port,
          localAddress: address,
          method,
          path,
          agent: false,
          headers: {
            ...(body !== undefined && { "content-type": "application/json" }),
            ...(payload !== undefined && { "content-length": String(Buffer.byteLength(payload)) }),
            ...own,
            ...headers,
          },
          ...(signal && { signal }),
        },
        (response) => {
          received.push(JSON.stringify(response.headers));
          resolve({ response, end: collect(response, (chunk) => received.push(chunk.toString("latin1"))) });
        },
      );
      sent.on("error", reject);
      sent.end(payload);
    });
  }

  return {
    address,
    open,
    async send(method, path, body, options) {
      const { response, end } = await open(method, path, body, options);
      const text = (await end).toString();
      const headers = response.headers as Record<string, string>;
      return { status: response.statusCode ?? 0, headers, text, json: () => JSON.parse(text) };
    },
    // Joined, because a value may come in two pieces.
    hasSeen: (text) => received.join("").includes(Buffer.from(text).toString("latin1")),
  };
}

function collect(response: IncomingMessage, onChunk: (chunk: Buffer) => void): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const end = new Promise<Buffer>((resolve, reject) => {
    response.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      onChunk(chunk);
    });
    response.on("end", () => resolve(Buffer.concat(chunks)));
    response.on("error", reject);
  });
  // An attack may look at the head alone.
  end.catch(() => undefined);
  return end;
}

function toPayload(body: unknown): string | Uint8Array | undefined {
  if (body === undefined || typeof body === "string" || body instanceof Uint8Array) return body;
  return JSON.stringify(body);
}
