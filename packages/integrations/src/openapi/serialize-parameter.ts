import type { Json, JsonObject } from "@weft/schema";
import type { Outcome } from "../outcome.ts";
import { encodePathValue } from "../path-value.ts";
import { toPlainText } from "../query-value.ts";
import type { OperationParameter } from "./operation-parameters.ts";

/** Query pairs of a value by its parameter's style: form, spaceDelimited, pipeDelimited or deepObject. */
export function toQueryParameters(parameter: OperationParameter, value: Json): [string, string][] {
  const { name, style, explode, isJson } = parameter;
  if (isJson) return [[name, JSON.stringify(value)]];
  if (Array.isArray(value)) {
    const items = value.filter((item) => item !== null).map(toPlainText);
    if (explode) return items.map((item) => [name, item]);
    const separator = style === "spaceDelimited" ? " " : style === "pipeDelimited" ? "|" : ",";
    return [[name, items.join(separator)]];
  }
  if (value === null || typeof value !== "object") return [[name, toPlainText(value)]];
  const members = present(value);
  if (style === "deepObject") return members.map(([key, text]) => [`${name}[${key}]`, text]);
  return explode ? members : [[name, members.flat().join(",")]];
}

/** The encoded place of a value in the path by its parameter's style: simple, label or matrix (RFC 6570). */
export function toPathSegment(parameter: OperationParameter, value: Json): Outcome<string> {
  const plain = value !== null && typeof value === "object" && !Array.isArray(value) ? present(value).flat() : value;
  const encoded = encodePathValue(parameter.argument, parameter.isJson ? JSON.stringify(value) : plain);
  if (!encoded.ok || parameter.style === "simple") return encoded;
  if (parameter.style === "label") return { ok: true, value: `.${encoded.value}` };
  if (parameter.style === "matrix") {
    return { ok: true, value: `;${encodeURIComponent(parameter.name)}=${encoded.value}` };
  }
  return encoded;
}

/** A header's text: lists and objects as `simple` says. */
export function toHeaderText(parameter: OperationParameter, value: Json): string {
  if (parameter.isJson) return JSON.stringify(value);
  if (Array.isArray(value)) return value.map(toPlainText).join(",");
  return value !== null && typeof value === "object" ? present(value).flat().join(",") : toPlainText(value);
}

function present(value: JsonObject): [string, string][] {
  return Object.entries(value)
    .filter(([, member]) => member !== null)
    .map(([key, member]) => [key, toPlainText(member)]);
}
