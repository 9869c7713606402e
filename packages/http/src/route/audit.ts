import { isJsonObject, WeftError } from "@weft/schema";
import { type AuditRule, pathParameters, type Route } from "./define-route.ts";
import { type Identity, isAccount, readingReachOf } from "./identity.ts";

/** What an entry of the audit log says of a request. */
export type AuditedRequest = {
  /** Undefined: someone who is not signed in. */
  identity: Identity | undefined;
  /** The operation. */
  action: string;
  /** `id`: empty if it is only known once it is created. */
  thing: AuditedThing;
  /** Names of the fields that the body brings; never their values. */
  fields: readonly string[];
  requestId: string;
  address: string;
};

/** `kind`: the first segment of the operation's path, such as `credentials`. */
export type AuditedThing = { kind: string; id: string };

/** Keeps the audit log. Absent: nobody does. */
export type Auditor = {
  /** Runs a request that may change something: its first write that succeeds also writes the entry, or neither is. */
  change<T>(request: AuditedRequest, run: () => Promise<T>): Promise<T>;
  /** As `change`; the entry is written before it resolves even if nothing else is. */
  always<T>(request: AuditedRequest, run: () => Promise<T>): Promise<T>;
  /** As `always`, with one entry in ten minutes for a caller, an action and a thing. */
  atTimes<T>(request: AuditedRequest, run: () => Promise<T>): Promise<T>;
  /** Runs a sign-in. Its entry names who has signed in, or, if it fails, which account was tried. */
  signIn<T>(request: AuditedRequest, tried: string, run: () => Promise<T>): Promise<T>;
  /** A request of a signed-in caller that was refused. Never waits. */
  refused(request: AuditedRequest): void;
};

/**
 * The rule of a route: the one that it declares; none for reads and for chat clients of agents. Undefined: a request that
 * may change something, of which nobody has decided.
 */
export function auditRuleOf({ audit, method, permission }: Route): AuditRule | undefined {
  if (audit !== undefined) return audit;
  if (method === "GET" || typeof permission === "object") return false;
  return /:(write|import)$/.test(permission) ? "change" : undefined;
}

type Audited = {
  route: Route;
  params: unknown;
  query?: unknown;
  /** As it was sent, and as it was parsed. */
  sent?: unknown;
  body?: unknown;
  newId?: string | undefined;
} & Pick<AuditedRequest, "identity" | "requestId" | "address">;

/** Runs a request as its route's rule says. `source` is asked only if there is one. */
export function audited<T>(
  auditor: Auditor | undefined,
  route: Route,
  { source, run }: { source(): Omit<Audited, "route">; run(): Promise<T> },
): Promise<T> {
  if (auditor === undefined) return run();
  const rule = auditRuleOf(route);
  switch (rule) {
    case false:
    case undefined:
      return run();
    case "change":
      return auditor.change(toAuditedRequest({ ...source(), route }), run);
    case "always":
      return auditor.always(toAuditedRequest({ ...source(), route }), run);
    case "at-times":
      return auditor.atTimes(toAuditedRequest({ ...source(), route }), run);
    case "others-chats":
      if (!readsOthers(source().identity)) return run();
      return auditor.atTimes(toAuditedRequest({ ...source(), route }), run);
    case "sign-in":
      return auditor.signIn(toAuditedRequest({ ...source(), route }), textOf(source().body, "email"), run);
  }
}

/** Tells the auditor of a signed-in caller's request that is refused with this error. */
export function noteRefusal(auditor: Auditor | undefined, source: Audited, error: unknown): void {
  if (auditor === undefined || source.identity === undefined) return;
  if (error instanceof WeftError && error.status === 403) auditor.refused(toAuditedRequest(source));
}

function readsOthers(identity: Identity | undefined): boolean {
  return isAccount(identity) && readingReachOf(identity).owners === "all";
}

const mostFields = 50;
const longestField = 100;
const longestId = 500;

function toAuditedRequest(source: Audited): AuditedRequest {
  const { route, identity, requestId, address } = source;
  return { identity, action: route.operationId, thing: toThing(source), fields: toFields(source), requestId, address };
}

function toThing({ route, params, query, body, newId }: Audited): AuditedThing {
  const kind = route.path.replace(/^\/api\/v1/, "").split("/")[1] ?? "";
  const [first = "id"] = pathParameters(route.path);
  const chat = route.audit === "others-chats" ? textOf(query, "chatId") || textOf(query, "sessionId") : "";
  const id = chat || textOf(params, "id") || textOf(params, first) || textOf(body, "id") || (newId ?? "");
  return { kind, id: id.slice(0, longestId) };
}

/** Those of the sent fields that the schema knows. */
function toFields({ sent, body }: Audited): string[] {
  if (!isJsonObject(sent) || !isJsonObject(body)) return [];
  return Object.keys(sent)
    .filter((name) => Object.hasOwn(body, name))
    .slice(0, mostFields)
    .map((name) => name.slice(0, longestField));
}

function textOf(value: unknown, name: string): string {
  const found = typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  return typeof found === "string" ? found : "";
}
