import { defineResource, defineRoute, type Route } from "@weft/http";
import { apiKeyCreateSchema, apiKeySchema, apiKeyUpdateSchema, newApiKeySchema, uuidSchema } from "@weft/schema";
import { z } from "zod";
import type { ApiKeyService } from "./api-key.service.ts";

const path = "/api/v1/apikey";
const tag = "API keys";

/** Routes of `/apikey` and `/verify/apikey`. Only the response to a create shows a key. */
export function apiKeyRoutes(service: ApiKeyService): Route[] {
  const keys = defineResource({ path, name: "API key", tag, permission: "apikeys", schema: apiKeySchema, service });
  return [
    keys.list({
      summary: "List the API keys, without the keys themselves",
      handle: ({ query }) => service.list(query),
    }),
    keys.get({ summary: "Read an API key, without the key itself" }),
    verifyRoute(service),
    createRoute(service),
    keys.update({
      summary: "Rename an API key, or change its permissions, agents or client",
      body: apiKeyUpdateSchema,
      bodyErrorStatus: 422,
      errors: [400, 404, 412, 422],
      handle: ({ params, body, identity, assertMatches }) =>
        service.update(params.id, { body, editor: identity, assertMatches }),
    }),
    rotateRoute(service),
    keys.delete({ summary: "Revoke an API key" }),
  ];
}

function verifyRoute(service: ApiKeyService): Route {
  return defineRoute({
    method: "GET",
    path: "/api/v1/verify/apikey/{apikey}",
    operationId: "verifyApiKey",
    summary: "Check whether an API key is valid",
    description: "Returns 401 for a key that does not exist.",
    tag,
    permission: "apikeys:read",
    params: z.object({ apikey: z.string() }),
    returns: { schema: z.literal("OK") },
    errors: [],
    handle: ({ params }) => service.verify(params.apikey),
  });
}

/** The answer cannot be given twice: the key is not kept. */
function createRoute(service: ApiKeyService): Route {
  return defineRoute({
    method: "POST",
    path,
    operationId: "createApiKey",
    summary: "Create an API key",
    description:
      "Only this response contains the key. Its permissions and agents must be among those of the caller. Keys with the same clientId share their chats. `chats:write` and `chats:all`, which give access to other owners' chats, must be granted explicitly: `*` does not include them.",
    tag,
    permission: "apikeys:write",
    body: apiKeyCreateSchema,
    bodyErrorStatus: 422,
    returns: { schema: newApiKeySchema },
    errors: [400, 409, 422],
    handle: ({ body, identity }) => service.create(body, identity),
  });
}

function rotateRoute(service: ApiKeyService): Route {
  return defineRoute({
    method: "POST",
    path: `${path}/{id}/rotate`,
    operationId: "rotateApiKey",
    summary: "Rotate an API key",
    description:
      "Only this response contains the new value; the previous one stops working immediately. Agents stay bound to the key, and its chats continue. To use both for a while, create another key with the same clientId.",
    tag,
    permission: "apikeys:write",
    params: z.object({ id: uuidSchema }),
    returns: { schema: newApiKeySchema },
    errors: [400, 404],
    handle: ({ params, identity }) => service.rotate(params.id, identity),
  });
}
