import { predictionRequestSchema, predictionResultSchema, uuidSchema } from "@weft/schema";
import { z } from "zod";
import { defineRoute, type Route } from "../http/define-route.ts";
import type { Identity } from "../http/identity.ts";
import type { RunService } from "../runs/run.service.ts";
import type { PredictionService } from "./prediction.service.ts";

export type PredictionRouteDeps = {
  predictions: PredictionService;
  runs: Pick<RunService, "cancelChat">;
  /** Whether an agent may be asked without credentials. */
  isPublic(agentId: string): Promise<boolean>;
  /** Id of the API key that was sent as `X-API-Key`; undefined when there is none of that value. */
  findApiKeyId(key: string): Promise<string | undefined>;
};

const abortedSchema = z.object({ status: z.number(), message: z.string() });

export function predictionRoutes({ predictions, runs, isPublic, findApiKeyId }: PredictionRouteDeps): Route[] {
  async function apiKeyIds(identity: Identity | undefined, headers: Headers): Promise<string[]> {
    const key = headers.get("x-api-key");
    const beside = key === null ? undefined : await findApiKeyId(key);
    const bearer = identity?.kind === "api-key" ? identity.apiKeyId : undefined;
    return [bearer, beside].filter((id) => id !== undefined);
  }

  return [
    defineRoute({
      method: "POST",
      path: "/api/v1/prediction/{id}",
      operationId: "createPrediction",
      summary: "Send a message to an agent",
      description: "Answers as JSON, or with `streaming: true` as server-sent events.",
      tag: "prediction",
      permission: { permission: "predictions:run", isOpen: ({ id = "" }) => isPublic(id) },
      params: z.object({ id: uuidSchema }),
      body: predictionRequestSchema,
      bodyErrorStatus: 422,
      returns: { schema: predictionResultSchema, otherContentTypes: ["text/event-stream"] },
      errors: [400, 404, 422, 500],
      async handle({ params, body, identity, headers }) {
        const caller = { apiKeyIds: await apiKeyIds(identity, headers) };
        const ask = { agentId: params.id, request: body, caller, chatType: "EXTERNAL" } as const;
        const isStreaming = body.streaming === true || body.streaming === "true";
        return isStreaming ? predictions.stream(ask) : predictions.answer(ask);
      },
    }),
    defineRoute({
      method: "PUT",
      path: "/api/v1/chatmessage/abort/{agentId}/{chatId}",
      operationId: "abortChatMessage",
      summary: "Stop the runs of a chat",
      tag: "prediction",
      permission: { permission: "predictions:run", isOpen: ({ agentId = "" }) => isPublic(agentId) },
      params: z.object({ agentId: z.string(), chatId: z.string() }),
      returns: { schema: abortedSchema },
      errors: [400, 500],
      async handle({ params }) {
        await runs.cancelChat(params.agentId, params.chatId);
        return { status: 200, message: "Chat message aborted" };
      },
    }),
  ];
}
