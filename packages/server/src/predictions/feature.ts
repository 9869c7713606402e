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
        /** The budget of an agent's runs by its `apiConfig`, capped by the operator's. */
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
  service(context, needs) {
    const { config, modelDefaults: defaults, modelHttp, nodeTypes: registry } = context;
    const { predictions, attach } = createPredictions({
      ...context,
      ...needs.runHost,
      ...needs.runnables,
      ...needs.chats,
      registry,
      documents: needs.documents,
      drafts: needs.draftRuns,
      maxStreams: config.maxStreams,
      autoPlay: createAutoPlay(context, needs),
      followUps: createFollowUps(context, needs),
      transcribe: createTranscriber({
        defaults,
        readCredential: needs.credentials.readPlaceholders,
        fetch: modelHttp.fetch,
      }),
    });
    return { ...predictions, attach };
  },
  routes: predictionRoutes,
  // Names the overrides that clients used before an upgrade closed them.
  start: (_, __, context) => warnOfClosedOverrides(context),
});
