import type { JsonObject } from "@weft/schema";
import { present } from "../node-converter.ts";
import type { Settings } from "../settings.ts";
import { toFormFields } from "./start-form.ts";

/** When the flow starts by itself, and what it is asked then; undefined when it says no time. */
export function toSchedule(settings: Settings): JsonObject | undefined {
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
