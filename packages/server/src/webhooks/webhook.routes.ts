import { predictionResultSchema, uuidSchema, webhookAcceptedSchema, webhookSecretSchema } from "@weft/schema";
import { z } from "zod";
import { defineRoute, type Route, type RouteRequest } from "../http/define-route.ts";
import { apiKeyIdsOf } from "../predictions/api-key-ids.ts";
import type { WebhookService } from "./webhook.service.ts";

export type WebhookRouteDeps = {
  webhooks: WebhookService;
  /** Id of the API key of that value; undefined when there is none. */
  findApiKeyId(key: string): Promise<string | undefined>;
};

const tag = "Triggers";
const params = z.object({ id: uuidSchema });

/** Routes of the webhooks with which agents begin, and of their secrets. */
export function webhookRoutes(deps: WebhookRouteDeps): Route[] {
  const { webhooks } = deps;
  return [
    ...receivingRoutes(deps),
    defineRoute({
      method: "POST",
      path: "/api/v1/chatflows/{id}/webhook-secret",
      operationId: "createWebhookSecret",
      summary: "Make the secret of an agent's webhook, which is shown once",
      description: "The secret before it is void at once.",
      tag,
      permission: "agents:write",
      params,
      returns: { schema: webhookSecretSchema },
      errors: [400, 404],
      handle: ({ params: { id } }) => webhooks.create(id),
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/v1/chatflows/{id}/webhook-secret",
      operationId: "deleteWebhookSecret",
      summary: "Delete the secret of an agent's webhook",
      tag,
      permission: "agents:write",
      params,
      returns: null,
      errors: [400, 404],
      handle: ({ params: { id } }) => webhooks.remove(id),
    }),
  ];
}

function receivingRoutes({ webhooks, findApiKeyId }: WebhookRouteDeps): Route[] {
  const receiving = {
    method: "ANY",
    summary: "Start an agent by a request",
    description:
      "Takes the method, content type and proof that the start node of the flow names. Answers as a prediction, as its stream, or at once.",
    tag,
    permission: {
      permission: "open",
      agentOf: ({ params }: { params: { id?: string } }) => params.id,
      counts: "prediction",
    },
    params,
    takesRawBody: true,
    bodyLimitBytes: 25 * 1_024 ** 2,
    returns: {
      schema: predictionResultSchema,
      otherContentTypes: ["text/event-stream"],
      accepted: webhookAcceptedSchema,
    },
    errors: [400, 401, 404, 409, 500],
    handle: (request: RouteRequest<z.output<typeof params>>) => {
      const { method, url, headers, readBytes } = request;
      const apiKeyIds = () => apiKeyIdsOf(undefined, headers, findApiKeyId);
      return webhooks.receive({ agentId: request.params.id, method, url, headers, readBytes, apiKeyIds });
    },
  } as const;
  return [
    defineRoute({ ...receiving, path: "/webhook/{id}", operationId: "callWebhook" }),
    defineRoute({ ...receiving, path: "/api/v1/webhook/{id}", operationId: "callWebhookOfApi" }),
  ];
}
