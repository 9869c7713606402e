import { sql } from "kysely";
import type { AgentRow } from "../../packages/agents/src/agents/agent.store.ts";
import type { ChatMessageRow } from "../../packages/chats/src/chat-messages/chat-message.store.ts";
import type { Database } from "../../packages/database/src/database.ts";
import { createIdSource } from "../../packages/database/src/id-source.ts";
import { openDatabase } from "../../packages/database/src/open-database.ts";
import type { Tables } from "../../packages/database/src/tables.ts";
import type { RunEventRow, RunRow } from "../../packages/run-host/src/run-tables.ts";

/** An agent that stands among the others, with a session of 1,000 messages. */
export type Filled = { agentId: string; sessionId: string };

const messagesOfSession = 1_000;
/** Whose chats those are that the bench begins. */
const operator = "account:operator";
const rowsPerInsert = 200;

/** As in an installation that grew: ids in the order of time, and all of them too young for retention. */
const startMs = Date.now() - 24 * 60 * 60 * 1_000;
let clockMs = startMs;
const ids = createIdSource(() => clockMs++);

/** Puts agents with a version each, messages and finished runs into an empty folder or database: `count` of each kind. */
export async function fill(dataDir: string, count: number, databaseUrl = ""): Promise<Filled> {
  const database = await openDatabase({ databaseUrl, dataDir, logger: { error: () => {} } });
  const agents = Array.from({ length: count }, (_, index) => agent(index));
  const [first] = agents;
  if (first === undefined) throw new Error("Fill at least one.");
  const sessionId = ids.uuid();
  // Half of all belongs to one agent, as where one is used much more than the others.
  const owner = (index: number) => (index % 2 === 0 ? first : agents[index % agents.length])?.id ?? "";
  const messages = Array.from({ length: count }, (_, index) =>
    message(index, owner(index), `session-${index % 1_000}`),
  );
  const session = Array.from({ length: messagesOfSession }, (_, index) => message(index, first.id, sessionId));
  const runs = Array.from({ length: count }, (_, index) => run(index, owner(index)));
  await insert(database, "agents", agents);
  await insert(database, "agentVersions", agents.map(versionOf));
  await insert(database, "chatMessages", [...messages, ...session]);
  await insert(database, "runs", runs);
  await insert(database, "runEvents", runs.flatMap(eventsOf));
  // As autovacuum does within minutes: a table that grew over months has its statistics.
  if (databaseUrl !== "") await database.write((tx) => sql`analyze`.execute(tx));
  await database.close();
  return { agentId: first.id, sessionId };
}

/** Puts sessions of so many messages of one agent, in which nothing ran, into an empty folder or database. */
export async function fillSessions(
  place: { dataDir: string; databaseUrl: string },
  { flow, lengths }: { flow: object; lengths: readonly number[] },
): Promise<{ agentId: string; sessionIds: string[] }> {
  const database = await openDatabase({ ...place, logger: { error: () => {} } });
  const owner = { ...agent(0), flowData: JSON.stringify(flow) };
  const sessionIds = lengths.map(() => ids.uuid());
  await insert(database, "agents", [owner]);
  await insert(database, "agentVersions", [versionOf(owner)]);
  for (const [place, sessionId] of sessionIds.entries()) {
    const messages = Array.from({ length: lengths[place] ?? 0 }, (_, index) => message(index, owner.id, sessionId));
    await insert(database, "chatMessages", messages);
  }
  await database.close();
  return { agentId: owner.id, sessionIds };
}

async function insert(database: Database, table: keyof Tables, rows: readonly object[]): Promise<void> {
  for (let at = 0; at < rows.length; at += rowsPerInsert) {
    const part = rows.slice(at, at + rowsPerInsert);
    await database.write((tx) =>
      tx
        .insertInto(table)
        .values(part as never)
        .execute(),
    );
  }
}

const flowData = JSON.stringify({
  weft: 1,
  nodes: [
    { id: "start_0", type: "start" },
    { id: "node_0", type: "llm", config: {} },
  ],
  edges: [{ id: "e", source: "start_0", target: "node_0" }],
});

function moment(index: number): string {
  return new Date(startMs + index).toISOString();
}

function agent(index: number): AgentRow {
  const settings = { chatbotConfig: "{}", apiConfig: "{}", analytic: "{}", speechToText: "{}", category: "" };
  const dates = { createdDate: moment(index), updatedDate: moment(index) };
  const flags = { deployed: 0, isPublic: 0, apikeyid: "", type: "AGENTFLOW" };
  return {
    id: ids.uuid(),
    name: `Agent ${index}`,
    flowData,
    versionId: ids.uuid(),
    ...flags,
    ...settings,
    ...dates,
  };
}

function versionOf({ id, versionId, createdDate, flowData }: AgentRow) {
  return { id: versionId, agentId: id, number: 1, createdDate, flowData };
}

function message(index: number, chatflowid: string, sessionId: string): ChatMessageRow {
  const lists = { sourceDocuments: "[]", usedTools: "[]", fileAnnotations: "[]", agentReasoning: "[]" };
  return {
    id: ids.uuid(),
    role: index % 2 === 0 ? "userMessage" : "apiMessage",
    chatflowid,
    owner: operator,
    content: "A message of some length, as people write them to an agent. ".repeat(3),
    ...lists,
    fileUploads: "[]",
    action: "[]",
    chatType: "EXTERNAL",
    chatId: sessionId,
    memoryType: "Buffer Memory",
    sessionId,
    createdDate: moment(index),
    leadEmail: "",
    executionId: null,
    author: null,
  };
}

function run(index: number, agentId: string): RunRow {
  const names = { id: ids.uuid(), agentId, agentVersionId: ids.uuid(), chatId: `${index}`, sessionId: `${index}` };
  const lease = { lastSeq: 2, leaseEpoch: 1, leaseOwner: null, leaseUntil: 0, cancelRequested: 0, turnOrder: null };
  const dates = { createdDate: moment(index), updatedDate: moment(index), stoppedDate: moment(index) };
  return {
    ...names,
    chatType: "EXTERNAL",
    owner: operator,
    status: "completed",
    errorCode: null,
    summary: summaryOf(index),
    takeOvers: 0,
    takeOverSeq: 0,
    dueAt: null,
    durationMs: 1_000 + (index % 5_000),
    totalTokens: 100 + (index % 900),
    costNanos: 20_000 * (index % 50),
    ...lease,
    ...dates,
  };
}

const subjects = ["an invoice", "a refund", "the weather", "a parcel", "opening hours", "a password", "a meeting"];

/** As lists read it: the question first. */
function summaryOf(index: number): string {
  const subject = subjects[index % subjects.length] ?? "";
  const question = `Question ${index} of a customer about ${subject}, with the particulars that people add. `.repeat(2);
  const text = "An answer of some length, as agents give them to people who ask. ".repeat(4);
  const usage = { inputTokens: 90, outputTokens: 10 + (index % 900), totalTokens: 100 + (index % 900) };
  return JSON.stringify({ question, text, usage });
}

function eventsOf({ id }: RunRow): RunEventRow[] {
  return ["run-started", "run-completed"].map((type, index) => {
    const event = JSON.stringify({ type, seq: index + 1, at: 0, text: "x".repeat(300) });
    return { runId: id, seq: index + 1, at: 0, type, event };
  });
}
