export { type FormSettings, formOf, readForm, readFormText } from "./form.ts";
export { callHttp, type HttpContext, httpConfig } from "./http.ts";
export { asksForMessages } from "./human-input.ts";
export { nodeRegistry } from "./registry.ts";
export { type ScheduleSettings, scheduleOf } from "./start.ts";
export { type WebhookBodyType, type WebhookSettings, webhookOf } from "./start-webhook.ts";
