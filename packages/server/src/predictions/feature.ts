import { createAssistantReader, createFlowCache, type FlowCache } from "@weft/agents";
import { toMediaType } from "@weft/chats";
import { defineRoute, type Route, toNetwork } from "@weft/http";
import { type Identity, isAccount, ownerOf, reachOf } from "@weft/http/identity";
import { assertWithin, predictionLimits } from "@weft/http/json-limits";
import { integrations } from "@weft/integrations";
import { createTranscriber } from "@weft/providers";
import { askerOf } from "@weft/run-host";
import {
  type Budget,
  budgetOf,
  chatRepliesSchema,
  type PredictionRequest,
  parseJson,
  predictionRequestSchema,
  predictionResultSchema,
  readBudget,
  repliesQuerySchema,
  type Upload,
  uploadedFileSchema,
  uuidSchema,
} from "@weft/schema";
import { z } from "zod";
import { keepByText } from "../chat-client/agent-policies.ts";
import { defineFeature, type Needs, type Services } from "../feature.ts";
import { findStopping } from "../flows/check-needs.ts";
import type { AttachService } from "./attach.service.ts";
import { createAutoPlay } from "./auto-play.ts";
import { assertKey, createCaller, createRunnables, type Runnables } from "./caller.ts";
import { createFollowUps } from "./follow-ups.service.ts";
import { warnOfClosedOverrides } from "./override-permissions.ts";
import { createPredictions, type PredictionService } from "./prediction.service.ts";

import { toDataUrl } from "./uploads.ts";

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
      transcribe: createTranscriber(defaults, needs.credentials.readPlaceholders, modelHttp.fetch),
    });
    return { ...predictions, attach };
  },
  routes: (predictions, needs) => [...predictionRoutes(predictions, needs), repliesRoute(needs)],
  // Names the overrides that clients used before an upgrade closed them.
  start: (_, __, context) => warnOfClosedOverrides(context),
});

const abortedSchema = z.object({
  status: z.number().meta({ examples: [200] }),
  message: z.string().meta({ examples: ["Chat message aborted"] }),
});

const jsonTextSchema = z.string().transform((text, context) => {
  const value = parseJson(text);
  if (value === undefined) {
    context.addIssue("must be JSON text");
    return z.NEVER;
  }
  assertWithin(value, predictionLimits);
  return value;
});

/** A prediction as a form: fields that are objects or lists are JSON text, each file is an upload. */
const predictionFormSchema = z
  .looseObject({
    overrideConfig: jsonTextSchema.optional(),
    form: jsonTextSchema.optional(),
    history: jsonTextSchema.optional(),
    humanInput: jsonTextSchema.optional(),
    files: z.array(uploadedFileSchema),
  })
  .transform(({ files, uploads: _, ...fields }) => ({
    ...fields,
    ...(files.length > 0 && { uploads: files.map(toUpload) }),
  }));

function toUpload({ name, mimeType, bytes }: z.infer<typeof uploadedFileSchema>): Upload {
  return { type: "file", name, mime: mimeType, data: toDataUrl({ mimeType: toMediaType(mimeType), bytes }) };
}

const prediction = {
  method: "POST",
  tag: "prediction",
  params: z.object({ id: uuidSchema }),
  body: predictionRequestSchema,
  jsonLimits: { ...predictionLimits, longAt: ["uploads.*.data"] },
  multipart: { form: predictionFormSchema, maxFieldCharacters: predictionLimits.characters },
  bodyErrorStatus: 422,
  returns: { schema: predictionResultSchema, otherContentTypes: ["text/event-stream"] },
  errors: [400, 404, 422, 500],
  recallsRunning: true,
} as const;

