import { defineRoute, type Route } from "@weft/http";
import {
  requestDescriptionQuerySchema,
  requestDescriptionSchema,
  requestTrialRequestSchema,
  requestTrialSchema,
} from "@weft/schema";
import { defineFeature } from "../feature.ts";
import { createRequestTrialService, type RequestTrialService } from "./request-trial.service.ts";

export const requestTrials = defineFeature({
  name: "requestTrials",
  needs: ["nodeServices", "sandboxes"],
  service: createRequestTrialService,
  routes: requestTrialRoutes,
});

const tag = "Flows";
/** An API description is a part of the settings. */
const limitBytes = 6 * 1024 * 1024;

function requestTrialRoutes(service: RequestTrialService): Route[] {
  const common = { method: "POST", tag, permission: "agents:write", bodyErrorStatus: 422 } as const;
  return [
    defineRoute({
      ...common,
      path: "/api/v1/flows/requests",
      operationId: "describeRequests",
      audit: false,
      summary: "List the requests that given settings would send and the values they need",
      description: "The API is only called if its description has to be loaded from a link.",
      body: requestDescriptionQuerySchema,
      bodyLimitBytes: limitBytes,
      returns: { schema: requestDescriptionSchema },
      errors: [400, 422],
      handle: ({ body, signal }) => service.describe(body, signal),
    }),
    defineRoute({
      ...common,
      path: "/api/v1/flows/requests/test",
      operationId: "sendTestRequest",
      audit: false,
      summary: "Send a test request",
      description:
        "Sends a real request, using the credential from the settings and the server's rules on allowed addresses. Error statuses, disallowed addresses and missing credentials are returned with isError.",
      body: requestTrialRequestSchema,
      bodyLimitBytes: limitBytes,
      returns: { schema: requestTrialSchema },
      errors: [400, 422],
      handle: ({ body, signal }) => service.send(body, signal),
    }),
  ];
}
