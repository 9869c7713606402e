import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { createScriptedOpenAiServer, type Script } from "@weft/providers/testing";
import { onTestDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { agentWith, flowOf, llmFlow, openTestPlatform, toolFlow } from "../testing/test-platform.ts";

type Answer = Record<string, unknown> & { text: string; chatId: string; executionId: string };

async function open(t: TestContext, databases: TestDatabases, script: Script, env: Record<string, string> = {}) {
  const model = await createScriptedOpenAiServer({ script });
  t.after(() => model.close());
  const platform = await openTestPlatform(t, databases, {
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: "sk-secret-of-the-operator",
    DEFAULT_MODEL: "scripted",
    ...env,
  });
  return { model, platform };
}

const echo: Script = (request) => ({
  text: `You said ${JSON.stringify(request.messages.map((message) => message.content))}`,
});

await onTestDatabase((databases) => {
  describe("prediction", () => {
    it("answers with the reference's fields and stores both messages", async (t) => {
      const { platform } = await open(t, databases, () => ({ text: "Hello there." }));
      const id = await agentWith(platform, llmFlow());
      const answer = await platform.json<Answer>("POST", `/prediction/${id}`, { question: "Hi", chatId: "chat-1" });
      assert.equal(answer.text, "Hello there.");
      assert.equal(answer.question, "Hi");
      assert.equal(answer.chatId, "chat-1");
      assert.equal(answer.sessionId, "chat-1");
      assert.equal(answer.memoryType, "Buffer Memory");
      assert.deepEqual(answer.sourceDocuments, []);
      assert.deepEqual(answer.usedTools, []);
      const messages = await platform.json<{ id: string; role: string; content: string }[]>(
        "GET",
        `/chatmessage/${id}`,
      );
      assert.deepEqual(
        messages.map(({ role, content }) => [role, content]),
        [
          ["userMessage", "Hi"],
          ["apiMessage", "Hello there."],
        ],
      );
      assert.equal(messages[1]?.id, answer.chatMessageId);
      const execution = await platform.json<Record<string, unknown>>("GET", `/executions/${answer.executionId}`);
      assert.equal(execution.state, "FINISHED");
      assert.equal(execution.text, "Hello there.");
      assert.equal(JSON.parse(String(execution.executionData)).length, 2);
    });

    it("remembers a session, and only that session", async (t) => {
      const { platform, model } = await open(t, databases, echo);
      const id = await agentWith(platform, llmFlow());
      await platform.json("POST", `/prediction/${id}`, { question: "one", overrideConfig: { sessionId: "s1" } });
      await platform.json("POST", `/prediction/${id}`, { question: "other", overrideConfig: { sessionId: "s2" } });
      await platform.json("POST", `/prediction/${id}`, { question: "two", overrideConfig: { sessionId: "s1" } });
      const seen = model.requests.at(-1)?.body.messages.map((message) => message.content);
      assert.equal(seen?.length, 3);
      assert.equal(seen?.[0], "one");
      assert.equal(seen?.[2], "two");
    });

    it("takes history from the body instead of the stored memory", async (t) => {
      const { platform, model } = await open(t, databases, echo);
      const id = await agentWith(platform, llmFlow());
      await platform.json("POST", `/prediction/${id}`, { question: "stored", chatId: "c" });
      const history = [
        { role: "userMessage", content: "given" },
        { role: "apiMessage", content: "answered" },
      ];
      await platform.json("POST", `/prediction/${id}`, { question: "now", chatId: "c", history });
      const seen = model.requests.at(-1)?.body.messages.map(({ role, content }) => [role, content]);
      assert.deepEqual(seen, [
        ["user", "given"],
        ["assistant", "answered"],
        ["user", "now"],
      ]);
    });

    it("runs the messages of one session one after the other when many come at once", async (t) => {
      const { platform } = await open(t, databases, (request) => ({ text: String(request.messages.length) }));
      const id = await agentWith(platform, llmFlow());
      const questions = Array.from({ length: 12 }, (_, index) => `q${index}`);
      const answers = await Promise.all(
        questions.map((question) => platform.json<Answer>("POST", `/prediction/${id}`, { question, chatId: "same" })),
      );
      assert.deepEqual(
        answers.map((answer) => Number(answer.text)).toSorted((a, b) => a - b),
        questions.map((_, index) => index * 2 + 1),
      );
    });

    it("applies bounded parameters and vars, and warns of what it ignores", async (t) => {
      const { platform, model } = await open(t, databases, echo);
      const id = await agentWith(
        platform,
        llmFlow({ messages: [{ role: "system", content: "Be {{ $vars.tone }}." }] }),
      );
      const answer = await platform.json<Answer & { metadata: { warnings: { message: string }[] } }>(
        "POST",
        `/prediction/${id}`,
        {
          question: "Hi",
          overrideConfig: { temperature: 0.1, maxTokens: 7, vars: { tone: "kind" }, baseUrl: "http://evil" },
        },
      );
      const request = model.requests.at(-1)?.body as Record<string, unknown>;
      assert.equal(request.temperature, 0.1);
      assert.equal(request.max_tokens ?? request.max_completion_tokens, 7);
      assert.equal(model.requests.at(-1)?.body.messages[0]?.content, "Be kind.");
      assert.match(
        answer.metadata.warnings.map((warning) => warning.message).join(),
        /^Ignored.*: overrideConfig\.baseUrl\. /,
      );
    });

    it("never lets a caller change an address or a credential, not even inside a setting that is allowed", async (t) => {
      const { platform, model } = await open(t, databases, echo);
      const id = await agentWith(platform, llmFlow({ model: { model: "chosen", temperature: 0.3 } }));
      const nodes = { LLM: [{ label: "Model", name: "model", type: "object", enabled: true }] };
      const apiConfig = JSON.stringify({ overrideConfig: { status: true, nodes } });
      await platform.json("PUT", `/chatflows/${id}`, { apiConfig });
      for (const stolen of [
        { baseUrl: "http://127.0.0.1:9/v1" },
        { credential: "00000000-0000-4000-8000-000000000000" },
      ]) {
        const ask = { question: "Hi", overrideConfig: { model: { model: "other", ...stolen } } };
        const answer = await platform.json<Answer & { metadata: { warnings: unknown[] } }>(
          "POST",
          `/prediction/${id}`,
          ask,
        );
        assert.equal(answer.metadata.warnings.length, 1);
        assert.equal(model.requests.at(-1)?.body.model, "chosen");
      }
      await platform.json("POST", `/prediction/${id}`, {
        question: "Hi",
        overrideConfig: { model: { model: "other" } },
      });
      const request = model.requests.at(-1)?.body as unknown as Record<string, unknown>;
      assert.deepEqual([request.model, request.temperature], ["other", 0.3]);
    });

    it("streams the frames in the order that clients expect", async (t) => {
      const { platform } = await open(t, databases, () => ({ text: "Hello there." }));
      const id = await agentWith(platform, llmFlow());
      const response = await platform.send("POST", `/prediction/${id}`, { question: "Hi", streaming: true });
      assert.equal(response.headers.get("content-type"), "text/event-stream");
      const text = await response.text();
      const frames = text
        .trim()
        .split("\n\n")
        .map((frame) => frame.split("\n"));
      for (const lines of frames) {
        assert.equal(lines.length, 3);
        assert.match(lines[0] ?? "", /^id:[0-9a-f-]+:\d+(\.\d+)?$/);
        assert.equal(lines[1], "message:");
      }
      const events = frames.map((lines) => JSON.parse((lines[2] ?? "").slice("data:".length)));
      const names = events
        .map(({ event }) => event)
        .filter((name, index, all) => name !== "token" || all[index - 1] !== "token");
      assert.deepEqual(names, [
        "agentFlowEvent",
        "nextAgentFlow",
        "nextAgentFlow",
        "nextAgentFlow",
        "token",
        "nextAgentFlow",
        "agentFlowExecutedData",
        "usageMetadata",
        "agentFlowEvent",
        "metadata",
        "end",
      ]);
      const tokens = events.filter(({ event }) => event === "token").map(({ data }) => data);
      assert.equal(tokens.join(""), "Hello there.");
      assert.ok(tokens.length > 1);
    });

    for (const [type, opening] of [
      ["AGENTFLOW", { event: "agentFlowEvent", data: "INPROGRESS" }],
      ["MULTIAGENT", { event: "agentFlowEvent", data: "INPROGRESS" }],
      ["CHATFLOW", { event: "start", data: "" }],
      ["ASSISTANT", { event: "start", data: "" }],
    ] as const) {
      it(`opens the stream of an agent of the type ${type} once, so that widgets show one bubble`, async (t) => {
        const { platform } = await open(t, databases, echo);
        const flow = flowOf("direct-reply", "Reply", { message: "Just this: {{ question }}" });
        const id = await agentWith(platform, flow, { type });
        const read = async (response: Response) =>
          (await response.text()).match(/(?<=^data:).*$/gm)?.map((line) => JSON.parse(line)) ?? [];
        const frames = await read(
          await platform.send("POST", `/prediction/${id}`, { question: "Hi", streaming: true }),
        );
        assert.deepEqual(frames[0], opening);
        const isOpening = ({ event, data }: { event: string; data: unknown }) =>
          event === "start" || data === "INPROGRESS";
        assert.equal(frames.filter(isOpening).length, 1);
        assert.equal(
          frames.some(({ event }) => event === "agentFlowEvent"),
          opening.event === "agentFlowEvent",
        );
        assert.deepEqual(
          frames.filter(({ event }) => event === "token").map(({ data }) => data),
          ["Just this: Hi"],
        );
        const { executionId } = frames.find(({ event }) => event === "metadata").data;
        const again = await read(await platform.send("GET", `/executions/${executionId}/events`));
        assert.deepEqual(
          again.map(({ event }) => event),
          frames.map(({ event }) => event),
        );
        const resumed = await platform.send("GET", `/executions/${executionId}/events`, undefined, {
          "last-event-id": `${executionId}:1`,
        });
        assert.deepEqual(await read(resumed), frames.slice(1), "a client that has the opening gets the rest");
      });
    }

    it("goes on when the client of a stream goes away", async (t) => {
      const { platform } = await open(t, databases, () => ({ text: "Finished anyway.", delayMs: 100 }));
      const id = await agentWith(platform, llmFlow());
      const response = await platform.send("POST", `/prediction/${id}`, {
        question: "Hi",
        streaming: true,
        chatId: "gone",
      });
      await response.body?.cancel();
      const messages = await platform.until(async () => {
        const list = await platform.json<{ content: string }[]>("GET", `/chatmessage/${id}?chatId=gone`);
        return list.length === 2 ? list : undefined;
      });
      assert.equal(messages[1]?.content, "Finished anyway.");
    });

    it("stops a run whose beginning is still being committed", async (t) => {
      const model = await createScriptedOpenAiServer({ script: () => ({ hang: true }) });
      t.after(() => model.close());
      const committing = Promise.withResolvers<void>();
      const begun = Promise.withResolvers<void>();
      let isHeld = false;
      const env = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "sk", DEFAULT_MODEL: "scripted" };
      const platform = await openTestPlatform(t, databases, env, {
        wrapDatabase: (database) => ({
          ...database,
          async commit(commit) {
            if (isHeld) begun.resolve();
            if (isHeld) await committing.promise;
            return database.commit(commit);
          },
        }),
      });
      const id = await agentWith(platform, llmFlow());
      isHeld = true;
      const asked = platform.send("POST", `/prediction/${id}`, { question: "Hi", chatId: "early" });
      await begun.promise;
      // On SQLite the model is asked meanwhile; on PostgreSQL the commit tells first whose turn it is.
      if (databases.name === "sqlite") await platform.until(async () => (model.count() > 0 ? true : undefined));
      await platform.json("PUT", `/chatmessage/abort/${id}/early`);
      committing.resolve();
      const { code } = (await (await asked).json()) as { code: string };
      assert.equal(code, "flow-cancelled");
    });

    it("stops a run on abort, and says so", async (t) => {
      const { platform, model } = await open(t, databases, () => ({ hang: true }));
      const id = await agentWith(platform, llmFlow());
      const asked = platform.send("POST", `/prediction/${id}`, { question: "Hi", chatId: "to-abort" });
      await platform.until(async () => (model.count() > 0 ? true : undefined));
      await platform.json("PUT", `/chatmessage/abort/${id}/to-abort`);
      const response = await asked;
      assert.equal(response.status, 500);
      assert.equal(((await response.json()) as { code: string }).code, "flow-cancelled");
    });
  });

  describe("an agent that is deleted while it answers", () => {
    it("ends its run within seconds and leaves no messages behind", async (t) => {
      const { platform, model } = await open(t, databases, () => ({ hang: true }));
      const id = await agentWith(platform, llmFlow());
      const asked = platform.send("POST", `/prediction/${id}`, { question: "Hi", chatId: "c" });
      await platform.until(async () => (model.count() > 0 ? true : undefined));
      await platform.json("DELETE", `/chatflows/${id}`);
      const body = (await (await asked).json()) as { code: string };
      assert.equal(body.code, "flow-cancelled");
      assert.deepEqual(await platform.json("GET", `/chatmessage/${id}`), []);
    });
  });

  describe("prediction that fails", () => {
    for (const [name, step, code] of [
      ["401", { status: 401, body: { error: { message: "bad key sk-secret-of-the-operator" } } }, "model-unauthorized"],
      [
        "429",
        { status: 429, body: { error: { message: "slow down" } }, headers: { "retry-after": "7" } },
        "model-rate-limited",
      ],
      ["500", { status: 500, body: { error: { message: "broken" } } }, "model-unavailable"],
      ["garbage", { garbage: "<html>not json" }, "model-invalid-answer"],
    ] as const) {
      it(`says what a model server that answers ${name} means, and keeps the question`, async (t) => {
        const { platform } = await open(t, databases, () => step as never);
        const id = await agentWith(platform, llmFlow({ onFailure: { retries: 0 } }));
        const response = await platform.send("POST", `/prediction/${id}`, { question: "Hi", chatId: "c" });
        const text = await response.text();
        const body = JSON.parse(text);
        assert.equal(response.status, 500);
        assert.equal(body.code, code);
        assert.ok(!text.includes("sk-secret"));
        if (name === "429") assert.equal(body.upstream.retryAfterSeconds, 7);
        const messages = await platform.json<{ content: string }[]>("GET", `/chatmessage/${id}?chatId=c`);
        assert.equal(messages[0]?.content, "Hi");
        assert.equal(messages.length, 2);
      });
    }

    it("ends a run whose model never answers", async (t) => {
      const { platform } = await open(t, databases, () => ({ hang: true }), { RUN_TIMEOUT_MS: "300" });
      const id = await agentWith(platform, llmFlow());
      const response = await platform.send("POST", `/prediction/${id}`, { question: "Hi" });
      assert.equal(response.status, 500);
      assert.equal(((await response.json()) as { code: string }).code, "flow-timeout");
    });

    it("refuses a flow that cannot run, before anything is written", async (t) => {
      const { platform } = await open(t, databases, echo);
      const flow = { weft: 1, nodes: [{ id: "a", type: "teleport" }], edges: [] };
      const id = await agentWith(platform, JSON.stringify(flow));
      const response = await platform.send("POST", `/prediction/${id}`, { question: "Hi" });
      const body = (await response.json()) as { code: string; message: string };
      assert.equal(response.status, 500);
      assert.equal(body.code, "flow-invalid");
      assert.match(body.message, /"teleport" is not known/);
      assert.deepEqual(await platform.json("GET", `/chatmessage/${id}`), []);
    });

    it("answers the statuses of its row for bad requests", async (t) => {
      const { platform } = await open(t, databases, echo);
      const id = await agentWith(platform, llmFlow());
      const status = async (path: string, body: unknown) => (await platform.send("POST", path, body)).status;
      assert.equal(await status(`/prediction/${id}`, {}), 422);
      assert.equal(await status(`/prediction/${id}`, { question: 5 }), 422);
      assert.equal(await status(`/prediction/${id}`, { question: "a", form: {} }), 422);
      assert.equal(await status(`/prediction/${id}`, { question: "a", overrideConfig: { temperature: "hot" } }), 422);
      assert.equal(
        await status(`/prediction/${id}`, { question: "a", history: [{ role: "system", content: "x" }] }),
        422,
      );
      assert.equal(await status(`/prediction/${id}`, { humanInput: { type: "proceed" } }), 422);
      assert.equal(await status("/prediction/not-a-uuid", { question: "a" }), 400);
      assert.equal(await status("/prediction/00000000-0000-4000-8000-000000000000", { question: "a" }), 404);
    });

    it("needs the agent's own key where one is bound", async (t) => {
      const { platform } = await open(t, databases, echo);
      const create = (keyName: string) =>
        platform.json<{ id: string; apiKey: string }>("POST", "/apikey", { keyName, permissions: ["predictions:run"] });
      const [mine, other] = [await create("mine"), await create("other")];
      const id = await agentWith(platform, llmFlow(), { apikeyid: mine.id });
      const ask = async (headers: Record<string, string>) =>
        (await platform.send("POST", `/prediction/${id}`, { question: "Hi" }, headers)).status;
      assert.equal(await ask({}), 401);
      assert.equal(await ask({ authorization: `Bearer ${other.apiKey}` }), 401);
      assert.equal(await ask({ authorization: `Bearer ${mine.apiKey}` }), 200);
      assert.equal(await ask({ "x-api-key": mine.apiKey }), 200);
      assert.equal(await ask({ "x-api-key": "wk_wrong" }), 401);
    });
  });

  describe("prediction with tools", () => {
    it("gives a tool's error back to the model, and shows the calls", async (t) => {
      const { platform } = await open(t, databases, (request) => {
        const result = request.messages.find((message) => message.role === "tool");
        if (!result) return { toolCalls: [{ name: "get_thing", arguments: { id: "../secret" } }] };
        return { text: `The tool said: ${String(result.content)}` };
      });
      const id = await agentWith(platform, toolFlow("http://127.0.0.1:9/things"));
      const answer = await platform.json<Answer & { usedTools: { tool: string; error?: string }[] }>(
        "POST",
        `/prediction/${id}`,
        { question: "Get it" },
      );
      assert.equal(answer.usedTools[0]?.tool, "get_thing");
      assert.ok(answer.usedTools[0]?.error);
    });
  });
});
