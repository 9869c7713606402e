import type { CallToolResult, Tool } from "@modelcontextprotocol/server";
import { type FormSettings, formOf } from "@weft/nodes";
import {
  isJsonObject,
  type JsonObject,
  type PredictionRequest,
  type PredictionResult,
  readChatLook,
  WeftError,
} from "@weft/schema";
import type { Context } from "../context.ts";
import type { Needs } from "../feature.ts";
import type { Caller } from "../predictions/index.ts";
import type { ServedAgent, ServedAgents } from "../served-agents/served-agents.service.ts";
import { version } from "../version.ts";
import { type ReceivedMessage, serveMessage, type ToolServer } from "./serve-message.ts";

export type McpRequest = ReceivedMessage & { caller: Caller };

/** Serves agents as the tools of stateless MCP servers. */
export type McpService = {
  /** For a server with one agent, whose settings may be `known`. Rejects with `not-found` and `api-key-wrong`. */
  answerForAgent(agentId: string, request: McpRequest, known?: ServedAgent["agent"]): Promise<Response>;
  /** For a server with all deployed agents that the caller may use. */
  answerForAll(request: McpRequest): Promise<Response>;
};

type Toolset = {
  list(): Promise<readonly ServedAgent[]>;
  find(name: string): Promise<ServedAgent | undefined>;
};

export function createMcpService(
  agents: ServedAgents,
  { ids }: Context,
  { predictions }: Needs<"predictions">,
): McpService {
  function answer(toolset: Toolset, { caller, ...received }: McpRequest): Promise<Response> {
    const tools: ToolServer = {
      list: async () => Promise.all((await toolset.list()).map(toAgentTool)),
      async call(name, args, signal) {
        const agent = await toolset.find(name);
        return agent && ask(agent, args, { caller, signal });
      },
    };
    return serveMessage({ tools, version, received });
  }

  /** A failed run becomes a result that the calling model can act on. */
  async function ask(
    agent: ServedAgent,
    args: JsonObject,
    { caller, signal }: { caller: Caller; signal: AbortSignal },
  ): Promise<CallToolResult> {
    try {
      const request = { ...(await toQuestion(agent, args)), chatId: ids.uuid() };
      const run = await predictions.admit({
        agentId: agent.agent.id,
        readAgent: agent.readAgent,
        request,
        caller,
        chatType: "EXTERNAL",
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
    async answerForAgent(agentId, request, known) {
      const agent = await agents.find(agentId, request.caller, known);
      const find = async (name: string) => (name === agent.slug ? agent : undefined);
      return answer({ list: async () => [agent], find }, request);
    },
    answerForAll(request) {
      const list = () => agents.list(request.caller);
      return answer({ list, find: async (name) => (await list()).find(({ slug }) => slug === name) }, request);
    },
  };
}

const maxDescriptionCharacters = 2_000;

/** An agent as a tool, whose input is a question, or the fields of its start form. */
async function toAgentTool({ slug, agent, flow }: ServedAgent): Promise<Tool> {
  const form = formOf(await flow());
  const topics = agent.category.split(";").filter((topic) => topic.trim() !== "");
  const { welcomeMessage } = readChatLook(agent.chatbotConfig);
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

const questionSchema: Tool["inputSchema"] = {
  type: "object",
  properties: {
    question: { type: "string", description: "The question, including all the context needed to answer it." },
  },
  required: ["question"],
  additionalProperties: false,
};

function toFormSchema({ fields }: FormSettings): Tool["inputSchema"] {
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

/** A call's input to the agent: its start form, if it has one, else the question. */
async function toQuestion({ flow }: ServedAgent, args: JsonObject): Promise<PredictionRequest> {
  if (formOf(await flow())) return { form: args };
  return typeof args.question === "string" ? { question: args.question } : {};
}

/** The answer of an agent as the result of a call; structured if it is an object. */
function toCallResult({ text, json }: PredictionResult): CallToolResult {
  return { content: [{ type: "text", text }], ...(isJsonObject(json) && { structuredContent: json }) };
}
