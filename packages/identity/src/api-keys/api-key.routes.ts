import { defineRoute, type Route } from "@weft/http";
import {
  apiKeyCreateSchema,
  apiKeySchema,
  apiKeyUpdateSchema,
  newApiKeySchema,
  pageQuerySchema,
  pageSchema,
  uuidSchema,
} from "@weft/schema";
import { z } from "zod";
import type { ApiKeyService } from "./api-key.service.ts";

const tag = "API keys";
const idParams = z.object({ id: uuidSchema });
const keyParams = z.object({ apikey: z.string() });

/** Routes of `/apikey` and `/verify/apikey`. Only the answer to a create shows a key. */
export function apiKeyRoutes(service: ApiKeyService): Route[] {
  return [...readRoutes(service), ...writeRoutes(service)];
}

function readRoutes(service: ApiKeyService): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/v1/apikey",
      operationId: "listApiKeys",
      summary: "List the API keys, without the keys themselves",
      tag,
      permission: "apikeys:read",
      query: pageQuerySchema,
      returns: { schema: z.union([z.array(apiKeySchema), pageSchema(apiKeySchema)]) },
      errors: [400],
      handle: ({ query }) => service.list(query),
    }),
    defineRoute({
      method: "GET",
      path: "/api/v1/apikey/{id}",
      operationId: "getApiKey",
      summary: "Read an API key, without the key itself",
      tag,
      permission: "apikeys:read",
      params: idParams,
      returns: { schema: apiKeySchema },
      errors: [400, 404],
      handle: ({ params }) => service.get(params.id),
    }),
    defineRoute({
      method: "GET",
      path: "/api/v1/verify/apikey/{apikey}",
      operationId: "verifyApiKey",
      summary: "Check whether an API key is valid",
      description: "Returns 401 for a key that does not exist.",
      tag,
      permission: "apikeys:read",
      params: keyParams,
      returns: { schema: z.literal("OK") },
      errors: [],
      handle: ({ params }) => service.verify(params.apikey),
    }),
  ];
}

function writeRoutes(service: ApiKeyService): Route[] {
  return [
    defineRoute({
      method: "POST",
      path: "/api/v1/apikey",
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
    }),
    defineRoute({
      method: "PUT",
      path: "/api/v1/apikey/{id}",
      operationId: "updateApiKey",
      summary: "Rename an API key, or change its permissions, agents or client",
      tag,
      permission: "apikeys:write",
      params: idParams,
      body: apiKeyUpdateSchema,
      bodyErrorStatus: 422,
      returns: { schema: apiKeySchema },
      errors: [400, 404, 412, 422],
      handle: ({ params, body, identity, assertMatches }) =>
        service.update(params.id, { body, editor: identity, assertMatches }),
    }),
    defineRoute({
      method: "POST",
      path: "/api/v1/apikey/{id}/rotate",
      operationId: "rotateApiKey",
      summary: "Rotate an API key",
      description:
        "Only this response contains the new value; the previous one stops working immediately. Agents stay bound to the key, and its chats continue. To use both for a while, create another key with the same clientId.",
      tag,
      permission: "apikeys:write",
      params: idParams,
      returns: { schema: newApiKeySchema },
      errors: [400, 404],
      handle: ({ params, identity }) => service.rotate(params.id, identity),
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/v1/apikey/{id}",
      operationId: "deleteApiKey",
      summary: "Revoke an API key",
      tag,
      permission: "apikeys:write",
      params: idParams,
      returns: null,
      errors: [400, 404],
      handle: ({ params }) => service.remove(params.id),
    }),
  ];
}
