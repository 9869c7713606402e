import { credentialHeaders } from "@weft/engine";
import type { Json, JsonObject } from "@weft/schema";
import { checkHeader } from "./check-arguments.ts";
import type { IntegrationContext } from "./define-integration.ts";
import { invalidTool } from "./tool-name.ts";

/** A setting that is an object or its JSON text; empty text counts as absent. Throws `tool-invalid` for other text. */
export function readObjectSetting(
  setting: { tool: string; title: string },
  value: JsonObject | string | undefined,
): JsonObject | undefined {
  if (typeof value !== "string") return value;
  if (value.trim() === "") return undefined;
  let parsed: unknown;
  try {
    parsed = JSON.parse(value);
  } catch (error) {
    throw invalidTool(setting.tool, `${setting.title} is not valid JSON: ${(error as Error).message}.`);
  }
  if (parsed === null || typeof parsed !== "object" || Array.isArray(parsed)) {
    throw invalidTool(setting.tool, `${setting.title} must be a JSON object.`);
  }
  return parsed as JsonObject;
}

/** The value with the `{{ … }}` of every text in it resolved. Values cannot add keys: the JSON was parsed before. */
export function renderJsonSetting(value: Json, context: IntegrationContext): Json {
  if (typeof value === "string") return context.render(value);
  if (Array.isArray(value)) return value.map((item) => renderJsonSetting(item, context));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, renderJsonSetting(item, context)]));
}

export type HeaderSettings = { headers?: JsonObject | string | undefined; credential?: string | undefined };

/**
 * The configured headers with those of the credential, names in lower case. The credential wins.
 * Throws `tool-invalid` for a header that must not be sent.
 */
export async function readHeaderSettings(
  tool: string,
  settings: HeaderSettings,
  context: IntegrationContext,
): Promise<Record<string, string>> {
  const configured = readObjectSetting({ tool, title: "Headers" }, settings.headers) ?? {};
  const secret = settings.credential ? credentialHeaders(await context.readCredential(settings.credential)) : {};
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries({ ...renderObject(configured, context), ...secret })) {
    if (value === null || value === "") continue;
    const checked = checkHeader(name, typeof value === "string" ? value : JSON.stringify(value));
    if (!checked.ok) throw invalidTool(tool, checked.message);
    headers[checked.value[0]] = checked.value[1];
  }
  return headers;
}

function renderObject(value: JsonObject, context: IntegrationContext): JsonObject {
  return renderJsonSetting(value, context) as JsonObject;
}
