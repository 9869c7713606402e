import type { Client, Document, Json, PredictionFrame, PredictionRequest } from "@weft/client";
import { applyFrame, emptyAnswer, executionIdOf } from "@weft/conversation";
import type { ChatMemory, ChatStore, RunningNote } from "./chat-store.ts";
import { toChatFailure } from "./conversation.ts";

export type AnswerReaderDeps = {
  client: Pick<Client, "streamPrediction" | "followExecution">;
  agentId: string;
  store: ChatStore;
  memory: ChatMemory;
  now(): number;
  onRunState: OnRunState;
  /** Called when a run is about to stream from its start; a continued run keeps the text streamed so far. */
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
  const reading: Reading = { ...deps, requests: new Map() };
  const { client, store, requests } = reading;
  return {
    ask(key, request, after) {
      requests.set(key, request);
      return send(reading, { key, request, after });
    },

    async askAgain(key) {
      const request = requests.get(key);
      if (request === undefined) return;
      store.changeAnswer(key, () => emptyAnswer);
      await send(reading, { key, request });
    },

    follow(key, executionId, after) {
      if (after === undefined) deps.onRunStart();
      const started = { ...noteOf(reading, key, after), executionId };
      return read(reading, key, { frames: client.followExecution(executionId, optionsAfter(reading, after)), started });
    },

    async reconnect(key) {
      const { executionId, lastFrameId } = store.turnOf(key)?.answer ?? {};
      if (executionId === undefined) return;
      store.changeAnswer(key, (answer) => ({ ...answer, state: { type: "writing", steps: {} } }));
      // The stored note names the start of the stream: after a reload none of its text is left.
      await read(reading, key, { frames: client.followExecution(executionId, optionsAfter(reading, lastFrameId)) });
    },
  };
}

/** `requests`: by turn, to send them again. */
type Reading = AnswerReaderDeps & { requests: Map<string, PredictionRequest> };

/** `started`: the data a reload needs to find this stream, unless already kept. */
type Stream = { frames: AsyncIterable<PredictionFrame>; started?: RunningNote };

function send(
  reading: Reading,
  { key, request, after }: { key: string; request: PredictionRequest; after?: string | undefined },
): Promise<void> {
  const { client, agentId, store, onRunStart } = reading;
  if (after === undefined) onRunStart();
  const headers = { "idempotency-key": key };
  const frames = client.streamPrediction(agentId, request, { signal: store.signal(), headers, internal: true });
  return read(reading, key, { frames, started: noteOf(reading, key, after) });
}

async function read(reading: Reading, key: string, stream: Stream): Promise<void> {
  const signal = reading.store.signal();
  if (stream.started) keep(reading, stream.started);
  try {
    if (await readFrames(reading, key, stream)) keep(reading);
  } catch (error) {
    if (!signal.aborted) lose(reading, key, error);
  }
}

/** The server sends what its API describes. */
function readSources(documents: unknown): readonly Document[] {
  return Array.isArray(documents) ? documents : [];
}

/** False if the chat was closed. */
async function readFrames(reading: Reading, key: string, { frames, started }: Stream): Promise<boolean> {
  const { store, onRunState } = reading;
  const signal = store.signal();
  const tellNodes = createNodeRuns(onRunState);
  for await (const frame of frames) {
    if (signal.aborted) return false;
    const isFirst = store.turnOf(key)?.answer.executionId === undefined;
    store.changeAnswer(key, (answer) => applyFrame(answer, frame, readSources));
    tellNodes(frame);
    if (isFirst && started) keep(reading, { ...started, executionId: executionIdOf(frame) });
  }
  return true;
}

function lose({ store, now }: Reading, key: string, error: unknown): void {
  const failure = toChatFailure(error, now());
  store.changeAnswer(key, (answer) => ({
    ...answer,
    state: { type: answer.executionId === undefined ? "failed" : "lost", failure },
  }));
}

function keep({ memory, store }: Reading, running?: RunningNote): void {
  memory.write({ chatId: store.view().conversation.chatId, ...(running && { running }) });
}

function noteOf({ store }: Reading, key: string, after: string | undefined): RunningNote {
  const question = store.turnOf(key)?.question ?? { text: "", attachments: [] };
  return { question, ...(after !== undefined && { after }) };
}

function optionsAfter({ store }: Reading, after: string | undefined) {
  return { signal: store.signal(), ...(after !== undefined && { lastEventId: after }) };
}

/** The state of a node during a run, as shown on the canvas. */
type NodeRunState = "running" | "finished" | "failed" | "waiting" | "rejected" | "stopped";

/** Called on every change of a node's state. */
export type OnRunState = (nodeId: string, state: NodeRunState) => void;

const states: Record<string, NodeRunState> = {
  INPROGRESS: "running",
  FINISHED: "finished",
  ERROR: "failed",
  STOPPED: "waiting",
};

/**
 * Turns the frames of one stream into node states. Nodes still running when the stream is cancelled or fails are
 * stopped; a step rejected by a person is known only at the end.
 */
export function createNodeRuns(tell: OnRunState): (frame: PredictionFrame) => void {
  const running = new Set<string>();
  return (frame) => {
    if (frame.event === "nextAgentFlow") {
      const { nodeId, status } = frame.data;
      const state = states[status];
      if (state === undefined) return;
      if (state === "running") running.add(nodeId);
      else running.delete(nodeId);
      tell(nodeId, state);
    }
    for (const nodeId of rejectedIn(frame)) tell(nodeId, "rejected");
    if (frame.event !== "end") return;
    for (const nodeId of running) tell(nodeId, "stopped");
  };
}

function rejectedIn(frame: PredictionFrame): string[] {
  if (frame.event !== "agentFlowExecutedData") return [];
  return frame.data.flatMap(({ nodeId, data }) => (isRejected(data.output) ? [nodeId] : []));
}

function isRejected(output: Json): boolean {
  return output !== null && typeof output === "object" && !Array.isArray(output) && output.decision === "reject";
}
