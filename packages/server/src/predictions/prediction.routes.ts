import { type PredictionRequest, predictionRequestSchema, predictionResultSchema, uuidSchema } from "@weft/schema";
import { z } from "zod";
import { defineRoute, type Route } from "../http/define-route.ts";
import type { RunService } from "../runs/run.service.ts";
import { apiKeyIdsOf } from "./api-key-ids.ts";
import type { AttachService } from "./attach.service.ts";
import { executionEventsRoute } from "./execution-events.route.ts";
import type { PredictionService } from "./prediction.service.ts";
import { predictionFormSchema } from "./prediction-form.ts";

export type PredictionRouteDeps = {
  predictions: PredictionService;
  attach: AttachService;
  runs: Pick<RunService, "cancelChat">;
  /** Id of the API key that was sent as `X-API-Key`; undefined when there is none of that value. */
  findApiKeyId(key: string): Promise<string | undefined>;
};

const abortedSchema = z.object({
  status: z.number().meta({ examples: [200] }),
  message: z.string().meta({ examples: ["Chat message aborted"] }),
});

const prediction = {
  method: "POST",
  tag: "prediction",
  params: z.object({ id: uuidSchema }),
  body: predictionRequestSchema,
  multipart: { form: predictionFormSchema },
  bodyErrorStatus: 422,
  returns: { schema: predictionResultSchema, otherContentTypes: ["text/event-stream"] },
  errors: [400, 404, 422, 500],
  recallsRunning: true,
} as const;

export function predictionRoutes(deps: PredictionRouteDeps): Route[] {
  const { predictions, runs, findApiKeyId } = deps;
  const arrive = ({ params, body }: { params: { id: string }; body: PredictionRequest }) =>
    predictions.arrive({ agentId: params.id, request: body });
  const recall = (runId: string, { body }: { body: PredictionRequest }) => predictions.recall(runId, body);

  return [
    defineRoute({
      ...prediction,
      path: "/api/v1/prediction/{id}",
      operationId: "createPrediction",
      summary: "Send a message to an agent",
      description: "Answers as JSON, or with `streaming: true` as server-sent events.",
      permission: { permission: "predictions:run", agentOf: ({ params }) => params.id, counts: "prediction" },
      recall,
      arrive,
      handle: ({ params, body, newId, place, identity, headers }) => {
        const isAnonymous = identity === undefined;
        const caller = { isAnonymous, apiKeyIds: () => apiKeyIdsOf(identity, headers, findApiKeyId) };
        return predictions.ask({ agentId: params.id, request: body, caller, chatType: "EXTERNAL", newId, place });
      },
    }),
    defineRoute({
      ...prediction,
      path: "/api/v1/internal-prediction/{id}",
      operationId: "createInternalPrediction",
      summary: "Try an agent out",
      description:
        "As `createPrediction`; its messages are marked INTERNAL, and who logged in needs no key of the agent.",
      permission: "predictions:run",
      recall,
      arrive,
      handle: ({ params, body, newId, place, identity, headers }) => {
        const isAuthor = identity.kind !== "api-key";
        const caller = { isAuthor, apiKeyIds: () => apiKeyIdsOf(identity, headers, findApiKeyId) };
        return predictions.ask({ agentId: params.id, request: body, caller, chatType: "INTERNAL", newId, place });
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
      async handle({ params }) {
        await runs.cancelChat(params.agentId, params.chatId);
        return { status: 200, message: "Chat message aborted" };
      },
    }),
    executionEventsRoute(deps),
  ];
}
