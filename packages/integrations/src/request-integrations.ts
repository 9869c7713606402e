import type { NodeProblem } from "@weft/engine/node";
import { templated } from "@weft/engine/template";
import { type JsonObject, parseJsonObject } from "@weft/schema";
import { z } from "zod";
import { callFieldsTo, idempotentField, objectOrText, readOnlyField } from "./calls/call-settings.ts";
import { hasPlace, parameterEntrySchema } from "./calls/parameter-schema.ts";
import { defineIntegration } from "./define-integration.ts";
import { createRequestTool } from "./request-tool.ts";

/** New tools ask the model for nothing. Absent, as it is stored without a builder, the model may send anything. */
const declared = { help: "What the model fills in.", widget: "parameters", initial: {} } as const;

/** The setting that declares the model's parameters. As text it is checked when the tool is built. */
const parameterSetting = objectOrText.optional().meta({ title: "Request parameters", item: "parameter", ...declared });
const bodySchemaSetting = objectOrText.optional().meta({ title: "Body schema", item: "field", ...declared });
const fixedBodySetting = objectOrText.optional().meta({
  title: "Body",
  help: "Fixed values. They override the model's values key by key.",
  widget: "json",
  ...templated,
});

/** Settings of every request integration. `example`: an example name for its kind. */
const requestFields = (example: string) => ({
  url: z
    .string()
    .trim()
    .min(1, "Enter a URL")
    .max(8_000)
    .meta({
      title: "URL",
      ref: "address",
      placeholder: "https://…",
      help: "Path parameters replace :name or {name}; the others are appended.",
      ...templated,
    }),
  name: z
    .string()
    .max(200)
    .optional()
    .meta({ title: "Name", placeholder: example, help: "Name the model uses for this tool." }),
  description: z
    .string()
    .max(4_000)
    .optional()
    .meta({ title: "Description", help: "Tells the model when to use it.", widget: "textarea" }),
});

/** Lets the model read from one endpoint of an HTTP API. Source: reference, "Builder integrations". */
export const requestGet = defineIntegration({
  type: "request-get",
  title: "GET request",
  summary: "Reads data from an HTTP API.",
  group: "request",
  icon: "get",
  config: z.object({
    ...requestFields("get_events"),
    parameters: parameterSetting,
    ...callFieldsTo({ address: "url" }),
  }),
  async build(config, context) {
    const defaults = { name: "requests_get", description: "Use this when you need to get data from the API." };
    return [await createRequestTool({ method: "GET", config, schema: config.parameters, defaults }, context)];
  },
});

/** Lets the model delete at one endpoint of an HTTP API. Source: reference, "Builder integrations". */
export const requestDelete = defineIntegration({
  type: "request-delete",
  title: "DELETE request",
  summary: "Deletes data through an HTTP API.",
  group: "request",
  icon: "delete",
  config: z.object({
    ...requestFields("delete_event"),
    parameters: parameterSetting,
    ...callFieldsTo({ address: "url" }),
    idempotent: idempotentField,
  }),
  review: ({ url, parameters }) => reviewPlaces({ method: "DELETE", url, schema: parameters }, "parameters"),
  async build(config, context) {
    const defaults = { name: "requests_delete", description: "Use this when you need to delete data through the API." };
    const { parameters: schema, idempotent } = config;
    return [await createRequestTool({ method: "DELETE", config, schema, idempotent, defaults }, context)];
  },
});

/**
 * Lets the model create through one endpoint of an HTTP API, or search there. Source: reference, "Builder
 * integrations".
 */
export const requestPost = defineIntegration({
  type: "request-post",
  title: "POST request",
  summary: "Creates data through an HTTP API.",
  group: "request",
  icon: "post",
  config: z.object({
    ...requestFields("create_event"),
    body: fixedBodySetting,
    bodySchema: bodySchemaSetting,
    ...callFieldsTo({ address: "url" }),
    idempotent: idempotentField,
    readOnly: readOnlyField,
  }),
  async build(config, context) {
    const defaults = { name: "requests_post", description: "Use this when you want to create data through the API." };
    const { bodySchema: schema, body, idempotent, readOnly } = config;
    return [await createRequestTool({ method: "POST", config, schema, body, idempotent, readOnly, defaults }, context)];
  },
});

/** Lets the model update through one endpoint of an HTTP API. Source: reference, "Builder integrations". */
export const requestPut = defineIntegration({
  type: "request-put",
  title: "PUT request",
  summary: "Updates data through an HTTP API.",
  group: "request",
  icon: "put",
  config: z.object({
    method: z.enum(["PUT", "PATCH"]).default("PUT").meta({ title: "Method" }),
    ...requestFields("update_event"),
    body: fixedBodySetting,
    bodySchema: bodySchemaSetting,
    ...callFieldsTo({ address: "url" }),
    idempotent: idempotentField,
  }),
  review: ({ method, url, bodySchema }) => reviewPlaces({ method, url, schema: bodySchema }, "bodySchema"),
  async build(config, context) {
    const defaults = { name: "requests_put", description: "Use this when you want to update data through the API." };
    const { method, bodySchema: schema, body, idempotent } = config;
    return [await createRequestTool({ method, config, schema, body, idempotent, defaults }, context)];
  },
});

type Request = { method: string; url: string; schema: JsonObject | string | undefined };

/**
 * Finds a request that changes a single item without naming it in its URL: its `id` would go to the body or the query,
 * and APIs such as the event API answer 404. Skips an entry with an explicit place.
 */
function reviewPlaces({ method, url, schema }: Request, path: string): NodeProblem[] {
  const entry = entriesOf(schema)?.id;
  if (entry === undefined) return reviewTarget({ method, url, schema });
  const parsed = parameterEntrySchema.safeParse(entry);
  if (!parsed.success || parsed.data.in !== undefined || hasPlace(url, "id")) return [];
  const place = method === "DELETE" ? "query" : "body";
  const fixed = withPlace(url, "{id}");
  return [
    {
      level: "warning",
      code: "request-id-without-place",
      path,
      message: `A ${method} changes a single resource, but its id is sent in the ${place} because the URL has no placeholder for it. Most APIs will return 404. Add /{id} to the URL, or set where id is sent.`,
      fix: { title: "Add /{id} to the URL", path: "url", value: fixed },
    },
  ];
}

/** Finds a change or deletion of a single item whose URL cannot name it. */
function reviewTarget({ method, url, schema }: Request): NodeProblem[] {
  const [path = ""] = url.replace(/^[a-z]+:\/\/[^/?#]*/i, "").split(/[?#]/);
  const [, query = ""] = url.split("?");
  const entries = Object.values(entriesOf(schema) ?? {}).map((entry) => parameterEntrySchema.safeParse(entry).data);
  const isNamed = /[{:]|\d/.test(path) || query !== "" || entries.some((entry) => entry?.in === "path");
  if (isNamed || path.replaceAll("/", "") === "") return [];
  const message = `A ${method} changes a single resource, and nothing in the URL says which one. Add a placeholder such as /{id} to the URL with a parameter of that name, unless the address stands for one thing.`;
  return [{ level: "warning", code: "request-without-id", path: "url", message }];
}

/** The URL with one more segment, before its query. */
function withPlace(url: string, place: string): string {
  const [, address = url, rest = ""] = /^([^?#]*)([?#].*)?$/s.exec(url) ?? [];
  return `${address.replace(/(?<!\/)\/+$/, "")}/${place}${rest}`;
}

function entriesOf(schema: Request["schema"]): JsonObject | undefined {
  return typeof schema === "string" ? parseJsonObject(schema) : schema;
}
