type Dispatcher = NonNullable<RequestInit["dispatcher"]>;
type DispatchOptions = Parameters<Dispatcher["dispatch"]>[0];

/** The part of a handler that Node's own `fetch` gives to a dispatcher (undici's `Dispatcher.DispatchHandler`, before 8). */
type Handler = {
  onConnect(abort: (reason?: Error) => void): void;
  onHeaders(status: number, headers: Buffer[], resume: () => void, statusText: string): boolean;
  onData(chunk: Buffer): boolean;
  onComplete(trailers: string[] | null): void;
  onError(error: Error): void;
};

/**
 * For a library that calls the global `fetch` and takes nothing but a dispatcher: every exchange goes through the given
 * `fetch` instead, which for us is the egress client's, with its rules and limits. The answer is read whole.
 */
export function createFetchDispatcher(fetch: typeof globalThis.fetch): Dispatcher {
  const dispatcher = {
    dispatch(options: DispatchOptions, handler: unknown): boolean {
      void exchange(fetch, options, handler as Handler);
      return true;
    },
  };
  // Of a dispatcher's members `fetch` calls this one only.
  return dispatcher as Dispatcher;
}

async function exchange(fetch: typeof globalThis.fetch, options: DispatchOptions, handler: Handler): Promise<void> {
  const controller = new AbortController();
  try {
    handler.onConnect((reason) => controller.abort(reason));
    const response = await fetch(new URL(options.path, String(options.origin)), {
      method: options.method,
      headers: toHeaders(options.headers),
      body: await readBody(options.body),
      signal: controller.signal,
      redirect: "error",
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    controller.signal.throwIfAborted();
    handler.onHeaders(response.status, toRawHeaders(response.headers), () => {}, response.statusText);
    if (bytes.length > 0) handler.onData(bytes);
    handler.onComplete(null);
  } catch (error) {
    handler.onError(error instanceof Error ? error : new Error(String(error)));
  }
}

function toHeaders(headers: DispatchOptions["headers"]): [string, string][] {
  return Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)]);
}

async function readBody(body: unknown): Promise<Uint8Array<ArrayBuffer> | null> {
  if (body === null || body === undefined) return null;
  const chunks: Uint8Array[] = [];
  for await (const chunk of body as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return new Uint8Array(Buffer.concat(chunks));
}

/** As they came, but for those of the encoding and length that reading undid. */
function toRawHeaders(headers: Headers): Buffer[] {
  return [...headers]
    .filter(([name]) => name !== "content-encoding" && name !== "content-length")
    .flatMap(([name, value]) => [Buffer.from(name), Buffer.from(value)]);
}
