export { type FormSettings, formOf, type ReadForm, readForm } from "./form.ts";
export { nodeRegistry } from "./registry.ts";
export { type ScheduleSettings, scheduleOf } from "./start-schedule.ts";
export { type WebhookBodyType, type WebhookSettings, webhookOf } from "./start-webhook.ts";
