import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import type { Database } from "@weft/database";
import { createScriptedOpenAiServer } from "@weft/providers/testing";
import { fromEventRow } from "@weft/run-host";
import type { Execution } from "@weft/schema";
import { onTestDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { scriptedModelEnv } from "../testing/scripted-model.ts";
import { agentWith, openRestartable, type TestPlatform } from "../testing/test-platform.ts";

type Answer = { text: string; executionId: string };

const long = "0123456789".repeat(10_000);
const old = "2020-01-01T00:00:00.000Z";
const cut = /^removed after 30 days \(\d+ characters\)$/;

/** Whether a large value is there, also where it is shown no further than 64 KiB. */
const holdsLong = (value: unknown) => JSON.stringify(value).includes(long.slice(0, 60_000));

/** A function that answers with a long text, a model that hears it, and what comes last. */
function flowWith(last: object): string {
  const step = (id: string, type: string, config: object) => ({ id, type, label: id, config });
  const nodes = [
    { id: "start", type: "start" },
    step("make", "custom-function", { code: `return "0123456789".repeat(10000);` }),
    step("think", "llm", { messages: [{ role: "user", content: "{{ make }}" }], memory: { type: "off" } }),
    { id: "last", label: "last", ...last },
  ];
  const ids = nodes.map(({ id }) => id);
  const edges = ids.slice(1).map((target, index) => ({ id: target, source: ids[index], target }));
  return JSON.stringify({ weft: 1, nodes, edges });
}

/** The platform, closed and opened again on the same data; between them `change` may change the rows. */
async function createHouse(t: TestContext, databases: TestDatabases) {
  const model = await createScriptedOpenAiServer({ script: () => ({ text: "Hello." }) });
  t.after(() => model.close());
  const { open, close, storage } = await openRestartable(t, databases, scriptedModelEnv(model));
  return {
    start: open,
    async change(work: (database: Database) => Promise<unknown>) {
      await close();
      const database = await storage.open();
      await work(database);
      await database.close();
    },
  };
}

const get = (platform: TestPlatform, id: string) => platform.json<Execution>("GET", `/executions/${id}`);
const makeAllOld = (database: Database) =>
  database.write((tx) => tx.updateTable("runs").set({ updatedDate: old }).execute());

await onTestDatabase((databases) => {
  describe("large inputs and outputs of old runs", () => {
    it("go, with a sentence in their place; messages, waiting runs, young runs and what is small stay", async (t) => {
      const { start, change } = await createHouse(t, databases);
      const before = await start();
      const ask = async (last: object, question = "one") => {
        const id = await agentWith(before, flowWith(last));
        return { id, ...(await before.json<Answer>("POST", `/prediction/${id}`, { question, chatId: "c" })) };
      };
      const reply = await ask({ type: "direct-reply", config: { message: "{{ make }}" } }, long);
      const waiting = await ask({ type: "human-input", config: { question: "May I?" } });
      const young = await ask({ type: "direct-reply", config: { message: "{{ make }}" } });
      const whole = await get(before, reply.executionId);
      const messages = await before.json("GET", `/chatmessage/${reply.id}?chatId=c`);
      await change((database) =>
        database.write((tx) =>
          tx.updateTable("runs").set({ updatedDate: old }).where("id", "!=", young.executionId).execute(),
        ),
      );

      const after = await start();
      const { steps, ...run } = await after.until(async () => {
        const shown = await get(after, reply.executionId);
        const prompt = JSON.stringify(shown.steps[2]?.effects[0]?.input);
        return cut.test(String(shown.steps.at(-1)?.output)) && !prompt.includes(long) ? shown : undefined;
      });
      const [started, make, think, last] = steps;
      assert.match(String(make?.effects[0]?.output ?? make?.output), cut);
      // Messages of prompts are kept once for a chat, and go one by one.
      assert.match(JSON.stringify(think?.effects[0]?.input), /This message was removed when its time was over\./);
      assert.deepEqual(think?.effects[0]?.output, whole.steps[2]?.effects[0]?.output);
      assert.deepEqual(think?.usage, whole.steps[2]?.usage);
      assert.ok(JSON.stringify(started?.input) === JSON.stringify(whole.steps[0]?.input), "the input changed");
      assert.match(String(last?.output), cut);
      assert.ok(!run.executionData.includes(long));
      assert.ok(run.text === long && run.question === long);
      assert.deepEqual(run.usage, whole.usage);
      const messagesAfter = await after.json("GET", `/chatmessage/${reply.id}?chatId=c`);
      assert.ok(JSON.stringify(messagesAfter) === JSON.stringify(messages), "the messages changed");
      const stream = await (await after.send("GET", `/executions/${reply.executionId}/events`)).text();
      assert.match(stream, /removed after 30 days/);

      for (const { executionId } of [waiting, young]) {
        const { executionData } = await get(after, executionId);
        assert.ok(executionData.includes(long), "was cut");
      }
      const answer = { question: "", chatId: "c", humanInput: { type: "proceed", startNodeId: "last" } };
      const goesOn = await after.send("POST", `/prediction/${waiting.id}`, answer);
      assert.equal(goesOn.status, 200);
    });

    it("are missed by a retry, which says that it cannot go on", async (t) => {
      const { start, change } = await createHouse(t, databases);
      const before = await start();
      const id = await agentWith(before, flowWith({ type: "http", config: { url: "http://127.0.0.1:9/" } }));
      await before.send("POST", `/prediction/${id}`, { question: "one" });
      const { data } = await before.json<{ data: { id: string }[] }>("GET", "/executions?state=ERROR");
      const failed = data[0]?.id ?? "";
      await change(makeAllOld);
      const after = await start({ PAYLOAD_RETENTION: "7d" });
      await after.until(async () =>
        /removed after 7 days/.test((await get(after, failed)).executionData) ? true : undefined,
      );
      const refused = await after.send("POST", `/executions/${failed}/retry`);
      assert.equal(refused.status, 409);
      assert.match(await refused.text(), /have since been removed, so it cannot continue from where it failed/);
    });

    it("stay with PAYLOAD_RETENTION=off, and go in many batches without a run being looked at twice", async (t) => {
      const { start, change } = await createHouse(t, databases);
      const before = await start({ PAYLOAD_RETENTION: "off" });
      const id = await agentWith(before, flowWith({ type: "direct-reply", config: { message: "Hi" } }));
      const { executionId } = await before.json<Answer>("POST", `/prediction/${id}`, { question: "one" });
      const copies = Array.from(
        { length: 120 },
        (_, index) => `00000000-0000-7000-8000-${String(index).padStart(12, "0")}`,
      );
      // As many runs that ended at one moment, with the journal of the first.
      await change(async (database) => {
        await makeAllOld(database);
        const row = await database.read.selectFrom("runs").selectAll().executeTakeFirstOrThrow();
        const events = await database.read.selectFrom("runEvents").selectAll().execute();
        await database.write(async (tx) => {
          for (const runId of copies) {
            await tx
              .insertInto("runs")
              .values({ ...row, id: runId })
              .execute();
            await tx
              .insertInto("runEvents")
              .values(events.map((event) => ({ ...event, runId })))
              .execute();
          }
        });
      });
      const kept = await start({ PAYLOAD_RETENTION: "off" });
      assert.ok((await get(kept, executionId)).executionData.includes(long));

      await change(async () => undefined);
      const after = await start();
      // A batch of those that come last, in the order of dates and then of falling ids.
      for (const one of copies.slice(0, 25)) {
        await after.until(async () => (holdsLong(await get(after, one)) ? undefined : true));
      }
      await change(async (database) => {
        const events = await database.read.selectFrom("runEvents").selectAll().execute();
        assert.ok(events.length > 120);
        assert.equal(events.map(fromEventRow).filter(holdsLong).length, 0);
      });
    });
  });
});
