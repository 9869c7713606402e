import { type Database, prepareQuery, type Tables } from "@weft/database";
import { type CompiledFlow, openQuestions, openWaits, type RunState, turnText } from "@weft/engine";
import { type ActiveRun, createRunTailStore, type ProjectRun, type RunTurn, toAction } from "@weft/run-host";
import {
  type AgentReasoning,
  type ChatType,
  chatOwnerOf,
  type Document,
  type FileAnnotation,
  type FileUpload,
  isTerminalEvent,
  type MessageAction,
  type RunEvent,
  toMoment,
  type UsedTool,
} from "@weft/schema";
import { type CompiledQuery, type Expression, type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import type { ChatMessageRow, RunOfChat } from "./chat-message.store.ts";
import { agentReasoningOf, hasSeveralAgents, runFactsOf } from "./run-facts.ts";

/**
 * The chat messages of a run, written in the commit of the event that causes them (E8): a turn when the run ends or
 * waits, and the end of a question when it is answered or withdrawn. `active`: the runs of this process by id.
 */
export function createRunProjection(
  active: ReadonlyMap<string, ActiveRun>,
  messages: {
    closeActions(run: RunOfChat): CompiledQuery;
    turnStatement(turn: ChatTurn): CompiledQuery;
  },
  read: Kysely<Tables>,
): ProjectRun {
  return async ({ id, chatId }, events) => {
    const run = active.get(id);
    const last = events.at(-1);
    const isClosing = events.some(({ type }) => type === "node-resumed") || (!run && last && isTerminalEvent(last));
    const closing = isClosing ? [messages.closeActions({ chatId, executionId: id })] : [];
    const turn = run && last && toChatTurn({ ...run, runId: id, state: run.handle.state }, last);
    if (!turn || !run) return closing;
    // The state has only the last pass of a step in a loop.
    const journal = hasSeveralAgents(run.flow)
      ? [...(await createRunTailStore(read).eventsAfter(id, 0)), ...events]
      : [];
    const api = { ...turn.api, agentReasoning: agentReasoningOf(run.flow, journal) };
    return [...closing, messages.turnStatement({ ...turn, api })];
  };
}

type ProjectedRun = { runId: string; state: RunState; flow: CompiledFlow; turn: RunTurn };

/** The turn that a run's end or wait completes; undefined for any other event. */
function toChatTurn(run: ProjectedRun, end: RunEvent): (ChatTurn & Required<Pick<ChatTurn, "api">>) | undefined {
  const { runId, state, flow, turn } = run;
  const { started } = state;
  const said = whatIsSaid(run, end);
  if (said === undefined || started === null) return undefined;
  const { userMessageId, content, fileUploads } = turn;
  const outputs = [...state.outputs.values()].map(({ output }) => output);
  const answer = { text: said.content, nodeKey: state.answer?.nodeKey };
  const { memoryType, usedTools, sourceDocuments, fileAnnotations } = runFactsOf(flow, outputs, answer);
  return {
    agentId: started.agentId,
    owner: chatOwnerOf(started),
    chatId: started.chatId,
    sessionId: started.sessionId,
    chatType: started.chatType,
    memoryType,
    leadEmail: started.input.leadEmail ?? "",
    executionId: runId,
    askedAt: turn.askedAt,
    isFirst: turn.isFirst,
    ...(userMessageId === undefined ? {} : { user: { id: userMessageId, content, fileUploads } }),
    api: {
      id: turn.apiMessageId,
      ...said,
      usedTools,
      sourceDocuments,
      fileAnnotations,
    },
  };
}

type Said = { content: string; action?: MessageAction[] };

function whatIsSaid({ state, flow }: ProjectedRun, event: RunEvent): Said | undefined {
  switch (event.type) {
    case "run-completed":
      return { content: event.text };
    case "run-failed":
      return { content: event.error.message };
    case "run-cancelled":
      return { content: "The run was cancelled." };
    case "run-suspended": {
      if (event.holds) return undefined;
      const asked = openQuestions(state).map(({ wait }) => wait);
      const last = asked.at(-1) ?? openWaits(state).at(-1)?.wait;
      return {
        content: turnText(state, last?.text ?? ""),
        action: asked.reverse().map((wait) => toAction(flow, wait)),
      };
    }
    default:
      return undefined;
  }
}

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
  /** The person who writes in place of the agent, or "" without a name. */
  author?: string;
};

