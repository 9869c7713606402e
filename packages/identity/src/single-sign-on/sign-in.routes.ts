import { defineRoute, type Route, readSignInToken } from "@weft/http";
import {
  accountIdentitySchema,
  sessionSchema,
  signInAnswerSchema,
  signInOptionsSchema,
  signInStartSchema,
  signInTrialSchema,
  uuidSchema,
  WeftError,
} from "@weft/schema";
import { z } from "zod";
import type { Answered, Asking, SignInService } from "./sign-in.service.ts";

const tag = "Single sign-on";
const bodyLimitBytes = 32_768;
const ofSlug = z.object({ slug: z.string().min(1).max(40) });
const ofId = z.object({ id: uuidSchema });
const starting = { session: "begins-sign-in", tag, returns: { schema: signInStartSchema } } as const;
const answering = { tag, body: signInAnswerSchema, bodyErrorStatus: 422, bodyLimitBytes } as const;

/** Routes of `/auth/oidc`, `/auth/identities` and the trial of a provider. */
export function signInRoutes(service: SignInService, publicUrl: string): Route[] {
  const asking = (request: Request): Asking => ({
    origin: toOrigin(request, publicUrl),
    clientAddress: request.clientAddress,
  });
  return [...openRoutes(service, asking), ...identityRoutes(service, asking), ...trialRoutes(service, asking)];
}

type Request = { headers: Headers; url: URL; clientAddress: string };
type ToAsking = (request: Request) => Asking;

function openRoutes(service: SignInService, asking: ToAsking): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/v1/auth/oidc",
      operationId: "getSignInOptions",
      summary: "Where people can sign in, besides with a password",
      tag,
      permission: "open",
      returns: { schema: signInOptionsSchema },
      errors: [],
      handle: () => service.options(),
    }),
    defineRoute({
      ...starting,
      method: "POST",
      path: "/api/v1/auth/oidc/{slug}/start",
      operationId: "startSignIn",
      audit: false,
      summary: "Begin to sign in at a provider",
      description:
        "Open `url` in the browser. The provider leads back to /sign-in/<slug> of this server; send the query of that address to /auth/oidc/finish within 10 minutes.",
      permission: "open",
      params: ofSlug,
      errors: [400, 404],
      handle: (request) => service.start(request.params.slug, asking(request)),
    }),
    defineRoute({
      ...answering,
      method: "POST",
      path: "/api/v1/auth/oidc/finish",
      operationId: "finishSignIn",
      audit: "sign-in",
      session: "starts",
      summary: "End a sign-in at a provider",
      permission: "open",
      returns: { schema: sessionSchema },
      errors: [400, 422],
      handle: (request) => service.finish(toAnswered(request)),
    }),
  ];
}

function identityRoutes(service: SignInService, asking: ToAsking): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/v1/auth/identities",
      operationId: "listOwnIdentities",
      summary: "List the accounts at providers that the caller signs in with",
      tag,
      permission: "signed-in",
      returns: { schema: z.array(accountIdentitySchema) },
      errors: [],
      handle: ({ identity }) => service.identities(identity),
    }),
    defineRoute({
      ...starting,
      method: "POST",
      path: "/api/v1/auth/identities/{slug}/start",
      operationId: "startConnecting",
      audit: false,
      summary: "Begin to connect the caller's account with one at a provider",
      permission: "signed-in",
      params: ofSlug,
      errors: [400, 404],
      handle: (request) => service.startConnecting(request.params.slug, request.identity, asking(request)),
    }),
    defineRoute({
      ...answering,
      method: "POST",
      path: "/api/v1/auth/identities",
      operationId: "connectIdentity",
      audit: "change",
      summary: "Connect the caller's account with one at a provider",
      permission: "signed-in",
      returns: { schema: accountIdentitySchema },
      errors: [400, 409, 422],
      handle: (request) => service.connect(toAnswered(request), request.identity),
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/v1/auth/identities/{id}",
      operationId: "disconnectIdentity",
      audit: "change",
      summary: "No longer sign in with an account at a provider",
      tag,
      permission: "signed-in",
      params: ofId,
      returns: null,
      errors: [400, 404, 409],
      handle: ({ params, identity }) => service.disconnect(params.id, identity),
    }),
  ];
}

function trialRoutes(service: SignInService, asking: ToAsking): Route[] {
  return [
    defineRoute({
      ...starting,
      method: "POST",
      path: "/api/v1/identity-providers/{id}/trial",
      operationId: "startSignInTrial",
      audit: false,
      summary: "Begin to try an identity provider",
      description: "Like a sign-in, but the answer only shows the claims that the provider sends about the person.",
      permission: "people:write",
      params: ofId,
      errors: [400, 404],
      handle: (request) => service.startTest(request.params.id, request.identity, asking(request)),
    }),
    defineRoute({
      ...answering,
      method: "POST",
      path: "/api/v1/identity-providers/trial",
      operationId: "finishSignInTrial",
      audit: false,
      summary: "Show what an identity provider says, without signing anybody in",
      permission: "people:write",
      returns: { schema: signInTrialSchema },
      errors: [400, 422],
      handle: (request) => service.finishTest(toAnswered(request), request.identity),
    }),
  ];
}

type Answering = Request & { body: { answer: string; token: string } };

function toAnswered({ headers, body, clientAddress }: Answering): Answered {
  return { answer: body.answer, token: readSignInToken(headers, body.token), clientAddress };
}

/**
 * The origin that the provider leads back to: the configured one, else that of the page that asks, which is the
 * server's own. Providers accept only registered ones.
 */
function toOrigin({ headers, url }: Request, publicUrl: string): string {
  if (publicUrl !== "") return new URL(publicUrl).origin;
  const given = headers.get("origin");
  const page = given === null ? null : URL.parse(given);
  if (page === null) return url.origin;
  if (page.host === headers.get("host")) return page.origin;
  const reason = `${page.origin} is not the address of this server. An operator can set PUBLIC_URL to the one that browsers use.`;
  throw new WeftError("parameters-invalid", { params: { reason } });
}
