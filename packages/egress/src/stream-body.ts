import type { Readable } from "node:stream";
import { WeftError } from "@weft/schema";
import { type BodyLimits, createBodyLimit } from "./body-limit.ts";
import type { EgressDefaults } from "./egress-defaults.ts";
import type { Exchange } from "./exchange.ts";
import { describeOrigin } from "./failure.ts";

export type StreamOptions = {
  limits: BodyLimits & Pick<EgressDefaults, "fetchIdleMs">;
  toError: (error: unknown) => unknown;
  /** Called once, when nothing more is read. */
  ended: () => void;
};

/**
 * A decoded body as a web stream that fails as `createBodyLimit` says, and with `egress-timeout` when it stands still
 * for `fetchIdleMs` while its reader waits. Reads only when asked to.
 */
export function streamBody(answer: Exchange, options: StreamOptions): ReadableStream<Uint8Array<ArrayBuffer>> {
  const { body, url } = answer;
  const chunks: AsyncIterator<Uint8Array<ArrayBuffer>> = body[Symbol.asyncIterator]();
  const check = createBodyLimit(url, String(answer.headers["content-type"] ?? ""), options.limits);
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        try {
          const next = await withinIdle(chunks.next(), url, options.limits.fetchIdleMs);
          if (next.done === true) {
            options.ended();
            return controller.close();
          }
          check(next.value);
          controller.enqueue(next.value);
        } catch (error) {
          discard(body);
          options.ended();
          controller.error(options.toError(error));
        }
      },
      cancel() {
        discard(body);
        options.ended();
      },
    },
    { highWaterMark: 0 },
  );
}

async function withinIdle<T>(next: Promise<T>, url: URL, limitMs: number): Promise<T> {
  const idle = Promise.withResolvers<never>();
  const error = () => new WeftError("egress-timeout", { params: { url: describeOrigin(url), limitMs } });
  const timer = setTimeout(() => idle.reject(error()), limitMs);
  try {
    return await Promise.race([next, idle.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Ends a body that nobody will read. */
export function discard(body: Readable): void {
  body.on("error", () => {});
  body.destroy();
}
