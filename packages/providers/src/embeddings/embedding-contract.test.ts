import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import type { EmbeddingRequest } from "@weft/engine/ports/embedding-model";
import { WeftError } from "@weft/schema";
import type { EmbeddingProvider } from "../define-provider.ts";
import { openAiCompatible } from "../openai-compatible/openai-compatible.ts";
import { embeddingProviders } from "../registry.ts";
import type { EmbeddingFormat } from "../testing/embedding-format.ts";
import type { ScriptStep } from "../testing/script-step.ts";
import { createScriptedEmbeddingServer } from "../testing/scripted-embedding-server.ts";
import { testDimension, toTestVector } from "../testing/test-vectors.ts";
import { hasOwnTest, wires } from "../testing/wires.ts";

const apiKey = "sk-test-0123456789abcdef";

for (const { name, account, create } of embeddingProviders) {
  const format = wires[name]?.embeddings;
  test(`embeddings: ${name} is put to the test`, () => {
    if (account === undefined) assert.ok(hasOwnTest(name), `${name} calls nobody and has no test of its own`);
    else assert.ok(format, `${name} has no embeddings format: export one from testing/wire.ts of its folder`);
  });
  if (format !== undefined) defineContract({ name, create }, format);
}

function defineContract({ name, create }: Pick<EmbeddingProvider, "name" | "create">, format: EmbeddingFormat): void {
  describe(`embeddings: ${name}`, () => {
    async function start(t: TestContext, script: ScriptStep[] = [], options: { dimensions?: number } = {}) {
      const server = await createScriptedEmbeddingServer({ format, script });
      t.after(() => server.close().catch(() => {}));
      const baseUrl = server.url;
      const call = { model: "some-model", apiKey, baseUrl, fetch: globalThis.fetch, ...options };
      return { server, model: await create(call) };
    }

    test("texts become vectors in their order, of 32-bit floats", async (t) => {
      const { server, model } = await start(t);
      const texts = ["first text", "second text", "日本語 😀", ""];
      const vectors = await model.embed(ask(texts));
      assert.equal(model.id, `${name}:some-model`);
      assert.equal(vectors.length, 4);
      for (const [index, text] of texts.slice(0, 3).entries()) assert.deepEqual(vectors[index], toTestVector(text));
      assert.equal(vectors[3]?.length, testDimension);
      assert.equal(format.keyOf(server.requests[0]?.headers ?? {}), apiKey);
      assert.deepEqual(await model.embed(ask([])), []);
      assert.equal(server.count(), 1);
      assert.ok(model.maxBatch >= 16);
    });

    test("what the texts are for and how long vectors are to be is asked for", async (t) => {
      const { server, model } = await start(t, [], { dimensions: 256 });
      await model.embed({ ...ask(["question"]), purpose: "query" });
      assert.equal(model.id, `${name}:some-model@256`);
      const body = JSON.stringify(server.requests[0]?.body);
      assert.match(body, /"(dimensions|outputDimensionality|output_dimension)":256/);
      if (format.queryMark !== undefined) assert.match(body, format.queryMark);
    });

    test("refusals, garbage and silence become codes, without the key", async (t) => {
      const body = format.wire.toError(`bad ${apiKey}`);
      const cases: [ScriptStep, string, boolean][] = [
        [{ status: 401, body }, "embedding-unauthorized", false],
        [{ status: 429, body, headers: { "retry-after": "3" } }, "embedding-rate-limited", true],
        [{ status: 400, body }, "embedding-invalid-request", false],
        [{ status: 503, body }, "embedding-unavailable", true],
        [{ garbage: "<html>login</html>" }, "embedding-invalid-answer", true],
        [{ garbage: '{"hello":"world"}' }, "embedding-invalid-answer", true],
        [{ status: 200, body: format.toAnswer([[1, 2]]) }, "embedding-invalid-answer", true],
        [{ status: 200, body: format.toAnswer([[1, 2], [1]]) }, "embedding-invalid-answer", true],
        [{ status: 200, body: format.toAnswer([[], []]) }, "embedding-invalid-answer", true],
      ];
      for (const [step, code, retryable] of cases) {
        const { model } = await start(t, [step]);
        const failure = await model.embed(ask(["a", "b"])).catch((reason: unknown) => reason);
        assert.ok(failure instanceof WeftError, String(failure));
        assert.deepEqual([failure.code, failure.retryable], [code, retryable]);
        assert.doesNotMatch(failure.message, /sk-test|login/);
        if (code === "embedding-rate-limited")
          assert.deepEqual(failure.upstream, { status: 429, retryAfterSeconds: 3 });
      }
      const { server, model } = await start(t);
      await server.close();
      await assert.rejects(model.embed(ask(["a"])), { code: "embedding-unreachable" });
    });

    test("an abort ends the request at once, with the signal's reason", async (t) => {
      const { server, model } = await start(t, [{ hang: true }]);
      const controller = new AbortController();
      const reason = new Error("cancelled");
      const pending = model.embed({ ...ask(["a"]), signal: controller.signal });
      while (server.count() === 0) await new Promise((resolve) => setImmediate(resolve));
      controller.abort(reason);
      await assert.rejects(pending, reason);
      while (server.abandoned() === 0) await new Promise((resolve) => setImmediate(resolve));
    });
  });
}

test("without a key no Authorization header is sent to a server that needs none", async (t) => {
  const server = await createScriptedEmbeddingServer();
  t.after(server.close);
  const options = { model: "m", baseUrl: server.url, fetch: globalThis.fetch };
  await (await openAiCompatible.embeddings.create(options)).embed(ask(["a"]));
  assert.equal(server.requests[0]?.headers.authorization, undefined);
});

function ask(texts: string[]): EmbeddingRequest {
  return { texts, purpose: "document", signal: new AbortController().signal };
}
