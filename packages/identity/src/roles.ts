import { allGrants, type Grant, isGranted, type Permission, permissions } from "@weft/http/identity";
import type { Role } from "@weft/schema";

/** Looks at agents and what they are made of, and uses them. */
const viewer: readonly Permission[] = [
  "agents:read",
  "predictions:run",
  "messages:read",
  "executions:read",
  "tools:read",
  "assistants:read",
  "variables:read",
  "document-stores:read",
  "feedback:write",
  "attachments:write",
];

/** Reads what people said and what runs cost. */
const analyst: readonly Permission[] = [...viewer, "chats:read", "feedback:read", "leads:read"];

/** Answers, cancels and retries the runs of others. */
const operator: readonly Permission[] = [
  ...analyst,
  "chats:write",
  "executions:write",
  "messages:write",
  "server:read",
];

/** Builds agents, with everything that belongs to them. */
const editor: readonly Permission[] = [
  ...operator,
  "chats:all",
  "agents:write",
  "credentials:read",
  "credentials:write",
  "variables:write",
  "tools:write",
  "assistants:write",
  "document-stores:write",
  "leads:write",
];

const grants: Readonly<Record<Role, ReadonlySet<Grant>>> = {
  owner: allGrants,
  // What admins may not do to owners is a rule of its own: `assertMayManage`.
  admin: allGrants,
  editor: new Set(editor),
  operator: new Set(operator),
  analyst: new Set(analyst),
  viewer: new Set(viewer),
};

/** What an account with this role may do. */
export function grantsOf(role: Role): ReadonlySet<Grant> {
  return grants[role];
}

/** What a key may do that belongs to someone: what both hold. */
export function heldByBoth(ofKey: ReadonlySet<Grant>, ofOwner: ReadonlySet<Grant>): ReadonlySet<Grant> {
  if (ofKey.has("*") && ofOwner.has("*"))
    return new Set([...ofKey].filter((grant) => grant === "*" || isGranted(ofOwner, grant)));
  return new Set(permissions.filter((permission) => isGranted(ofKey, permission) && isGranted(ofOwner, permission)));
}

/** The first permission of a role that someone lacks who is to give it, or to manage who has it. */
export function missingFor(held: ReadonlySet<Grant>, role: Role): Permission | undefined {
  return permissions.find((permission) => isGranted(grantsOf(role), permission) && !isGranted(held, permission));
}
