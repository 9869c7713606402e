import { type HttpMethod, pathParameters, type Route } from "./define-route.ts";

/** A route with its methods, and its path in a router's notation: `/chatflows/:id`. */
type TableRoute = { route: Route; methods: HttpMethod[]; routerPath: string };

/** Routes in the order in which a router must try them, and the methods of each path. */
export type RouteTable = {
  readonly routes: readonly TableRoute[];
  /** Methods of the path; empty if there is no route. HEAD accompanies GET. */
  allowedMethods(path: string): string[];
  /** The route for a request, with the raw parameters of the path. */
  find(method: string, path: string): { route: Route; params: Record<string, string> } | undefined;
};

/** Throws if two routes share their operation id, or their method and path. */
export function createRouteTable(routes: readonly Route[]): RouteTable {
  assertUnique(routes, ({ operationId }) => operationId);
  assertUnique(routes, ({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, "{}")}`);
  const matchers = routes.toSorted(bySpecificity).map((route) => ({
    route,
    methods: methodsOf(route.method),
    routerPath: toRouterPath(route.path),
    pattern: toPattern(route.path),
  }));
  return {
    routes: matchers,
    allowedMethods(path) {
      const here = matchers.filter(({ pattern }) => pattern.test(path));
      const methods = here.flatMap((match) => match.methods);
      return [...new Set(methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])))].toSorted();
    },
    find(method, path) {
      for (const { route, methods, pattern } of matchers) {
        const match = methods.some((one) => one === method) ? pattern.exec(path) : null;
        if (match !== null) return { route, params: { ...match.groups } };
      }
      return undefined;
    },
  };
}

function methodsOf(method: Route["method"]): HttpMethod[] {
  return method === "ANY" ? ["GET", "POST", "PUT", "PATCH", "DELETE"] : [method];
}

function toRouterPath(path: string): string {
  return pathParameters(path).reduce((text, name) => text.replace(`{${name}}`, `:${name}`), path);
}

function assertUnique(routes: readonly Route[], nameOf: (route: Route) => string): void {
  for (const [name, same] of Map.groupBy(routes, nameOf)) {
    if (same.length < 2) continue;
    const where = same.map(({ method, path }) => `${method} ${path}`).join(" and ");
    throw new Error(`Two routes are declared as ${name}: ${where}.`);
  }
}

function toPattern(path: string): RegExp {
  const segments = path
    .split("/")
    .map((segment) => (segment.startsWith("{") ? `(?<${segment.slice(1, -1)}>[^/]+)` : segment.replaceAll(".", "\\.")));
  // linear: it begins at the start, and segments hold no slash
  return new RegExp(`^${segments.join("/")}/?$`);
}

/** Fixed segments come before parameters, so that `/chatflows/apikey` is never taken for an id. */
function bySpecificity(a: Route, b: Route): number {
  const key = ({ path }: Route) => path.replaceAll(/\{\w+\}/g, "\uffff");
  return key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0;
}
