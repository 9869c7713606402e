import { z } from "zod";
import { defineIntegration } from "./define-integration.ts";
import { bodySchemaSetting, callFields, fixedBodySetting, idempotentField, requestFields } from "./request-settings.ts";
import { createRequestTool } from "./request-tool.ts";

/** Lets the model create through one address of an HTTP API. Source: reference, "Builder integrations". */
export const requestPost = defineIntegration({
  type: "request-post",
  title: "POST request",
  summary: "Creates through an HTTP API.",
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
