import assert from "node:assert/strict";
import { test } from "node:test";
import type { CompiledFlow } from "@weft/engine";
import { everything } from "@weft/http/identity";
import { executionOriginSchema, type RunEventBody } from "@weft/schema";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { until } from "../../../database/src/testing/until.ts";
import { completed, createRun, journal } from "../host/testing/store-runs.ts";
import { createRunStore, createRunTailStore } from "../journal/index.ts";
import type { NewRun } from "../journal/run.store.ts";
import { emptySummary, summaryText } from "../journal/run-rows.ts";
import { createExecutionService } from "./execution.service.ts";
import { createExecutionTotals, deleteEnded, listExecutions } from "./execution.store.ts";
import { originOf } from "./origin.ts";

const flow = { graph: { nodes: new Map(), levels: new Map() }, flow: { edges: [] } } as unknown as CompiledFlow;

/** Steps of a run, each with events between them that a list does not show. */
function stepsOf(count: number): RunEventBody[] {
  return Array.from({ length: count }, (_, index): RunEventBody[] => [
    { type: "node-started", nodeKey: `n#${index}`, nodeId: "n", attempt: 1 },
    { type: "node-completed", nodeKey: `n#${index}`, nodeId: "n", output: { index } },
  ]).flat();
}

await forEachDatabase(({ openTestDatabase }) => {
  test("a page has the steps of each run, however long the runs are, and those that its rows know of", async (t) => {
    const database = await openTestDatabase(t);
    const store = createRunStore({ database, project: () => [] });
    const lengths = [3, 400, 0, 20, 251, 1];
    const runs: { id: string; length: number }[] = [];
    for (const length of lengths) {
      const run = await createRun(store);
      const events = journal(2, ...stepsOf(length));
      for (let from = 0; from < events.length; from += 60) {
        await store.append({ runId: run.id, epoch: 1, events: events.slice(from, from + 60) });
      }
      runs.push({ id: run.id, length });
    }
    const service = createExecutionService({
      read: database.read,
      totals: createExecutionTotals(),
      store: { ...store, ...createRunTailStore(database.read) },
      flowOfRun: async () => flow,
      conceal: (shown) => shown,
      costOf: () => undefined,
    });
    const query = { reach: everything, page: 1, limit: 50 };
    const { data } = await service.list(query, { withData: true });
    assert.equal(data.length, lengths.length);
    for (const { id, length } of runs) {
      const row = data.find((one) => one.id === id);
      const steps = JSON.parse(row?.executionData ?? "") as { data: { output: { index: number } } }[];
      assert.deepEqual(
        steps.map((step) => step.data.output.index),
        Array.from({ length }, (_, index) => index),
      );
    }
    const lastSeq = { lastSeq: 5 };
    await database.write((tx) =>
      tx
        .updateTable("runs")
        .set(lastSeq)
        .where("id", "=", runs[0]?.id ?? "")
        .execute(),
    );
    const cut = (await service.list(query, { withData: true })).data.find(({ id }) => id === runs[0]?.id);
    assert.equal((JSON.parse(cut?.executionData ?? "") as unknown[]).length, 2, "what came after the row is left out");
    assert.deepEqual((await service.list({ ...query, page: 2 }, { withData: true })).data, []);
  });

  test("a total is exact for what this process begins, deletes or asks by state, and soon for what others do", async (t) => {
    const database = await openTestDatabase(t);
    const totals = createExecutionTotals();
    const own = createRunStore({ database, project: () => [], created: totals.changed });
    const other = createRunStore({ database, project: () => [] });
    const filter = { reach: everything };
    const count = (more = {}) => totals.of(database.read, { ...filter, ...more });
    assert.equal(await count(), 0);
    const first = await createRun(own);
    assert.deepEqual([await count(), await count({ agentflowId: first.agentId })], [1, 1]);
    assert.equal(await count({ reach: { owners: "all", agents: new Set(["another"]) } }), 0);
    assert.equal(await count({ reach: { owners: ["nobody"], agents: "all" } }), 0);
    const second = await createRun(other);
    await until(async () => ((await count()) === 2 ? true : undefined));
    assert.equal(await count({ state: "FINISHED" }), 0);
    await other.append({ runId: second.id, epoch: 1, events: journal(2, completed) });
    assert.equal(await count({ state: "FINISHED" }), 1);
    await database.write((tx) => deleteEnded(tx, [second.id]));
    totals.changed();
    assert.equal(await count(), 1);
    const counting = count({ sessionId: first.sessionId });
    await createRun(own);
    await counting;
    const all = await database.read.selectFrom("runs").selectAll().where("sessionId", "=", first.sessionId).execute();
    assert.equal(await count({ sessionId: first.sessionId }), all.length, "a run that began meanwhile is counted");
  });

  test("a search finds parts of questions and sessions and the beginnings of ids, and takes every character as it is", async (t) => {
    const database = await openTestDatabase(t);
    const store = createRunStore({ database, project: () => [] });
    const asked = async (question: string, sessionId = question) => {
      const run = await createRun(store, { sessionId });
      const summary = summaryText({ ...emptySummary, question, text: 'About "usage" of invoices' });
      await database.write((tx) => tx.updateTable("runs").set({ summary }).where("id", "=", run.id).execute());
      return run;
    };
    const invoice = await asked("Where is my Invoice?", "session-of-ada");
    const odd = await asked('100% of "a_b"\\n, Ärger und 東京', "session-of-bob");
    const plain = await asked("100 of ab", "x");
    const find = async (search: string) => {
      const rows = await listExecutions(database.read, { search, reach: everything }, { offset: 0, limit: 10 });
      const total = await createExecutionTotals().of(database.read, { search, reach: everything });
      assert.equal(total, rows.length);
      return new Set(rows.map(({ id }) => id));
    };
    const ids = (...runs: { id: string }[]) => new Set(runs.map(({ id }) => id));
    assert.deepEqual(await find("invoice?"), ids(invoice));
    assert.deepEqual(await find("100"), ids(odd, plain));
    for (const part of ["100%", '"a_b"', "a_b", "\\n", "Ärger", "東京"])
      assert.deepEqual(await find(part), ids(odd), part);
    assert.deepEqual(await find("SESSION-OF"), ids(invoice, odd));
    assert.deepEqual(await find(plain.id), ids(plain));
    assert.deepEqual(await find(plain.id.slice(0, -4).toUpperCase()), ids(plain));
    // Neither what stands around the question in the summary nor the answer is the question.
    for (const part of ["usage", "invoices", '","text":', "inputTokens", "%", "_", "' or 1=1 --"]) {
      const expected = part === "%" || part === "_" ? ids(odd) : ids();
      assert.deepEqual(await find(part), expected, part);
    }
    const none = { owners: ["nobody"], agents: "all" } as const;
    assert.deepEqual(await listExecutions(database.read, { search: "100", reach: none }, { offset: 0, limit: 9 }), []);
  });

  test("a list by origin has the runs that say so, whoever may read them", async (t) => {
    const database = await openTestDatabase(t);
    const store = createRunStore({ database, project: () => [] });
    const owners = [
      "account:a",
      "client:a",
      "anonymous",
      "",
      "client:schedule:a",
      "client:webhook:a",
      "client:schedules",
    ];
    for (const owner of owners)
      for (const chatType of ["INTERNAL", "EXTERNAL"]) await createRun(store, { owner, chatType });
    const agents = { owners, agents: "all" } as const;
    const seen: Record<string, string[]> = {};
    for (const origin of executionOriginSchema.options) {
      const filter = { origin, reach: everything };
      const rows = await listExecutions(database.read, filter, { offset: 0, limit: 20 });
      assert.ok(rows.every((row) => originOf(row) === origin));
      assert.equal(await createExecutionTotals().of(database.read, filter), rows.length);
      const bounded = await listExecutions(database.read, { origin, reach: agents }, { offset: 0, limit: 20 });
      assert.deepEqual(bounded, rows);
      seen[origin] = rows.map(({ owner }) => owner).sort();
    }
    assert.deepEqual(seen, {
      builder: owners.toSorted(),
      api: ["account:a", "client:a", "client:schedules"],
      visitor: ["", "anonymous"],
      schedule: ["client:schedule:a"],
      webhook: ["client:webhook:a"],
    });
  });

  test("every mix of filters finds the same, with a query that was prepared and with one for a key's agents", async (t) => {
    const database = await openTestDatabase(t);
    const store = createRunStore({ database, project: () => [] });
    const runs: NewRun[] = [];
    for (const index of [0, 1, 2, 3, 4, 5]) {
      const [same] = runs;
      const run = await createRun(store, {
        ...(same && index % 2 === 0 && { agentId: same.agentId }),
        ...(same && index % 3 === 0 && { chatId: same.chatId, sessionId: same.sessionId }),
      });
      if (index > 3) await store.append({ runId: run.id, epoch: 1, events: journal(2, completed) });
      runs.push(run);
    }
    const [first] = runs;
    const agents = { owners: "all", agents: new Set(runs.map(({ agentId }) => agentId)) } as const;
    const filters: [string, string | undefined][] = [
      ["id", first?.id],
      ["agentflowId", first?.agentId],
      ["sessionId", first?.sessionId],
      ["chatId", first?.chatId],
      ["startDate", "2025-06-01T12:00:00.000Z"],
      ["endDate", "2025-06-01T12:00:00.001Z"],
    ];
    for (const state of [undefined, "INPROGRESS", "FINISHED", "TIMEOUT", "STOPPED"] as const) {
      for (let mix = 0; mix < 2 ** filters.length; mix += 1) {
        const filter = { state, ...Object.fromEntries(filters.filter((_, bit) => mix & (1 << bit))) };
        const prepared = await listExecutions(database.read, { ...filter, reach: everything }, { offset: 1, limit: 3 });
        const built = await listExecutions(database.read, { ...filter, reach: agents }, { offset: 1, limit: 3 });
        assert.deepEqual(prepared, built, JSON.stringify(filter));
      }
    }
    const all = await listExecutions(database.read, { reach: everything }, { offset: 0, limit: 10 });
    assert.equal(all.length, runs.length);
    const others = await listExecutions(
      database.read,
      { agentflowId: runs[1]?.agentId, reach: everything },
      { offset: 0, limit: 10 },
    );
    assert.deepEqual(
      others.map(({ id }) => id),
      [runs[1]?.id],
    );
  });
});
