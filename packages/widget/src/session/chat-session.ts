import { applyFrame, emptyAnswer, type Frame } from "@weft/conversation";
import type { ChatReplies } from "@weft/schema";
import { type AgentApi, ApiError, type Lead, type Rating } from "../protocol/agent-api.ts";
import { type Line, type ReadRunDeps, readRun } from "../protocol/read-run.ts";
import type { ChatNote } from "./chat-memory.ts";
import { type Attachment, openTurn, type Turn } from "./conversation.ts";
import { toSources } from "./to-sources.ts";

export type Upload = { type: "file" | "image" | "audio"; name: string; mime: string; data: string };

export type Message = { text: string; uploads?: readonly Upload[]; form?: Record<string, unknown> };

/** What a person answers to a run that waits. `label`: what stands on the button, in place of words. */
export type Reply = { type: "proceed" | "reject"; label: string; feedback: string };

export type Observers = {
  observeUserInput?: ((text: string) => void) | undefined;
  observeLoading?: ((isLoading: boolean) => void) | undefined;
  observeMessages?: ((messages: { type: "userMessage" | "apiMessage"; message: string }[]) => void) | undefined;
};

export type ChatSessionDeps = Pick<ReadRunDeps, "isOnline" | "pause"> & {
  api: AgentApi;
  newId(): string;
  /** Sent with every message. */
  overrideConfig?: object | undefined;
  observers: Observers;
  /** State left by an earlier visit. */
  kept: ChatNote | undefined;
  /** Calls back soon, once for all changes up to then. */
  schedule(notify: () => void): void;
};

export type ChatView = Pick<ChatNote, "chatId" | "turns" | "draft" | "hasLead"> & { line: Line };

/** One chat with an agent. Errors become the state of an answer; only `rate` and `saveLead` reject. */
export type ChatSession = {
  view(): ChatView;
  /** The state to store, so that a reload continues from there. */
  note(): ChatNote;
  subscribe(listener: () => void): void;
  /** Continues an answer that was streaming when the page was left. */
  resume(): Promise<void>;
  send(message: Message): Promise<void>;
  /** Answers the run that waits in this turn. */
  answer(key: string, reply: Reply): Promise<void>;
  /** Resends a message, or continues reading its answer. */
  retry(key: string): Promise<void>;
  stop(): Promise<void>;
  /** Shows what people write in place of the agent, until the session is closed. `isSeen`: whether the page is visible. */
  followReplies(isSeen: () => boolean): Promise<void>;
  rate(key: string, rating: Rating): Promise<void>;
  saveLead(lead: Lead): Promise<void>;
  typed(draft: string): void;
  newChat(): void;
  /** Who hears recordings that come with answers; one at most. */
  hearWith(ear: Ear): void;
  /** Stops reading; the run continues. */
  close(): void;
};

/** Hears the recording of an answer, frame by frame, until its stream is over. */
export type Ear = { hear(key: string, frame: Frame): void; over(key: string): void };

type State = ChatView & {
  request?: object | undefined;
  leadEmail?: string | undefined;
  /** A person answers. */
  isTaken?: boolean;
  /** When something was said last, in milliseconds since the epoch. */
  saidAtMs?: number;
};

type Chat = ChatSessionDeps & {
  state: State;
  reading: AbortController;
  closing: AbortController;
  ear?: Ear;
  change(changed: Partial<State>): void;
};

export function createChatSession(deps: ChatSessionDeps): ChatSession {
  const listeners: (() => void)[] = [];
  let isScheduled = false;
  const { chatId = deps.newId(), turns = [], draft = "", hasLead = false, request } = deps.kept ?? {};
  const chat: Chat = {
    ...deps,
    state: { chatId, turns, draft, hasLead, request, line: "open" },
    reading: new AbortController(),
    closing: new AbortController(),
    change(changed) {
      tell(deps.observers, chat.state, changed);
      chat.state = { ...chat.state, ...changed };
      if (isScheduled) return;
      isScheduled = true;
      deps.schedule(() => {
        isScheduled = false;
        for (const listener of listeners) listener();
      });
    },
  };
  return {
    view: () => chat.state,
    note() {
      const { request, chatId, turns, draft, hasLead } = chat.state;
      return { chatId, turns, draft, hasLead, ...(request !== undefined && { request }) };
    },
    subscribe: (listener) => void listeners.push(listener),
    resume: () => resume(chat),
    send: (message) => send(chat, message),
    answer: (key, reply) => answer(chat, key, reply),
    retry: (key) => retry(chat, key),
    stop: () => stop(chat),
    followReplies: (isSeen) => followReplies(chat, isSeen),
    rate: (key, rating) => rate(chat, key, rating),
    async saveLead(lead) {
      await chat.api.saveLead(chat.state.chatId, lead);
      chat.change({ hasLead: true, leadEmail: lead.email });
    },
    typed: (draft) => chat.change({ draft }),
    newChat() {
      stopReading(chat);
      chat.change({ chatId: deps.newId(), turns: [], line: "open", request: undefined, isTaken: false });
    },
    hearWith(ear) {
      chat.ear = ear;
    },
    close() {
      chat.closing.abort();
      stopReading(chat);
    },
  };
}

