import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { StoreEvaluation, StoreEvaluationDetail, StoreQuestion } from "@weft/schema";
import { onTestDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { longestTurnOf } from "../../../schema/src/testing/processor-time.ts";
import { openTestPlatform } from "../../../server/src/testing/test-platform.ts";

type Test = Parameters<typeof openTestPlatform>[0];
type Frame = { event: string; data: unknown };

/** Of the thread that answers requests. */
const mostTurnMs = 300;

const texts = [
  ["refunds.md", "Refunds take five days, counted from when the parcel is back."],
  ["shipping.md", "Parcels leave on Mondays and travel by train."],
  ["warranty.md", "The warranty covers repairs for two years."],
] as const;

async function open(t: Test, databases: TestDatabases) {
  const platform = await openTestPlatform(t, databases);
  const { id } = await platform.json<{ id: string }>("POST", "/document-store/store", { name: "Handbook" });
  const base = `/document-store/store/${id}`;
  const upsert = (source: string, text: string) =>
    platform.json("POST", `/document-store/upsert/${id}`, {
      loader: { name: "plainText", config: { text } },
      metadata: { source },
    });
  const add = (question: string, relevant: string[], words: string[] = []) =>
    platform.json<StoreQuestion>("POST", `${base}/questions`, { question, relevant, words });
  const list = () => platform.json<StoreQuestion[]>("GET", `${base}/questions`);
  const evaluations = () => platform.json<StoreEvaluation[]>("GET", `${base}/evaluations`);
  const detail = (evaluationId: string) =>
    platform.json<StoreEvaluationDetail>("GET", `${base}/evaluations/${evaluationId}`);
  const evaluate = async (body: object = {}) => {
    const response = await platform.send("POST", `${base}/evaluations`, body);
    assert.equal(response.status, 200);
    return readFrames(await response.text());
  };
  return { platform, id, base, upsert, add, list, evaluations, detail, evaluate };
}

function readFrames(text: string): Frame[] {
  const parts = text.split("\n\n").filter((part) => part.includes("data:"));
  return parts.map((part) => {
    const line = (name: string) => new RegExp(`^${name}: ?(.*)$`, "m").exec(part)?.[1] ?? "";
    const outer = JSON.parse(line("data")) as Frame;
    return typeof outer === "object" && "event" in outer ? outer : { event: line("event"), data: outer };
  });
}

await onTestDatabase((databases) => {
  describe("the questions of a document store", () => {
    test("are added, changed and deleted, and go with their store", async (t) => {
      const { platform, id, base, add, list, evaluations } = await open(t, databases);
      const first = await add("  When do refunds come? ", ["refunds.md"], ["five days"]);
      await add("How do parcels travel?", ["shipping.md"]);
      assert.deepEqual([first.question, first.words], ["When do refunds come?", ["five days"]]);
      const changed = await platform.json<StoreQuestion>("PUT", `${base}/questions/${first.id}`, { words: [] });
      assert.deepEqual(changed, { ...first, words: [], updatedDate: changed.updatedDate });
      assert.ok(changed.updatedDate > first.updatedDate);
      assert.deepEqual(
        (await list()).map(({ question }) => question),
        ["When do refunds come?", "How do parcels travel?"],
      );
      assert.equal((await platform.send("DELETE", `${base}/questions/${first.id}`)).status, 200);
      assert.equal((await platform.send("DELETE", `${base}/questions/${first.id}`)).status, 404);
      assert.equal((await list()).length, 1);
      await platform.send("DELETE", `/document-store/store/${id}`);
      assert.equal((await platform.send("GET", `${base}/questions`)).status, 404);
      await platform.json("POST", "/document-store/store", { id, name: "Handbook" });
      assert.deepEqual([await list(), await evaluations()], [[], []]);
    });

    test("belong to their store, and name a document", async (t) => {
      const { platform, base, add } = await open(t, databases);
      const question = await add("When?", ["a.md"]);
      const other = await platform.json<{ id: string }>("POST", "/document-store/store", { name: "Other" });
      const foreign = `/document-store/store/${other.id}/questions/${question.id}`;
      assert.equal((await platform.send("PUT", foreign, { question: "Why?" })).status, 404);
      assert.equal((await platform.send("DELETE", foreign)).status, 404);
      const statuses = [
        { question: "", relevant: ["a.md"] },
        { question: "x", relevant: [] },
        { question: "x", relevant: [""] },
        { question: "x" },
      ].map(async (body) => (await platform.send("POST", `${base}/questions`, body)).status);
      assert.deepEqual(await Promise.all(statuses), [400, 400, 400, 400]);
    });

    test("of a hostile file are refused, and the thread that answers requests does not read it", async (t) => {
      const { platform, base } = await open(t, databases);
      const bombs = ["[", "{", "- ", "? ", '{"a":', "[\n"].map((piece) => `questions: ${piece.repeat(1_000_000)}`);
      for (const bomb of [...bombs, "a: b: ".repeat(100_000), "*a ".repeat(200_000)]) {
        let status = 0;
        const turnMs = await longestTurnOf(async () => {
          ({ status } = await platform.send("POST", `${base}/question-file`, { text: bomb.slice(0, 1_000_000) }));
        }, mostTurnMs);
        assert.equal(status, 400, bomb.slice(0, 20));
        assert.ok(turnMs < mostTurnMs, `${bomb.slice(0, 20)} took ${turnMs} ms of the main thread at once.`);
      }
    });

    test("come from a file and go into one; no set has more than 1,000", async (t) => {
      const { platform, base, add, list } = await open(t, databases);
      await add("How do parcels travel?", ["shipping.md"], ['by "train": #1']);
      const imports = (text: string) => platform.send("POST", `${base}/question-file`, { text });
      const yaml =
        'documents: ["*.md"]\ntopK: 1\nquestions:\n  - question: Why?\n    relevant: [a.md]\n  - question: How do parcels travel?\n    relevant: [b.md]\n';
      assert.deepEqual(await (await imports(yaml)).json(), { added: 1, skipped: 1 });
      const file = await (await platform.send("GET", `${base}/question-file`)).text();
      assert.match(file, /^documents:\n {2}- a\.md\n {2}- shipping\.md\n/);
      const other = await platform.json<{ id: string }>("POST", "/document-store/store", { name: "Other" });
      const copied = await platform.json("POST", `/document-store/store/${other.id}/question-file`, { text: file });
      assert.deepEqual(copied, { added: 2, skipped: 0 });
      const facts = ({ question, relevant, words }: StoreQuestion) => ({ question, relevant, words });
      const copy = await platform.json<StoreQuestion[]>("GET", `/document-store/store/${other.id}/questions`);
      const byQuestion = (a: StoreQuestion, b: StoreQuestion) => a.question.localeCompare(b.question);
      assert.deepEqual(copy.sort(byQuestion).map(facts), (await list()).sort(byQuestion).map(facts));
      for (const wrong of ["{", "questions: 3", "questions: [{question: x}]", "a: &a [x]\nquestions: *a\n"]) {
        assert.equal((await imports(wrong)).status, 400, wrong);
      }
      const many = (count: number) =>
        JSON.stringify({
          questions: Array.from({ length: count }, (_, index) => ({ question: `Q${index}`, relevant: ["a.md"] })),
        });
      assert.equal((await imports(many(999))).status, 422);
      assert.equal((await imports(many(998))).status, 200);
      assert.equal((await platform.send("POST", `${base}/questions`, { question: "x", relevant: ["a"] })).status, 422);
      assert.equal((await list()).length, 1_000);
    });

    test("are checked, and what got worse since the last time is known", async (t) => {
      const { base, platform, upsert, add, evaluations, detail, evaluate } = await open(t, databases);
      for (const [source, text] of texts) await upsert(source, text);
      const refunds = await add("refunds take days", ["refunds.md"], ["FIVE  days"]);
      await add("parcels travel train", ["shipping.md"], ["by ship"]);
      await add("warranty repairs years", ["warranty.md"]);
      const frames = await evaluate({ mode: "keyword" });
      assert.deepEqual(frames.map(({ event }) => event).slice(-2), ["evaluation", "end"]);
      const steps = frames.filter(({ event }) => event === "progress").map(({ data }) => data);
      assert.deepEqual(
        steps,
        [1, 2, 3].map((done) => ({ done, total: 3 })),
      );
      const [first] = await evaluations();
      assert.ok(first);
      const { id, storeId: _store, createdDate: _date, timeTaken: _time, settings, warnings, ...numbers } = first;
      const third = 2 / 3;
      const rates = { recallAt1: third, recallAt5: third, meanReciprocalRank: third };
      assert.deepEqual(numbers, { questions: 3, ...rates, cause: "request", recallDrop: null });
      assert.deepEqual(
        [settings.mode, settings.vectorStore, settings.splitters.length, settings.reranker, warnings],
        ["keyword", "embedded", 1, "none", []],
      );
      const before = await detail(id);
      assert.deepEqual(
        before.outcomes.map(({ rank }) => rank),
        [1, null, 1],
      );
      assert.ok(before.outcomes.every((outcome) => !("previousRank" in outcome)));
      const [best] = before.outcomes[0]?.found ?? [];
      assert.deepEqual([best?.document, best?.chunkNo, best?.isRight], ["refunds.md", 1, true]);
      assert.match(best?.text ?? "", /^Refunds take five days/);

      await platform.json("PUT", `${base}/questions/${refunds.id}`, { relevant: ["gone.md"] });
      await add("trains on Mondays", ["shipping.md"]);
      await platform.json("PUT", base, { retrievalConfig: JSON.stringify({ mode: "vector" }) });
      await evaluate();
      const [second, ...older] = await evaluations();
      assert.equal(older[0]?.id, id);
      assert.equal(second?.settings.mode, "vector");
      const after = await detail(second?.id ?? "");
      assert.deepEqual(
        after.outcomes.map(({ rank, previousRank }) => [rank === null, previousRank]),
        [
          [true, 1],
          [true, null],
          [false, 1],
          [false, undefined],
        ],
      );
      assert.deepEqual((await detail(id)).outcomes, [], "only the newest keeps what was found");
    });

    test("are not checked when there are none, and say what fails on the way", async (t) => {
      const { platform, base, add, upsert, evaluate, evaluations } = await open(t, databases);
      assert.equal((await platform.send("POST", `${base}/evaluations`, {})).status, 400);
      assert.equal((await platform.send("POST", `${base}/evaluations`, { mode: "best" })).status, 400);
      await upsert(...texts[0]);
      await add("refunds", ["refunds.md"]);
      const embeddingConfig = JSON.stringify({
        name: "openai-compatible",
        config: { baseUrl: "http://127.0.0.1:9/v1", model: "m" },
      });
      await platform.json("PUT", base, { embeddingConfig });
      const frames = await evaluate();
      assert.deepEqual(
        frames.map(({ event }) => event),
        ["error", "end"],
      );
      assert.match(JSON.stringify(frames[0]?.data), /embedding-mismatch/);
      assert.deepEqual(await evaluations(), []);
    });

    test("keep nothing of a check that its client left", async (t) => {
      const { platform, base, upsert, evaluations } = await open(t, databases);
      await upsert(...texts[0]);
      const questions = Array.from({ length: 300 }, (_, index) => ({
        question: `refunds ${index}`,
        relevant: ["refunds.md"],
      }));
      await platform.json("POST", `${base}/question-file`, { text: JSON.stringify({ questions }) });
      const response = await platform.send("POST", `${base}/evaluations`, {});
      const reader = response.body?.getReader();
      await reader?.read();
      await reader?.cancel();
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      assert.deepEqual(await evaluations(), []);
    });
  });
});
