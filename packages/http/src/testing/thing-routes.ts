import { uuidSchema } from "@weft/schema";
import { z } from "zod";
import { defineRoute, type Route } from "../route/define-route.ts";

export const id = "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f";
export const thingSchema = z.object({ id: z.string(), name: z.string() });
export const json = { "content-type": "application/json" };
export const base = { summary: "", tag: "Things", errors: [400, 404] } as const;

/** Routes of one resource, whose name an update changes, and an open one. */
export function thingRoutes(): Route[] {
  let name = "first";
  const returns = { schema: thingSchema };
  const params = z.object({ id: uuidSchema });
  return [
    defineRoute({
      ...base,
      method: "GET",
      path: "/api/v1/things/{id}",
      operationId: "getThing",
      permission: "agents:read",
      params,
      returns,
      handle: ({ params }) => ({ id: params.id, name, secret: "undeclared" }),
    }),
    defineRoute({
      ...base,
      method: "GET",
      path: "/api/v1/things/named/{name}",
      operationId: "getNamedThing",
      permission: "agents:read",
      query: z.object({ size: z.coerce.number().int().optional(), tag: z.array(z.string()).optional() }),
      returns: { schema: z.unknown() },
      handle: ({ params, query }) => ({ ...params, ...query }),
    }),
    defineRoute({
      ...base,
      method: "PUT",
      path: "/api/v1/things/{id}",
      operationId: "updateThing",
      permission: "agents:write",
      params,
      body: z.object({ name: z.string() }),
      returns,
      handle: ({ params, body, assertMatches }) => {
        assertMatches({ id: params.id, name });
        name = body.name;
        return { id: params.id, name };
      },
    }),
    defineRoute({
      ...base,
      method: "DELETE",
      path: "/api/v1/things/{id}",
      operationId: "deleteThing",
      permission: "agents:write",
      params,
      returns: null,
      handle: () => undefined,
    }),
    defineRoute({
      ...base,
      method: "GET",
      path: "/api/v1/open",
      operationId: "getOpen",
      permission: "open",
      returns: { schema: z.string(), contentType: "text/plain; charset=utf-8" },
      handle: () => "open",
    }),
  ];
}
