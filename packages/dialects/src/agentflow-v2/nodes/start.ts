import type { JsonObject } from "@weft/schema";
import { type NodeConverter, type NodeScope, present } from "../node-converter.ts";
import type { Settings } from "../settings.ts";
import { toFormFields } from "./start-form.ts";
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

/** When the flow starts by itself, and what it is asked then; undefined when it says no time. */
function toSchedule(settings: Settings): JsonObject | undefined {
  const cron = toCron(settings);
  if (cron === undefined) return undefined;
  return present({
    cron,
    timeZone: settings.text("scheduleTimezone") || "UTC",
    endDate: settings.text("scheduleEndDate") || undefined,
    ...toQuestion(settings),
  });
}

function toQuestion(settings: Settings): { question?: string; form?: JsonObject } {
  switch (settings.text("scheduleInputMode")) {
    case "none":
      return {};
    case "form": {
      const defaults = settings.json("scheduleFormDefaults");
      const values = defaults === null || Array.isArray(defaults) ? {} : (defaults ?? {});
      const unset = toFormFields(settings, "scheduleFormInputTypes").map(({ name }) => [name, ""] as const);
      return { form: { ...Object.fromEntries(unset), ...values } };
    }
    default:
      return { question: settings.text("scheduleDefaultInput") };
  }
}

/** Five fields of cron; undefined when the picker or the expression is empty. */
function toCron(settings: Settings): string | undefined {
  if (settings.text("scheduleType") === "cronExpression")
    return settings.text("scheduleCronExpression").trim() || undefined;
  const frequency = settings.text("scheduleFrequency");
  if (frequency === "hourly") return `${settings.number("scheduleOnMinute") ?? 0} * * * *`;
  const [, hour, minute] = /^(\d{1,2}):(\d{2})/.exec(settings.text("scheduleOnTime")) ?? [];
  if (hour === undefined) return undefined;
  const time = `${Number(minute)} ${Number(hour)}`;
  switch (frequency) {
    case "daily":
      return `${time} * * *`;
    case "weekly":
      return withDays(settings, "scheduleOnDayOfWeek", (days) => `${time} * * ${days}`);
    case "monthly":
      return withDays(settings, "scheduleOnDayOfMonth", (days) => `${time} ${days} * *`);
    default:
      return undefined;
  }
}

/** Pickers keep days as a list, or as text with commas. */
function withDays(settings: Settings, key: string, toText: (days: string) => string): string | undefined {
  const names = settings.names(key);
  const days = (names.length > 0 ? names : settings.text(key).split(","))
    .map((day) => day.trim())
    .filter((day) => /^[\w]+$/.test(day));
  return days.length === 0 ? undefined : toText(days.join(","));
}
