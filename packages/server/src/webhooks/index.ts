export { type CallbackSender, createCallbackSender } from "./callback-sender.ts";
export { createDeliveries } from "./deliveries.ts";
export { webhookRoutes } from "./webhook.routes.ts";
export { createWebhookService } from "./webhook.service.ts";
export { createWebhookSecrets } from "./webhook-secrets.ts";
