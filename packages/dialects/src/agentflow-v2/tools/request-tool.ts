import { isJsonObject, type JsonObject, toJsonObject } from "@weft/schema";
import { present } from "../node-converter.ts";
import type { ConvertedTool, ToolConverter, ToolScope } from "./tool-converter.ts";

/** What the names of a request tool's values begin with; the fixed body has a beginning of its own. */
type RequestKeys = { type: string; prefix: string; body?: string };

/** Tools that send a request, by component. */
export const requestTools: Readonly<Record<string, ToolConverter>> = {
  requestsGet: convertRequest({ type: "request-get", prefix: "requestsGet" }),
  requestsPost: convertRequest({ type: "request-post", prefix: "requestsPost", body: "requestPostBody" }),
  requestsPut: convertRequest({ type: "request-put", prefix: "requestsPut", body: "requestPutBody" }),
  requestsDelete: convertRequest({ type: "request-delete", prefix: "requestsDelete" }),
};

function convertRequest({ type, prefix, body }: RequestKeys): ToolConverter {
  return (scope) => {
    const read = createReader(scope, prefix);
    const url = read.template("Url", "url");
    if (url === "") {
      scope.report.refuse("tool-address-missing", `Its tool ${scope.name} has no URL. Enter one.`);
      return undefined;
    }
    const parameters =
      body === undefined
        ? { parameters: toEntries(read.object("QueryParamsSchema", "queryParamsSchema")) }
        : toBody(scope, read.object("BodySchema"), readObject(scope, [body, "body"], "body"));
    const config = {
      url,
      name: toName(read.text("Name", "name")),
      description: read.text("Description", "description") || undefined,
      headers: read.object("Headers", "headers"),
      ...parameters,
      maxCharacters: toMaxCharacters(scope.settings.number(`${prefix}MaxOutputLength`)),
    };
    return { type, config: present(config) } satisfies ConvertedTool;
  };
}

/** The short names of earlier versions count before the long ones. */
function createReader(scope: ToolScope, prefix: string) {
  const { settings } = scope;
  const keys = (ending: string, alias?: string) => [...(alias === undefined ? [] : [alias]), prefix + ending];
  const first = (read: (key: string) => string, ending: string, alias?: string) =>
    keys(ending, alias)
      .map(read)
      .find((text) => text !== "") ?? "";
  return {
    text: (ending: string, alias?: string) => first(settings.text, ending, alias),
    template: (ending: string, alias?: string) => first(settings.template, ending, alias).trim(),
    object: (ending: string, alias?: string) => readObject(scope, keys(ending, alias), ending),
  };
}

/** Undefined when unset. What is no JSON object is refused: no call could be made with it. */
function readObject(
  { name, settings, report }: ToolScope,
  keys: readonly string[],
  title: string,
): JsonObject | undefined {
  const value = keys.map((key) => settings.json(key)).find((found) => found !== undefined);
  if (value === undefined || isJsonObject(value)) return value;
  report.refuse("tool-json-invalid", `The ${title} of its tool ${name} is not a JSON object. Correct it.`);
  return undefined;
}

/**
 * A fixed body without a schema is all that is sent. With neither, nothing was sent whatever the model wrote: here it
 * writes the body.
 */
function toBody({ name, report }: ToolScope, schema: JsonObject | undefined, fixed: JsonObject | undefined) {
  if (schema === undefined && fixed === undefined) {
    report.warn(
      "tool-body-open",
      `Its tool ${name} has neither a body nor a body schema, so the model writes the body as it sees fit. Add a schema.`,
    );
  }
  const entries = toEntries(schema);
  const both = Object.keys(fixed ?? {}).filter((key) => Object.hasOwn(entries ?? {}, key));
  if (both.length > 0) {
    report.warn(
      "tool-body-fixed",
      `Of its tool ${name} the fixed body counts before what the model writes, for: ${both.join(", ")}. Remove these from the body if the model should choose them.`,
    );
  }
  return { body: fixed, bodySchema: entries ?? (fixed === undefined ? undefined : {}) };
}

const types = new Set(["string", "number", "integer", "boolean", "object", "array"]);
const places = new Set(["path", "query", "body"]);

/** Entries with what native schemas know of them; an entry of another type is a text. */
function toEntries(schema: JsonObject | undefined): JsonObject | undefined {
  if (schema === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(schema).map(([name, value]) => {
      const entry = toJsonObject(value);
      const { type, in: place, required, description } = entry;
      const known = {
        type: typeof type === "string" && types.has(type) ? type : "string",
        in: typeof place === "string" && places.has(place) ? place : undefined,
        required: typeof required === "boolean" ? required : undefined,
        description: typeof description === "string" ? description.slice(0, 2_000) : undefined,
      };
      return [name, present(known)];
    }),
  );
}

/** As the model knew the tool: lower case, spaces as `_`, nothing else but letters, digits, `_` and `-`. */
function toName(name: string): string | undefined {
  const plain = name
    .toLowerCase()
    .replaceAll(" ", "_")
    .replaceAll(/[^a-z0-9_-]/g, "");
  return plain === "" ? undefined : plain;
}

function toMaxCharacters(length: number | undefined): number | undefined {
  return length === undefined || length < 1 ? undefined : Math.min(1_000_000, Math.floor(length));
}
