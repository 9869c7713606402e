import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { type TestContext, test } from "node:test";
import { createScriptedOpenAiServer, type Script } from "@weft/providers/testing";
import type { Assistant, Execution, PredictionResult } from "@weft/schema";
import { onTestDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { openTestPlatform } from "../../../server/src/testing/test-platform.ts";

const details = { name: "Helper", instructions: "Be brief. It is {{ current_date_time }}." };

async function open(t: TestContext, databases: TestDatabases, script: Script = () => ({ text: "Hello." })) {
  const model = await createScriptedOpenAiServer({ script });
  t.after(() => model.close());
  const env = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "sk-of-the-operator", DEFAULT_MODEL: "scripted" };
  const platform = await openTestPlatform(t, databases, env);
  const call = async (method: string, path: string, body?: unknown, headers?: Record<string, string>) => {
    const response = await platform.send(method, path, body, headers);
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: text === "" ? undefined : JSON.parse(text),
    };
  };
  return { model, platform, call, create: (body: object) => platform.json<Assistant>("POST", "/assistants", body) };
}

await onTestDatabase((databases) => {
  test("an assistant that is created with the least has every field", async (t) => {
    const { create, call } = await open(t, databases);
    const { id, createdDate, updatedDate, ...rest } = await create({ details: { name: "Least" } });
    assert.equal(createdDate, updatedDate);
    assert.deepEqual(rest, {
      details: {
        id,
        name: "Least",
        description: "",
        model: "",
        instructions: "",
        temperature: 1,
        top_p: 1,
        tools: [],
        tool_resources: {},
      },
      credential: "",
      iconSrc: "",
    });
    assert.deepEqual((await call("GET", `/assistants/${id}`)).body, { id, ...rest, createdDate, updatedDate });
  });

  test("details may come as JSON text; further properties and the id of existing clients are kept", async (t) => {
    const { create, call, platform } = await open(t, databases);
    const given = { ...details, chatModel: { name: "chatOpenAI" }, id: "asst_theirs" };
    const made = await create({ details: JSON.stringify(given), type: "CUSTOM", credential: null });
    assert.deepEqual(made.details.chatModel, given.chatModel);
    assert.equal(made.details.id, "asst_theirs");
    const { body } = await call("PUT", `/assistants/${made.id}`, { details: { description: "Helps." } });
    assert.deepEqual([body.details.id, body.details.description], ["asst_theirs", "Helps."]);
    const answer = await platform.json<PredictionResult>("POST", `/prediction/${made.id}`, { question: "Hi" });
    assert.equal(answer.text, "Hello.", "it is asked by its own id");
    const messages = await call("GET", `/chatmessage/${made.id}`);
    assert.equal(messages.body.length, 2);
    assert.equal((await create({ details: { name: "Second", id: null } })).details.id.length, 36);
  });

  test("a named model without a key is not configured; the rehearsal model answers where nothing is named", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const ask = async (more: object) => {
      const { id } = await platform.json<Assistant>("POST", "/assistants", { details: { name: "Helper", ...more } });
      const response = await platform.send("POST", `/prediction/${id}`, { question: "Hello" });
      return {
        status: response.status,
        body: (await response.json()) as { code: string; message: string; text: string },
      };
    };
    for (const more of [
      { model: "gpt-4o" },
      { model: "claude-sonnet-4" },
      { provider: "openai" },
      { provider: "google" },
    ]) {
      const { status, body } = await ask(more);
      assert.deepEqual([status, body.code], [500, "model-not-configured"], JSON.stringify(more));
      assert.match(body.message, /key/);
    }
    for (const more of [{}, { provider: "rehearsal" }, { provider: "", model: "" }]) {
      assert.match((await ask(more)).body.text, /rehearsal model/, JSON.stringify(more));
    }
  });

  test("the model may be one of another provider than the server's", async (t) => {
    const { model, call, create } = await open(t, databases);
    const { id } = await create({ details: { ...details, provider: "rehearsal" } });
    const { body } = await call("POST", `/prediction/${id}`, { question: "Hello" });
    assert.match(body.text, /rehearsal model/);
    assert.equal(model.requests.length, 0);
  });

  test("a create that does not fit is 422, an update 400; nothing is stored", async (t) => {
    const { create, call } = await open(t, databases);
    const wrong: [string, unknown][] = [
      ["details", {}],
      ["details", { details: "[]" }],
      ["details", { details: "{" }],
      ["details.name", { details: {} }],
      ["details.name", { details: { name: "" } }],
      ["details.temperature", { details: { ...details, temperature: 3 } }],
      ["details.top_p", { details: { ...details, top_p: "1" } }],
      ["details.tools.0", { details: { ...details, tools: ["other"] } }],
      ["credential", { details, credential: "no-uuid" }],
      ["id", { details, id: "no-uuid" }],
    ];
    const { id, details: stored } = await create({ details });
    for (const [path, body] of wrong) {
      const answer = await call("POST", "/assistants", body);
      assert.equal(answer.status, 422, JSON.stringify(body));
      assert.ok(
        answer.body.errors.some((error: { path: string }) => error.path.startsWith(path)),
        `${path}: ${answer.text}`,
      );
    }
    for (const body of [{ details: { temperature: 3 } }, { details: "{" }, { credential: "no-uuid" }]) {
      assert.equal((await call("PUT", `/assistants/${id}`, body)).status, 400, JSON.stringify(body));
    }
    for (const text of ["{", ""]) {
      const response = await call("POST", "/assistants", undefined, { "content-type": "application/json" });
      assert.equal(response.status, 400, text);
    }
    assert.equal((await call("GET", "/assistants")).body.length, 1);
    assert.deepEqual((await call("GET", `/assistants/${id}`)).body.details, stored);
  });

  test("an update changes what it names, inside of details, too, and honours If-Match", async (t) => {
    const { create, call } = await open(t, databases);
    const made = await create({ details: { ...details, tools: ["code_interpreter"], extra: 1 }, iconSrc: "/a.svg" });
    const path = `/assistants/${made.id}`;
    const etag = (await call("GET", path)).headers.get("etag") ?? "";
    const { status, body } = await call(
      "PUT",
      path,
      { details: { model: "m" }, id: randomUUID() },
      { "If-Match": etag },
    );
    assert.equal(status, 200);
    assert.deepEqual(body, { ...made, details: { ...made.details, model: "m" }, updatedDate: body.updatedDate });
    assert.ok(body.updatedDate > made.updatedDate);
    assert.equal((await call("PUT", path, { iconSrc: "" }, { "If-Match": etag })).status, 412);
    assert.equal((await call("PUT", path, undefined)).status, 400);
  });

  test("an update makes a new version of its flow only where that changes", async (t) => {
    const { create, call, platform } = await open(t, databases);
    const { id } = await create({ details });
    const version = async () => {
      const { executionId } = await platform.json<PredictionResult>("POST", `/prediction/${id}`, { question: "Hi" });
      return (await platform.json<Execution>("GET", `/executions/${executionId}`)).agentVersionId;
    };
    const first = await version();
    for (const body of [{}, { iconSrc: "/a.svg" }, { details }, { details: { description: "Helps.", extra: 1 } }]) {
      assert.equal((await call("PUT", `/assistants/${id}`, body)).status, 200);
      assert.equal(await version(), first, JSON.stringify(body));
    }
    await call("PUT", `/assistants/${id}`, { details: { instructions: "Be long." } });
    assert.notEqual(await version(), first);
  });

  test("ids: malformed 400, unknown 404, of another kind of resource 422, taken 409", async (t) => {
    const { create, call, platform } = await open(t, databases);
    for (const [method, body] of [["GET"], ["PUT", {}], ["DELETE"]] as const) {
      assert.equal((await call(method, "/assistants/no-uuid", body)).status, 400, method);
      assert.equal((await call(method, `/assistants/${randomUUID()}`, body)).status, 404, method);
    }
    const agent = await platform.json<{ id: string }>("POST", "/chatflows", { name: "a", flowData: "{}" });
    const other = await call("GET", `/assistants/${agent.id}`);
    assert.deepEqual([other.status, other.body.code], [422, "id-of-other-kind"]);
    const { id } = await create({ details });
    assert.equal((await call("POST", "/assistants", { id, details })).status, 409);
  });

  test("the list is ordered by the last change; page and limit give one page", async (t) => {
    const { create, call, platform } = await open(t, databases);
    const ids: string[] = [];
    for (const name of ["a", "b", "c"]) ids.push((await create({ details: { name } })).id);
    await platform.json("PUT", `/assistants/${ids[0]}`, {});
    const list = (await call("GET", "/assistants")).body as Assistant[];
    assert.equal(list[0]?.id, ids[0]);
    assert.equal(list.length, 3);
    const page = (await call("GET", "/assistants?page=2&limit=2")).body;
    assert.deepEqual([page.data.length, page.total], [1, 3]);
  });

  test("a prediction asks the assistant: instructions, parameters, memory, messages", async (t) => {
    const { create, platform, model } = await open(t, databases, ({ messages }) => ({ text: `${messages.length}` }));
    const { id } = await create({ details: { ...details, model: "gpt-x", temperature: 0.2, top_p: 0.5 } });
    const ask = (question: string) =>
      platform.json<PredictionResult>("POST", `/prediction/${id}`, { question, chatId: "c" });
    assert.equal((await ask("one")).text, "2");
    assert.equal((await ask("two")).text, "4");
    const { body } = model.requests[0] ?? {};
    assert.partialDeepStrictEqual(body, { model: "gpt-x", temperature: 0.2, top_p: 0.5 });
    assert.match(String(body?.messages[0]?.content), /^Be brief\. It is \d{4}-\d\d-\d\dT/);
    const messages = await platform.json<{ content: string }[]>("GET", `/chatmessage/${id}`);
    assert.deepEqual(
      messages.map(({ content }) => content),
      ["one", "2", "two", "4"],
    );
  });

  test("a run keeps the assistant it began with; what the next one is asked, the changed one answers", async (t) => {
    const { create, platform, model } = await open(t, databases);
    const { id } = await create({ details });
    await platform.json("POST", `/prediction/${id}`, { question: "one" });
    await platform.json("PUT", `/assistants/${id}`, { details: { instructions: "Be long." } });
    await platform.json("POST", `/prediction/${id}`, { question: "two" });
    const instructions = model.requests.map(({ body }) => String(body.messages[0]?.content));
    assert.match(instructions[0] ?? "", /^Be brief/);
    assert.equal(instructions[1], "Be long.");
  });

  test("the code interpreter computes in the sandbox", async (t) => {
    const { create, platform, model } = await open(t, databases, ({ messages }) => {
      const last = messages.at(-1);
      if (last?.role === "tool") return { text: String(last.content) };
      const code = "console.log('so far'); return [1, 2, 3].map((n) => n ** 2)";
      return { toolCalls: [{ name: "run_javascript", arguments: { code } }] };
    });
    const { id } = await create({ details: { ...details, tools: ["code_interpreter"] } });
    const answer = await platform.json<PredictionResult>("POST", `/prediction/${id}`, { question: "squares" });
    assert.equal(answer.text, "so far\n[1,4,9]");
    assert.equal(answer.usedTools[0]?.tool, "run_javascript");
    assert.equal(model.requests.length, 2);
  });

  test("function: the assistant calls the custom tools that it names, and none where it names none", async (t) => {
    const { create, platform, model } = await open(t, databases, ({ messages }) => {
      const last = messages.at(-1);
      if (last?.role === "tool") return { text: String(last.content) };
      return { toolCalls: [{ name: "greet", arguments: { who: "you" } }] };
    });
    const tool = (name: string, func: string) => {
      const schema = JSON.stringify([{ property: "who", type: "string", description: "Whom", required: true }]);
      return platform.json<{ id: string }>("POST", "/tools", { name, description: name, schema, func });
    };
    const greet = await tool("greet", "return 'Hello ' + $who");
    await tool("other", "return 1");
    const none = await create({ details: { ...details, tools: ["function"] } });
    const resources = { function: { tool_ids: [greet.id] } };
    const named = await create({ details: { ...details, tools: ["function"], tool_resources: resources } });
    const answer = await platform.json<PredictionResult>("POST", `/prediction/${named.id}`, { question: "Hi" });
    assert.equal(answer.text, "Hello you");
    assert.equal((model.requests[0]?.body.tools ?? []).length, 1);
    const alone = await platform.json<PredictionResult>("POST", `/prediction/${none.id}`, { question: "Hi" });
    assert.equal(model.requests.at(-1)?.body.tools, undefined);
    assert.match(alone.metadata.warnings[0]?.message ?? "", /function was left out/);
  });

  test("file_search is answered with a warning while it names nothing to search", async (t) => {
    const { create, platform } = await open(t, databases);
    const { id } = await create({ details: { ...details, tools: ["file_search"] } });
    const answer = await platform.json<PredictionResult>("POST", `/prediction/${id}`, { question: "Hi" });
    assert.equal(answer.text, "Hello.");
    assert.match(answer.metadata.warnings[0]?.message ?? "", /file_search was ignored/);
  });

  test("a credential is used; an unknown one is refused with a sentence, and nothing is stored", async (t) => {
    const { create, platform, model, call } = await open(t, databases);
    const credential = await platform.json<{ id: string }>("POST", "/credentials", {
      name: "mine",
      credentialName: "openAIApi",
      plainDataObj: { openAIApiKey: "sk-of-the-credential", baseUrl: model.url },
    });
    const own = await create({ details, credential: credential.id });
    await platform.json("POST", `/prediction/${own.id}`, { question: "Hi" });
    assert.equal(model.requests[0]?.headers.authorization, "Bearer sk-of-the-credential");
    const invented = { details, credential: randomUUID() };
    for (const [method, path, status] of [
      ["POST", "/assistants", 422],
      ["PUT", `/assistants/${own.id}`, 400],
    ] as const) {
      const refused = await call(method, path, invented);
      assert.deepEqual([refused.status, refused.body.errors[0].path], [status, "credential"]);
      assert.match(refused.body.message, /No credential with the id .* exists/);
    }
    const [only, ...others] = (await call("GET", "/assistants")).body as Assistant[];
    assert.deepEqual([only?.credential, others], [credential.id, []]);
    await platform.json("DELETE", `/credentials/${credential.id}`);
    assert.equal((await call("PUT", `/assistants/${own.id}`, { iconSrc: "/a.svg" })).status, 200, "it may be saved on");
  });

  test("a deleted assistant is gone with its messages, and answers with an empty body", async (t) => {
    const { create, platform, call } = await open(t, databases);
    const { id } = await create({ details });
    await platform.json("POST", `/prediction/${id}`, { question: "Hi" });
    const deleted = await call("DELETE", `/assistants/${id}`);
    assert.deepEqual([deleted.status, deleted.text], [200, ""]);
    assert.equal((await call("GET", `/assistants/${id}`)).status, 404);
    assert.deepEqual((await call("GET", `/chatmessage/${id}`)).body, []);
    assert.equal((await call("POST", `/prediction/${id}`, { question: "Hi" })).status, 404);
  });

  test("a create with an Idempotency-Key makes one assistant", async (t) => {
    const { call } = await open(t, databases);
    const headers = { "Idempotency-Key": "k" };
    const first = await call("POST", "/assistants", { details }, headers);
    assert.deepEqual((await call("POST", "/assistants", { details }, headers)).body, first.body);
    assert.equal((await call("GET", "/assistants")).body.length, 1);
  });
});
