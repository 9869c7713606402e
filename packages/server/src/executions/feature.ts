import { createMemory } from "@weft/chats";
import { createRunHost, executionRoutes, type RunHost, readFlowState, readRunInput, statsRoutes } from "@weft/run-host";
import { chatOwnerOf } from "@weft/schema";
import { parseAbandonedRuns } from "../chat-client/agent-policies.ts";
import type { Context } from "../context.ts";
import { defineFeature, type Services } from "../feature.ts";
import { concealing } from "../known-secrets.ts";
import { createChildRuns, readDraft, withNodeConfig } from "../predictions/index.ts";

declare module "../feature.ts" {
  interface Services {
    runHost: RunHost;
  }
}

/** Of the session, the last ones before the replayed run. */
const messagesInReplay = 200;

/** The runs of this process. None starts before `executions`, which provides the services of runs. */
export const runHost = defineFeature({
  name: "runHost",
  needs: ["chats", "draftRuns", "prices", "runnables"],
  service(context, { chats, draftRuns, prices, runnables }) {
    const { config, events, hooks, nodeTypes, telemetry, vault } = context;
    const { budgetIn, compile, findSettings, flowOfVersion, getForRun } = runnables;
    const memory = memoryOf(context, chats);
    const apiConfigOf = async (agentId: string) => (await findSettings(agentId))?.apiConfig ?? "{}";
    return createRunHost({
      ...context,
      limits: config,
      timings: { leaseMs: config.runLeaseMs },
      runEnded: events.runEnded,
      observer: hooks.observer,
      watch: hooks.watch,
      conceal: concealing(vault).value,
      costOf: prices.costOf,
      budgetRefused: telemetry.budgetRefused,
      budgetOf: async (agentId) => budgetIn(await apiConfigOf(agentId)),
      patienceMs: async (agentId) => parseAbandonedRuns(await apiConfigOf(agentId)),
      async forgetRuns(tx, forgotten) {
        await chats.messages.forgetRuns(tx, forgotten);
        await draftRuns.forgetVersions(tx, [...new Set(forgotten.map(({ agentVersionId }) => agentVersionId))]);
      },
      async flowOfAgent(versionId, input) {
        const flowData = await flowOfVersion(versionId);
        if (flowData === undefined) return undefined;
        return withNodeConfig(compile(versionId, flowData), input.nodeConfig, nodeTypes);
      },
      replays: {
        draftOf: (agentId) => readDraft({ drafts: draftRuns, getForRun }, agentId),
        async messagesBefore(runId, started) {
          const { agentId, sessionId } = started;
          const session = { agentId, sessionId, owner: chatOwnerOf(started) };
          const said = await memory.messages({ ...session, beforeRun: runId, limit: messagesInReplay });
          return said.map(({ role, content }) => ({ role, content }));
        },
      },
    });
  },
});

export const executions = defineFeature({
  name: "executions",
  needs: ["chats", "documentStores", "nodeServices", "runHost", "runnables", "variables"],
  tables: ["runs", "runEvents", "importedRuns", "budgets", "promptParts"],
  routes: (_, { runHost }) => [...executionRoutes(runHost.executions), ...statsRoutes(runHost.stats)],
  on: (_, { runHost }) => ({ agentDeleted: runHost.runs.cancelOfAgent }),
  async start(_, needs, context) {
    const { chats, documentStores, nodeServices, runHost, variables } = needs;
    const { recorder } = context.hooks;
    const childRuns = createChildRuns(context, needs);
    await documentStores.openModels();
    const { files, conversations: people } = chats;
    await runHost.start({
      services: { ...nodeServices, files, ...documentStores.services, childRuns, people },
      memory: memoryOf(context, chats),
      variables,
      conceal: concealing(context.vault).event,
      builtInFlows: documentStores.builtInFlows,
      ...(recorder && { recorder }),
    });
    await documentStores.start();
  },
  async stop(_, { documentStores, runHost }) {
    await Promise.all([documentStores.stop(), runHost.close()]);
  },
});

function memoryOf({ database: { read } }: Context, { messages }: Services["chats"]) {
  return createMemory(messages, {
    flowState: (runId) => readFlowState(read, runId),
    input: (runId) => readRunInput(read, runId),
  });
}
