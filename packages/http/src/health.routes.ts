import { WeftError } from "@weft/schema";
import { z } from "zod";
import { toWeftError } from "./answer/to-error-response.ts";
import type { Logger } from "./logger.ts";
import { defineRoute, type Route } from "./route/define-route.ts";

const tag = "Health";
const okSchema = z.object({ status: z.literal("ok") });
const plainText = { schema: z.string().meta({ examples: ["pong"] }), contentType: "text/plain; charset=utf-8" };

/**
 * `assertReady` rejects, within two seconds, if the server cannot work, for example because the database accepts no
 * writes.
 */
export function healthRoutes(version: string, assertReady: () => Promise<void>, logger: Logger): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/v1/ping",
      servesAnyHost: true,
      operationId: "ping",
      summary: "Return pong",
      tag,
      permission: "open",
      returns: plainText,
      errors: [500],
      handle: () => "pong",
    }),
    defineRoute({
      method: "GET",
      path: "/livez",
      servesAnyHost: true,
      operationId: "getLiveness",
      summary: "Check whether the process is running",
      tag,
      permission: "open",
      returns: { schema: okSchema },
      errors: [],
      handle: () => ({ status: "ok" as const }),
    }),
    defineRoute({
      method: "GET",
      path: "/readyz",
      servesAnyHost: true,
      operationId: "getReadiness",
      summary: "Check whether the server is ready for requests",
      tag,
      permission: "open",
      returns: { schema: okSchema },
      errors: [503],
      async handle() {
        try {
          await assertReady();
        } catch (cause) {
          logger.error("readiness-failed", { cause });
          const known = toWeftError(cause);
          if (known.status === 503) throw known;
          throw new WeftError("not-ready", { params: { reason: "the database does not answer" }, cause });
        }
        return { status: "ok" as const };
      },
    }),
    defineRoute({
      method: "GET",
      path: "/api/v1/version",
      operationId: "getVersion",
      summary: "Get the version of the server",
      tag,
      permission: "signed-in",
      returns: { schema: z.object({ version: z.string().meta({ examples: ["0.1.0"] }) }) },
      errors: [],
      handle: () => ({ version }),
    }),
  ];
}
