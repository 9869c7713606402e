import { defineRoute, type Route, type RouteRequest } from "@weft/http";
import { createPoller, type Poller } from "@weft/run-host";
import {
  callbackDeliverySchema,
  callbackDeliveryStateSchema,
  pageNumberQuerySchema,
  pageSchema,
  predictionResultSchema,
  uuidSchema,
  webhookAcceptedSchema,
  webhookSecretCreateSchema,
  webhookSecretSchema,
  webhookSecretStateSchema,
  wholeNumberQuery,
} from "@weft/schema";
import { z } from "zod";
import { defineFeature, type Needs, type Services } from "../feature.ts";
import { createCaller } from "../predictions/index.ts";
import { type CallbackSender, createCallbackSender } from "./callback-sender.ts";
import { createDeliveries } from "./deliveries.ts";
import { createWebhookService, type WebhookService } from "./webhook.service.ts";
import { createWebhookSecrets, type WebhookSecrets } from "./webhook-secrets.ts";

declare module "../feature.ts" {
  interface Services {
    webhooks: { webhooks: WebhookService; secrets: WebhookSecrets; callbacks: CallbackSender; poller: Poller };
  }
}

const everyMs = 1_000;

export const webhooks = defineFeature({
  name: "webhooks",
  needs: ["apiKeys", "credentials", "predictions", "runHost", "runnables", "variables"],
  tables: ["callbacks", "callbackDeliveries"],
  service(context, needs) {
    const { clock, idempotency, ids, logger } = context;
    const { due, onPause } = needs.runHost;
    const secrets = createWebhookSecrets(context, needs);
    const callbacks = createCallbackSender({ ...context, ...needs.runHost, secrets });
    const deliveries = createDeliveries(idempotency, ids);
    return {
      webhooks: createWebhookService({ ...needs, clock, secrets, callbacks, deliveries }),
      secrets,
      callbacks,
      poller: createPoller({
        clock,
        everyMs,
        round: callbacks.round,
        onFailure: (cause) => logger.error("callbacks-failed", { cause }),
        due: {
          onDue(wake) {
            const stops = [due.onDue(wake), onPause(wake)];
            return () => {
              for (const stop of stops) stop();
            };
          },
        },
      }),
    };
  },
  routes: webhookRoutes,
  on: ({ secrets, callbacks }) => ({
    async agentDeleted(tx, agentId) {
      await secrets.removeOfAgent(tx, agentId);
      await callbacks.removeOfAgent(tx, agentId);
    },
  }),
  async start({ callbacks, poller }) {
    await callbacks.clear();
    poller.start();
  },
  stop: ({ poller }) => poller.stop(),
  startedBy: ["all", "worker"],
});

type Webhooks = Services["webhooks"];

const tag = "Triggers";
const params = z.object({ id: uuidSchema });

/** Routes of agents' webhooks, and of their secrets. */
function webhookRoutes({ webhooks, callbacks }: Webhooks, { apiKeys }: Needs<"apiKeys">): Route[] {
  return [
    ...receivingRoutes(webhooks, apiKeys.find),
    ...deliveryRoutes(callbacks),
    defineRoute({
      method: "POST",
      path: "/api/v1/chatflows/{id}/webhook-secret",
      operationId: "createWebhookSecret",
      summary: "Create the secret of an agent's webhook, which is shown only once",
      description:
        "Used to sign requests according to Standard Webhooks. The previous secret stops working immediately or, with `previousValidSeconds`, after that time, so that callers can switch over.",
      tag,
      permission: "agents:write",
      agent: { param: "id" },
      params,
      body: webhookSecretCreateSchema,
      returns: { schema: webhookSecretSchema },
      errors: [400, 404],
      handle: ({ params: { id }, body }) => webhooks.create(id, body),
    }),
    defineRoute({
      method: "GET",
      path: "/api/v1/chatflows/{id}/webhook-secret",
      operationId: "getWebhookSecretState",
      summary: "Get whether an agent's webhook has a secret; the secret itself is never returned",
      tag,
      permission: "agents:read",
      agent: { param: "id" },
      params,
      returns: { schema: webhookSecretStateSchema },
      errors: [400, 404],
      handle: ({ params: { id } }) => webhooks.describe(id),
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/v1/chatflows/{id}/webhook-secret",
      operationId: "deleteWebhookSecret",
      summary: "Delete the secret of an agent's webhook",
      tag,
      permission: "agents:write",
      agent: { param: "id" },
      params,
      returns: null,
      errors: [400, 404],
      handle: ({ params: { id } }) => webhooks.remove(id),
    }),
  ];
}

const deliveryQuerySchema = z.object({
  page: pageNumberQuerySchema.default(1),
  limit: wholeNumberQuery(1, 100).default(20),
  state: callbackDeliveryStateSchema.optional(),
  executionId: uuidSchema.optional().meta({ description: "Only the deliveries of this run." }),
});

function deliveryRoutes(callbacks: Webhooks["callbacks"]): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/v1/chatflows/{id}/deliveries",
      operationId: "listCallbackDeliveries",
      summary: "List the deliveries to an agent's callback address, newest first",
      tag,
      permission: "executions:read",
      agent: { param: "id", unknown: () => ({ data: [], total: 0 }) },
      params,
      query: deliveryQuerySchema,
      returns: { schema: pageSchema(callbackDeliverySchema) },
      errors: [400],
      handle: ({ params: { id }, query }) => callbacks.list(id, query),
    }),
    defineRoute({
      method: "POST",
      path: "/api/v1/chatflows/{id}/deliveries/{deliveryId}/resend",
      operationId: "resendCallbackDelivery",
      summary: "Resend a delivery to the callback address",
      description: "Sends it immediately with the same `webhook-id`, and retries for up to a day if it fails.",
      tag,
      permission: "agents:write",
      agent: { param: "id" },
      params: params.extend({ deliveryId: uuidSchema }),
      returns: { schema: callbackDeliverySchema },
      errors: [400, 404],
      handle: ({ params: { id, deliveryId } }) => callbacks.resend(id, deliveryId),
    }),
  ];
}

function receivingRoutes(webhooks: WebhookService, findApiKey: Services["apiKeys"]["find"]): Route[] {
  const receiving = {
    method: "ANY",
    summary: "Start an agent with a webhook request",
    description:
      "The start node of the flow defines the method, content type and authentication. Returns a prediction, its event stream, or 202 immediately.",
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
      const { method, url, headers, clientAddress, readBytes, visited } = request;
      const caller = createCaller({ identity: undefined, headers, clientAddress, findApiKey });
      const call = { agentId: request.params.id, known: visited?.agent, method, url, headers, readBytes, caller };
      return webhooks.receive(call);
    },
  } as const;
  return [
    defineRoute({ ...receiving, path: "/webhook/{id}", operationId: "callWebhook" }),
    defineRoute({ ...receiving, path: "/api/v1/webhook/{id}", operationId: "callWebhookOfApi" }),
  ];
}
