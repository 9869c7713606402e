import type { Tables } from "@weft/database";
import { applyEvent, type CompiledFlow, emptyRunState, openQuestions } from "@weft/engine";
import type { Reach } from "@weft/http/identity";
import { type RunEvent, type RunInput, toMoment, type WaitingExecution } from "@weft/schema";
import type { Kysely } from "kysely";
import { LRUCache } from "lru-cache";
import { parseSummary, type RunStore, toAction } from "../journal/index.ts";
import { countAsking, type ExecutionRow, listAsking } from "./execution.store.ts";

// Invariants
// - W1 Only runs that wait are read, and the journals of one page alone.
// - W2 A run's journal does not change while it waits: its questions are kept by its last event, and its journal is read
//   once however often the list is.
// - W3 Journals are read one after the other, so that a page of long runs does not hold all of them.

type Question = WaitingExecution["questions"][number];

/** Longest text of a question in the list; its chat has the whole text. */
const maxTextLength = 20_000;
const keptRuns = 200;

export type WaitingListDeps = {
  read: Kysely<Tables>;
  store: RunStore;
  flowOfRun(agentVersionId: string, input: RunInput): Promise<CompiledFlow | undefined>;
  conceal<T>(shown: T): T;
};

/** `page` starts at 1; for a page without rows only `total` is read. */
export type WaitingList = (query: {
  reach: Reach;
  page: number;
  limit: number;
}) => Promise<{ data: WaitingExecution[]; total: number }>;

/** Lists the runs that wait for a human, with all their questions. */
export function createWaitingList({ read, store, flowOfRun, conceal }: WaitingListDeps): WaitingList {
  const known = new LRUCache<string, Question[]>({ max: keptRuns });

  async function readQuestions(row: ExecutionRow): Promise<Question[]> {
    const events = await store.loadEvents(row);
    const [first] = events;
    const flow = first?.type === "run-started" ? await flowOfRun(row.agentVersionId, first.input) : undefined;
    return flow === undefined ? [] : questionsOf(flow, events);
  }

  async function knownQuestions(row: ExecutionRow): Promise<Question[]> {
    const key = `${row.id}:${row.lastSeq}`;
    const questions = known.get(key) ?? (await readQuestions(row));
    known.set(key, questions);
    return questions;
  }

  return async ({ reach, page, limit }) => {
    const total = await countAsking(read, reach);
    const rows = limit === 0 ? [] : await listAsking(read, reach, { offset: (page - 1) * limit, limit });
    const data: WaitingExecution[] = [];
    for (const row of rows) data.push(conceal(toWaiting(row, await knownQuestions(row))));
    return { data, total };
  };
}

function questionsOf(flow: CompiledFlow, events: readonly RunEvent[]): Question[] {
  const state = emptyRunState();
  const askedAt = new Map<string, number>();
  for (const event of events) {
    applyEvent(state, flow.graph, event);
    if (event.type === "node-suspended") askedAt.set(event.wait.waitId, event.at);
  }
  return openQuestions(state).map(({ wait }) => ({
    text: wait.text.length > maxTextLength ? `${wait.text.slice(0, maxTextLength)}…` : wait.text,
    askedDate: toMoment(askedAt.get(wait.waitId) ?? 0),
    action: toAction(flow, wait),
  }));
}

function toWaiting(row: ExecutionRow, questions: Question[]): WaitingExecution {
  const { id, agentId, agentName, chatId, sessionId, createdDate, updatedDate } = row;
  return {
    id,
    agentflowId: agentId,
    agentflow: agentName === null ? null : { id: agentId, name: agentName },
    chatId,
    sessionId,
    startedBy: starterOf(row.owner),
    question: parseSummary(row.summary).question,
    questions,
    createdDate,
    updatedDate,
  };
}

/** Source: `ownerOf`. Schedules have chats of their own. */
function starterOf(owner: string): WaitingExecution["startedBy"] {
  if (owner.startsWith("account:")) return "account";
  if (owner.startsWith("client:schedule:")) return "schedule";
  return owner.startsWith("client:") ? "api-key" : "visitor";
}
