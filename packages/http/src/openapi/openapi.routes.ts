import { jsonObjectSchema } from "@weft/schema";
import { defineRoute, type Route } from "../route/define-route.ts";

/** Serves the OpenAPI document, which is made on the first request. */
export function openApiRoute(createDocument: () => unknown): Route {
  let text: string | undefined;
  return defineRoute({
    method: "GET",
    path: "/openapi.json",
    operationId: "getOpenApi",
    summary: "This API as an OpenAPI 3.1 document",
    tag: "Health",
    permission: "open",
    servesAnyHost: true,
    returns: { schema: jsonObjectSchema },
    errors: [],
    handle() {
      text ??= JSON.stringify(createDocument());
      return new Response(text, { headers: { "Content-Type": "application/json", "Cache-Control": "no-cache" } });
    },
  });
}
