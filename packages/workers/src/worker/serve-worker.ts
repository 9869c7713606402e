import { parentPort } from "node:worker_threads";
import { WeftError } from "@weft/schema";
import type { FromWorker, ToWorker } from "./worker-protocol.ts";

/**
 * Makes the running worker thread answer a `createWorkerClient`. `answer` is called for every request as it comes; the
 * signal aborts when nobody waits for the answer any more.
 */
export function serveWorker<Request, Answer>(
  answer: (request: Request, options: { signal: AbortSignal }) => Promise<Answer>,
): void {
  const underWay = new Map<number, AbortController>();

  async function reply(id: number, request: Request): Promise<FromWorker<Answer>> {
    const controller = new AbortController();
    underWay.set(id, controller);
    try {
      // Not before the next turn, so that a cancellation behind it is heard first.
      await new Promise(setImmediate);
      controller.signal.throwIfAborted();
      return { id, answer: await answer(request, controller) };
    } catch (error) {
      const code = error instanceof WeftError ? error.code : undefined;
      return { id, failure: { code, message: error instanceof Error ? error.message : String(error) } };
    } finally {
      underWay.delete(id);
    }
  }

  parentPort?.on("message", async (message: ToWorker<Request>) => {
    if ("cancel" in message) underWay.get(message.cancel)?.abort();
    else parentPort?.postMessage(await reply(message.id, message.request));
  });
}
