import { createAssistantReader, createFlowCache, type FlowCache } from "@weft/agents";
import { integrations } from "@weft/integrations";
import { createTranscriber } from "@weft/providers";
import { type Budget, budgetOf, readBudget } from "@weft/schema";
import { keepByText } from "../chat-client/agent-policies.ts";
import { defineFeature } from "../feature.ts";
import { findStopping } from "../flows/check-needs.ts";
import type { AttachService } from "./attach.service.ts";
import { createAutoPlay } from "./auto-play.ts";
import { createRunnables, type Runnables } from "./caller.ts";
import { createFollowUps } from "./follow-ups.service.ts";
import { warnOfClosedOverrides } from "./override-permissions.ts";
import { predictionRoutes } from "./prediction.routes.ts";
import { createPredictions, type PredictionService } from "./prediction.service.ts";

declare module "../feature.ts" {
  interface Services {
    runnables: Runnables &
      Pick<FlowCache, "compile"> & {
        /** What an agent's `apiConfig` allows its runs to take, within what the operator allows. */
        budgetIn(apiConfig: string): Budget;
      };
    predictions: PredictionService & { attach: AttachService };
  }
}

export const runnables = defineFeature({
  name: "runnables",
  needs: ["agentReader"],
  service: ({ config, database, nodeTypes }, { agentReader }) => ({
    ...createRunnables(agentReader, createAssistantReader(database, agentReader)),
    compile: createFlowCache(nodeTypes, (flow) => findStopping(flow, integrations)).compile,
    budgetIn: keepByText((apiConfig) => budgetOf(readBudget(apiConfig), config.budgetCeilings)),
  }),
});

export const predictions = defineFeature({
  name: "predictions",
  needs: [
    "apiKeys",
    "chats",
    "credentials",
    "documents",
    "draftRuns",
    "nodeServices",
    "runHost",
    "runnables",
    "textToSpeech",
  ],
  service(context, { chats, credentials, documents, draftRuns, nodeServices, runHost, runnables, textToSpeech }) {
    const { config, modelDefaults: defaults, modelHttp, nodeTypes: registry } = context;
    const watched = { ...context, ...runHost };
    const { predictions, attach } = createPredictions({
      ...watched,
      ...runnables,
      ...chats,
      documents,
      registry,
      drafts: draftRuns,
      maxStreams: config.maxStreams,
      autoPlay: createAutoPlay({ ...watched, readAloud: textToSpeech.autoPlay }),
      followUps: createFollowUps({ ...watched, models: nodeServices.models }),
      transcribe: createTranscriber({ defaults, readCredential: credentials.lend, fetch: modelHttp.fetch }),
    });
    return { ...predictions, attach };
  },
  routes: (predictions, { apiKeys, runHost: { runs }, runnables: { toRunnable } }) =>
    predictionRoutes({ predictions, attach: predictions.attach, runs, findApiKey: apiKeys.find, toRunnable }),
  // Names what clients overrode before an upgrade closed it.
  start: (_, __, context) => warnOfClosedOverrides(context),
});
