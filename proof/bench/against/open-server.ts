import { readFileSync } from "node:fs";
import type { AgainstCommand } from "../arguments.ts";
import { BenchError } from "../report/bench-error.ts";
import { type Target, tokenMarker } from "../weft/requests.ts";

/** A server that was tried: it answers, accepts the key, and has the agent, which answers too. */
export type Server = {
  target: Target;
  agentId: string;
  /** Whether the agent's answer comes in tokens when it is asked for a stream. */
  streams: boolean;
  /** Removes the agent that was stored for the run. */
  close(): Promise<void>;
};

type Access = Pick<AgainstCommand, "url" | "key" | "agentId" | "flowFile">;
type Call = (method: string, path: string, body?: object) => Promise<{ status: number; text: string }>;

/** Rejects with `BenchError`, which says what is wrong and what to do. */
export async function openServer(access: Access): Promise<Server> {
  const call = createCall(access);
  await assertSpeaks(access, call);
  await assertKey(access, call);
  const made = access.agentId === undefined ? await storeFlow(access, call) : undefined;
  const agentId = access.agentId ?? made ?? "";
  const close = async () => {
    if (made !== undefined) await call("DELETE", `/chatflows/${made}`);
  };
  try {
    if (made === undefined) await assertAgent(access, agentId, call);
    await assertAnswers(agentId, call);
    const stream = await call("POST", `/prediction/${agentId}`, { question: "Say hello.", streaming: true });
    return { target: toTarget(access), agentId, streams: stream.text.includes(tokenMarker), close };
  } catch (error) {
    await close();
    throw error;
  }
}

function createCall({ url, key }: Access): Call {
  const headers = { "content-type": "application/json", ...(key !== undefined && { authorization: `Bearer ${key}` }) };
  return async (method, path, body) => {
    try {
      const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
      const response = await fetch(`${url}/api/v1${path}`, init);
      return { status: response.status, text: await response.text() };
    } catch (cause) {
      const reason = cause instanceof Error && cause.cause instanceof Error ? cause.cause.message : String(cause);
      throw new BenchError(`${url} does not answer (${reason}). Check that the server runs and the address is right.`, {
        cause,
      });
    }
  };
}

async function assertSpeaks({ url }: Access, call: Call): Promise<void> {
  const { status, text } = await call("GET", "/ping");
  if (status === 200 && text.includes("pong")) return;
  throw new BenchError(`${url} does not speak Flowise's API: GET /api/v1/ping was answered with status ${status}.`);
}

async function assertKey({ url, key }: Access, call: Call): Promise<void> {
  const { status } = await call("GET", "/chatflows?page=1&limit=1");
  if (status === 200) return;
  if (status !== 401 && status !== 403) {
    throw new BenchError(`${url} does not list its agents: GET /api/v1/chatflows was answered with status ${status}.`);
  }
  throw new BenchError(
    key === undefined
      ? `${url} wants a key. Give one with --key.`
      : `${url} does not accept the key (status ${status}). Give one that may read and run agents.`,
  );
}

async function assertAgent({ url }: Access, agentId: string, call: Call): Promise<void> {
  const { status } = await call("GET", `/chatflows/${encodeURIComponent(agentId)}`);
  if (status !== 200) throw new BenchError(`${url} has no agent with the id ${agentId} (status ${status}).`);
}

async function assertAnswers(agentId: string, call: Call): Promise<void> {
  const { status, text } = await call("POST", `/prediction/${agentId}`, { question: "Say hello." });
  if (status === 200) return;
  throw new BenchError(`The agent does not answer a question (status ${status}): ${messageOf(text)}`);
}

async function storeFlow({ url, flowFile = "" }: Access, call: Call): Promise<string> {
  const flow = readFlow(flowFile);
  const isChatflow = flow.nodes.every(({ type }) => type === "customNode");
  const body = { name: "Bench", type: isChatflow ? "CHATFLOW" : "AGENTFLOW", flowData: JSON.stringify(flow) };
  const { status, text } = await call("POST", "/chatflows", body);
  if (status === 200 || status === 201) return (JSON.parse(text) as { id: string }).id;
  throw new BenchError(`${url} does not store the flow of ${flowFile} (status ${status}): ${messageOf(text)}`);
}

function readFlow(file: string): { nodes: { type?: string }[] } {
  let flow: unknown;
  try {
    flow = JSON.parse(readFileSync(file, "utf8"));
  } catch (cause) {
    throw new BenchError(`${file} cannot be read as a flow: ${cause instanceof Error ? cause.message : cause}`);
  }
  if (typeof flow === "object" && flow !== null && "nodes" in flow && Array.isArray(flow.nodes)) {
    return flow as { nodes: { type?: string }[] };
  }
  throw new BenchError(`${file} is not an exported flow: it has no list of nodes.`);
}

/** What an error says to people, of Flowise's answer or the beginning of another's. */
function messageOf(text: string): string {
  try {
    const { message } = JSON.parse(text) as { message?: unknown };
    if (typeof message === "string") return message;
  } catch {
    // Then it is text.
  }
  return text.slice(0, 300);
}

function toTarget({ url, key }: Access): Target {
  const { hostname, port, protocol, pathname } = new URL(url);
  const secure = protocol === "https:";
  return {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port || (secure ? 443 : 80)),
    secure,
    basePath: pathname === "/" ? "" : pathname,
    ...(key !== undefined && { key }),
  };
}