/** Tells observers what changes. */
function tell(observers: Observers, before: State, { turns }: Partial<State>): void {
  if (turns === undefined || turns === before.turns) return;
  const isLoading = openTurn(turns) !== undefined;
  if (isLoading !== (openTurn(before.turns) !== undefined)) observers.observeLoading?.(isLoading);
  observers.observeMessages?.(
    turns.flatMap(({ question, answer: { text } }) => [
      ...(question === "" ? [] : [{ type: "userMessage" as const, message: question }]),
      ...(text === "" ? [] : [{ type: "apiMessage" as const, message: text }]),
    ]),
  );
}

function stopReading(chat: Chat): void {
  chat.reading.abort();
  chat.reading = new AbortController();
}

async function send(chat: Chat, { text, uploads = [], form }: Message): Promise<void> {
  if (openTurn(chat.state.turns) !== undefined) return;
  chat.observers.observeUserInput?.(text);
  const request = {
    ...(form === undefined ? { question: text } : { form }),
    ...(uploads.length > 0 && { uploads }),
    ...(chat.state.leadEmail && { leadEmail: chat.state.leadEmail }),
  };
  await ask(chat, { question: text, attachments: uploads.map(({ name }) => ({ name })), request });
}

async function answer(chat: Chat, key: string, { type, label, feedback }: Reply): Promise<void> {
  const asking = chat.state.turns.find((turn) => turn.key === key);
  if (asking?.answer.state.type !== "waiting" || openTurn(chat.state.turns) !== undefined) return;
  const { action } = asking.answer.state;
  changeAnswer(chat, key, (before) => ({ ...before, state: { type: "finished" } }));
  // Stored as the message: a comment alone would not show that it goes with a no.
  const question = type === "reject" && feedback !== "" ? `${label}: ${feedback}` : feedback || label;
  const humanInput = { type, ...(feedback !== "" && { feedback }) };
  await ask(chat, { question, attachments: [], request: { question, humanInput, action: { id: action.id } } });
}

type Ask = { question: string; attachments: readonly Attachment[]; request: object };

async function ask(chat: Chat, { question, attachments, request }: Ask): Promise<void> {
  // The recording of the answer before may still be coming.
  stopReading(chat);
  const key = chat.newId();
  const { chatId, turns } = chat.state;
  const { overrideConfig } = chat;
  const body = { ...request, chatId, ...(overrideConfig && { overrideConfig }) };
  chat.change({ turns: [...turns, { key, question, attachments, answer: emptyAnswer }], request: body });
  await read(chat, key, body);
}

/** Reads an answer into its turn until it ends. Without a `body` the run is known to the server by its frames. */
async function read(chat: Chat, key: string, body: object | undefined): Promise<void> {
  const { signal } = chat.reading;
  const { api, isOnline, pause } = chat;
  const deps = { api, signal, isOnline, pause, onLine: (line: Line) => signal.aborted || chat.change({ line }) };
  const lastId = chat.state.turns.find((turn) => turn.key === key)?.answer.lastFrameId;
  try {
    const open = () => (body === undefined ? Promise.reject(new Error()) : api.predict(body, { key, signal }));
    for await (const frame of readRun(deps, { open, lastId })) {
      if (signal.aborted) return;
      if (frame.event.startsWith("tts_")) chat.ear?.hear(key, frame);
      else changeAnswer(chat, key, (before) => withoutNotice(applyFrame(before, frame, toSources)));
    }
    const isTaken = chat.state.turns.find((turn) => turn.key === key)?.answer.takenOver !== undefined;
    chat.change({ line: "open", request: undefined, isTaken, saidAtMs: Date.now() });
  } catch (cause) {
    if (signal.aborted) return;
    const failure = { message: cause instanceof ApiError ? cause.message : "" };
    const type = cause instanceof ApiError ? "failed" : "lost";
    chat.change({ line: "open" });
    changeAnswer(chat, key, (before) => ({ ...before, state: { type, failure } }));
  } finally {
    chat.ear?.over(key);
  }
}

