import { defineRoute, type Route } from "@weft/http";
import { flowReadingRequestSchema, flowReadingSchema } from "@weft/schema";
import type { FlowService } from "./flow.service.ts";

/** Flows as such, whether an agent has them or not. */
export function flowRoutes(service: FlowService): Route[] {
  return [
    defineRoute({
      method: "POST",
      path: "/api/v1/flows/read",
      operationId: "readFlow",
      summary: "Convert a flow of any dialect to the native format and check it",
      description:
        "Takes any value accepted as an agent's `flowData`, or the text of an exported file. Nothing is stored or executed.",
      tag: "Flows",
      permission: "agents:read",
      agent: "reach",
      body: flowReadingRequestSchema,
      bodyErrorStatus: 422,
      returns: { schema: flowReadingSchema },
      errors: [400, 422],
      handle: ({ body }) => service.read(body.flowData),
    }),
  ];
}
