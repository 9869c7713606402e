import type { IdSource } from "@weft/engine";
import { type FormSettings, formOf } from "@weft/nodes";
import { type Json, type JsonObject, type PredictionRequest, type PredictionResult, WeftError } from "@weft/schema";
import { parseChatLook } from "../chat-client/parse-settings.ts";
import type { Caller, PredictionService } from "../predictions/index.ts";
import type { ServedAgent, ServedAgents } from "../served-agents/served-agents.service.ts";
import { type McpAnswer, type McpError, type McpId, type McpMessage, rpcCodes } from "./json-rpc.ts";

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

/** The revision whose requests stand for themselves. */
const currentRevision = "2026-07-28";
/** Revisions that begin with `initialize`, the newest first. What is served of them here is the same in all. */
const earlierRevisions = ["2025-11-25", "2025-06-18", "2025-03-26"] as const;

/** How a message is to be read; or why it is refused, with status 400. */
type Reading = { revision: "current" | "earlier" } | { refusal: McpError };

const versionKey = "io.modelcontextprotocol/protocolVersion";
const capabilitiesKey = "io.modelcontextprotocol/clientCapabilities";

/**
 * Reads by which revision a message speaks, and checks that headers say the same as the message.
 * Source: MCP 2026-07-28, "Versioning" and "Streamable HTTP", Server Validation.
 */
function readRevision(message: McpMessage, headers: Headers): Reading {
  const claimed = headers.get("mcp-protocol-version");
  const meta = (message.params?._meta ?? {}) as JsonObject;
  const version = meta[versionKey];
  if (version === undefined && claimed !== currentRevision) {
    const isKnown = claimed === null || earlierRevisions.some((known) => known === claimed);
    return isKnown ? { revision: "earlier" } : { refusal: unsupported(claimed) };
  }
  if (message.id === undefined) return { revision: "current" };
  const mismatch = findMismatch(message, headers, version);
  if (mismatch) return { refusal: { code: rpcCodes.headerMismatch, message: `Header mismatch: ${mismatch}` } };
  if (version !== currentRevision) return { refusal: unsupported(version ?? null) };
  if (typeof meta[capabilitiesKey] === "object" && meta[capabilitiesKey] !== null) return { revision: "current" };
  return { refusal: { code: rpcCodes.invalidParams, message: `params._meta needs ${capabilitiesKey}, an object.` } };
}

/** The revision to speak with a client that begins with `initialize`: the one it asks for, else the newest of these. */
function negotiateRevision(requested: Json | undefined): string {
  return earlierRevisions.find((known) => known === requested) ?? earlierRevisions[0];
}

function unsupported(requested: Json): McpError {
  const supported = [currentRevision, ...earlierRevisions];
  return { code: rpcCodes.unsupportedVersion, message: "Unsupported protocol version", data: { supported, requested } };
}

function findMismatch({ method, params }: McpMessage, headers: Headers, version: Json | undefined): string | undefined {
  const mirrored: [string, string | null, Json | undefined][] = [
    ["MCP-Protocol-Version", headers.get("mcp-protocol-version"), version],
    ["Mcp-Method", headers.get("mcp-method"), method],
  ];
  if (method === "tools/call") mirrored.push(["Mcp-Name", decode(headers.get("mcp-name")), params?.name]);
  const [name] = mirrored.find(([, header, value]) => header !== value) ?? [];
  return name && `the header ${name} must be sent, with the value of the message`;
}

/** Values that a header cannot hold come as `=?base64?…?=`. */
function decode(value: string | null): string | null {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(value ?? "")?.[1];
  return encoded === undefined ? value : Buffer.from(encoded, "base64").toString();
}

const maxDescriptionCharacters = 2_000;

/** An agent as a tool: it takes a question, or the fields of the form that it begins with. */
async function toAgentTool({ slug, agent, flow }: ServedAgent): Promise<JsonObject> {
  const form = formOf(await flow());
  const topics = agent.category.split(";").filter((topic) => topic.trim() !== "");
  const { welcomeMessage } = parseChatLook(agent.chatbotConfig);
  const sentences = [
    `Asks the agent ${agent.name}.`,
    form?.title,
    form?.description,
    typeof welcomeMessage === "string" ? welcomeMessage : undefined,
    topics.length > 0 ? `Topics: ${topics.join(", ")}.` : undefined,
  ];
  const description = sentences.filter((sentence) => sentence).join(" ");
  return {
    name: slug,
    title: agent.name,
    description: description.slice(0, maxDescriptionCharacters),
    inputSchema: form ? toFormSchema(form) : questionSchema,
  };
}

const questionSchema: JsonObject = {
  type: "object",
  properties: {
    question: { type: "string", description: "The question, including all the context needed to answer it." },
  },
  required: ["question"],
  additionalProperties: false,
};

function toFormSchema({ fields }: FormSettings): JsonObject {
  const properties = fields.map(({ name, label, type, options, default: fallback }) => [
    name,
    {
      type: type === "options" ? "string" : type,
      ...(label !== "" && { description: label }),
      ...(type === "options" && options.length > 0 && { enum: options }),
      ...(fallback !== undefined && { default: fallback }),
    },
  ]);
  const required = fields.filter((field) => field.required && field.default === undefined).map(({ name }) => name);
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** What a call asks the agent: its form, where it begins with one, else the question. */
async function toQuestion(
  { flow }: ServedAgent,
  args: JsonObject,
): Promise<Pick<PredictionRequest, "form" | "question">> {
  if (formOf(await flow())) return { form: args };
  return typeof args.question === "string" ? { question: args.question } : {};
}

/** The answer of an agent as the result of a call; structured where it is an object. */
function toCallResult({ text, json }: PredictionResult): JsonObject {
  const isObject = typeof json === "object" && json !== null && !Array.isArray(json);
  return { content: [{ type: "text", text }], ...(isObject && { structuredContent: json }) };
}
