import type { Json } from "@weft/schema";
import { parseTemplate, type Reference } from "./parse-template.ts";
import { resolveReference, type TemplateScope } from "./template-scope.ts";

export type RenderOptions = {
  /** Told of each reference that has no value; it renders as nothing. */
  onUnknown: (source: string) => void;
  /**
   * Encodes a referenced value for the place where it stands: after `before`, or undefined where the template begins
   * with it. Default: as text.
   */
  encode?: (value: Json, before: string | undefined) => string;
};

/** Resolves the references of a text. A text that is nothing but one reference keeps the value's type. */
export function renderTemplate(text: string, scope: TemplateScope, options: RenderOptions): Json {
  const parts = parseTemplate(text);
  const [only] = parts;
  if (parts.length === 1 && only?.kind === "reference" && !options.encode) return readValue(only, scope, options);
  let rendered: string | undefined;
  for (const part of parts) {
    const piece =
      part.kind === "text" ? part.text : (options.encode ?? toText)(readValue(part, scope, options), rendered);
    rendered = (rendered ?? "") + piece;
  }
  return rendered ?? "";
}

/** A value as a reader expects it inside a sentence: text as it is, nothing for null, data as JSON. */
export function toText(value: Json): string {
  if (typeof value === "string") return value;
  if (value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function readValue(part: Reference, scope: TemplateScope, options: RenderOptions): Json {
  const value = resolveReference(part.path, scope);
  if (value !== undefined) return value;
  options.onUnknown(part.source);
  return "";
}
