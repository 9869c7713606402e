// What the TypeScript examples share: where the server is, a token, requests, and the frames of a stream. Node alone.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

export const baseUrl = process.env.WEFT_URL ?? "http://localhost:3000";
const token = process.env.WEFT_TOKEN ?? printToken();

/** A request to the API. Fails with the server's own message unless the answer is a success. */
export async function post(path: string, body: unknown, options: RequestInit = {}): Promise<Response> {
  const response = await fetch(path.startsWith("/") ? baseUrl + path : `${baseUrl}/api/v1/${path}`, {
    method: "POST",
    ...options,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...options.headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response;
}

/** The JSON of an answer. */
export async function call<T>(path: string, body?: unknown): Promise<T> {
  const response = await post(path, body, body === undefined ? { method: "GET" } : {});
  return (await response.json()) as T;
}

/** The id of the first agent whose name contains the words. */
export async function agentNamed(words: string): Promise<string> {
  const agents = await call<{ id: string; name: string }[]>("chatflows");
  const agent = agents.find(({ name }) => name.includes(words));
  if (agent === undefined) throw new Error(`No agent has “${words}” in its name.`);
  return agent.id;
}

/** Makes an agent of a flow and returns its id. */
export async function makeAgent(name: string, nodes: object[], edges: object[]): Promise<string> {
  const flowData = JSON.stringify({ weft: 1, nodes, edges });
  return (await call<{ id: string }>("chatflows", { name, flowData })).id;
}

/** The frames of an event stream: each has one line of data, the JSON `{ "event": …, "data": … }`. */
export async function* readEvents(response: Response): AsyncGenerator<{ event: string; data: unknown }> {
  let rest = "";
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    rest += new TextDecoder().decode(chunk, { stream: true });
    const frames = rest.split("\n\n");
    rest = frames.pop() ?? "";
    for (const frame of frames) {
      const data = frame.match(/^data: ?(.*)$/m)?.[1];
      if (data?.startsWith("{")) yield JSON.parse(data);
    }
  }
}

/** Ends the example with a message and status 1 unless it holds. */
export function check(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Error(otherwise);
}

function printToken(): string {
  const root = fileURLToPath(new URL("..", import.meta.url));
  return execFileSync("npm", ["run", "-s", "token"], { cwd: root, encoding: "utf8" }).trim();
}
