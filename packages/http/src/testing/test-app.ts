import { createIdSource } from "@weft/database";
import { WeftError } from "@weft/schema";
import { createHttpApp, type HttpApp, type HttpAppDeps } from "../create-http-app.ts";
import { createLogger } from "../logger.ts";
import type { Route } from "../route/define-route.ts";
import type { Grant, Identity } from "../route/identity.ts";

export type TestBody = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

export type TestApp = HttpApp & {
  /** Lines that were logged, parsed. */
  logged: Record<string, unknown>[];
  /** A request with the bearer `all`, unless the headers say otherwise. */
  send(method: string, path: string, init?: { body?: TestBody; headers?: Record<string, string> }): Promise<Response>;
};

/** The application over some routes. The bearer `all` may do everything, `none` nothing; others are nobody. */
export function createTestApp(routes: readonly Route[], options: Partial<HttpAppDeps> = {}): TestApp {
  const logged: Record<string, unknown>[] = [];
  const app = createHttpApp({
    routes,
    authenticate: identify,
    bodyLimitBytes: 100_000,
    logger: createLogger({ level: "debug", now: () => 0, write: (line) => logged.push(JSON.parse(line)) }),
    ids: createIdSource(Date.now),
    clock: { now: () => 0 },
    ...options,
  });
  return {
    ...app,
    logged,
    send: (method, path, { body, headers = {} } = {}) =>
      app.fetch(
        new Request(`http://test${path}`, {
          method,
          headers: { authorization: "Bearer all", ...headers },
          ...(body !== undefined && { body, duplex: "half" }),
        }),
      ),
  };
}

function identify(authorization: string | null): Identity {
  const bearer = authorization?.replace("Bearer ", "");
  if (bearer !== "all" && bearer !== "none") throw new WeftError("unauthenticated");
  const grants = new Set<Grant>(bearer === "all" ? ["*"] : ["leads:read"]);
  const names = { apiKeyId: bearer, generation: "", keyName: bearer, ownerId: null, clientId: bearer };
  return { kind: "api-key", ...names, grants, agents: "all", sharesWith: [] };
}
