import type { IdSource } from "@weft/engine";
import { type JsonObject, WeftError } from "@weft/schema";
import type { Caller } from "../predictions/admit.ts";
import type { PredictionService } from "../predictions/prediction.service.ts";
import type { ServedAgent, ServedAgents } from "../served-agents/served-agents.service.ts";
import { toAgentTool, toCallResult, toQuestion } from "./agent-tool.ts";
import { type McpAnswer, type McpError, type McpId, type McpMessage, rpcCodes } from "./json-rpc.ts";
import { currentRevision, earlierRevisions, negotiateRevision, readRevision } from "./revision.ts";

export type McpRequest = {
  message: McpMessage;
  headers: Headers;
  caller: Caller;
  /** Aborted when the client goes away. */
  signal: AbortSignal;
};

/** `body` is absent for a notification. */
export type McpReply = { status: number; body?: McpAnswer };

/**
 * Serves agents as the tools of MCP servers that keep nothing between two messages: the current revision, and the
 * earlier ones, whose clients begin with `initialize`.
 */
export type McpService = {
  /** Of a server with one agent. Rejects with `not-found` and `api-key-wrong`. */
  answerForAgent(agentId: string, request: McpRequest): Promise<McpReply>;
  /** Of a server with all agents that are deployed and that the caller may use. */
  answerForAll(request: McpRequest): Promise<McpReply>;
};

export type McpServiceDeps = {
  agents: ServedAgents;
  predictions: Pick<PredictionService, "begin">;
  ids: IdSource;
  version: string;
};

type Outcome = { result: JsonObject } | { refusal: McpError };

type Toolset = {
  list(): Promise<readonly ServedAgent[]>;
  find(name: string): Promise<ServedAgent | undefined>;
};

export function createMcpService({ agents, predictions, ids, version }: McpServiceDeps): McpService {
  const server = { name: "weft", version };
  const capabilities = { tools: {} };

  async function answer(toolset: Toolset, request: McpRequest): Promise<McpReply> {
    const { message, headers } = request;
    const { id } = message;
    const reading = readRevision(message, headers);
    if ("refusal" in reading) return refuse(400, reading.refusal, id);
    if (id === undefined) return { status: 202 };
    const isCurrent = reading.revision === "current";
    const outcome = await (isCurrent ? answerCurrent : answerEarlier)(toolset, request);
    if (outcome === undefined) {
      const error = { code: rpcCodes.unknownMethod, message: `Method not found: ${message.method}` };
      return refuse(isCurrent ? 404 : 200, error, id);
    }
    if ("refusal" in outcome) return refuse(200, outcome.refusal, id);
    return { status: 200, body: { jsonrpc: "2.0", id, result: outcome.result } };
  }

  async function answerCurrent(toolset: Toolset, request: McpRequest): Promise<Outcome | undefined> {
    const about = { resultType: "complete", _meta: { "io.modelcontextprotocol/serverInfo": server } };
    // A list depends on who asks, and may be another the next time.
    const notKept = { ttlMs: 0, cacheScope: "private" };
    switch (request.message.method) {
      case "server/discover": {
        const supportedVersions = [currentRevision, ...earlierRevisions];
        return { result: { ...about, ...notKept, supportedVersions, capabilities } };
      }
      case "tools/list":
        return { result: { ...about, ...notKept, tools: await listTools(toolset) } };
      case "tools/call": {
        const outcome = await callTool(toolset, request);
        return "refusal" in outcome ? outcome : { result: { ...about, ...outcome.result } };
      }
      default:
        return undefined;
    }
  }

  async function answerEarlier(toolset: Toolset, request: McpRequest): Promise<Outcome | undefined> {
    const { method, params = {} } = request.message;
    switch (method) {
      case "initialize": {
        const protocolVersion = negotiateRevision(params.protocolVersion);
        return { result: { protocolVersion, capabilities, serverInfo: server } };
      }
      case "ping":
        return { result: {} };
      case "tools/list":
        return { result: { tools: await listTools(toolset) } };
      case "tools/call":
        return callTool(toolset, { ...request, signal: staysConnected });
      default:
        return undefined;
    }
  }

  async function listTools(toolset: Toolset): Promise<JsonObject[]> {
    return Promise.all((await toolset.list()).map(toAgentTool));
  }

  async function callTool(toolset: Toolset, request: McpRequest): Promise<Outcome> {
    const { name, arguments: args = {} } = request.message.params ?? {};
    const agent = typeof name === "string" ? await toolset.find(name) : undefined;
    if (!agent) return invalid(`Unknown tool: ${String(name).slice(0, 200)}`);
    if (typeof args !== "object" || args === null || Array.isArray(args)) return invalid("arguments must be an object");
    return { result: await ask(agent, args, request) };
  }

  /** A failed run is a result that the calling model can act on. */
  async function ask(agent: ServedAgent, args: JsonObject, { caller, signal }: McpRequest): Promise<JsonObject> {
    try {
      const request = { ...(await toQuestion(agent, args)), chatId: ids.uuid() };
      const run = await predictions.begin({
        agentId: agent.agent.id,
        request,
        caller,
        chatType: "EXTERNAL",
        newId: undefined,
      });
      if (signal.aborted) run.cancel();
      signal.addEventListener("abort", run.cancel, { once: true });
      return toCallResult(await run.result);
    } catch (error) {
      if (!(error instanceof WeftError) || error.code === "internal") throw error;
      return { content: [{ type: "text", text: error.message }], isError: true };
    }
  }

  return {
    async answerForAgent(agentId, request) {
      const agent = await agents.find(agentId, request.caller);
      const find = async (name: string) => (name === agent.slug ? agent : undefined);
      return answer({ list: async () => [agent], find }, request);
    },
    answerForAll(request) {
      const list = () => agents.list(request.caller);
      return answer({ list, find: async (name) => (await list()).find(({ slug }) => slug === name) }, request);
    },
  };
}

/** In earlier revisions a lost connection cancels nothing. Source: MCP 2025-11-25, "Sending Messages to the Server". */
const staysConnected = new AbortController().signal;

function invalid(message: string): { refusal: McpError } {
  return { refusal: { code: rpcCodes.invalidParams, message } };
}

function refuse(status: number, error: McpError, id: McpId | undefined): McpReply {
  return { status, body: { jsonrpc: "2.0", ...(id !== undefined && { id }), error } };
}
