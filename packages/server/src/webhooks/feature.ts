import { createPoller, type Poller } from "@weft/run-host";
import { defineFeature } from "../feature.ts";
import { type CallbackSender, createCallbackSender } from "./callback-sender.ts";
import { createDeliveries } from "./deliveries.ts";
import { webhookRoutes } from "./webhook.routes.ts";
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
