import { eventApiDocument } from "@weft/event-api";
import { defineRoute, type Route } from "@weft/http";
import { z } from "zod";

/** Serves the OpenAPI file of the reference event API, as input for the OpenAPI toolkit. */
export function eventApiRoutes(): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/event-api.yaml",
      operationId: "getEventApiDocument",
      summary: "The reference event API as an OpenAPI 3.0 document",
      tag: "Catalogue",
      permission: "agents:read",
      agent: "reach",
      returns: { schema: z.string(), contentType: "application/yaml" },
      errors: [],
      handle: () => eventApiDocument(),
    }),
  ];
}
