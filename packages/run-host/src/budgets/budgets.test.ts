import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import type { Database } from "@weft/database";
import { type BudgetSettings, budgetOf, usageOf, WeftError } from "@weft/schema";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { type BudgetRefusal, createBudgets } from "./budgets.ts";

const noon = Date.UTC(2026, 10, 28, 12);

/** A process on a database. What the agent allows may be changed between calls. */
function open(database: Database, allowed: { own: BudgetSettings; ceiling?: BudgetSettings }, at = noon) {
  const clock = { at };
  const refusals: BudgetRefusal[] = [];
  const mayTake = () => budgetOf(allowed.own, allowed.ceiling);
  const budgets = createBudgets({
    database,
    clock: { now: () => clock.at },
    budgetOf: async () => mayTake(),
    costOf: (_model, { totalTokens }) => totalTokens / 1_000,
    budgetRefused: (refusal) => refusals.push(refusal),
  });
  const visitor = { agentId: "agent", chatId: "chat", isVisitor: true, network: "192.0.2.1" };
  const admit = (more: object = {}) =>
    budgets.admit({ ...visitor, runId: randomUUID(), sizeBytes: 10, mayTake: mayTake(), ...more });
  return { budgets, clock, refusals, visitor, admit };
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "taken",
    (cause: unknown) => (cause instanceof WeftError ? cause.code : Promise.reject(cause)),
  );

const tally = (codes: readonly string[]) =>
  Object.fromEntries([...new Set(codes)].sort().map((code) => [code, codes.filter((one) => one === code).length]));

const most = { modelCalls: 5, toolCalls: 5, steps: 5, tokens: 1_000 };
const one = { modelCalls: 1, toolCalls: 0, steps: 0, tokens: 0 };
const callOf = (totalTokens: number) => ({ model: "m", usage: usageOf(totalTokens, 0) });

