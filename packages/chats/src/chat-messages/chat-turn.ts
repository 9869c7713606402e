import type {
  AgentReasoning,
  ChatType,
  Document,
  FileAnnotation,
  FileUpload,
  MessageAction,
  UsedTool,
} from "@weft/schema";
import type { ChatMessageRow } from "./chat-message.store.ts";

/** One message of a turn. Lists that are absent are empty. */
export type TurnMessage = {
  id: string;
  content: string;
  sourceDocuments?: readonly Document[];
  usedTools?: readonly UsedTool[];
  fileAnnotations?: readonly FileAnnotation[];
  agentReasoning?: readonly AgentReasoning[];
  fileUploads?: readonly FileUpload[];
  action?: readonly MessageAction[];
};

/** A question and its answer. */
export type ChatTurn = {
  agentId: string;
  /** Whose chat it is. */
  owner: string;
  chatId: string;
  sessionId: string;
  chatType: ChatType;
  /** The memory of the answering node; absent: none. */
  memoryType?: string;
  leadEmail?: string;
  /** Run that gave the answer. */
  executionId?: string;
  /** When the question was accepted, in milliseconds since the epoch. */
  askedAt: number;
  /** Absent where the question is there already. */
  user?: TurnMessage;
  api: TurnMessage;
};

/** The rows of a turn, with the dates they get. */
export function toTurnRows(turn: ChatTurn, dates: { user: string; api: string }): ChatMessageRow[] {
  const shared = {
    chatflowid: turn.agentId,
    owner: turn.owner,
    chatType: turn.chatType,
    chatId: turn.chatId,
    memoryType: turn.memoryType ?? "",
    sessionId: turn.sessionId,
    leadEmail: turn.leadEmail ?? "",
    executionId: turn.executionId ?? null,
  };
  const answer = { ...shared, ...toColumns(turn.api), role: "apiMessage", createdDate: dates.api };
  if (!turn.user) return [answer];
  return [{ ...shared, ...toColumns(turn.user), role: "userMessage", createdDate: dates.user }, answer];
}

function toColumns(message: TurnMessage) {
  return {
    id: message.id,
    content: message.content,
    sourceDocuments: toJsonText(message.sourceDocuments),
    usedTools: toJsonText(message.usedTools),
    fileAnnotations: toJsonText(message.fileAnnotations),
    agentReasoning: toJsonText(message.agentReasoning),
    fileUploads: toJsonText(message.fileUploads),
    action: toJsonText(message.action),
  };
}

function toJsonText(list: readonly unknown[] | undefined): string {
  return list === undefined || list.length === 0 ? "[]" : JSON.stringify(list);
}
