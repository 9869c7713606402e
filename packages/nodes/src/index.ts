export { type FormSettings, readForm, readFormText } from "./form.ts";
export { callHttp, type HttpContext, httpConfig } from "./http.ts";
export { asksForMessages } from "./human-input.ts";
export { nodeRegistry } from "./registry.ts";
export { formOf, type ScheduleSettings, scheduleOf, webhookOf } from "./start.ts";
export type { WebhookBodyType, WebhookSettings } from "./start-webhook.ts";
