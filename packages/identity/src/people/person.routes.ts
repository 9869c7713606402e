import { defineRoute, type Route } from "@weft/http";
import {
  accountLinkSchema,
  accountSchema,
  invitationCreateSchema,
  keysOfRemovedSchema,
  linkLookSchema,
  linkUseSchema,
  newAccountLinkSchema,
  pageQuerySchema,
  pageSchema,
  personUpdateSchema,
  roleGrantsSchema,
  roles,
  sessionSchema,
  uuidSchema,
} from "@weft/schema";
import { z } from "zod";
import type { AccountService } from "../accounts/index.ts";
import { grantsOf } from "../roles.ts";
import type { AccountLinkService } from "./account-link.service.ts";
import type { PersonService } from "./person.service.ts";

const tag = "People";
const bodyLimitBytes = 16_384;
const params = z.object({ id: uuidSchema });

export type People = {
  accounts: AccountService;
  persons: PersonService;
  links: AccountLinkService;
};

/** Routes of `/accounts`, `/invitations` and `/roles`. */
export function personRoutes({ accounts, persons, links }: People): Route[] {
  return [
    ...accountRoutes(persons, links),
    ...invitationRoutes(links),
    ...welcomeRoutes(links, accounts),
    rolesRoute(),
  ];
}

function accountRoutes(persons: PersonService, links: AccountLinkService): Route[] {
  const path = "/api/v1/accounts";
  return [
    defineRoute({
      method: "GET",
      path,
      operationId: "listAccounts",
      summary: "List the accounts, by e-mail address",
      tag,
      permission: "people:read",
      query: pageQuerySchema,
      returns: { schema: z.union([z.array(accountSchema), pageSchema(accountSchema)]) },
      errors: [400],
      handle: ({ query }) => persons.list(query),
    }),
    defineRoute({
      method: "GET",
      path: `${path}/{id}`,
      operationId: "getAccount",
      summary: "Read an account",
      tag,
      permission: "people:read",
      params,
      returns: { schema: accountSchema },
      errors: [400, 404],
      handle: ({ params }) => persons.get(params.id),
    }),
    defineRoute({
      method: "PUT",
      path: `${path}/{id}`,
      operationId: "updateAccount",
      summary: "Rename someone, or give them another role",
      tag,
      permission: "people:write",
      params,
      returns: { schema: accountSchema },
      description:
        "A role holds from the next request on; in other processes within a second. Nobody gives a role with more rights than their own, and the last owner stays one.",
      body: personUpdateSchema,
      bodyLimitBytes,
      bodyErrorStatus: 422,
      errors: [400, 404, 409, 412, 422],
      handle: ({ params, body, identity, assertMatches }) =>
        persons.update(params.id, { body, editor: identity, assertMatches }),
    }),
    defineRoute({
      method: "DELETE",
      path: `${path}/{id}`,
      operationId: "deleteAccount",
      summary: "Remove someone, with their sessions",
      description: "Their agents, chats and runs stay. Of their API keys, `keys` decides.",
      tag,
      permission: "people:write",
      params,
      query: z.object({ keys: keysOfRemovedSchema.optional() }),
      returns: null,
      errors: [400, 404, 409],
      handle: ({ params, query, identity }) => persons.remove(params.id, { keys: query.keys, remover: identity }),
    }),
    defineRoute({
      method: "POST",
      path: `${path}/{id}/sign-out`,
      operationId: "signOutAccount",
      summary: "End every session of an account",
      tag,
      permission: "people:write",
      params,
      returns: null,
      errors: [400, 404],
      handle: ({ params, identity }) => persons.signOut(params.id, identity),
    }),
    defineRoute({
      method: "POST",
      path: `${path}/{id}/password-reset`,
      operationId: "offerPasswordReset",
      summary: "Create a link with which someone chooses a new password",
      description: "The password stays valid until the link is used. Then every session of the account ends.",
      tag,
      permission: "people:write",
      params,
      returns: { schema: newAccountLinkSchema },
      errors: [400, 404],
      handle: ({ params, identity }) => links.offerReset(params.id, identity),
    }),
  ];
}

function invitationRoutes(links: AccountLinkService): Route[] {
  const path = "/api/v1/invitations";
  return [
    defineRoute({
      method: "GET",
      path,
      operationId: "listInvitations",
      summary: "List the open invitations and password links, without their tokens",
      tag,
      permission: "people:read",
      returns: { schema: z.array(accountLinkSchema) },
      errors: [],
      handle: () => links.list(),
    }),
    defineRoute({
      method: "POST",
      path,
      operationId: "createInvitation",
      summary: "Invite someone",
      description:
        "Only this response contains the token. The link `/join#<token>` works once, for 7 days, and makes an account with this e-mail address and role. A new invitation for the same address replaces the earlier one.",
      tag,
      permission: "people:write",
      body: invitationCreateSchema,
      bodyLimitBytes,
      bodyErrorStatus: 422,
      returns: { schema: newAccountLinkSchema },
      errors: [400, 409, 422],
      handle: ({ body, identity }) => links.invite(body, identity),
    }),
    defineRoute({
      method: "DELETE",
      path: `${path}/{id}`,
      operationId: "deleteInvitation",
      summary: "Revoke an invitation or a password link",
      tag,
      permission: "people:write",
      params,
      returns: null,
      errors: [400, 404],
      handle: ({ params, identity }) => links.remove(params.id, identity),
    }),
  ];
}

/** For those who have no account yet, or cannot log in: the token is the proof. */
function welcomeRoutes(links: AccountLinkService, accounts: People["accounts"]): Route[] {
  const open = { method: "POST", tag, permission: "open", bodyErrorStatus: 422, bodyLimitBytes } as const;
  return [
    defineRoute({
      ...open,
      path: "/api/v1/invitations/look",
      operationId: "lookAtInvitation",
      audit: false,
      summary: "Read what the token of a link is for",
      body: linkLookSchema,
      returns: { schema: accountLinkSchema },
      errors: [400, 404, 422],
      handle: ({ body }) => links.look(body.token),
    }),
    defineRoute({
      ...open,
      path: "/api/v1/invitations/accept",
      operationId: "acceptInvitation",
      audit: "change",
      session: "starts",
      summary: "Use a link: create the account, or choose a new password",
      body: linkUseSchema,
      returns: { schema: sessionSchema },
      errors: [400, 404, 409, 422],
      handle: async ({ body, clientAddress }) => accounts.enter(await links.use(body), clientAddress),
    }),
  ];
}

function rolesRoute(): Route {
  return defineRoute({
    method: "GET",
    path: "/api/v1/roles",
    operationId: "listRoles",
    summary: "List the roles, with what each may do",
    tag,
    permission: "signed-in",
    returns: { schema: z.array(roleGrantsSchema) },
    errors: [],
    handle: async () => roles.map((role) => ({ role, permissions: [...grantsOf(role)] })),
  });
}
