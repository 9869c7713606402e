import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { StoreCheck, StoreEvaluation, UpsertResult } from "@weft/schema";
import { onTestDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { until } from "../../../database/src/testing/until.ts";
import type { PlatformProcess } from "../../../server/src/testing/platform-process.ts";
import { openTestPlatform } from "../../../server/src/testing/test-platform.ts";
import { scrape } from "../../../telemetry/src/testing/scrape.ts";
import { bookOf, newBookStore, openBook, passageOf } from "../testing/open-book.ts";

type Test = Parameters<typeof openTestPlatform>[0];

async function open(t: Test, databases: TestDatabases) {
  const log: string[] = [];
  const platform = await openTestPlatform(t, databases, {}, { writeLog: (line) => log.push(line) });
  const { id } = await platform.json<{ id: string }>("POST", "/document-store/store", { name: "Handbook" });
  const base = `/document-store/store/${id}`;
  const settings = `${base}/evaluation-settings`;
  const check = () => platform.json<StoreCheck>("GET", settings);
  const evaluations = () => platform.json<StoreEvaluation[]>("GET", `${base}/evaluations`);
  return {
    platform,
    log,
    base,
    check,
    evaluations,
    turn: (afterIndexing: boolean) => platform.json<StoreCheck>("PUT", settings, { afterIndexing }),
    add: (question: string, relevant: string[]) =>
      platform.json<{ id: string }>("POST", `${base}/questions`, { question, relevant }),
    upsert: (source: string, text: string) =>
      platform.json<UpsertResult>("POST", `/document-store/upsert/${id}`, {
        loader: { name: "plainText", config: { text } },
        metadata: { source },
      }),
    checked: (count: number) =>
      platform.until(async () => {
        const all = await evaluations();
        return all.length >= count && (await check()).state === "idle" ? all : undefined;
      }),
  };
}

/** Longer than upserts are waited for that follow each other, and than the checks' next look. */
const restMs = 6_000;
const rest = () => new Promise((resolve) => setTimeout(resolve, restMs));

await onTestDatabase((databases) => {
  // They wait more than they work.
  describe("a store whose questions are checked after indexing", { concurrency: 3 }, () => {
    test("is off by default; upserts in a row are one check, and those without changes none", async (t) => {
      const { platform, base, upsert, add, check, turn, checked, evaluations } = await open(t, databases);
      assert.deepEqual(await check(), { afterIndexing: false, state: "idle", error: null });
      await add("refunds days", ["refunds.md"]);
      await upsert("refunds.md", "Refunds take five days.");
      assert.deepEqual(await turn(true), { afterIndexing: true, state: "idle", error: null });
      await upsert("shipping.md", "Parcels travel by train.");
      await upsert("warranty.md", "Repairs are free for two years.");
      assert.equal((await check()).state, "waiting");
      const [only, ...others] = await checked(1);
      assert.deepEqual([only?.cause, only?.questions, only?.recallAt5, others], ["indexing", 1, 1, []]);

      await upsert("warranty.md", "Repairs are free for two years.");
      assert.equal((await check()).state, "idle");
      await turn(false);
      await upsert("returns.md", "Returns go to the warehouse.");
      await rest();
      assert.equal((await evaluations()).length, 1);
      assert.equal((await platform.send("PUT", `${base}/evaluation-settings`, {})).status, 400);
      const unknown = "/document-store/store/00000000-0000-4000-8000-000000000000/evaluation-settings";
      assert.equal((await platform.send("GET", unknown)).status, 404);
      assert.equal((await platform.send("PUT", unknown, { afterIndexing: true })).status, 404);
    });

    test("says that recall dropped, on the evaluation, in the log and as a metric", async (t) => {
      const { platform, log, upsert, add, turn, checked } = await open(t, databases);
      const { docId } = await upsert("refunds.md", "Refunds take five days.");
      await add("refunds days", ["refunds.md"]);
      await add("parcels train", ["shipping.md"]);
      await turn(true);
      await upsert("shipping.md", "Parcels travel by train.");
      const [before] = await checked(1);
      assert.deepEqual([before?.recallAt5, before?.recallDrop], [1, null]);

      // A question that was never asked says nothing of the store's getting worse.
      await add("What is nowhere?", ["nowhere.md"]);
      const { storeId } = await upsert("refunds.md", "Refunds take five days.");
      await platform.json("POST", `/document-store/refresh/${storeId}`, {
        items: [{ docId, metadata: { source: "renamed.md" }, replaceExisting: true, deleteEmbeddings: true }],
      });
      const [after] = await checked(2);
      assert.deepEqual([after?.cause, after?.recallDrop], ["indexing", 0.5]);
      const line = await platform.until(async () => log.find((one) => one.includes("store-recall-dropped")));
      assert.ok(line.includes(storeId));
      assert.match(line, /lower by 0\.500 .* now it is 0\.333/);
      const { samples } = await scrape(platform);
      const counted = (outcome: string) => samples.get(`weft_store_checks_total{outcome="${outcome}"}`);
      assert.deepEqual(["kept", "dropped", "failed"].map(counted), [1, 1, 0]);
    });

    test("says why a check failed, and owes it still", async (t) => {
      const { platform, base, check, upsert, add, turn, evaluations } = await open(t, databases);
      await add("refunds days", ["refunds.md"]);
      await turn(true);
      await upsert("refunds.md", "Refunds take five days.");
      const config = { baseUrl: "http://127.0.0.1:9/v1", model: "m" };
      const embeddingConfig = JSON.stringify({ name: "openai-compatible", config });
      await platform.json("PUT", base, { embeddingConfig });
      const failed = await platform.until(async () => {
        const now = await check();
        return now.error === null ? undefined : now;
      });
      assert.equal(failed.state, "waiting");
      assert.match(String(failed.error), /embed/);
      assert.deepEqual(await evaluations(), []);
      assert.deepEqual(await turn(false), { afterIndexing: false, state: "idle", error: null });
    });
  });

  describe("a check whose process is killed", () => {
    test("is made by the next one, and is there once", async (t) => {
      const book = await openBook(t, databases, [undefined, { hang: true }]);
      const first = await book.start();
      const { id } = await newBookStore(first);
      const base = `/document-store/store/${id}`;
      await first.call("POST", `${base}/questions`, { question: passageOf(3), relevant: ["book"] });
      await first.call("PUT", `${base}/evaluation-settings`, { afterIndexing: true });
      await first.call("POST", `/document-store/upsert/${id}`, { ...bookOf(10), metadata: { source: "book" } });
      await book.asked(2);
      assert.equal((await first.call<StoreCheck>("GET", `${base}/evaluation-settings`)).state, "running");
      await first.kill("SIGKILL");

      const servers = [await book.start()];
      if (databases.name === "postgres") servers.push(await book.start());
      const [next] = servers as [PlatformProcess];
      const evaluations = () => next.call<StoreEvaluation[]>("GET", `${base}/evaluations`);
      // On PostgreSQL other processes take the check over only when the lease has expired.
      const made = await until(async () => ((await evaluations()).length > 0 ? evaluations() : undefined), 90_000);
      assert.deepEqual([made[0]?.cause, made[0]?.recallAt1], ["indexing", 1]);
      await rest();
      assert.equal((await evaluations()).length, 1);
      const check = await next.call<StoreCheck>("GET", `${base}/evaluation-settings`);
      assert.deepEqual(check, { afterIndexing: true, state: "idle", error: null });
    });
  });
});
