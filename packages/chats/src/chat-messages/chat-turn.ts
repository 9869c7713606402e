import { type Database, prepareQuery } from "@weft/database";
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
import { type CompiledQuery, type Expression, type RawBuilder, type SqlBool, sql } from "kysely";
import type { ChatMessageRow } from "./chat-message.store.ts";

/** One message of a turn. Absent lists are empty. */
type TurnMessage = {
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

/** The messages of a turn, without the columns that the database determines. */
type NewTurn = {
  shared: SharedColumns;
  /** Absent if the question is already stored. */
  user: MessageColumns | undefined;
  api: MessageColumns;
  askedDate: string;
  answeredDate: string;
  /** Whether the chat was created for it, so that it is empty. */
  isFirst: boolean;
};

/** Of both messages. An empty `leadEmail` becomes the address left in the chat. */
type SharedColumns = Pick<ChatMessageRow, (typeof sharedColumns)[number]>;
type MessageColumns = Pick<ChatMessageRow, (typeof messageColumns)[number]>;
type Values = SharedColumns & Pick<NewTurn, "askedDate" | "answeredDate">;

const sharedColumns = [
  ...(["chatflowid", "owner", "chatType", "chatId", "memoryType", "sessionId", "leadEmail", "executionId"] as const),
];
const messageColumns = [
  ...(["id", "role", "content", "sourceDocuments", "usedTools", "fileAnnotations"] as const),
  ...(["agentReasoning", "fileUploads", "action"] as const),
];

/** An SQL condition: the agent exists. */
export type IsThere = (agentId: string) => RawBuilder<SqlBool>;

/**
 * Builds the single statement that writes a turn. It reads all it depends on itself, so that nothing is read before it:
 * the newest message of the session, because dates in it only move forward; the address left in the chat; and whether
 * the agent exists, because a deleted one's turn is not stored. The first turn of a new chat follows no message.
 */
export function createTurnStatement(
  { dialect, read }: Pick<Database, "dialect" | "read">,
  isThere: IsThere,
): (turn: NewTurn) => CompiledQuery {
  const compile = (isFirst: boolean, ...messages: ("user" | "api")[]) => {
    const own = messages.flatMap((message) => messageColumns.map((column) => keyOf(message, column)));
    return prepareQuery<Values & Record<string, string | null>, never>(
      [...sharedColumns, "askedDate", "answeredDate", ...own],
      (_, places) => {
        const dates = {
          user: sql.ref<string>("asked"),
          api: latest(dialect, places.answeredDate, after(dialect, sql.ref("asked"))),
        };
        const rows = messages.map((message) => {
          const values = [
            ...sharedValues(places),
            ...messageColumns.map((column) => sql`${places[keyOf(message, column)]}`),
          ];
          return sql`select ${sql.join([...values, dates[message]])} from "turn" where ${isThere(places.chatflowid)}`;
        });
        const begin = isFirst
          ? sql<string>`${places.askedDate}`
          : latest(dialect, places.askedDate, after(dialect, newestDate(places)));
        const columns = [...sharedColumns, ...messageColumns, "createdDate"].map((column) => sql.ref(column));
        return sql`
          with "turn" as (select ${begin} as "asked")
          insert into "chatMessages" (${sql.join(columns)}) ${sql.join(rows, sql` union all `)}`;
      },
    );
  };
  const first = { whole: compile(true, "user", "api"), answer: compile(true, "api") };
  const later = { whole: compile(false, "user", "api"), answer: compile(false, "api") };
  return ({ shared, user, api, askedDate, answeredDate, isFirst }) => {
    const { whole, answer } = isFirst ? first : later;
    const values = { ...shared, askedDate, answeredDate, ...keyed("api", api) };
    if (user === undefined) return answer.statement(read, values);
    return whole.statement(read, { ...values, ...keyed("user", user) });
  };
}

function keyOf(message: string, column: string): string {
  return `${message} ${column}`;
}

function keyed(message: string, columns: MessageColumns): Record<string, string> {
  return Object.fromEntries(messageColumns.map((column) => [keyOf(message, column), columns[column]]));
}

function sharedValues(places: SharedColumns): Expression<unknown>[] {
  return sharedColumns.map((column) => (column === "leadEmail" ? leadEmail(places) : sql`${places[column]}`));
}

function leadEmail({ leadEmail: given, chatflowid, chatId, owner }: SharedColumns): Expression<string> {
  return sql<string>`coalesce(nullif(${given}, ''), (
    select "email" from "leads"
    where "chatflowid" = ${chatflowid} and "chatId" = ${chatId} and "owner" = ${owner} and "email" <> ''
    order by "createdDate" desc, "id" desc limit 1), '')`;
}

function newestDate({ chatflowid, sessionId, owner }: SharedColumns): Expression<string> {
  return sql<string>`(
    select "createdDate" from "chatMessages"
    where "chatflowid" = ${chatflowid} and "sessionId" = ${sessionId} and "owner" = ${owner}
    order by "createdDate" desc limit 1)`;
}

/** A millisecond after a date; null if there is none. */
function after(dialect: Database["dialect"], date: Expression<string>): Expression<string> {
  if (dialect === "sqlite") return sql<string>`strftime('%Y-%m-%dT%H:%M:%fZ', ${date}, '+0.001 seconds')`;
  return sql<string>`to_char(
    (${date}::timestamptz + interval '1 millisecond') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** The later one of two dates, of which the second may be null. */
function latest(dialect: Database["dialect"], date: string, other: Expression<string>): Expression<string> {
  if (dialect === "sqlite") return sql<string>`max(${date}, coalesce(${other}, ''))`;
  return sql<string>`greatest(${date}::text collate "C", ${other})`;
}
