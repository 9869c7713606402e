import type { JsonObject } from "@weft/schema";
import { type NodeConverter, type NodeScope, present } from "../node-converter.ts";
import type { Settings } from "../settings.ts";

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

const types = new Set(["string", "number", "boolean", "options"]);

/** Fields of a form, in their order. */
export function toFormFields(settings: Settings, key: string): JsonObject[] {
  return settings
    .rows(key)
    .map((row) => {
      const name = row.text("name");
      const type = types.has(row.text("type")) ? row.text("type") : "string";
      const options = row.rows("addOptions").map((option) => option.text("option"));
      return { name, label: row.text("label"), type, ...(type === "options" ? { options } : {}) };
    })
    .filter(({ name }) => name !== "" && name !== "__proto__");
}

/** How the flow is called from elsewhere, and what the caller's request asks. */
function toWebhook(scope: NodeScope): JsonObject {
  const { settings } = scope;
  return present({
    method: oneOf(settings.text("webhookMethod"), ["POST", "GET", "PUT", "PATCH", "DELETE"]),
    contentType: oneOf(settings.text("webhookContentType"), ["application/json", "application/x-www-form-urlencoded"]),
    question: questionOf(settings),
    auth: toAuth(scope),
    ...toResponse(scope),
    validation: toValidation(settings),
  });
}

/** The value when it is one of the known ones, else the first of these. */
function oneOf(value: string, known: readonly [string, ...string[]]): string {
  return known.includes(value) ? value : known[0];
}

function questionOf(settings: Settings): string | undefined {
  const mode = settings.text("webhookInputMode");
  return mode === "none" || mode === "payload" ? undefined : settings.template("webhookDefaultInput");
}

/** Open to everybody unless its switch is on. The secret stands in no flow. */
function toAuth({ settings, report }: NodeScope): JsonObject {
  if (!settings.flag("webhookEnableAuth")) return { type: "none" };
  report.warn(
    "webhook-secret",
    "Its webhook secret is not part of the exported flow, and requests are rejected without it. Enter it in the agent's settings, or choose a credential that contains it.",
  );
  const header = settings.text("webhookSignatureHeader").trim();
  return {
    type: oneOf(settings.text("webhookSignatureType"), ["hmac-sha256", "plain-token"]),
    ...(header === "" ? {} : { header }),
  };
}

function toResponse({ settings, report }: NodeScope): { response: string; callbackUrl?: string } {
  const response = oneOf(settings.text("webhookResponseMode"), ["sync", "async", "stream"]);
  const callbackUrl = settings.text("callbackUrl").trim();
  if (response !== "async" || callbackUrl === "") return { response };
  if (settings.text("callbackSecret") !== "") {
    report.warn(
      "webhook-secret",
      "Its callback secret does not travel with the flow. Choose a credential that holds it, to have callbacks signed with it.",
    );
  }
  return { response, callbackUrl };
}

const bodyTypes = [
  "string",
  "number",
  "boolean",
  "object",
  "array[string]",
  "array[number]",
  "array[boolean]",
  "array[object]",
] as const;

function toValidation(settings: Settings): JsonObject | undefined {
  if (!settings.flag("webhookEnableValidation")) return undefined;
  const named = (key: string) => settings.rows(key).filter((row) => row.text("name") !== "");
  const toRow = (row: Settings) => ({ name: row.text("name"), required: row.flag("required") });
  return {
    query: named("webhookQueryParams").map(toRow),
    headers: named("webhookHeaderParams").map(toRow),
    body: named("webhookBodyParams").map((row) => ({ ...toRow(row), type: oneOf(row.text("type"), bodyTypes) })),
  };
}