function predictionRoutes(
  predictions: Services["predictions"],
  { apiKeys, runHost: { runs }, runnables: { toRunnable } }: Needs<"apiKeys" | "runHost" | "runnables">,
): Route[] {
  const findApiKey = apiKeys.find;
  type Arriving = { identity: Identity | undefined; params: { id: string }; body: PredictionRequest };
  const arrive = ({ identity, params, body }: Arriving) =>
    predictions.arrive({ agentId: params.id, request: body, caller: { owner: ownerOf(identity) } });
  const recall = (runId: string, { body, clientAddress }: { body: PredictionRequest; clientAddress: string }) =>
    predictions.recall(runId, { request: body, caller: { owner: `network:${toNetwork(clientAddress)}` } });

  return [
    defineRoute({
      ...prediction,
      path: "/api/v1/prediction/{id}",
      operationId: "createPrediction",
      summary: "Send a message to an agent",
      description: "Returns JSON or, with `streaming: true`, server-sent events.",
      permission: { permission: "predictions:run", agentOf: ({ params }) => params.id, counts: "prediction" },
      recall,
      arrive,
      handle: ({ params, body, newId: runId, place, identity, headers, clientAddress, signal, visited }) => {
        const caller = createCaller({ identity, headers, clientAddress, findApiKey });
        const readAgent = visited && (() => toRunnable(visited.agent));
        const message = { agentId: params.id, request: body, caller, runId, place, signal };
        return predictions.predict({ ...message, ...(readAgent && { readAgent }), chatType: "EXTERNAL" });
      },
    }),
    defineRoute({
      ...prediction,
      path: "/api/v1/internal-prediction/{id}",
      operationId: "createInternalPrediction",
      audit: false,
      summary: "Test an agent",
      description:
        "Same as `createPrediction`, but messages are marked INTERNAL and a logged-in account does not need the agent's key.",
      permission: "predictions:run",
      recall,
      arrive,
      handle: ({ params, body, newId: runId, place, identity, headers }) => {
        const isAuthor = isAccount(identity);
        const caller = { ...createCaller({ identity, headers, clientAddress: "", findApiKey }), isAuthor };
        return predictions.predict({ agentId: params.id, request: body, caller, chatType: "INTERNAL", runId, place });
      },
    }),
    defineRoute({
      method: "PUT",
      path: "/api/v1/chatmessage/abort/{agentId}/{chatId}",
      operationId: "abortChatMessage",
      summary: "Stop the runs of a chat",
      tag: "prediction",
      permission: { permission: "predictions:run", agentOf: ({ params: { agentId } }) => agentId, counts: "write" },
      params: z.object({ agentId: z.string(), chatId: z.string() }),
      returns: { schema: abortedSchema },
      errors: [400, 500],
      async handle({ params, identity }) {
        await runs.cancelChat(params.agentId, params.chatId, reachOf(identity));
        return { status: 200, message: "Chat message aborted" };
      },
    }),
    executionEventsRoute(predictions.attach, findApiKey),
  ];
}

/** What people wrote in a chat, for those who may send its messages: a chat's id is as hard to guess as a run's. */
function repliesRoute({
  apiKeys,
  chats: { conversations },
  runnables: { getForRun },
}: Needs<"apiKeys" | "chats" | "runnables">): Route {
  return defineRoute({
    method: "GET",
    path: "/api/v1/chatmessage/replies/{agentId}/{chatId}",
    operationId: "listChatReplies",
    summary: "Get what people wrote in a chat in place of the agent",
    description:
      "At most 100 replies: the newest ones, or those after a message. While a person answers a chat, predictions in it return `takenOver`; ask for replies every few seconds then.",
    tag: "prediction",
    permission: { permission: "predictions:run", agentOf: ({ params }) => params.agentId, counts: "read" },
    params: z.object({ agentId: uuidSchema, chatId: z.string().max(200) }),
    query: repliesQuerySchema,
    returns: { schema: chatRepliesSchema },
    errors: [400, 404, 500],
    async handle({ params: { agentId, chatId }, query, identity, headers, clientAddress }) {
      const caller = createCaller({ identity, headers, clientAddress, findApiKey: apiKeys.find });
      await assertKey(await getForRun(agentId), caller);
      return conversations.replies({ agentId, chatId, owners: [caller.owner, ...caller.adopts] }, query.after);
    },
  });
}

/**
 * The stream of a run for a client that lost it. Visitors of a public agent may read the runs of its predictions: the
 * id of a run has 74 random bits (`id-source.ts`) and is given only to the sender of the message.
 */
function executionEventsRoute(attach: AttachService, findApiKey: Services["apiKeys"]["find"]): Route {
  return defineRoute({
    method: "GET",
    path: "/api/v1/executions/{executionId}/events",
    operationId: "streamExecution",
    summary: "Stream a run, from the start or from where the stream was cut off",
    description:
      "Returns the same events as the prediction's stream: with `Last-Event-ID`, the id of an event, everything after " +
      "that event, otherwise everything, and then new events until `end`. When a run waits for human input, its stream ends; the last " +
      "event leads to the stream that follows the answer.",
    tag: "executions",
    permission: {
      permission: "executions:read",
      agentOf: ({ params: { executionId = "" } }) => attach.visitedAgent(executionId),
      counts: "read",
    },
    params: z.object({ executionId: uuidSchema }),
    query: z.object({
      lastEventId: z.string().optional().meta({ description: "For clients that cannot set the header Last-Event-ID." }),
    }),
    returns: { schema: z.string(), contentType: "text/event-stream" },
    errors: [400, 404, 500],
    handle({ params, query, identity, headers, clientAddress }) {
      const lastEventId = headers.get("last-event-id") ?? query.lastEventId;
      const visitor = createCaller({ identity, headers, clientAddress, findApiKey });
      const caller = askerOf(identity, clientAddress);
      const reconnect = { runId: params.executionId, lastEventId, caller, reach: reachOf(identity) };
      return attach.stream({ ...reconnect, ...(identity ? {} : { visitor }) });
    },
  });
}
