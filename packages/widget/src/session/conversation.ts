import type { MessageAction } from "@weft/schema";
import type { Frame } from "../protocol/read-frames.ts";
import { type Source, toSources } from "./to-sources.ts";

export type Attachment = { name: string };

/** The state of an answer. Only `sending` and `writing` change by themselves. */
export type AnswerState =
  | { type: "sending" }
  /** `step`: what the agent is at; empty where it does not say. */
  | { type: "writing"; step: string }
  | { type: "finished" }
  | { type: "waiting"; action: MessageAction }
  | { type: "stopped" }
  /** `message`: the server's words, empty where there are none. `isLost`: the run may be going on. */
  | { type: "failed"; message: string; isLost: boolean };

export type Answer = {
  text: string;
  state: AnswerState;
  /** Id of the last frame that was read: the stream resumes after it. */
  lastFrameId?: string;
  /** Id of the stored message; absent until it is stored. */
  messageId?: string;
  /** The message as the server understood it: what was said in a recording. */
  heard?: string;
  rating?: "THUMBS_UP" | "THUMBS_DOWN";
  /** What the answer is based on; absent until it is known. */
  sources?: readonly Source[];
  /** Messages that may be sent next. */
  followUps?: readonly string[];
};

/** A message and its answer. `key` is the message's Idempotency-Key, too. */
export type Turn = { key: string; question: string; attachments: readonly Attachment[]; answer: Answer };

export const emptyAnswer: Answer = { text: "", state: { type: "sending" } };

export function isUnderWay({ state }: Answer): boolean {
  return state.type === "sending" || state.type === "writing";
}

/** Applies the next frame of a stream to its answer. Frames that this version does not know change nothing but the place. */
export function applyFrame(before: Answer, { id, event, data }: Frame): Answer {
  const answer = { ...before, lastFrameId: id };
  switch (event) {
    case "start":
      return { ...answer, state: { type: "writing", step: "" } };
    case "token":
      return { ...answer, text: answer.text + String(data) };
    case "restart":
      return restarted(answer, data as { keep: number; nodeId?: string });
    case "nextAgentFlow":
      return withStep(answer, data as { nodeLabel: string; status: string });
    case "sourceDocuments":
      return { ...answer, sources: toSources(data) };
    case "action":
      return { ...answer, state: { type: "waiting", action: data as MessageAction } };
    case "metadata":
      return { ...settled(answer), ...messageIdOf(data), ...heardIn(data), ...followUpsOf(data) };
    case "error":
      return { ...answer, state: { type: "failed", message: String(data), isLost: false } };
    case "abort":
      return { ...answer, state: { type: "stopped" } };
    case "agentFlowEvent":
      return data === "INPROGRESS" ? { ...answer, state: { type: "writing", step: "" } } : answer;
    case "end":
      return isUnderWay(answer) ? { ...answer, state: { type: "failed", message: "", isLost: false } } : answer;
    default:
      return answer;
  }
}

/** Text that was begun is void; what another node than the answering one writes is not shown. */
function restarted(answer: Answer, { keep, nodeId }: { keep: number; nodeId?: string }): Answer {
  return nodeId === undefined ? { ...answer, text: answer.text.slice(0, keep) } : answer;
}

function withStep(answer: Answer, { nodeLabel, status }: { nodeLabel: string; status: string }): Answer {
  if (answer.state.type !== "writing") return answer;
  return { ...answer, state: { type: "writing", step: status === "INPROGRESS" ? nodeLabel : "" } };
}

/** An answer whose metadata has come is there, unless it waits. */
function settled(answer: Answer): Answer {
  return isUnderWay(answer) ? { ...answer, state: { type: "finished" } } : answer;
}

function messageIdOf(data: unknown): Pick<Answer, "messageId"> {
  const { chatMessageId } = data as { chatMessageId?: unknown };
  return typeof chatMessageId === "string" ? { messageId: chatMessageId } : {};
}

function heardIn(data: unknown): Pick<Answer, "heard"> {
  const { question } = data as { question?: unknown };
  return typeof question === "string" && question !== "" ? { heard: question } : {};
}

/** JSON text of a list; other servers write it twice. Anything else is as if there were none. */
function followUpsOf(data: unknown): Pick<Answer, "followUps"> {
  const { followUpPrompts } = data as { followUpPrompts?: unknown };
  const list = parse(parse(followUpPrompts));
  const texts = Array.isArray(list) ? list.filter((one): one is string => typeof one === "string" && one !== "") : [];
  return texts.length === 0 ? {} : { followUps: texts.slice(0, mostFollowUps) };
}

const mostFollowUps = 6;

function parse(value: unknown): unknown {
  try {
    return typeof value === "string" ? JSON.parse(value) : value;
  } catch {
    return undefined;
  }
}
