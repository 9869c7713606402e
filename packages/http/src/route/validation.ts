import { type ErrorItem, WeftError } from "@weft/schema";
import type { z } from "zod";
import type { Route } from "./define-route.ts";

const itemLimit = 50;
const namedItems = 5;

type Issue = z.core.$ZodIssue;

/** Parses path parameters. A malformed id is `id-invalid`, or `not-found` where the operation answers no 400. */
export function parseParams(route: Route, params: Record<string, string>): unknown {
  if (route.params === undefined) return params;
  const parsed = route.params.safeParse(params);
  if (parsed.success) return parsed.data;
  const items = toErrorItems(parsed.error.issues);
  const first = parsed.error.issues[0];
  const name = String(first?.path[0] ?? "");
  const value = (params[name] ?? "").slice(0, 100);
  if (!route.errors.includes(400)) throw new WeftError("not-found", { params: { resource: route.tag, id: value } });
  if (isUuidIssue(first)) throw new WeftError("id-invalid", { params: { name, value }, errors: items });
  throw new WeftError("parameters-invalid", {
    params: { reason: `The path does not fit: ${summarise(items)}.` },
    errors: items,
  });
}

/** Parses the query, or throws `query-invalid`. */
export function parseQuery(route: Route, query: unknown): unknown {
  if (route.query === undefined) return undefined;
  const parsed = route.query.safeParse(query);
  if (parsed.success) return parsed.data;
  const errors = toErrorItems(parsed.error.issues);
  throw new WeftError("query-invalid", { params: { reason: summarise(errors) }, errors });
}

/** Parses the body, or throws `body-missing`, or `body-invalid` / `validation-failed` as the route says. */
export function parseBody(route: Route, body: unknown): unknown {
  return route.body === undefined ? undefined : parseThrough(route.body, route, body);
}

/** Parses a form into what the body's schema takes. Throws as `parseBody`. */
export function parseForm(route: Route, schema: z.ZodType, form: unknown): unknown {
  return parseThrough(schema, route, form);
}

function parseThrough(schema: z.ZodType, route: Route, body: unknown): unknown {
  const parsed = schema.safeParse(body, { reportInput: true });
  if (parsed.success) return parsed.data;
  if (body === undefined) throw new WeftError("body-missing");
  const errors = toErrorItems(parsed.error.issues);
  const code = route.bodyErrorStatus === 422 ? "validation-failed" : "body-invalid";
  throw new WeftError(code, { params: { reason: summarise(errors) }, errors });
}

function toErrorItems(issues: readonly Issue[]): ErrorItem[] {
  return issues.slice(0, itemLimit).flatMap((issue) => toItems(issue, []));
}

function toItems(issue: Issue, parents: readonly PropertyKey[]): ErrorItem[] {
  const path = [...parents, ...issue.path];
  const branch = issue.code === "invalid_union" ? closestBranch(issue.errors) : undefined;
  if (branch !== undefined) return branch.flatMap((inner) => toItems(inner, path));
  return [{ path: cut(path.map(String).join("."), 200), message: cut(toMessage(issue), 300) }];
}

/** Of several alternatives the one that fits furthest: its mistakes lie deepest. */
function closestBranch(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  const depth = (issues: readonly Issue[]) =>
    issues.reduce((least, { path }) => Math.min(least, path.length), Number.POSITIVE_INFINITY);
  const [best] = branches.filter((issues) => issues.length > 0).toSorted((a, b) => depth(b) - depth(a));
  return best !== undefined && depth(best) > 0 ? best : undefined;
}

/** Names and values of the client's are repeated so far and no further. */
function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

function toMessage(issue: Issue): string {
  if (issue.code === "invalid_type" && "input" in issue && issue.input === undefined) return "is required";
  return issue.message;
}

function summarise(items: readonly ErrorItem[]): string {
  const named = items.slice(0, namedItems).map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
  const rest = items.length - named.length;
  return rest > 0 ? `${named.join("; ")}; and ${rest} more` : named.join("; ");
}

function isUuidIssue(issue: Issue | undefined): boolean {
  return issue?.code === "invalid_format" && (issue.format === "guid" || issue.format === "uuid");
}
