import {
  type AgentReasoning,
  type ChatType,
  type Document,
  type FileAnnotation,
  type FileUpload,
  type MessageAction,
  toMoment,
  type UsedTool,
} from "@weft/schema";
import type { NewTurn } from "./turn-statement.ts";

/** One message of a turn. Absent lists are empty. */
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
  /** Owner of the chat. */
  owner: string;
  chatId: string;
  sessionId: string;
  chatType: ChatType;
  /** The memory of the answering node; absent: none. */
  memoryType?: string;
  leadEmail?: string;
  /** The answering run. */
  executionId?: string;
  /** When the question was accepted, in milliseconds since the epoch. */
  askedAt: number;
  /** Whether the chat was created for it, so that it is empty. Default false. */
  isFirst?: boolean | undefined;
  /** Absent if the question is already stored. */
  user?: TurnMessage;
  api: TurnMessage;
};

/** `now`: when the answer was given, in milliseconds since the epoch. */
export function toNewTurn(turn: ChatTurn, now: number): NewTurn {
  return {
    shared: {
      chatflowid: turn.agentId,
      owner: turn.owner,
      chatType: turn.chatType,
      chatId: turn.chatId,
      memoryType: turn.memoryType ?? "",
      sessionId: turn.sessionId,
      leadEmail: turn.leadEmail ?? "",
      executionId: turn.executionId ?? null,
    },
    user: turn.user && { ...toColumns(turn.user), role: "userMessage" },
    api: { ...toColumns(turn.api), role: "apiMessage" },
    askedDate: toMoment(turn.askedAt),
    answeredDate: toMoment(now),
    isFirst: turn.isFirst ?? false,
  };
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
