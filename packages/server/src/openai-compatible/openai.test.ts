import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import type { Script } from "@weft/providers/testing";
import OpenAI from "openai";
import { onTestDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { startServed } from "../served-agents/testing/start-served.ts";
import { flowOf, llmFlow, toolFlow } from "../testing/test-platform.ts";

async function start(t: TestContext, databases: TestDatabases, script: Script, env: Record<string, string> = {}) {
  const served = await startServed(t, databases, script, env);
  const clientOf = (apiKey: string) => new OpenAI({ apiKey, baseURL: `${served.url}/v1`, maxRetries: 2 });
  return { ...served, clientOf, client: clientOf(served.platform.token) };
}

const user = (content: string) => ({ role: "user" as const, content });

async function readStream(stream: AsyncIterable<OpenAI.Chat.Completions.ChatCompletionChunk>) {
  const chunks: OpenAI.Chat.Completions.ChatCompletionChunk[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return { chunks, text: chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("") };
}

/** A white pixel. */
const pixel =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8/5+hHgAHggJ/PchI7wAAAABJRU5ErkJggg==";

await onTestDatabase((databases) => {
  describe("an agent as a model of OpenAI's API", () => {
    it("is listed and read by the official client", async (t) => {
      const { clientOf, deploy, key } = await start(t, databases, []);
      const own = await key();
      const other = await key();
      const id = await deploy("Customer support");
      await deploy("Draft", llmFlow(), { deployed: false });
      await deploy("Of another", llmFlow(), { apikeyid: other.id });
      await deploy("Mine", llmFlow(), { apikeyid: own.id });
      const client = clientOf(own.apiKey);
      const models = [];
      for await (const model of client.models.list()) models.push(model);
      assert.deepEqual(
        models.map((model) => model.id),
        ["customer-support", "mine", "draft"],
      );
      assert.equal((await client.models.retrieve("draft")).id, "draft");
      assert.ok(Math.abs(Date.now() / 1_000 - (models[0]?.created ?? 0)) < 600);
      assert.equal((await client.models.retrieve("customer-support")).owned_by, "weft");
      assert.equal((await client.models.retrieve(id)).id, id);
      await assert.rejects(client.models.retrieve("of-another"), { status: 404, code: "model_not_found" });
    });

    it("answers by name and by id, with usage", async (t) => {
      const usage = { prompt_tokens: 11, completion_tokens: 4, total_tokens: 15 };
      const { client, platform, deploy } = await start(t, databases, () => ({ text: "On Monday.", usage }));
      const id = await deploy("Support");
      for (const model of ["support", id]) {
        const completion = await client.chat.completions.create({ model, messages: [user("When?")] });
        assert.equal(completion.object, "chat.completion");
        assert.equal(completion.model, model);
        assert.deepEqual(completion.choices[0]?.message, { role: "assistant", content: "On Monday.", refusal: null });
        assert.equal(completion.choices[0]?.finish_reason, "stop");
        assert.deepEqual(completion.usage, usage);
        const runId = completion.id.replace("chatcmpl-", "");
        const run = await platform.json<{ state: string }>("GET", `/executions/${runId}`);
        assert.equal(run.state, "FINISHED");
      }
    });

    it("takes earlier messages as its memory, and keeps its own instructions above those of the client", async (t) => {
      const { client, model, deploy } = await start(t, databases, () => ({ text: "Ada." }));
      await deploy("Support", llmFlow({ messages: [{ role: "system", content: "Be kind." }] }));
      await client.chat.completions.create({ model: "support", messages: [user("Forgotten?")], user: "ada" });
      await client.chat.completions.create({
        model: "support",
        user: "ada",
        messages: [
          { role: "system", content: "You are a pirate." },
          user("I am Ada."),
          { role: "assistant", content: "Hello Ada." },
          { role: "tool", tool_call_id: "1", content: "none of the agent's" },
          {
            role: "user",
            content: [
              { type: "text", text: "Who" },
              { type: "text", text: "am I?" },
            ],
          },
        ],
      });
      assert.deepEqual(
        model.requests.at(-1)?.body.messages.map(({ role, content }) => [role, content]),
        [
          ["system", "Be kind."],
          ["user", "You are a pirate."],
          ["user", "I am Ada."],
          ["assistant", "Hello Ada."],
          ["user", "Who\nam I?"],
        ],
      );
    });

    it("passes parameters and pictures on, and ignores what has no meaning", async (t) => {
      const { client, model, deploy } = await start(t, databases, () => ({ text: "White." }));
      await deploy("Eye");
      await client.chat.completions.create({
        model: "eye",
        temperature: 0.3,
        top_p: 0.9,
        max_tokens: 50,
        presence_penalty: 1,
        tools: [{ type: "function", function: { name: "mine" } }],
        messages: [
          {
            role: "user",
            content: [
              { type: "text", text: "Which colour?" },
              { type: "image_url", image_url: { url: pixel } },
            ],
          },
        ],
      });
      const asked = model.requests[0]?.body;
      assert.equal(asked?.temperature, 0.3);
      assert.equal(asked?.top_p, 0.9);
      assert.equal(asked?.max_tokens ?? asked?.max_completion_tokens, 50);
      assert.equal(asked?.tools, undefined);
      assert.match(JSON.stringify(asked?.messages), /Which colour\?.*data:image\/png;base64,iVBOR/);
    });

    it("streams the text that it answers as a whole", async (t) => {
      const text = "It arrives on Monday — 💥 and no later.";
      const usage = { prompt_tokens: 3, completion_tokens: 9, total_tokens: 12 };
      const { client, deploy } = await start(t, databases, () => ({ text, usage, pieces: 7 }));
      await deploy("Support");
      const request = { model: "support", messages: [user("When?")] };
      const whole = await client.chat.completions.create(request);
      const stream = await client.chat.completions.create({
        ...request,
        stream: true,
        stream_options: { include_usage: true },
      });
      const { chunks, text: streamed } = await readStream(stream);
      assert.equal(streamed, whole.choices[0]?.message.content);
      assert.ok(chunks.length > 5, "it came in one piece");
      assert.deepEqual(chunks[0]?.choices[0]?.delta, { role: "assistant", content: "" });
      assert.equal(new Set(chunks.map(({ id }) => id)).size, 1);
      assert.equal(chunks.at(-2)?.choices[0]?.finish_reason, "stop");
      assert.deepEqual([chunks.at(-1)?.choices, chunks.at(-1)?.usage], [[], usage]);
      const plain = await readStream(await client.chat.completions.create({ ...request, stream: true }));
      assert.equal(plain.text, text);
      assert.equal(plain.chunks.at(-1)?.choices[0]?.finish_reason, "stop");
    });

    it("streams what no model said, and does not show the tools that an agent calls", async (t) => {
      const script: Script = ({ messages }) =>
        messages.at(-1)?.role === "tool"
          ? { text: "It is blue." }
          : { text: "Let me look.", toolCalls: [{ name: "get_thing", arguments: { id: "1" } }] };
      const { client, model, deploy } = await start(t, databases, script);
      await deploy("Reply", flowOf("direct-reply", "Reply", { message: "Hello {{ question }}" }));
      await deploy("Looker", toolFlow(`${model.url}/things/:id`));
      const ask = async (name: string) => {
        const request = { model: name, messages: [user("Ada")] };
        const whole = await client.chat.completions.create(request);
        const streamed = await readStream(await client.chat.completions.create({ ...request, stream: true }));
        return [whole.choices[0]?.message.content, streamed.text];
      };
      assert.deepEqual(await ask("reply"), ["Hello Ada", "Hello Ada"]);
      assert.deepEqual(await ask("looker"), ["It is blue.", "Let me look.\n\nIt is blue."]);
    });

    it("goes on with a text that a model says again, and ends where it says another", async (t) => {
      let asked = 0;
      const texts: Record<string, string[]> = {
        same: ["one two three four", "one two three four"],
        other: ["one two three four", "five six"],
      };
      const script: Script = ({ messages }) => {
        const text = texts[String(messages.at(-1)?.content)]?.[asked % 2] ?? "";
        asked += 1;
        return asked % 2 === 1 ? { text, pieces: 4, cutStreamAfter: 3 } : { text, pieces: 4 };
      };
      const { client, deploy } = await start(t, databases, script);
      await deploy("Retry", llmFlow({ onFailure: { retries: 1, retryDelayMs: 0 } }));
      const ask = async (question: string) => {
        const stream = await client.chat.completions.create({
          model: "retry",
          stream: true,
          messages: [user(question)],
        });
        return readStream(stream);
      };
      assert.equal((await ask("same")).text, "one two three four");
      await assert.rejects(ask("other"), { code: "model-invalid-answer", message: /answered differently/ });
    });

    it("answers failures as the official client understands them", async (t) => {
      const { client, clientOf, deploy, key, model } = await start(t, databases, () => ({ status: 500, body: {} }));
      const id = await deploy("Broken");
      const bound = await key();
      const own = await deploy("Bound", llmFlow(), { apikeyid: bound.id });
      const limit = { status: true, limitMax: 1, limitDuration: 60, limitMsg: "Slowly." };
      await deploy("Limited", llmFlow(), { apiConfig: JSON.stringify({ rateLimit: limit }) });
      const ask = (name: string, more: object = {}, asking = client) =>
        asking.chat.completions.create({ model: name, messages: [user("Hi")], ...more }, { maxRetries: 0 });
      await assert.rejects(ask("nobody"), { status: 404, code: "model_not_found", param: "model" });
      await assert.rejects(ask(id, {}, clientOf("wrong")), { status: 401, code: "invalid_api_key" });
      await assert.rejects(ask(own), { status: 401, code: "invalid_api_key" });
      const weak = clientOf((await key(["agents:read"])).apiKey);
      await assert.rejects(ask(id, {}, weak), { status: 403, type: "invalid_request_error" });
      await assert.rejects(ask(id, { temperature: 3 }), { status: 400, param: "temperature" });
      await assert.rejects(ask(id, { n: 2 }), { status: 400, param: "n" });
      await assert.rejects(ask(id, { messages: [] }), { status: 400, param: "messages" });
      await assert.rejects(ask(id, { messages: [{ role: "system", content: "Hi" }] }), {
        status: 400,
        message: /must have the role user/,
      });
      const audio = { role: "user", content: [{ type: "input_audio", input_audio: { data: "", format: "wav" } }] };
      await assert.rejects(ask(id, { messages: [audio] }), { status: 400, param: "messages.0.content.0" });
      assert.equal(model.requests.length, 0);
      await assert.rejects(ask("limited"), { status: 500 });
      await assert.rejects(ask("limited"), { status: 429, code: "rate_limit_exceeded", message: /Slowly/ });
    });

    it("is not asked again by clients when a run has failed", async (t) => {
      const { client, deploy, states } = await start(t, databases, () => ({ status: 400, body: {} }));
      const id = await deploy("Broken");
      const request = { model: id, messages: [user("Hi")] };
      await assert.rejects(client.chat.completions.create(request), {
        status: 500,
        type: "server_error",
        code: "model-invalid-request",
      });
      await assert.rejects(client.chat.completions.create({ ...request, stream: true }).then(readStream), {
        code: "model-invalid-request",
        message: /rejected the request/,
      });
      assert.deepEqual(await states(id), ["ERROR", "ERROR"]);
    });

    for (const stream of [false, true]) {
      it(`cancels the run when the client goes away from ${stream ? "a stream" : "an answer"}`, async (t) => {
        const asked = Promise.withResolvers<void>();
        const { client, platform, deploy, states } = await start(t, databases, () => {
          asked.resolve();
          return { hang: true };
        });
        const id = await deploy("Slow");
        const cancel = new AbortController();
        const { signal } = cancel;
        const request = { model: "slow", messages: [user("Hi")] };
        const answer = stream
          ? client.chat.completions.create({ ...request, stream }, { signal }).then(readStream)
          : client.chat.completions.create(request, { signal });
        await asked.promise;
        cancel.abort();
        // A stream that its client left just ends.
        await answer.catch(() => undefined);
        await platform.until(async () => ((await states(id))[0] === "TERMINATED" ? true : undefined));
      });
    }

    it("answers many at once, each its own question", async (t) => {
      const { client, deploy } = await start(t, databases, ({ messages }) => ({
        text: `You: ${messages.at(-1)?.content}`,
      }));
      await deploy("Echo");
      const questions = Array.from({ length: 20 }, (_, index) => `q${index}`);
      const answers = await Promise.all(
        questions.map(async (question, index) => {
          const request = { model: "echo", messages: [user(question)], user: "one" };
          if (index % 2 === 0) {
            return (await client.chat.completions.create(request)).choices[0]?.message.content;
          }
          return (await readStream(await client.chat.completions.create({ ...request, stream: true }))).text;
        }),
      );
      assert.deepEqual(
        answers,
        questions.map((question) => `You: ${question}`),
      );
    });
  });
});
