import { parentPort } from "node:worker_threads";
import { type ErrorCode, WeftError } from "@weft/schema";

/**
 * Makes the running worker, a thread or a process, answer a `createWorkerClient`. `answer` is called for every request
 * as it arrives; the signal aborts when nobody waits for the answer any more. `tell` sends unsolicited notes to the
 * client.
 */
export function serveWorker<Request, Answer, Note = never>(
  answer: (request: Request, options: { signal: AbortSignal }) => Promise<Answer>,
): { tell(note: Note): void } {
  const underWay = new Map<number, AbortController>();

  async function reply(id: number, request: Request): Promise<FromWorker<Answer, Note>> {
    const controller = new AbortController();
    underWay.set(id, controller);
    try {
      // Not before the next turn, so that a cancellation behind it is read first.
      await new Promise(setImmediate);
      controller.signal.throwIfAborted();
      return { id, answer: await answer(request, controller) };
    } catch (error) {
      const { code, retryable } = error instanceof WeftError ? error : { code: undefined, retryable: false };
      return { id, failure: { code, retryable, message: error instanceof Error ? error.message : String(error) } };
    } finally {
      underWay.delete(id);
    }
  }

  const send = (answered: FromWorker<Answer, Note>) =>
    parentPort ? parentPort.postMessage(answered) : process.send?.(answered);
  (parentPort ?? process).on("message", async (message: ToWorker<Request>) => {
    if ("cancel" in message) underWay.get(message.cancel)?.abort();
    else send(await reply(message.id, message.request));
  });
  // A process that can no longer be asked has no reason to continue.
  if (parentPort === null) process.once("disconnect", () => process.exit());
  return { tell: (note) => void send({ note }) };
}

/** Messages from the host to its worker. */
export type ToWorker<Request> = { id: number; request: Request } | { cancel: number };

/**
 * A worker's answer, optionally in parts, or an unsolicited note. A failure of the catalogue is sent as its code and
 * message.
 */
export type FromWorker<Answer, Note = unknown, Part = unknown> =
  | { id: number; part: Part }
  | { id: number; answer: Answer }
  | { id: number; failure: { code: ErrorCode | undefined; retryable: boolean; message: string } }
  | { note: Note };