/** A question and its answer, or one of the two. */
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
  /** Absent if a person is to answer. */
  api?: TurnMessage;
};

/** Of both messages. An empty `leadEmail` becomes the address left in the chat. */
type SharedColumns = Pick<ChatMessageRow, (typeof sharedColumns)[number]>;
type Values = SharedColumns & { askedDate: string; answeredDate: string };

const sharedColumns = [
  ...(["chatflowid", "owner", "chatType", "chatId", "memoryType", "sessionId", "leadEmail", "executionId"] as const),
];
const lists = [
  ...(["sourceDocuments", "usedTools", "fileAnnotations", "agentReasoning", "fileUploads", "action"] as const),
];
const messageColumns = ["id", "role", "content", ...lists, "author"] as const;

/** An SQL condition: the agent exists. */
export type IsThere = (agentId: string) => RawBuilder<SqlBool>;

/**
 * Builds the single statement that writes a turn. It reads all it depends on itself, so that nothing is read before it:
 * the newest message of the session, because dates in it only move forward; the address left in the chat; and whether
 * the agent exists, because a deleted one's turn is not stored. The first turn of a new chat follows no message.
 */
export function createTurnStatement(
  { dialect, read }: Database,
  isThere: IsThere,
  now: () => number,
): (turn: ChatTurn) => CompiledQuery {
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
        // A run writes its turn once; a question alone may be sent again.
        const again = messages.includes("api") ? sql`` : sql`on conflict ("id") do nothing`;
        return sql`
          with "turn" as (select ${begin} as "asked")
          insert into "chatMessages" (${sql.join(columns)}) ${sql.join(rows, sql` union all `)} ${again}`;
      },
    );
  };
  const first = { whole: compile(true, "user", "api"), answer: compile(true, "api") };
  const later = { whole: compile(false, "user", "api"), answer: compile(false, "api") };
  const question = compile(false, "user");
  return ({ user, api, ...turn }) => {
    const { whole, answer } = turn.isFirst ? first : later;
    const shared = { ...sharedOf(turn), answeredDate: toMoment(now()) };
    const asked = user && columnsOf("user", user);
    if (api === undefined) return question.statement(read, { ...shared, ...asked });
    const values = { ...shared, ...columnsOf("api", api) };
    return asked === undefined ? answer.statement(read, values) : whole.statement(read, { ...values, ...asked });
  };
}

function keyOf(message: string, column: string): string {
  return `${message} ${column}`;
}

function sharedOf(turn: Omit<ChatTurn, "user" | "api">): Omit<Values, "answeredDate"> {
  return {
    chatflowid: turn.agentId,
    owner: turn.owner,
    chatType: turn.chatType,
    chatId: turn.chatId,
    memoryType: turn.memoryType ?? "",
    sessionId: turn.sessionId,
    leadEmail: turn.leadEmail ?? "",
    executionId: turn.executionId ?? null,
    askedDate: toMoment(turn.askedAt),
  };
}

/** By `keyOf`. */
function columnsOf(message: "user" | "api", said: TurnMessage): Record<string, string | null> {
  const { id, content, author = null } = said;
  const columns: Record<string, string | null> = {
    [`${message} id`]: id,
    [`${message} role`]: `${message}Message`,
    [`${message} content`]: content,
    [`${message} author`]: author,
  };
  for (const name of lists) columns[`${message} ${name}`] = said[name]?.length ? JSON.stringify(said[name]) : "[]";
  return columns;
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
