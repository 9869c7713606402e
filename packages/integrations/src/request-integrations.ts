import { z } from "zod";
import { defineIntegration } from "./define-integration.ts";
import {
  bodySchemaSetting,
  callFields,
  fixedBodySetting,
  idempotentField,
  parameterSetting,
  requestFields,
} from "./request-settings.ts";
import { createRequestTool } from "./request-tool.ts";
import { reviewPlaces } from "./review-places.ts";

/** Lets the model read from one address of an HTTP API. Source: reference, "Builder integrations". */
export const requestGet = defineIntegration({
  type: "request-get",
  title: "GET request",
  summary: "Reads data from an HTTP API.",
  group: "request",
  icon: "get",
  config: z.object({ ...requestFields("get_events"), parameters: parameterSetting, ...callFields }),
  async build(config, context) {
    const defaults = { name: "requests_get", description: "Use this when you need to get data from the API." };
    return [await createRequestTool({ method: "GET", config, schema: config.parameters, defaults }, context)];
  },
});

/** Lets the model delete at one address of an HTTP API. Source: reference, "Builder integrations". */
export const requestDelete = defineIntegration({
  type: "request-delete",
  title: "DELETE request",
  summary: "Deletes data through an HTTP API.",
  group: "request",
  icon: "delete",
  config: z.object({
    ...requestFields("delete_event"),
    parameters: parameterSetting,
    ...callFields,
    idempotent: idempotentField,
  }),
  review: ({ url, parameters }) => reviewPlaces({ method: "DELETE", url, schema: parameters }, "parameters"),
  async build(config, context) {
    const defaults = { name: "requests_delete", description: "Use this when you need to delete data through the API." };
    const { parameters: schema, idempotent } = config;
    return [await createRequestTool({ method: "DELETE", config, schema, idempotent, defaults }, context)];
  },
});

/** Lets the model create through one address of an HTTP API. Source: reference, "Builder integrations". */
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
    ...callFields,
    idempotent: idempotentField,
  }),
  async build(config, context) {
    const defaults = { name: "requests_post", description: "Use this when you want to create data through the API." };
    const { bodySchema: schema, body, idempotent } = config;
    return [await createRequestTool({ method: "POST", config, schema, body, idempotent, defaults }, context)];
  },
});

/** Lets the model update through one address of an HTTP API. Source: reference, "Builder integrations". */
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
    ...callFields,
    idempotent: idempotentField,
  }),
  review: ({ method, url, bodySchema }) => reviewPlaces({ method, url, schema: bodySchema }, "bodySchema"),
  async build(config, context) {
    const defaults = { name: "requests_put", description: "Use this when you want to update data through the API." };
    const { method, bodySchema: schema, body, idempotent } = config;
    return [await createRequestTool({ method, config, schema, body, idempotent, defaults }, context)];
  },
});
