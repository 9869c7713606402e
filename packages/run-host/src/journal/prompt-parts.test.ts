import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { type TestContext, test } from "node:test";
import type { Database } from "@weft/database";
import type { Json, RunEventBody } from "@weft/schema";
import { sql } from "kysely";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { deleteEnded } from "../executions/execution.store.ts";
import { completed, journal, leaseMs, newRun, started } from "../host/testing/store-runs.ts";
import { removeLongParts } from "./prompt-parts.ts";
import { createRunStore } from "./run.store.ts";

const long = (word: string, characters = 10_000) => `${word} ${randomUUID()}`.padEnd(characters, randomUUID());
const told = (content: string): Json => ({ role: "user", content });

const asks = (messages: Json[]): RunEventBody => ({
  type: "effect-started",
  nodeKey: "a#0",
  effectKey: "model-0",
  attempt: 1,
  kind: "read",
  category: "model",
  name: "m",
  input: { messages, tools: ["t"], parameters: {} },
});

const chatOf = (chatId: string) => ({ agentId: "agent-of-parts", chatId, owner: "anonymous" });

await forEachDatabase(({ openTestDatabase }) => {
  async function open(t: TestContext) {
    const database = await openTestDatabase(t);
    const store = createRunStore({ database, project: () => [] });
    /** A run of the chat that told its model these messages, and ended. */
    async function tell(chatId: string, messages: Json[], isOver = true): Promise<string> {
      const run = { ...newRun(), ...chatOf(chatId) };
      const node: RunEventBody = { type: "node-started", nodeKey: "a#0", nodeId: "a", attempt: 1 };
      await store.create({ run, events: journal(1, started(run), node, asks(messages)), owner: "p1", leaseMs });
      if (isOver) await store.append({ runId: run.id, epoch: 1, events: journal(4, completed) });
      return run.id;
    }
    const promptOf = async (runId: string) => {
      const asked = (await store.load(runId))?.events.find(({ type }) => type === "effect-started");
      return asked?.type === "effect-started" ? asked.input : undefined;
    };
    const rows = () => database.read.selectFrom("promptParts").select(["chatId", "no"]).orderBy("no").execute();
    return { database, store, tell, promptOf, rows };
  }

  test("a chat keeps each message of its prompts once, and every run reads its prompt as it was", async (t) => {
    const { database, tell, promptOf, rows } = await open(t);
    const chatId = randomUUID();
    const said: Json[] = [];
    const prompts = new Map<string, Json[]>();
    for (let turn = 0; turn < 12; turn += 1) {
      said.push(told(long(`question ${turn}`)));
      const prompt = [told(`Now it is ${turn}.`), ...said];
      prompts.set(await tell(chatId, prompt), prompt);
      said.push(told(long(`answer ${turn}`)));
    }
    for (const [runId, messages] of prompts) {
      assert.deepEqual(await promptOf(runId), { messages, tools: ["t"], parameters: {} });
    }
    assert.equal((await rows()).length, 12 + 12 + 11);
    const bytes = await sql<{ total: number }>`
      select sum(octet_length("event")) as "total" from "runEvents" where "type" = 'effect-started'`.execute(
      database.read,
    );
    assert.ok(Number(bytes.rows[0]?.total) < 12 * 1_000, String(bytes.rows[0]?.total));
  });

  test("short prompts stay in their events, and so does what no model was told", async (t) => {
    const { store, promptOf, rows, tell } = await open(t);
    const runId = await tell(randomUUID(), [told("Hi")]);
    assert.deepEqual(await promptOf(runId), { messages: [told("Hi")], tools: ["t"], parameters: {} });
    const run = newRun();
    const input = { messages: [told(long("x"))] };
    const tool: RunEventBody = { ...asks([]), category: "tool", input } as RunEventBody;
    const node: RunEventBody = { type: "node-started", nodeKey: "a#0", nodeId: "a", attempt: 1 };
    await store.create({ run, events: journal(1, started(run), node, tool), owner: "p1", leaseMs });
    assert.deepEqual(await promptOf(run.id), input);
    assert.deepEqual(await rows(), []);
  });

  test("runs of a chat that tell the same at once keep it once", async (t) => {
    const { tell, promptOf, rows } = await open(t);
    const chatId = randomUUID();
    const shared = [told(long("a")), told(long("b"))];
    const own = Array.from({ length: 6 }, (_, index) => told(long(String(index))));
    const runs = await Promise.all(own.map((message) => tell(chatId, [...shared, message])));
    for (const [index, runId] of runs.entries()) {
      const input = (await promptOf(runId)) as { messages: Json[] };
      assert.deepEqual(input.messages, [...shared, own[index]]);
    }
    assert.deepEqual(
      (await rows()).map(({ no }) => Number(no)),
      [1, 2, 3, 4, 5, 6, 7, 8],
    );
  });

  test("messages go with the last run of their chat, and no others do", async (t) => {
    const { database, tell, rows } = await open(t);
    const [one, other] = [randomUUID(), randomUUID()];
    const [first, second] = [await tell(one, [told(long("a"))]), await tell(one, [told(long("b"))])];
    await tell(other, [told(long("a"))]);
    const remove = (id: string) => database.write((tx) => deleteEnded(tx, [id]));
    await remove(first);
    assert.equal((await rows()).length, 3);
    await remove(second);
    assert.deepEqual(
      (await rows()).map(({ chatId }) => chatId),
      [other],
    );
  });

  test("long messages of a chat that ended long ago are removed, and their prompts say so", async (t) => {
    const { database, tell, promptOf, rows } = await open(t);
    const [quiet, busy] = [randomUUID(), randomUUID()];
    const huge = told(long("huge", 200_000));
    const runId = await tell(quiet, [huge, told(long("long"))]);
    const early = await tell(busy, [huge]);
    await moveTo(database, [runId, early], "2020-01-01T00:00:00.000Z");
    await tell(busy, [huge, told("later")]);
    const limits = { before: "2021-01-01T00:00:00.000Z", bytes: 64 * 1_024 };
    await database.write((tx) => removeLongParts(tx, [runId, early], limits));
    const [first, second] = ((await promptOf(runId)) as { messages: { role: string; content: string }[] }).messages;
    assert.deepEqual([first?.role, second?.role], ["removed", "user"]);
    assert.match(first?.content ?? "", /removed when its time was over/);
    assert.deepEqual(((await promptOf(early)) as { messages: Json[] }).messages, [huge]);
    assert.equal((await rows()).length, 3);
  });
});

async function moveTo(database: Database, ids: string[], updatedDate: string): Promise<void> {
  await database.write((tx) => tx.updateTable("runs").set({ updatedDate }).where("id", "in", ids).execute());
}
