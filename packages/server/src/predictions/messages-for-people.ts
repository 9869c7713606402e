import type { ConversationService } from "@weft/chats";
import type { WallClock } from "@weft/engine/ports/clock";
import type { Frame } from "@weft/http/event-stream";
import { firstTurn, type NewRun, type ReceivedMessage } from "@weft/run-host";
import { asJson, chatOwnerOf, type PredictionResult, type TakeOver, WeftError } from "@weft/schema";
import type { Message } from "./message.ts";

type Conversations = { conversations: ConversationService };

/** The person who answers the chat of a message in place of its agent. */
export async function findPerson(
  { conversations }: Conversations,
  { agentId, request: { chatId }, caller: { owner, adopts } }: Message,
): Promise<TakeOver | undefined> {
  return chatId === undefined ? undefined : conversations.findTakeOver(agentId, chatId, [owner, ...adopts]);
}

/** Throws `conflict` for clients whose answers cannot say that a person answers. */
export async function assertAgentAnswers(deps: Conversations, message: Message): Promise<void> {
  if ((await findPerson(deps, message)) === undefined) return;
  const reason =
    "A person answers this chat at the moment. Send the message by the prediction API, or to another chat.";
  throw new WeftError("conflict", { params: { reason } });
}

/** Stores a message for the person who answers its chat, in the order of its session. `run`: what it would have started. */
export async function receiveMessage(
  { conversations, clock }: Conversations & { clock: WallClock },
  { runId, begin }: NewRun,
  { by, place }: { by: TakeOver; place: Message["place"] },
): Promise<{ received: ReceivedMessage }> {
  await place?.turn;
  const { agentId, chatId, sessionId, chatType } = begin;
  const { content, fileUploads, askedAt } = firstTurn(begin, clock.now());
  const chat = { agentId, chatId, sessionId, chatType, owner: chatOwnerOf(begin) };
  const leadEmail = begin.input.leadEmail ?? "";
  // Its id is that of the run, so that a repeated request stores nothing.
  await conversations.receive({ ...chat, leadEmail, askedAt, id: runId, content, fileUploads });
  return { received: { id: runId, question: begin.input.question ?? "", chatId, sessionId, by } };
}

/** Said by clients that do not know of people who answer. */
const notice = "A person answers this chat. Your message has been passed on.";

/** The answer to a message that waits for a person. */
export function toNotice({ id, by, ...message }: ReceivedMessage): PredictionResult {
  return {
    ...message,
    text: notice,
    chatMessageId: id,
    memoryType: "",
    sourceDocuments: [],
    usedTools: [],
    fileAnnotations: [],
    agentReasoning: [],
    executionId: "",
    takenOver: by,
    agentFlowExecutedData: [],
    usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
    metadata: { warnings: [] },
  };
}

/** The same as the frames of a stream. Its metadata names no run, since there is none to reconnect to. */
export function toNoticeFrames(message: ReceivedMessage): Frame[] {
  const { id, chatId, sessionId, question, by } = message;
  const metadata = asJson({ chatId, chatMessageId: id, question, sessionId, memoryType: "", takenOver: by });
  const frames = [
    ["start", ""],
    ["token", notice],
    ["metadata", metadata],
    ["end", "[DONE]"],
  ] as const;
  return frames.map(([event, data], index) => ({ id: `${id}:${index}`, event, data }));
}
