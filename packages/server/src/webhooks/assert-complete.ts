import type { WebhookBodyType, WebhookSettings } from "@weft/nodes";
import { type ErrorItem, type Json, type JsonObject, WeftError } from "@weft/schema";
import { fieldsOf, type WebhookPayload } from "./read-payload.ts";

/** Throws `parameters-invalid` that names every parameter that is missing or of another type. */
export function assertComplete(
  { query, headers, body }: WebhookPayload,
  expected: WebhookSettings["validation"],
): void {
  const fields = fieldsOf(body) ?? {};
  const errors = [
    ...expected.headers.flatMap(({ name, required }) =>
      findMissing(headers, name.toLowerCase(), { required, in: "headers" }),
    ),
    ...expected.query.flatMap(({ name, required }) => findMissing(query, name, { required, in: "query" })),
    ...expected.body.flatMap(({ name, type, required }) => {
      const missing = findMissing(fields, name, { required, in: "body" });
      const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
      const fits = missing.length > 0 || value === undefined || value === null || isOfType(value, type);
      return fits ? missing : [{ path: `body.${name}`, message: `must be ${words[type]}` }];
    }),
  ];
  if (errors.length === 0) return;
  const reason = `The request does not fit: ${errors.map(({ path, message }) => `${path} ${message}`).join("; ")}.`;
  throw new WeftError("parameters-invalid", { params: { reason }, errors });
}

type Place = { required: boolean; in: "headers" | "query" | "body" };

function findMissing(values: JsonObject, name: string, place: Place): ErrorItem[] {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  const isMissing = place.required && (value === undefined || value === null || value === "");
  return isMissing ? [{ path: `${place.in}.${name}`, message: "is required" }] : [];
}

const words: Record<WebhookBodyType, string> = {
  string: "a text",
  number: "a number",
  boolean: "true or false",
  object: "an object",
  "array[string]": "a list of texts",
  "array[number]": "a list of numbers",
  "array[boolean]": "a list of true and false",
  "array[object]": "a list of objects",
};

function isOfType(value: Json, type: WebhookBodyType): boolean {
  const item = /^array\[(\w+)\]$/.exec(type)?.[1];
  if (item !== undefined) return Array.isArray(value) && value.every((one) => isOfType(one, item as WebhookBodyType));
  return type === "object" ? fieldsOf(value) !== undefined : typeof value === type;
}
