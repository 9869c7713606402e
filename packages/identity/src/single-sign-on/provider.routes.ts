import { defineResource, defineRoute, type Route } from "@weft/http";
import { identityProviderCreateSchema, identityProviderSchema, identityProviderUpdateSchema } from "@weft/schema";
import { z } from "zod";
import type { ProviderService } from "./provider.service.ts";

const tag = "Single sign-on";

/** Routes of `/identity-providers`. No answer has a client secret. */
export function providerRoutes(service: ProviderService): Route[] {
  const providers = defineResource({
    path: "/api/v1/identity-providers",
    name: "identity provider",
    tag,
    permission: "people",
    schema: identityProviderSchema,
    service: { get: service.get },
  });
  return [
    defineRoute({
      method: "GET",
      path: "/api/v1/identity-providers",
      operationId: "listIdentityProviders",
      summary: "List the identity providers, without their secrets",
      tag,
      permission: "people:read",
      returns: { schema: z.array(identityProviderSchema) },
      errors: [],
      handle: () => service.list(),
    }),
    providers.get({ summary: "Read an identity provider, without its secret" }),
    providers.create({
      summary: "Let people sign in at a provider by OpenID Connect",
      description:
        "Register <address of this server>/sign-in/<slug> as redirect URI there. Nobody sets up a provider that gives a role which they may not give.",
      body: identityProviderCreateSchema,
      errors: [400, 409, 422],
      handle: ({ body, newId, identity }) => service.create({ ...body, id: body.id ?? newId }, identity),
    }),
    providers.update({
      description: "Absent fields stay unchanged, the secret included; a new issuer needs the secret again.",
      body: identityProviderUpdateSchema,
      errors: [400, 404, 409, 412],
      handle: ({ params, body, identity, assertMatches }) =>
        service.update(params.id, { body, editor: identity, assertMatches }),
    }),
    providers.delete({
      description: "People who signed in with it keep their accounts.",
      errors: [400, 404, 409],
      handle: ({ params, identity }) => service.remove(params.id, identity),
    }),
  ];
}
