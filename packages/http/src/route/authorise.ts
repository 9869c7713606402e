import { WeftError } from "@weft/schema";
import type { Route } from "./define-route.ts";
import type { Identity } from "./identity.ts";
import { isGranted, type Permission } from "./permissions.ts";

/** Finds who sends a request by its Authorization header. Throws `unauthenticated` when that proves nobody. */
export type Authenticate = (authorization: string | null) => Identity | Promise<Identity>;

export type AuthoriseRequest = {
  route: Route;
  authorization: string | null;
  authenticate: Authenticate;
  /** Whether the agent that a chat client asks for is open. Called for chat clients that send no credentials. */
  isAgentOpen(): Promise<boolean>;
};

/**
 * Who may go on with a request; undefined for somebody unknown on an open route. Whatever is not open needs a valid
 * bearer with the route's permission: throws `unauthenticated` or `forbidden`.
 */
export async function authorise(request: AuthoriseRequest): Promise<Identity | undefined> {
  const { permission: access } = request.route;
  if (access === "open") return undefined;
  if (access === "signed-in") return request.authenticate(request.authorization);
  if (typeof access === "string") return demand(access, request);
  if (access.permission === "open") return undefined;
  if (request.authorization === null && !access.needsBearer && (await request.isAgentOpen())) return undefined;
  return demand(access.permission, request);
}

async function demand(permission: Permission, { authorization, authenticate }: AuthoriseRequest): Promise<Identity> {
  const identity = await authenticate(authorization);
  if (!isGranted(identity.grants, permission)) throw new WeftError("forbidden", { params: { permission } });
  return identity;
}
