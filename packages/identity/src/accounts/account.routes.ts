import { defineRoute, type Route, readAuthorization } from "@weft/http";
import { accountSchema, loginSchema, passwordChangeSchema, sessionSchema, setupSchema } from "@weft/schema";
import { z } from "zod";
import type { AccountService } from "./account.service.ts";
import { readBearer } from "./authenticator.ts";

const tag = "Authentication";
const bodyLimitBytes = 16_384;

const callerSchema = z
  .object({
    kind: z.enum(["account", "operator", "api-key"]),
    user: accountSchema.nullable(),
    permissions: z.array(z.string()).meta({ description: "* means all permissions", examples: [["*"]] }),
  })
  .meta({ id: "Caller" });

/** Routes of `/auth`. */
export function accountRoutes(service: AccountService): Route[] {
  return [...openRoutes(service), ...sessionRoutes(service)];
}

function openRoutes(service: AccountService): Route[] {
  return [
    defineRoute({
      method: "POST",
      path: "/api/v1/auth/login",
      operationId: "logIn",
      audit: "sign-in",
      session: "starts",
      summary: "Log in",
      description:
        "After 5 failed attempts for an e-mail address from one network, further attempts from that network get 429 for a period that grows with each failure; see Retry-After. The same applies after 20 failures for an e-mail address from anywhere, and after 20 from one network, except from places where the account has logged in before.",
      tag,
      permission: "open",
      body: loginSchema,
      bodyErrorStatus: 422,
      bodyLimitBytes,
      returns: { schema: sessionSchema },
      errors: [400, 401, 422],
      handle: ({ body, clientAddress }) => service.logIn(body, clientAddress),
    }),
    defineRoute({
      method: "GET",
      path: "/api/v1/auth/setup",
      operationId: "getSetUp",
      summary: "Check whether the first account still has to be created",
      tag,
      permission: "open",
      returns: { schema: z.object({ isNeeded: z.boolean() }).meta({ id: "SetUpState" }) },
      errors: [],
      handle: async () => ({ isNeeded: (await service.findSetupToken()) !== undefined }),
    }),
    defineRoute({
      method: "POST",
      path: "/api/v1/auth/setup",
      operationId: "setUp",
      audit: "change",
      session: "starts",
      summary: "Create the first account",
      description: "Works only once, with the token the server prints at startup while no account exists.",
      tag,
      permission: "open",
      body: setupSchema,
      bodyErrorStatus: 422,
      bodyLimitBytes,
      returns: { schema: sessionSchema },
      errors: [400, 401, 409, 422],
      handle: ({ body, clientAddress }) => service.setUp(body, clientAddress),
    }),
  ];
}

function sessionRoutes(service: AccountService): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/v1/auth/me",
      operationId: "getCaller",
      summary: "Get the owner of the token or API key",
      tag,
      permission: "signed-in",
      returns: { schema: callerSchema },
      errors: [],
      handle: ({ identity }) => service.describe(identity),
    }),
    defineRoute({
      method: "POST",
      path: "/api/v1/auth/logout",
      operationId: "logOut",
      audit: "always",
      session: "ends",
      summary: "Revoke the token of this request",
      tag,
      permission: "signed-in",
      returns: null,
      errors: [400],
      handle: ({ identity }) => service.logOut(identity),
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/v1/auth/sessions",
      operationId: "endSessions",
      session: "ends",
      audit: "change",
      summary: "End every session of the account: all its tokens are revoked, this one too",
      tag,
      permission: "signed-in",
      returns: null,
      errors: [400],
      handle: ({ identity }) => service.endSessions(identity),
    }),
    defineRoute({
      method: "POST",
      path: "/api/v1/auth/refresh",
      operationId: "refreshToken",
      audit: false,
      session: "starts",
      summary: "Exchange the token of this request for a new one",
      tag,
      permission: "signed-in",
      returns: { schema: sessionSchema.omit({ user: true }).meta({ id: "RefreshedToken" }) },
      errors: [400],
      handle: ({ identity, headers }) => service.refresh(identity, readBearer(readAuthorization(headers))),
    }),
    defineRoute({
      method: "PUT",
      path: "/api/v1/auth/password",
      operationId: "changePassword",
      audit: "change",
      session: "starts",
      summary: "Change the password; every token of the account is revoked",
      tag,
      permission: "signed-in",
      body: passwordChangeSchema,
      bodyErrorStatus: 422,
      bodyLimitBytes,
      returns: { schema: sessionSchema },
      errors: [400, 401, 422],
      handle: ({ identity, body, clientAddress }) => service.changePassword(identity, body, clientAddress),
    }),
  ];
}
