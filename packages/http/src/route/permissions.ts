/**
 * Everything that a route may ask of a key. An account has all of it, an API key what it was given. `chats:write` reads
 * and answers the chats of others; `chats:all` also goes on with those from before chats had owners.
 */
export const permissions = [
  "agents:read",
  "agents:write",
  "predictions:run",
  "messages:read",
  "messages:write",
  "chats:write",
  "chats:all",
  "executions:read",
  "executions:write",
  "credentials:read",
  "credentials:write",
  "variables:read",
  "variables:write",
  "tools:read",
  "tools:write",
  "assistants:read",
  "assistants:write",
  "feedback:read",
  "feedback:write",
  "leads:read",
  "leads:write",
  "attachments:write",
  "document-stores:read",
  "document-stores:write",
  "apikeys:read",
  "apikeys:write",
  "server:read",
] as const;

export type Permission = (typeof permissions)[number];

/** What a key may be given: single permissions, or `*` for all. */
export type Grant = Permission | "*";

export function isPermission(value: string): value is Permission {
  return (permissions as readonly string[]).includes(value);
}

export function isGrant(value: string): value is Grant {
  return value === "*" || isPermission(value);
}

/** What opens the chats of others: `*` does not cover it, so that no key has it unless somebody names it. */
const namedAlone: ReadonlySet<Grant> = new Set<Grant>(["chats:write", "chats:all"]);

/** Whether `held` covers `wanted`. */
export function isGranted(held: ReadonlySet<Grant>, wanted: Grant): boolean {
  return held.has(wanted) || (held.has("*") && !namedAlone.has(wanted));
}
