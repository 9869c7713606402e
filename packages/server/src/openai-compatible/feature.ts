import { defineRoute, type Route } from "@weft/http";
import { predictionLimits } from "@weft/http/json-limits";
import { z } from "zod";
import { defineFeature, type Needs } from "../feature.ts";
import { createCaller } from "../predictions/index.ts";
import { createServedAgents, type ServedAgents } from "../served-agents/served-agents.service.ts";
import {
  chatCompletionRequestSchema,
  chatCompletionSchema,
  openAiFailure,
  servedModelListSchema,
  servedModelSchema,
} from "./chat-completion.ts";
import { type CompletionService, createCompletionService } from "./completions.service.ts";

/** Agents as models: each needs a name, since a person picks one. */
export const openAiCompatible = defineFeature({
  name: "openAiCompatible",
  needs: ["agentReader", "apiKeys", "predictions", "runnables"],
  service(context, needs) {
    const agents = createServedAgents(needs.agentReader.listSettings, needs);
    return { agents, completions: createCompletionService(agents, context, needs) };
  },
  routes: openAiRoutes,
});

const shared = { tag: "OpenAI-compatible", failure: openAiFailure } as const;
const namesModel = z.object({ model: z.string().max(200) });

/** Agents as models of OpenAI's API. Source: OpenAI API reference, "Chat completions" and "Models". */
function openAiRoutes(
  { completions, agents }: { completions: CompletionService; agents: ServedAgents },
  { apiKeys: { find: findApiKey } }: Needs<"apiKeys">,
): Route[] {
  return [
    defineRoute({
      ...shared,
      method: "GET",
      path: "/v1/models",
      operationId: "listServedModels",
      summary: "List the agents available to the caller, as models",
      permission: "predictions:run",
      returns: { schema: servedModelListSchema },
      errors: [500],
      async handle({ identity, headers, clientAddress }) {
        const caller = createCaller({ identity, headers, clientAddress, findApiKey });
        return { object: "list" as const, data: await completions.models(caller) };
      },
    }),
    defineRoute({
      ...shared,
      method: "GET",
      path: "/v1/models/{id}",
      operationId: "getServedModel",
      summary: "Get an agent, as a model",
      permission: "predictions:run",
      params: z.object({ id: z.string().max(200) }),
      returns: { schema: servedModelSchema },
      errors: [404, 500],
      handle: ({ params, identity, headers, clientAddress }) =>
        completions.model(params.id, createCaller({ identity, headers, clientAddress, findApiKey })),
    }),
    defineRoute({
      ...shared,
      method: "POST",
      path: "/v1/chat/completions",
      operationId: "createChatCompletion",
      summary: "Ask an agent through chat completions",
      description:
        "`model` is the id or name of an agent. The last user message is the question; the messages before it serve as memory for this run only. Tool calls happen inside the agent.",
      permission: {
        permission: "predictions:run",
        async agentOf({ body }) {
          const named = namesModel.safeParse(await body()).data;
          return named && agents.findId(named.model);
        },
        counts: "prediction",
        needsBearer: true,
      },
      body: chatCompletionRequestSchema,
      jsonLimits: { ...predictionLimits, longAt: ["messages.*.content.*.image_url.url"] },
      returns: { schema: chatCompletionSchema, otherContentTypes: ["text/event-stream"] },
      errors: [400, 404, 500],
      handle: ({ body, identity, headers, clientAddress, signal, visited }) =>
        completions.complete({
          body,
          caller: createCaller({ identity, headers, clientAddress, findApiKey }),
          signal,
          known: visited?.agent,
        }),
    }),
  ];
}