/** The notice is for clients that cannot show a person's name. */
function withoutNotice(answer: Turn["answer"]): Turn["answer"] {
  return answer.takenOver === undefined ? answer : { ...answer, text: "" };
}

/** How often it is asked whether a person wrote something: while one answers, and otherwise. */
const [takenMs, usualMs] = [3_000, 25_000];
/** Nobody is expected to write so long after the last message. */
const quietMs = 15 * 60_000;

async function followReplies(chat: Chat, isSeen: () => boolean): Promise<void> {
  const { signal } = chat.closing;
  // After a reload someone may have written meanwhile.
  chat.change({ saidAtMs: Date.now() });
  while (!signal.aborted) {
    const { turns, isTaken, saidAtMs = 0 } = chat.state;
    const isDue = turns.length > 0 && isSeen() && (isTaken || Date.now() - saidAtMs < quietMs);
    // What is missed now comes with the next look.
    if (isDue) await readReplies(chat, signal).catch(() => undefined);
    await chat.pause(chat.state.isTaken ? takenMs : usualMs);
  }
}

async function readReplies(chat: Chat, signal: AbortSignal): Promise<void> {
  const { chatId, turns } = chat.state;
  const after = turns.findLast(({ answer }) => answer.author !== undefined)?.key;
  const { takenOver, replies } = await chat.api.replies({ chatId, after }, signal);
  if (signal.aborted || chat.state.chatId !== chatId) return;
  const known = new Set(chat.state.turns.map(({ key }) => key));
  const fresh = replies.filter(({ id }) => !known.has(id)).map(toTurn);
  const isTaken = takenOver !== null;
  if (fresh.length === 0 && isTaken === chat.state.isTaken) return;
  chat.change({ isTaken, ...(fresh.length > 0 && { turns: [...chat.state.turns, ...fresh], saidAtMs: Date.now() }) });
}

/** What a person wrote, as an answer without a question. */
function toTurn({ id, author, text }: ChatReplies["replies"][number]): Turn {
  const answer = { ...emptyAnswer, text, author, messageId: id, state: { type: "finished" } as const };
  return { key: id, question: "", attachments: [], answer };
}

async function retry(chat: Chat, key: string): Promise<void> {
  const turn = chat.state.turns.find((one) => one.key === key);
  if (turn === undefined || openTurn(chat.state.turns) !== undefined) return;
  const { state, lastFrameId } = turn.answer;
  if (state.type === "waiting" || (state.type === "lost" && lastFrameId !== undefined)) {
    changeAnswer(chat, key, (before) => ({ ...before, state: { type: "writing", steps: {} } }));
    await read(chat, key, undefined);
    return;
  }
  const { request } = chat.state;
  if (request === undefined || lastFrameId !== undefined) {
    // The run failed: the same message begins another.
    chat.change({ turns: chat.state.turns.filter((one) => one !== turn) });
    await ask(chat, { ...turn, request: request ?? { question: turn.question } });
    return;
  }
  changeAnswer(chat, key, () => emptyAnswer);
  await read(chat, key, request);
}

async function resume(chat: Chat): Promise<void> {
  const turn = openTurn(chat.state.turns);
  if (turn !== undefined) await read(chat, turn.key, chat.state.request);
}

async function stop(chat: Chat): Promise<void> {
  const turn = openTurn(chat.state.turns);
  if (turn === undefined) return;
  const { signal } = chat.reading;
  await chat.api.abort(chat.state.chatId).catch(() => undefined);
  const isGone = () => signal.aborted || openTurn(chat.state.turns)?.key !== turn.key;
  // The stream tells the end of a run that began.
  if (turn.answer.lastFrameId !== undefined) await chat.pause(2_000);
  if (isGone()) return;
  stopReading(chat);
  chat.change({ line: "open", request: undefined });
  changeAnswer(chat, turn.key, (before) => ({ ...before, state: { type: "stopped" } }));
}

async function rate(chat: Chat, key: string, rating: Rating): Promise<void> {
  const { messageId } = chat.state.turns.find((turn) => turn.key === key)?.answer ?? {};
  if (messageId === undefined) return;
  await chat.api.rate({ chatId: chat.state.chatId, messageId }, rating);
  changeAnswer(chat, key, (before) => ({ ...before, rating: rating.rating }));
}

function changeAnswer(chat: Chat, key: string, update: (answer: Turn["answer"]) => Turn["answer"]): void {
  const { turns } = chat.state;
  chat.change({ turns: turns.map((turn) => (turn.key === key ? { ...turn, answer: update(turn.answer) } : turn)) });
}
