import { type ConfirmSave, defineResource, defineRoute, type Route } from "@weft/http";
import {
  credentialCreateSchema,
  credentialSchema,
  credentialUpdateSchema,
  destinationSchema,
  pageQuerySchema,
  uuidSchema,
} from "@weft/schema";
import { z } from "zod";
import { defineFeature } from "../feature.ts";
import { type CredentialService, openCredentials } from "./credential.service.ts";
import { listCredentialTypes } from "./credential-types.ts";
import { type CredentialUses, createCredentialUses } from "./credential-uses.ts";
import { createConfirmSave, createDestinations, type Destinations, toConfirmer } from "./destinations.ts";
import { fillHosts } from "./fill-hosts.ts";

declare module "../feature.ts" {
  interface Services {
    credentials: CredentialService;
    credentialUses: CredentialUses;
    destinations: Destinations;
    confirmSave: ConfirmSave;
  }
}

export const credentials = defineFeature({
  name: "credentials",
  tables: ["credentials"],
  service({ config, isShared, ...context }) {
    const { dataDir, encryptionKey: given } = config;
    // A given key is meant for every process on a database that others can use.
    const isForAll = isShared || (!given.isEmpty && context.database.dialect === "postgres");
    return openCredentials({ ...context, keys: { dataDir, given, isShared: isForAll }, operator: config });
  },
  routes: credentialRoutes,
});

export const credentialUses = defineFeature({
  name: "credentialUses",
  needs: ["variables"],
  service: ({ config }, { variables }) => createCredentialUses(variables, config),
});

export const destinations = defineFeature({
  name: "destinations",
  needs: ["credentials", "credentialUses", "references"],
  service: createDestinations,
  start: (_, needs, context) => fillHosts(context, needs),
});

/** For routes whose callers may confirm the destinations of what they save. */
export const confirmSave = defineFeature({
  name: "confirmSave",
  needs: ["credentialUses", "destinations", "references"],
  service: createConfirmSave,
});

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
  const credentials = defineResource({
    path: "/api/v1/credentials",
    name: "credential",
    tag,
    permission: "credentials",
    schema: credentialSchema,
    service,
  });
  return [
    typesRoute,
    credentials.list({
      summary: "List the credentials, without their values",
      query: listQuery,
      handle: ({ query }) => service.list(query),
    }),
    credentials.get({ summary: "Read a credential, without its values" }),
    credentials.create({
      summary: "Store a credential",
      body: credentialCreateSchema,
      handle: ({ body, newId, identity }) => service.create({ ...body, id: body.id ?? newId }, toConfirmer(identity)),
    }),
    credentials.update({
      description: "Values are merged: absent, empty or redacted fields keep their values; null removes one.",
      body: credentialUpdateSchema,
      errors: [400, 403, 404, 412],
      handle: ({ params, body, identity, assertMatches: assertCurrent }) =>
        service.update(params.id, body, { by: toConfirmer(identity), assertCurrent }),
    }),
    credentials.delete(),
    ...destinationRoutes(service),
  ];
}

const typesRoute = defineRoute({
  method: "GET",
  path: "/api/v1/credential-types",
  operationId: "listCredentialTypes",
  summary: "List the credential types with their fields",
  tag,
  permission: "credentials:read",
  returns: { schema: z.array(credentialTypeSchema) },
  errors: [],
  handle: listCredentialTypes,
});

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
