export { type CallbackSender, createCallbackSender } from "./callback-sender.ts";
export { createDeliveries } from "./deliveries.ts";
export { type WebhookRouteDeps, webhookRoutes } from "./webhook.routes.ts";
export { createWebhookService, type WebhookService } from "./webhook.service.ts";
export { createWebhookSecrets } from "./webhook-secrets.ts";
