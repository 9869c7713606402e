import type { JsonObject } from "@weft/schema";
import { type NodeConverter, type NodeScope, present } from "../node-converter.ts";
import { toFormFields } from "./start-form.ts";
import { toSchedule } from "./start-schedule.ts";
import { toWebhook } from "./start-webhook.ts";

export const start: NodeConverter = {
  type: "start",
  toConfig(scope) {
    const { settings } = scope;
    return {
      ...toInput(scope),
      ...toState(scope),
      ...(settings.flag("startEphemeralMemory") ? { ephemeralMemory: true } : {}),
      ...(settings.flag("startPersistState") ? { persistState: true } : {}),
    };
  },
};

function toInput(scope: NodeScope): JsonObject {
  const { settings } = scope;
  switch (settings.text("startInputType")) {
    case "formInput": {
      const title = settings.text("formTitle") || undefined;
      const description = settings.text("formDescription") || undefined;
      return { input: "form", form: present({ title, description, fields: toFormFields(settings, "formInputTypes") }) };
    }
    case "webhookTrigger":
      return { input: "webhook", webhook: toWebhook(scope) };
    case "scheduleInput":
      return present({ input: "schedule", schedule: toSchedule(settings) });
    default:
      return { input: "chat" };
  }
}

/** Values are texts as they stand: references in them were never resolved. */
function toState({ settings }: NodeScope): JsonObject {
  const entries = settings
    .rows("startState")
    .map((row) => [row.text("key"), row.text("value")] as const)
    .filter(([key]) => key !== "");
  return entries.length === 0 ? {} : { state: Object.fromEntries(entries) };
}
