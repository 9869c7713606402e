import { defineRoute, ifFound, type Route } from "@weft/http";
import {
  credentialCreateSchema,
  credentialSchema,
  credentialUpdateSchema,
  destinationSchema,
  pageQuerySchema,
  pageSchema,
  uuidSchema,
} from "@weft/schema";
import { z } from "zod";
import type { CredentialService } from "./credential.service.ts";
import { listCredentialTypes } from "./credential-types.ts";
import { toConfirmer } from "./destinations.ts";

const tag = "Credentials";
const idParams = z.object({ id: uuidSchema });
const credentialTypeSchema = z
  .object({
    name: z.string().meta({ description: "The credential's credentialName" }),
    title: z.string(),
    purpose: z.enum(["model", "other"]),
    isOffered: z.boolean().meta({ description: "False for types kept only for existing credentials" }),
    fields: z.array(
      z.object({
        name: z.string(),
        title: z.string(),
        help: z.string().optional(),
        secret: z.boolean(),
        required: z.boolean(),
      }),
    ),
  })
  .meta({ id: "CredentialType" });
const listQuery = pageQuerySchema.extend({
  credentialName: z
    .union([z.string(), z.array(z.string())])
    .transform((names) => (typeof names === "string" ? [names] : names))
    .optional(),
});

/** Routes of `/credentials`. No answer carries a value of a credential. */
export function credentialRoutes(service: CredentialService): Route[] {
  return [...readRoutes(service), ...writeRoutes(service), ...destinationRoutes(service)];
}

function readRoutes(service: CredentialService): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/v1/credential-types",
      operationId: "listCredentialTypes",
      summary: "List the credential types with their fields",
      tag,
      permission: "credentials:read",
      returns: { schema: z.array(credentialTypeSchema) },
      errors: [],
      handle: listCredentialTypes,
    }),
    defineRoute({
      method: "GET",
      path: "/api/v1/credentials",
      operationId: "listCredentials",
      summary: "List the credentials, without their values",
      tag,
      permission: "credentials:read",
      query: listQuery,
      returns: { schema: z.union([z.array(credentialSchema), pageSchema(credentialSchema)]) },
      errors: [400],
      handle: ({ query }) => service.list(query),
    }),
    defineRoute({
      method: "GET",
      path: "/api/v1/credentials/{id}",
      operationId: "getCredential",
      summary: "Read a credential, without its values",
      tag,
      permission: "credentials:read",
      params: idParams,
      returns: { schema: credentialSchema },
      errors: [400, 404],
      handle: ({ params }) => service.get(params.id),
    }),
  ];
}

function writeRoutes(service: CredentialService): Route[] {
  return [
    defineRoute({
      method: "POST",
      path: "/api/v1/credentials",
      operationId: "createCredential",
      summary: "Store a credential",
      tag,
      permission: "credentials:write",
      body: credentialCreateSchema,
      bodyErrorStatus: 422,
      returns: { schema: credentialSchema },
      errors: [400, 409, 422],
      recall: (id) => ifFound(service.get(id)),
      handle: ({ body, newId, identity }) => service.create({ ...body, id: body.id ?? newId }, toConfirmer(identity)),
    }),
    defineRoute({
      method: "PUT",
      path: "/api/v1/credentials/{id}",
      operationId: "updateCredential",
      summary: "Change a credential",
      description: "Values are merged: absent, empty or redacted fields keep their values; null removes one.",
      tag,
      permission: "credentials:write",
      params: idParams,
      body: credentialUpdateSchema,
      bodyErrorStatus: 400,
      returns: { schema: credentialSchema },
      errors: [400, 403, 404, 412],
      handle: ({ params, body, identity, assertMatches: assertCurrent }) =>
        service.update(params.id, body, { by: toConfirmer(identity), assertCurrent }),
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/v1/credentials/{id}",
      operationId: "deleteCredential",
      summary: "Delete a credential",
      tag,
      permission: "credentials:write",
      params: idParams,
      returns: null,
      errors: [400, 404],
      handle: ({ params }) => service.remove(params.id),
    }),
  ];
}

function destinationRoutes(service: CredentialService): Route[] {
  return [
    defineRoute({
      method: "POST",
      path: "/api/v1/credentials/{id}/destinations",
      operationId: "allowDestination",
      summary: "Allow a credential to be sent to an address",
      description:
        "An address with http is allowed without TLS, too. An API key can do so for credentials that it created.",
      tag,
      permission: "credentials:write",
      params: idParams,
      body: destinationSchema,
      bodyErrorStatus: 400,
      returns: { schema: credentialSchema },
      errors: [400, 403, 404],
      handle: ({ params, body, identity }) =>
        service.confirm(params.id, { hosts: [body.destination], by: toConfirmer(identity) }),
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/v1/credentials/{id}/destinations",
      operationId: "removeDestination",
      summary: "No longer allow a credential to be sent to an address",
      tag,
      permission: "credentials:write",
      params: idParams,
      query: destinationSchema,
      returns: { schema: credentialSchema },
      errors: [400, 404],
      handle: ({ params, query }) => service.removeDestination(params.id, query.destination),
    }),
  ];
}
