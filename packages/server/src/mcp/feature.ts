import { defineRoute, forbiddenOrigin, type RawRequest, type Route } from "@weft/http";
import { predictionLimits } from "@weft/http/json-limits";
import { uuidSchema } from "@weft/schema";
import { z } from "zod";
import { defineFeature, type Needs } from "../feature.ts";
import { createCaller } from "../predictions/index.ts";
import { createServedAgents, type ServedAgents } from "../served-agents/served-agents.service.ts";
import { openCommandServers, type RunningCommands } from "./command-servers.ts";
import { createMcpService, type McpService } from "./mcp.service.ts";

import { mcpAnswerSchema, mcpFailure, mcpMessageSchema } from "./serve-message.ts";

declare module "../feature.ts" {
  interface Services {
    commandServers: RunningCommands;
  }
}

/** The operator's MCP servers, which flows use by name. */
export const commandServers = defineFeature({
  name: "commandServers",
  service: ({ config, ...context }) => openCommandServers(config, context),
  stop: (servers) => servers.close(),
});

/** Agents as tools: each deployed one needs a name, since a model reads them all. */
export const mcp = defineFeature({
  name: "mcp",
  needs: ["agentReader", "apiKeys", "chatClientGate", "predictions", "runnables"],
  service(context, { agentReader, ...needs }) {
    const listNamed = async () => (await agentReader.listSettings()).filter(({ deployed }) => deployed === 1);
    const agents = createServedAgents(listNamed, needs);
    return { agents, mcp: createMcpService(agents, context, needs) };
  },
  routes: mcpRoutes,
});

const endpoint = {
  method: "POST",
  tag: "MCP",
  body: mcpMessageSchema,
  bodyLimitBytes: 1_048_576,
  jsonLimits: predictionLimits,
  returns: { schema: mcpAnswerSchema, emptyStatus: 202 },
  errors: [400, 404, 500],
  failure: mcpFailure,
} as const;

const description = "Stateless Streamable HTTP, revisions 2026-07-28 and 2025-11-25 of the Model Context Protocol.";

/** Agents as tools of MCP clients. Source: Model Context Protocol 2026-07-28, "Streamable HTTP". */
function mcpRoutes(
  { mcp, agents }: { mcp: McpService; agents: ServedAgents },
  { apiKeys: { find: findApiKey }, chatClientGate }: Needs<"apiKeys" | "chatClientGate">,
): Route[] {
  /** Pages of other sites may send a request before they learn that they must not read its answer. */
  async function assertOrigin(headers: Headers, agentId?: string): Promise<void> {
    const origin = headers.get("origin");
    if (origin !== null && !(await chatClientGate.isOpenTo(origin, agentId))) throw forbiddenOrigin(origin);
  }

  return [
    defineRoute({
      ...endpoint,
      path: "/api/v1/mcp/{agentId}",
      operationId: "callAgentByMcp",
      summary: "An agent as an MCP server with one tool",
      description,
      permission: {
        permission: "predictions:run",
        agentOf: async ({ params, body }) => ((await calledTool(body)) === undefined ? undefined : params.agentId),
        counts: "prediction",
        needsBearer: true,
      },
      params: z.object({ agentId: uuidSchema }),
      async handle({ params: { agentId }, body: message, headers, identity, clientAddress, signal, visited }) {
        await assertOrigin(headers, agentId);
        const caller = createCaller({ identity, headers, clientAddress, findApiKey });
        return mcp.answerForAgent(agentId, { message, headers, caller, signal }, visited?.agent);
      },
    }),
    defineRoute({
      ...endpoint,
      path: "/api/v1/mcp",
      operationId: "callAgentsByMcp",
      summary: "All deployed agents as the tools of an MCP server",
      description,
      permission: {
        permission: "predictions:run",
        async agentOf({ body }) {
          const name = await calledTool(body);
          return name === undefined ? undefined : agents.findId(name);
        },
        counts: "prediction",
        needsBearer: true,
      },
      async handle({ body: message, headers, identity, clientAddress, signal }) {
        await assertOrigin(headers);
        const caller = createCaller({ identity, headers, clientAddress, findApiKey });
        return mcp.answerForAll({ message, headers, caller, signal });
      },
    }),
  ];
}

/** The tool that a message calls: such messages count as predictions, others do not. */
async function calledTool(body: RawRequest["body"]): Promise<string | undefined> {
  const message = mcpMessageSchema.safeParse(await body()).data;
  const name = message?.method === "tools/call" ? message.params?.name : undefined;
  return typeof name === "string" ? name : undefined;
}
