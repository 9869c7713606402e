import { WeftError } from "@weft/schema";
import type { EgressDefaults } from "./call.ts";
import { describeOrigin } from "./failure.ts";
import type { LiveAnswer } from "./live-answer.ts";
import { type BodyLimits, createBodyLimit, redactPieces } from "./pieces.ts";

export type StreamOptions = {
  limits: BodyLimits & Pick<EgressDefaults, "fetchIdleMs">;
  toError: (error: unknown) => unknown;
  /** Called once, when nothing more is read. */
  ended: () => void;
};

/**
 * A body as a web stream that fails as `createBodyLimit` says, and with `egress-timeout` if it stalls for `fetchIdleMs`
 * while its reader waits. Reads on demand.
 */
export function streamBody(answer: LiveAnswer, options: StreamOptions): ReadableStream<Uint8Array<ArrayBuffer>> {
  const { url, headers } = answer;
  const { limits, toError, ended } = options;
  const limitMs = limits.fetchIdleMs;
  const body = redactPieces(answer.body, answer.redactors);
  const check = createBodyLimit(url, String(headers["content-type"] ?? ""), limits);
  let idle: NodeJS.Timeout | undefined;
  let isOpen = false;

  function leave(): void {
    clearTimeout(idle);
    body.abort();
    ended();
  }

  function open(controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>, fail: (error: unknown) => void) {
    isOpen = true;
    body.pipe({
      data(piece) {
        clearTimeout(idle);
        try {
          check(piece);
          // First, since a waiting reader asks for more at once.
          body.pause();
          controller.enqueue(piece as Buffer<ArrayBuffer>);
        } catch (error) {
          fail(error);
        }
      },
      end() {
        clearTimeout(idle);
        controller.close();
        ended();
      },
      error: fail,
    });
  }

  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull(controller) {
        const fail = (error: unknown) => {
          leave();
          controller.error(toError(error));
        };
        const stoodStill = () => new WeftError("egress-timeout", { params: { url: describeOrigin(url), limitMs } });
        idle = setTimeout(() => fail(stoodStill()), limitMs);
        if (isOpen) body.resume();
        else open(controller, fail);
      },
      cancel: leave,
    },
    { highWaterMark: 0 },
  );
}
