import { type Json, type JsonObject, WeftError } from "@weft/schema";
import { type RenderOptions, renderTemplate } from "./render-template.ts";
import type { TemplateScope } from "./template-scope.ts";

/**
 * Resolves the references of a JSON text and returns the value. The text is parsed before values are put in, so a
 * value can neither end its string nor add a key. A reference outside quotes, or alone inside them, keeps its type.
 * Throws `flow-node-failed` when the text is not JSON.
 */
export function renderJson(text: string, scope: TemplateScope, options: RenderOptions): Json {
  let parsed: Json;
  try {
    parsed = JSON.parse(quoteBareReferences(text)) as Json;
  } catch (error) {
    throw new WeftError("flow-node-failed", {
      params: { reason: `The JSON body is not valid JSON: ${(error as Error).message}` },
      cause: error,
    });
  }
  return renderValue(parsed, scope, options);
}

function renderValue(value: Json, scope: TemplateScope, options: RenderOptions): Json {
  if (typeof value === "string") return renderTemplate(value, scope, options);
  if (Array.isArray(value)) return value.map((item) => renderValue(item, scope, options));
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value).map(([key, item]) => [key, renderValue(item, scope, options)] as const);
  return Object.fromEntries(entries) as JsonObject;
}

/** Puts quotes around references that stand outside a JSON string. */
function quoteBareReferences(text: string): string {
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|\{\{[^{}]*\}\}/gs, (token) =>
    token.startsWith('"') ? token : JSON.stringify(token),
  );
}
