import { z } from "zod";
import { defineIntegration } from "./define-integration.ts";
import { callFields, parameterSetting, requestFields } from "./request-settings.ts";
import { createRequestTool } from "./request-tool.ts";

/** Lets the model read from one address of an HTTP API. Source: reference, "Builder integrations". */
export const requestGet = defineIntegration({
  type: "request-get",
  title: "GET request",
  summary: "Reads from an HTTP API.",
  group: "request",
  icon: "get",
  config: z.object({ ...requestFields("get_events"), parameters: parameterSetting, ...callFields }),
  async build(config, context) {
    const defaults = { name: "requests_get", description: "Use this when you need to get data from the API." };
    return [await createRequestTool({ method: "GET", config, schema: config.parameters, defaults }, context)];
  },
});
