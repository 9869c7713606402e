import { parseJson } from "@weft/schema";
import { z } from "zod";

export type QdrantServer = {
  /** Of the server, with its port unless that is 6333, and a path if it has one. */
  address: string;
  apiKey: string | undefined;
  /** The way out of the process. */
  fetch: typeof globalThis.fetch;
};

type Sparse = { indices: number[]; values: number[] };
type Vectors = Record<string, number[] | Sparse>;

export type QdrantPoint = { id: string; vector: Vectors; payload: object };
export type QdrantQuery = {
  query: number[] | Sparse;
  using: string;
  limit: number;
  with_payload: boolean;
  filter?: { must: { key: string; match: { any: string[] } }[] };
};
export type QdrantScheme = {
  vectors: Record<string, { size: number; distance: "Cosine" }>;
  sparse_vectors: Record<string, { modifier: "idf" }>;
};

/** The server's response to a request that it refuses. `data` is its body if that is JSON. */
export class QdrantRefusal extends Error {
  readonly status: number;
  readonly data: unknown;
  constructor(status: number, data: unknown) {
    super(`status ${status}`);
    this.status = status;
    this.data = data;
  }
}

/** A successful response whose body is not Qdrant's format. */
export class QdrantUnreadable extends Error {}

const done = z.unknown();
const counted = z.object({ count: z.number() });
const found = z.array(
  z.object({
    points: z.array(z.object({ id: z.union([z.string(), z.number()]), score: z.number(), payload: z.unknown() })),
  }),
);
/** Of a collection with one unnamed vector, `vectors` is that vector's description. */
const described = z.object({ config: z.object({ params: z.object({ vectors: z.record(z.string(), z.unknown()) }) }) });

export type QdrantApi = ReturnType<typeof createQdrantApi>;

/** The operations of Qdrant's REST API on one collection that a store needs. Rejects with `QdrantRefusal` among others. */
export function createQdrantApi({ address, apiKey, fetch }: QdrantServer, collection: string) {
  const base = `${toBase(address)}/collections/${encodeURIComponent(collection)}`;
  const key = apiKey === undefined ? {} : { "api-key": apiKey };

  async function send<T>(line: string, body: object | undefined, result: z.ZodType<T>, signal: AbortSignal) {
    const [method = "", path = ""] = line.split(" ");
    const response = await fetch(`${base}${path}`, {
      method,
      headers: { ...key, ...(body === undefined ? {} : { "content-type": "application/json" }) },
      body: body === undefined ? null : JSON.stringify(body),
      redirect: "error",
      signal,
    });
    const data = parseJson(await response.text());
    if (!response.ok) throw new QdrantRefusal(response.status, data);
    const answer = z.object({ result }).safeParse(data);
    if (!answer.success) throw new QdrantUnreadable("not an answer from Qdrant");
    return answer.data.result as T;
  }

  return {
    describe: (signal: AbortSignal) => send("GET ", undefined, described, signal),
    create: (scheme: QdrantScheme, signal: AbortSignal) => send("PUT ", scheme, done, signal),
    drop: (signal: AbortSignal) => send("DELETE ", undefined, done, signal),
    indexKeywords: (field_name: string, signal: AbortSignal) =>
      send("PUT /index?wait=true", { field_name, field_schema: "keyword" }, done, signal),
    upsert: (points: readonly QdrantPoint[], signal: AbortSignal) =>
      send("PUT /points?wait=true", { points }, done, signal),
    delete: (points: readonly string[], signal: AbortSignal) =>
      send("POST /points/delete?wait=true", { points }, done, signal),
    count: (signal: AbortSignal) => send("POST /points/count", { exact: true }, counted, signal),
    query: (searches: readonly QdrantQuery[], signal: AbortSignal) =>
      send("POST /points/query/batch", { searches }, found, signal),
  };
}

/** `URL` drops a scheme's default port, so an explicit one is read from the text. */
function toBase(address: string): string {
  const { protocol, hostname, pathname } = new URL(address);
  const port = /^https?:\/\/[^/?#]*:(\d+)(?:[/?#]|$)/i.exec(address)?.[1] ?? "6333";
  return `${protocol}//${hostname}:${port}${pathname.replace(/(?<!\/)\/+$/, "")}`;
}
