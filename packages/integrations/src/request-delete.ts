import { z } from "zod";
import { defineIntegration } from "./define-integration.ts";
import { callFields, idempotentField, parameterSetting, requestFields } from "./request-settings.ts";
import { createRequestTool } from "./request-tool.ts";
import { reviewPlaces } from "./review-places.ts";

/** Lets the model delete at one address of an HTTP API. Source: reference, "Builder integrations". */
export const requestDelete = defineIntegration({
  type: "request-delete",
  title: "DELETE request",
  summary: "Deletes through an HTTP API.",
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
