import { type StoreQuestionInput, WeftError } from "@weft/schema";
import { createWorkerClient, WorkerEnded } from "@weft/workers";

/** Reads files off the event loop, one at a time: a file that kills the thread affects no other. */
export type QuestionFileReader = {
  /** Rejects with `parameters-invalid` if the text is not a question file or takes too long to read. */
  read(text: string): Promise<StoreQuestionInput[]>;
  close(): Promise<void>;
};

/** Processor time. A file of 5 MB takes two seconds of it. */
const readMs = 5_000;
const heapMb = 256;

export function createQuestionFileReader(): QuestionFileReader {
  const url = new URL("./question-file-worker.ts", import.meta.url);
  const worker = createWorkerClient<string, StoreQuestionInput[]>({ url, idleMs: 10_000, computeMs: readMs, heapMb });
  let turn: Promise<unknown> = Promise.resolve();

  async function readNow(text: string): Promise<StoreQuestionInput[]> {
    try {
      return await worker.ask(text, { signal: new AbortController().signal });
    } catch (cause) {
      if (!(cause instanceof WorkerEnded)) throw cause;
      const reason = `text could not be read as YAML or JSON within ${readMs / 1_000} seconds and ${heapMb} MB`;
      throw new WeftError("parameters-invalid", { params: { reason }, cause });
    }
  }
  return {
    read(text) {
      const own = turn.then(() => readNow(text));
      turn = own.catch(() => undefined);
      return own;
    },
    close: worker.close,
  };
}
