import { z } from "zod";
import { defineIntegration } from "./define-integration.ts";
import { bodySchemaSetting, callFields, fixedBodySetting, idempotentField, requestFields } from "./request-settings.ts";
import { createRequestTool } from "./request-tool.ts";
import { reviewPlaces } from "./review-places.ts";

/** Lets the model update through one address of an HTTP API. Source: reference, "Builder integrations". */
export const requestPut = defineIntegration({
  type: "request-put",
  title: "PUT request",
  summary: "Updates through an HTTP API.",
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
