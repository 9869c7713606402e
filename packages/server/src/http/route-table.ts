import { pathParameters, type Route } from "./define-route.ts";

/** Routes in the order in which a router must try them, and what exists at a path. */
export type RouteTable = {
  readonly routes: readonly Route[];
  /** Methods that the path takes; empty when nothing is there. Where GET is, HEAD is. */
  allowedMethods(path: string): string[];
};

/** Throws when two routes share their operation id, or their method and path. */
export function createRouteTable(routes: readonly Route[]): RouteTable {
  assertUnique(routes.map((route) => route.operationId));
  assertUnique(routes.map((route) => `${route.method} ${route.path.replaceAll(/\{\w+\}/g, "{}")}`));
  const matchers = routes.map((route) => ({ method: route.method, pattern: toPattern(route.path) }));
  return {
    routes: routes.toSorted(bySpecificity),
    allowedMethods(path) {
      const methods = matchers.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
      return [...new Set(methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])))].toSorted();
    },
  };
}

/** The path in a router's notation: `/chatflows/:id`. */
export function toRouterPath(path: string): string {
  return pathParameters(path).reduce((text, name) => text.replace(`{${name}}`, `:${name}`), path);
}

function assertUnique(names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`Two routes are declared as ${twice}.`);
}

function toPattern(path: string): RegExp {
  const segments = path
    .split("/")
    .map((segment) => (segment.startsWith("{") ? "[^/]+" : segment.replaceAll(".", "\\.")));
  return new RegExp(`^${segments.join("/")}/?$`);
}

/** Fixed segments come before parameters, so that `/chatflows/apikey` is never taken for an id. */
function bySpecificity(a: Route, b: Route): number {
  const key = ({ path }: Route) => path.replaceAll(/\{\w+\}/g, "\uffff");
  return key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0;
}
