import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { rerankerNames, WeftError } from "@weft/schema";
import type { RerankProvider } from "../define-provider.ts";
import { rerankProviders } from "../registry.ts";
import { answerWithScores, type RerankFormat, toTestScore } from "../testing/rerank-format.ts";
import type { ScriptStep } from "../testing/script-step.ts";
import { createScriptedServer } from "../testing/scripted-server.ts";
import { hasOwnTest, wires } from "../testing/wires.ts";

const apiKey = "sk-test-0123456789abcdef";
const signal = new AbortController().signal;

test("settings name every reranker", () => {
  const known = rerankProviders.map(({ name }) => name);
  const named = rerankerNames.filter((name) => name !== "none" && name !== "chat-model");
  assert.deepEqual([...known].sort(), [...named].sort());
});

for (const { name, account, create } of rerankProviders) {
  const format = wires[name]?.rerank;
  test(`rerank: ${name} is put to the test`, () => {
    if (account === undefined) assert.ok(hasOwnTest(name), `${name} calls nobody and has no test of its own`);
    else assert.ok(format, `${name} has no rerank format: export one from testing/wire.ts of its folder`);
  });
  if (format !== undefined) defineContract({ name, create }, format);
}

function defineContract({ name, create }: Pick<RerankProvider, "name" | "create">, format: RerankFormat): void {
  describe(`rerank: ${name}`, () => {
    async function start(t: TestContext, ...script: ScriptStep[]) {
      const server = await createScriptedServer(format.wire, {
        script: (request, index) => script[index] ?? answerWithScores(format, request),
      });
      t.after(() => server.close().catch(() => {}));
      const model = await create({ model: "some-model", apiKey, baseUrl: server.url, fetch: globalThis.fetch });
      return { server, model };
    }

    test("passages get their scores in their own order, whatever the order of the answer", async (t) => {
      const { server, model } = await start(t);
      const passages = ["bad", "good good", "", "good 日本語 😀 bad"];
      const answer = await model.rerank({ query: "what is good?", passages, signal });
      assert.equal(model.id, `${name}/some-model`);
      assert.deepEqual(answer.scores, passages.map(toTestScore));
      assert.equal(answer.usage?.totalTokens, format.tokens);
      assert.equal(server.requests[0]?.headers.authorization, `Bearer ${apiKey}`);
      assert.match(JSON.stringify(server.requests[0]?.body), /"query":"what is good\?"/);
      assert.deepEqual(await model.rerank({ query: "a", passages: [], signal }), { scores: [] });
      assert.equal(server.count(), 1);
    });

    test("scores beyond 0 to 1 are brought within", async (t) => {
      const { model } = await start(t, { status: 200, body: format.toAnswer([-0.2, 1.5]) });
      assert.deepEqual((await model.rerank({ query: "q", passages: ["a", "b"], signal })).scores, [0, 1]);
    });

    test("refusals, garbage and silence become codes, without the key", async (t) => {
      const body = format.wire.toError(`bad ${apiKey}`);
      const cases: [ScriptStep, string, boolean][] = [
        [{ status: 401, body }, "model-unauthorized", false],
        [{ status: 429, body, headers: { "retry-after": "3" } }, "model-rate-limited", true],
        [{ status: 400, body }, "model-invalid-request", false],
        [{ status: 503, body }, "model-unavailable", true],
        [{ garbage: "<html>login</html>" }, "model-invalid-answer", true],
        [{ garbage: '{"hello":"world"}' }, "model-invalid-answer", true],
        [{ status: 200, body: format.toAnswer([1]) }, "model-invalid-answer", true],
      ];
      for (const [step, code, retryable] of cases) {
        const { model } = await start(t, step);
        const failure = await model.rerank({ query: "q", passages: ["a", "b"], signal }).catch((reason) => reason);
        assert.ok(failure instanceof WeftError, String(failure));
        assert.deepEqual([failure.code, failure.retryable], [code, retryable]);
        assert.doesNotMatch(failure.message, /sk-test|login/);
      }
      const { server, model } = await start(t);
      await server.close();
      await assert.rejects(model.rerank({ query: "q", passages: ["a"], signal }), { code: "model-unreachable" });
    });

    test("an abort ends the request at once, with the signal's reason", async (t) => {
      const { server, model } = await start(t, { hang: true });
      const controller = new AbortController();
      const reason = new Error("cancelled");
      const pending = model.rerank({ query: "q", passages: ["a"], signal: controller.signal });
      while (server.count() === 0) await new Promise((resolve) => setImmediate(resolve));
      controller.abort(reason);
      await assert.rejects(pending, reason);
      while (server.abandoned() === 0) await new Promise((resolve) => setImmediate(resolve));
    });
  });
}
