import type { JsonObject } from "@weft/schema";
import { type NodeScope, present } from "../node-converter.ts";
import type { Settings } from "../settings.ts";

/** How the flow is called from elsewhere, and what the caller's request asks. */
export function toWebhook(scope: NodeScope): JsonObject {
  const { settings } = scope;
  return present({
    method: oneOf(settings.text("webhookMethod"), ["POST", "GET", "PUT", "PATCH", "DELETE"]),
    contentType: oneOf(settings.text("webhookContentType"), ["application/json", "application/x-www-form-urlencoded"]),
    question: toQuestion(settings),
    auth: toAuth(scope),
    ...toResponse(scope),
    validation: toValidation(settings),
  });
}

/** The value when it is one of the known ones, else the first of these. */
function oneOf(value: string, known: readonly [string, ...string[]]): string {
  return known.includes(value) ? value : known[0];
}

function toQuestion(settings: Settings): string | undefined {
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
