import type { JsonObject } from "@weft/schema";
import { parseLenientJson } from "../lenient-json.ts";
import { type NodeConverter, type NodeScope, present } from "../node-converter.ts";
import type { Settings } from "../settings.ts";

/** An error status is a result like any other. */
export const http: NodeConverter = {
  type: "http",
  toConfig(scope) {
    const { node, settings } = scope;
    const method = settings.text("method");
    const body = toBody(scope);
    return present({
      method: methods.has(method) ? method : "GET",
      url: settings.template("url").trim(),
      query: toRows(settings, "queryParams"),
      ...body,
      headers: [...(body.headers ?? []), ...toRows(settings, "headers")],
      responseType: responseTypes.get(settings.text("responseType")) ?? "json",
      credential: node.credential,
      failOnErrorStatus: false,
    });
  },
  toOutputPath: (path) => (path[0] === "http" ? path.slice(1) : path),
};

const methods = new Set(["GET", "POST", "PUT", "DELETE", "PATCH"]);
const responseTypes = new Map(Object.entries({ text: "text", arraybuffer: "array-buffer", base64: "base64" }));

type Body = { bodyType?: string; body?: string; form?: JsonObject[]; headers?: JsonObject[] };

function toBody({ settings, report }: NodeScope): Body {
  switch (settings.text("bodyType")) {
    case "json":
    case "":
      return toJsonBody(settings.template("body"), report);
    case "raw":
      return { bodyType: "raw", body: settings.template("body") };
    case "formData":
      return { bodyType: "form-data", form: toRows(settings, "body") };
    case "xWwwFormUrlencoded":
      return { bodyType: "x-www-form-urlencoded", form: toRows(settings, "body") };
    default:
      return {};
  }
}

/**
 * A body that is one reference was sent as the text that the reference had, which is JSON already. In any other body a
 * value is put in as a value.
 */
function toJsonBody(text: string, report: NodeScope["report"]): Body {
  if (/^\s*\{\{[^{}]*\}\}\s*$/.test(text)) {
    return { bodyType: "raw", body: text.trim(), headers: [{ key: "content-type", value: "application/json" }] };
  }
  if (text.trim() === "") return {};
  const value = parseLenientJson(text);
  if (value === undefined) {
    report.refuse("http-body-invalid", "Its body is not valid JSON. Correct it, or send it as raw text.", "body");
    return {};
  }
  if (hasBareReference(text)) {
    report.warn(
      "http-body-values",
      "An unquoted reference in its JSON body inserts a value: text that contains JSON is sent as text. To insert an object, refer to a field of the other node's output.",
    );
  }
  return { bodyType: "json", body: JSON.stringify(value, null, 2) };
}

/** Whether a reference stands outside quotes. A quote that nothing closes is none, and so are all later ones of its kind. */
function hasBareReference(text: string): boolean {
  const open = new Set(['"', "'"]);
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] ?? "";
    if (character === "{" && text[index + 1] === "{") return true;
    if (!open.has(character)) continue;
    const end = closingQuote(text, index);
    if (end === undefined) open.delete(character);
    else index = end;
  }
  return false;
}

function closingQuote(text: string, start: number): number | undefined {
  for (let index = start + 1; index < text.length; index += 1) {
    if (text[index] === "\\") index += 1;
    else if (text[index] === text[start]) return index;
  }
  return undefined;
}

/** Rows without a name or a value say nothing. */
function toRows(settings: Settings, key: string): JsonObject[] {
  return settings
    .rows(key)
    .map((row) => ({ key: row.text("key"), value: row.template("value") }))
    .filter((row) => row.key !== "" && row.value !== "");
}
