import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

type Sparse = { indices: number[]; values: number[] };
type Point = { id: string; vector: Record<string, number[] | Sparse>; payload: { filters: string[] } };
type Collection = { config: { vectors: Record<string, { size: number }> }; points: Map<string, Point> };
type Query = {
  query: number[] | Sparse;
  using: string;
  limit: number;
  filter?: { must: { key: string; match: { any: string[] } }[] };
};

/** What Qdrant answers to a request that it refuses. */
class Refusal extends Error {
  readonly status: number;
  constructor(status: number, words: string) {
    super(words);
    this.status = status;
  }
}

export type ScriptedQdrant = {
  url: string;
  /** Requests so far: method, path and API key. */
  requests: { method: string; path: string; apiKey: string | undefined }[];
  /** Answers everything with this from now on; undefined: as Qdrant would. */
  answerWith(answer: { status: number; body: string; headers?: Record<string, string> } | "hang" | undefined): void;
  close(): Promise<void>;
};

/**
 * As much of Qdrant's REST API (1.19) as the adapter uses, over real HTTP: collections with named dense and sparse
 * vectors, points, counts, and exact queries with payload filters. It is no Qdrant; it says what Qdrant's API says.
 */
export async function createScriptedQdrant(): Promise<ScriptedQdrant> {
  const collections = new Map<string, Collection>();
  const requests: ScriptedQdrant["requests"] = [];
  let fixed: Parameters<ScriptedQdrant["answerWith"]>[0];

  const server = createServer(async (request, response) => {
    const [location = "", query] = (request.url ?? "").split("?");
    const path = decodeURIComponent(location);
    const body = await readJson(request);
    requests.push({ method: request.method ?? "", path, apiKey: request.headers["api-key"] as string | undefined });
    if (fixed === "hang") return;
    const { status, text } = fixed
      ? { status: fixed.status, text: fixed.body }
      : answer(`${request.method} ${path}`, body, query === "wait=true");
    response
      .writeHead(status, { "content-type": text.startsWith("<") ? "text/html" : "application/json", ...fixed?.headers })
      .end(text);
  });

  function answer(line: string, body: unknown, waits: boolean): { status: number; text: string } {
    try {
      return { status: 200, text: JSON.stringify({ result: handle(line, body, waits), status: "ok", time: 0.001 }) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { status: error.status, text: JSON.stringify({ status: { error: error.message }, time: 0 }) };
    }
  }

  function handle(line: string, body: unknown, waits: boolean): unknown {
    const [, method = "", name = "", action = ""] = /^(\w+) \/collections\/([^/]+)(\/.*)?$/.exec(line) ?? [];
    if (method === "PUT" && action === "") {
      if (collections.has(name)) throw new Refusal(409, `Wrong input: Collection \`${name}\` already exists!`);
      collections.set(name, { config: body as Collection["config"], points: new Map() });
      return true;
    }
    if (method === "DELETE" && action === "") return collections.delete(name);
    const collection = collections.get(name);
    if (collection === undefined) throw new Refusal(404, `Not found: Collection \`${name}\` doesn't exist!`);
    return handleOf(collection, { line: `${method} ${action}`, body, waits });
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answerWith(answer) {
      fixed = answer;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

type Call = { line: string; body: unknown; waits: boolean };

function handleOf(collection: Collection, { line, body, waits }: Call): unknown {
  const { config, points } = collection;
  // Without `wait=true` a write is acknowledged before it is done.
  const write = (work: () => void) => (waits ? work() : void setTimeout(work, 50));
  switch (line) {
    case "GET ":
      return { status: "green", points_count: points.size, config: { params: config } };
    case "PUT /index":
      return { operation_id: 1, status: "completed" };
    case "PUT /points":
      for (const point of (body as { points: Point[] }).points) assertVectors(config, point);
      write(() => (body as { points: Point[] }).points.forEach((point) => void points.set(point.id, point)));
      return { operation_id: 1, status: "completed" };
    case "POST /points/delete":
      write(() => (body as { points: string[] }).points.forEach((id) => void points.delete(id)));
      return { operation_id: 1, status: "completed" };
    case "POST /points/count":
      return { count: points.size };
    case "POST /points/query/batch":
      return (body as { searches: Query[] }).searches.map((query) => ({ points: search(collection, query) }));
    default:
      throw new Refusal(404, "");
  }
}

function assertVectors(config: Collection["config"], { vector }: Point): void {
  for (const [name, values] of Object.entries(vector)) if (Array.isArray(values)) assertVector(config, name, values);
}

function assertVector({ vectors }: Collection["config"], name: string, values: number[]): void {
  const size = vectors[name]?.size;
  if (size === undefined) throw new Refusal(400, `Wrong input: Not existing vector name error: ${name}`);
  if (size === values.length) return;
  throw new Refusal(400, `Wrong input: Vector dimension error: expected dim: ${size}, got ${values.length}`);
}

function search({ config, points }: Collection, { query, using, limit, filter }: Query) {
  if (Array.isArray(query)) assertVector(config, using, query);
  const found = [...points.values()].filter(({ payload }) =>
    (filter?.must ?? []).every(({ match }) => match.any.some((value) => payload.filters.includes(value))),
  );
  const score = Array.isArray(query) ? cosineTo(query, using) : sparseScore(query, using, [...points.values()]);
  return found
    .map((point) => ({ id: point.id, version: 0, score: score(point), payload: point.payload }))
    .filter(({ score }) => Array.isArray(query) || score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, limit);
}

function cosineTo(query: number[], using: string) {
  const dot = (a: number[], b: number[]) => a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
  const length = Math.sqrt(dot(query, query));
  return ({ vector }: Point) => {
    const own = vector[using] as number[];
    return dot(query, own) / (length * Math.sqrt(dot(own, own)) || 1);
  };
}

/** Qdrant's modifier `idf`: ln(1 + (N - n + 0.5) / (n + 0.5)). */
function sparseScore(query: Sparse, using: string, points: Point[]) {
  const sparseOf = ({ vector }: Point) => vector[using] as Sparse | undefined;
  const all = points.flatMap((point) => sparseOf(point) ?? []);
  const idf = new Map(
    query.indices.map((index) => {
      const count = all.filter(({ indices }) => indices.includes(index)).length;
      return [index, Math.log(1 + (all.length - count + 0.5) / (count + 0.5))];
    }),
  );
  return (point: Point) => {
    const { indices, values } = sparseOf(point) ?? { indices: [], values: [] };
    return indices.reduce((sum, index, at) => sum + (idf.get(index) ?? 0) * (values[at] ?? 0), 0);
  };
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return chunks.length === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString());
}
