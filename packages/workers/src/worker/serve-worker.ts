import { constants, getPriority, platform, setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { type ErrorCode, WeftError } from "@weft/schema";

/**
 * Makes the running worker, a thread or a process, answer a `createWorkerClient`. `answer` is called for every request as it comes; the
 * signal aborts when nobody waits for the answer any more. `tell` is for what the client is told without having asked.
 */
export function serveWorker<Request, Answer, Note = never>(
  answer: (request: Request, options: { signal: AbortSignal }) => Promise<Answer>,
): { tell(note: Note): void } {
  const underWay = new Map<number, AbortController>();

  async function reply(id: number, request: Request): Promise<FromWorker<Answer, Note>> {
    const controller = new AbortController();
    underWay.set(id, controller);
    try {
      // Not before the next turn, so that a cancellation behind it is heard first.
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
  // A process that nobody can ask any more has no reason to go on.
  if (parentPort === null) process.once("disconnect", () => process.exit());
  return { tell: (note) => void send({ note }) };
}

/** What the host says to its worker. */
export type ToWorker<Request> = { id: number; request: Request } | { cancel: number };

/** What the worker answers, in parts if it likes, or tells by itself. A failure of the catalogue travels as its code and words. */
export type FromWorker<Answer, Note = unknown, Part = unknown> =
  | { id: number; part: Part }
  | { id: number; answer: Answer }
  | { id: number; failure: { code: ErrorCode | undefined; retryable: boolean; message: string } }
  | { note: Note };

/**
 * Lets every other thread of the machine go before this one, so that a server under hostile code answers as fast as at
 * rest. Only on Linux, which keeps a priority for each thread: elsewhere the whole process would be slowed.
 */
export function lowerPriority(): void {
  const lower = constants.priority.PRIORITY_BELOW_NORMAL;
  if (platform() !== "linux" || getPriority() >= lower) return;
  try {
    setPriority(lower);
  } catch {
    // A container may forbid it. The code then competes with the server, and is bounded as before.
  }
}