await forEachDatabase(({ createTestStorage, name }) => {
  test("runs at once in two processes get exactly as many places as a day has", async (t) => {
    const storage = await createTestStorage(t);
    const allowed = { own: { visitors: { address: { runs: 5 } } } };
    const databases = [await storage.open()];
    if (name === "postgres") databases.push(await storage.open());
    t.after(async () => void (await Promise.all(databases.map((database) => database.close()))));
    const processes = databases.map((database) => open(database, allowed));
    const asked = Array.from({ length: 50 }, (_, index) => processes[index % processes.length]);
    const codes = await Promise.all(
      asked.map((process) => codeOf(process?.admit({ chatId: randomUUID() }) ?? assert.fail())),
    );
    assert.deepEqual(tally(codes), { "budget-runs": 45, taken: 5 });
    const refusals = processes.flatMap((process) => process.refusals);
    assert.deepEqual([refusals.length, refusals[0]], [45, { scope: "address", amount: "runs" }]);
  });

  test("each amount of each day ends with its own error, and says when to come back", async (t) => {
    const storage = await createTestStorage(t);
    const database = await storage.open();
    t.after(() => database.close());
    for (const [own, code] of [
      [{ agent: { runs: 0 } }, "budget-runs"],
      [{ visitors: { agent: { runs: 0 } } }, "budget-runs"],
      [{ visitors: { chat: { tokens: 0 } } }, "budget-tokens-of-day"],
      [{ visitors: { address: { dollars: 0 } } }, "budget-money"],
      [{ visitors: { chat: { bytes: 9 } } }, "budget-bytes"],
    ] as const) {
      const { admit } = open(database, { own });
      await assert.rejects(admit(), (cause: unknown) => {
        assert.ok(cause instanceof WeftError);
        assert.deepEqual([cause.code, cause.status, cause.retryAfterSeconds], [code, 429, 12 * 3_600]);
        return true;
      });
    }
  });

  test("what is changed holds at once, a new day begins with nothing, and the operator's ceiling wins", async (t) => {
    const storage = await createTestStorage(t);
    const database = await storage.open();
    t.after(() => database.close());
    const allowed: { own: BudgetSettings; ceiling?: BudgetSettings } = { own: { visitors: { chat: { runs: 1 } } } };
    const { admit, clock } = open(database, allowed);
    assert.equal(await codeOf(admit()), "taken");
    assert.equal(await codeOf(admit()), "budget-runs");
    assert.equal(await codeOf(admit({ chatId: "another" })), "taken");
    allowed.own = { visitors: { chat: { runs: 3 } } };
    assert.equal(await codeOf(admit()), "taken");
    allowed.ceiling = { visitors: { chat: { runs: 2 } } };
    assert.equal(await codeOf(admit()), "budget-runs");
    clock.at += 86_400_000;
    assert.equal(await codeOf(admit()), "taken");
  });

  test("a run that does not begin gives back what it took", async (t) => {
    const storage = await createTestStorage(t);
    const database = await storage.open();
    t.after(() => database.close());
    const { admit } = open(database, { own: { visitors: { chat: { runs: 1, bytes: 10 } } } });
    await (await admit()).withdraw();
    assert.equal(await codeOf(admit()), "taken");
    assert.equal(await codeOf(admit()), "budget-runs");
  });

  test("runs that share a run's ceilings never take more than there is, in whichever process", async (t) => {
    const storage = await createTestStorage(t);
    const databases = [await storage.open()];
    if (name === "postgres") databases.push(await storage.open());
    t.after(async () => void (await Promise.all(databases.map((database) => database.close()))));
    const [first, second = first] = databases.map((database) => open(database, { own: {} }).budgets);
    assert.ok(first && second);
    const run = { rootRunId: "root", most };
    assert.equal(await first.isShared("root"), false);
    await first.share(run, { ...one, modelCalls: 2 });
    await second.share(run, one);
    assert.equal(await second.isShared("root"), true);
    const codes = await Promise.all(
      Array.from({ length: 10 }, (_, index) => codeOf((index % 2 ? first : second).take(run, one, callOf(0)))),
    );
    assert.deepEqual(tally(codes), { "budget-model-calls": 7, taken: 3 });
    for (const amount of ["toolCalls", "steps", "tokens"] as const) {
      const all = { modelCalls: 0, toolCalls: 0, steps: 0, tokens: 0, [amount]: most[amount] };
      assert.equal(await codeOf(first.take(run, all)), "taken");
      assert.match(await codeOf(second.take(run, { ...all, [amount]: 1 })), /^budget-(tool-calls|steps|tokens)$/);
    }
  });

  test("a visitor's model calls count for its day: reserved before, and then what was used", async (t) => {
    const storage = await createTestStorage(t);
    const database = await storage.open();
    t.after(() => database.close());
    const { admit, budgets } = open(database, {
      own: { visitors: { chat: { tokens: 1_000 }, address: { dollars: 3 } } },
    });
    const runId = randomUUID();
    assert.deepEqual((await admit({ runId })).budget, { isCounted: true });
    const run = { rootRunId: runId, most: { ...most, tokens: 10_000 } };
    await budgets.take(run, { ...one, tokens: 900 }, callOf(900));
    assert.equal(await codeOf(budgets.take(run, { ...one, tokens: 200 }, callOf(200))), "budget-spent");
    await budgets.settle(run, callOf(900), usageOf(100, 0));
    await budgets.take(run, { ...one, tokens: 200 }, callOf(200));
    await budgets.settle(run, callOf(200), usageOf(2_900, 0));
    assert.equal(await codeOf(admit({ network: "198.51.100.1" })), "budget-tokens-of-day");
    assert.equal(await codeOf(admit({ chatId: "another" })), "budget-money", "3 dollars are 3,000 tokens here");
  });

  test("known callers count for no day that has no limit, and an agent's own limits go with its runs", async (t) => {
    const storage = await createTestStorage(t);
    const database = await storage.open();
    t.after(() => database.close());
    const { admit } = open(database, { own: { run: { modelCalls: 7 } }, ceiling: { run: { toolCalls: 3 } } });
    const limits = { modelCalls: 7, toolCalls: 3 };
    assert.deepEqual((await admit({ isVisitor: false })).budget, { limits });
    assert.deepEqual(await database.read.selectFrom("budgets").selectAll().execute(), []);
  });

  test("days that are over are forgotten, and with them every address and chat", async (t) => {
    const storage = await createTestStorage(t);
    const database = await storage.open();
    t.after(() => database.close());
    const { admit, clock, budgets } = open(database, { own: {} });
    await admit();
    const names = async () =>
      (await database.read.selectFrom("budgets").select("name").execute()).map((row) => row.name);
    assert.deepEqual((await names()).map((row) => row.split("/")[0]).sort(), ["address", "chat", "run", "visitors"]);
    assert.ok(!(await names()).join().includes("192.0.2.1"));
    clock.at += 2 * 86_400_000;
    await budgets.prune();
    assert.deepEqual(
      (await names()).map((row) => row.split("/")[0]),
      ["run"],
    );
    clock.at += 60 * 86_400_000;
    await budgets.prune();
    assert.deepEqual(await names(), []);
  });
});
