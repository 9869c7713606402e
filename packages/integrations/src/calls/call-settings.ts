import { credentialHeaders } from "@weft/engine/http";
import { templated } from "@weft/engine/template";
import { type Destination, isJsonObject, type Json, type JsonObject, jsonSchema, toJsonObject } from "@weft/schema";
import { z } from "zod";
import type { IntegrationContext } from "../define-integration.ts";
import { invalidTool } from "../tool-name.ts";
import { checkHeader } from "./check-arguments.ts";

/** The form of `readObjectSetting`. */
export const objectOrText = z.union([z.record(z.string(), jsonSchema), z.string()]);

/** Call settings shared by every integration that calls HTTP APIs. */
export const callFields = {
  headers: objectOrText.optional().meta({
    title: "Headers",
    help: "Sent with every call.",
    widget: "key-value",
    item: "header",
    ...templated,
  }),
  timeoutMs: z.number().int().min(1).max(600_000).default(30_000).meta({ title: "Time limit (ms)", advanced: true }),
  maxBytes: z
    .number()
    .int()
    .min(1)
    .max(50_000_000)
    .default(262_144)
    .meta({ title: "Most that is read (bytes)", advanced: true }),
  maxCharacters: z
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .default(20_000)
    .meta({ title: "Most that the model sees (characters)", advanced: true }),
  retries: z.number().int().min(0).max(5).optional().meta({
    title: "Retries",
    help: "After a network error or status 502, 503 or 504. Defaults to 2 for reads. Writes are only retried if they may be repeated.",
    advanced: true,
  }),
};

/** `callFields` with credentials for signing the calls, which go to `goesTo`. */
export function callFieldsTo(...goesTo: Destination[]) {
  const { headers, ...others } = callFields;
  const credential = z.string().max(100).optional().meta({
    title: "Credential",
    help: "A token, a user name and password, or a header. It is never shown to the model.",
    widget: "credential",
    ref: "credential",
    goesTo,
  });
  return { headers, credential, ...others };
}

export const idempotentField = z.boolean().default(false).meta({
  title: "May be repeated",
  help: "The API honours Idempotency-Key, so an interrupted call is retried.",
  advanced: true,
});

export const readOnlyField = z.boolean().default(false).meta({
  title: "Only reads",
  help: "Whatever the model sends, this request changes nothing, as with a search. Visitors need no approval, and an interrupted call is retried. The URL must not contain templates or path parameters.",
  advanced: true,
});

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
  if (!isJsonObject(parsed)) {
    throw invalidTool(setting.tool, `${setting.title} must be a JSON object.`);
  }
  return parsed;
}

/** Resolves `{{ … }}` in every text of the value. Values cannot add keys: the JSON was parsed before. */
export function renderJsonSetting(value: Json, context: IntegrationContext): Json {
  if (typeof value === "string") return context.render(value);
  if (Array.isArray(value)) return value.map((item) => renderJsonSetting(item, context));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, renderJsonSetting(item, context)]));
}

export type HeaderSettings = { headers?: JsonObject | string | undefined; credential?: string | undefined };

/**
 * The configured headers with those of the credential, with lower-case names. The credential wins. Throws
 * `tool-invalid` for a header that must not be sent.
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
  return toJsonObject(renderJsonSetting(value, context));
}
