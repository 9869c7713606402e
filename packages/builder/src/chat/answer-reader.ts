import type { Client, PredictionFrame, PredictionRequest } from "@weft/client";
import { applyFrame, executionIdOf } from "./apply-frame.ts";
import type { ChatMemory, RunningNote } from "./chat-memory.ts";
import type { ChatStore } from "./chat-store.ts";
import { emptyAnswer, toChatFailure } from "./conversation.ts";
import { createNodeRuns, type OnRunState } from "./node-run.ts";

export type AnswerReaderDeps = {
  client: Pick<Client, "streamPrediction" | "followExecution">;
  agentId: string;
  store: ChatStore;
  memory: ChatMemory;
  now(): number;
  onRunState: OnRunState;
  /** A run is about to stream from its start; a continued run keeps the text streamed so far. */
  onRunStart(): void;
};

/** Reads streams into the answers of turns. Never rejects: errors become the answer's state. */
export type AnswerReader = {
  /** Sends a message, and reads its answer into the turn. `after`: the frame that the answer's stream follows. */
  ask(key: string, request: PredictionRequest, after?: string): Promise<void>;
  /** Resends a turn's message. If it had already started a run, joins that run. */
  askAgain(key: string): Promise<void>;
  /** Reads an existing run: from its start, or after the frame `after`. */
  follow(key: string, executionId: string, after?: string): Promise<void>;
  /** Resumes a lost stream. */
  reconnect(key: string): Promise<void>;
};

export function createAnswerReader(deps: AnswerReaderDeps): AnswerReader {
  const { client, agentId, store, memory, now } = deps;
  const requests = new Map<string, PredictionRequest>();

  const keep = (running?: RunningNote) =>
    memory.write({ chatId: store.view().conversation.chatId, ...(running && { running }) });

  /** `started`: the data a reload needs to find this stream, unless already kept. */
  async function read(key: string, frames: AsyncIterable<PredictionFrame>, started?: RunningNote): Promise<void> {
    const signal = store.signal();
    if (started) keep(started);
    try {
      if (await readFrames(key, frames, started)) keep();
    } catch (error) {
      if (!signal.aborted) lose(key, error);
    }
  }

  /** False once the chat was closed. */
  async function readFrames(
    key: string,
    frames: AsyncIterable<PredictionFrame>,
    started: RunningNote | undefined,
  ): Promise<boolean> {
    const signal = store.signal();
    const tellNodes = createNodeRuns(deps.onRunState);
    for await (const frame of frames) {
      if (signal.aborted) return false;
      const isFirst = store.turnOf(key)?.answer.executionId === undefined;
      store.changeAnswer(key, (answer) => applyFrame(answer, frame));
      tellNodes(frame);
      if (isFirst && started) keep({ ...started, executionId: executionIdOf(frame) });
    }
    return true;
  }

  function lose(key: string, error: unknown): void {
    const failure = toChatFailure(error, now());
    store.changeAnswer(key, (answer) => ({
      ...answer,
      state: { type: answer.executionId === undefined ? "failed" : "lost", failure },
    }));
  }

  function send(key: string, request: PredictionRequest, after?: string): Promise<void> {
    if (after === undefined) deps.onRunStart();
    const headers = { "idempotency-key": key };
    const frames = client.streamPrediction(agentId, request, { signal: store.signal(), headers, internal: true });
    return read(key, frames, noteOf(key, after));
  }

  function noteOf(key: string, after: string | undefined): RunningNote {
    const question = store.turnOf(key)?.question ?? { text: "", attachments: [] };
    return { question, ...(after !== undefined && { after }) };
  }

  const optionsAfter = (after: string | undefined) => ({
    signal: store.signal(),
    ...(after !== undefined && { lastEventId: after }),
  });

  return {
    ask(key, request, after) {
      requests.set(key, request);
      return send(key, request, after);
    },

    async askAgain(key) {
      const request = requests.get(key);
      if (request === undefined) return;
      store.changeAnswer(key, () => emptyAnswer);
      await send(key, request);
    },

    follow(key, executionId, after) {
      if (after === undefined) deps.onRunStart();
      const started = { ...noteOf(key, after), executionId };
      return read(key, client.followExecution(executionId, optionsAfter(after)), started);
    },

    async reconnect(key) {
      const { executionId, lastFrameId } = store.turnOf(key)?.answer ?? {};
      if (executionId === undefined) return;
      store.changeAnswer(key, (answer) => ({ ...answer, state: { type: "writing", steps: {} } }));
      // What is kept names the start of the stream: a reload has nothing of its text.
      await read(key, client.followExecution(executionId, optionsAfter(lastFrameId)));
    },
  };
}
