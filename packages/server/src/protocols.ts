import type { AgentReader } from "@weft/agents";
import type { CompiledFlow } from "@weft/engine";
import type { Clock, IdSource } from "@weft/engine/ports/clock";
import type { ChatClientGate } from "./access/index.ts";
import { createMcpService, type McpRouteDeps } from "./mcp/index.ts";
import { createCompletionService } from "./openai-compatible/completions.service.ts";
import type { OpenAiRouteDeps } from "./openai-compatible/openai.routes.ts";
import type { CarriedKey, PredictionService } from "./predictions/index.ts";
import { createServedAgents } from "./served-agents/served-agents.service.ts";
import { version } from "./version.ts";

export type ProtocolDeps = {
  listSettings: AgentReader["listSettings"];
  getForRun: AgentReader["getForRun"];
  toRunnable: AgentReader["toRunnable"];
  predictions: PredictionService;
  compile(versionId: string, flowData: string): CompiledFlow;
  findApiKey(key: string): Promise<CarriedKey | undefined>;
  gate: ChatClientGate;
  clock: Clock;
  ids: IdSource;
};

/**
 * Agents through the protocols of others. As models of OpenAI's API all have a name: a person picks one. As tools of MCP
 * those that are deployed have one: a model reads them all.
 */
export function createProtocols(deps: ProtocolDeps): { mcp: McpRouteDeps; openAi: OpenAiRouteDeps } {
  const { listSettings, getForRun, toRunnable, compile, predictions, findApiKey, gate, clock, ids } = deps;
  const models = createServedAgents({ listNamed: listSettings, getForRun, toRunnable, compile });
  const agents = createServedAgents({
    listNamed: async () => (await listSettings()).filter(({ deployed }) => deployed === 1),
    getForRun,
    toRunnable,
    compile,
  });
  return {
    mcp: {
      mcp: createMcpService({ agents, predictions, ids, version }),
      agents,
      findApiKey,
      allowsOrigin: gate.isOpenTo,
    },
    openAi: {
      completions: createCompletionService({ agents: models, predictions, clock, ids }),
      agents: models,
      findApiKey,
    },
  };
}
