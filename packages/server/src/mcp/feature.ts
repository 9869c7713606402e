import { defineFeature } from "../feature.ts";
import { createServedAgents } from "../served-agents/served-agents.service.ts";
import { openCommandServers, type RunningCommands } from "./command-servers.ts";
import { mcpRoutes } from "./mcp.routes.ts";
import { createMcpService } from "./mcp.service.ts";

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
