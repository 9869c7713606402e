import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { type TestContext, test } from "node:test";
import { onTestDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { agentWith, openTestPlatform, type TestPlatform } from "../testing/test-platform.ts";

// biome-ignore lint/suspicious/noExplicitAny: a test asserts on what came over the wire, which has no type
const jsonOf = async (response: Response): Promise<any> => response.json();

/** A message without credentials. */
function visit(platform: TestPlatform, agentId: string, body: object): Promise<Response> {
  const headers = { "content-type": "application/json" };
  const request = { method: "POST", headers, body: JSON.stringify(body) };
  return platform.fetch(new Request(`http://platform/api/v1/prediction/${agentId}`, request));
}

/** An API that notes what it was asked, and a public agent whose one step asks it. */
async function setUp(t: TestContext, databases: TestDatabases, step: (url: string) => object, apiConfig = "{}") {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.end('{"ok":true}');
  });
  t.after(() => server.close());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const host = `127.0.0.1:${port}`;
  const platform = await openTestPlatform(t, databases, { ALLOW_PUBLIC_FLOWS: "true", EGRESS_ALLOW: host });
  const nodes = [
    { id: "start_0", type: "start" },
    { id: "step_0", ...step(`http://${host}`) },
    { id: "reply_0", type: "direct-reply", config: { message: "done" } },
  ];
  const edges = [
    { id: "a", source: "start_0", target: "step_0" },
    { id: "b", source: "step_0", target: "reply_0" },
  ];
  const flowData = JSON.stringify({ weft: 1, nodes, edges });
  const id = await agentWith(platform, flowData, { isPublic: true, apiConfig });
  const path = `/prediction/${id}`;
  return {
    platform,
    id,
    asked,
    visitor: (body: object) => visit(platform, id, body),
    owner: (body: object) => platform.send("POST", path, body),
  };
}

const parameters = { id: { type: "string", in: "path", required: true } };
const toolStep = (type: string) => (url: string) => ({
  type: "tool",
  config: {
    tool: { type, config: { url, name: "act", ...(type === "request-post" ? {} : { parameters }) } },
    arguments: type === "request-post" ? [] : [{ name: "id", value: "{{ question }}" }],
  },
});
const httpStep = (method: string, path: string) => (url: string) => ({
  type: "http",
  config: { method, url: `${url}${path}` },
});
const policy = (visitorWrites: object) => JSON.stringify({ visitorWrites });

await onTestDatabase((databases) => {
  test("what a visitor's words would destroy waits for a person with an account, and never for the visitor", async (t) => {
    for (const step of [toolStep("request-delete"), httpStep("DELETE", "/{{ question }}"), httpStep("DELETE", "/7")]) {
      const { platform, asked, visitor } = await setUp(t, databases, step);
      const chatId = randomUUID();
      const waiting = await jsonOf(await visitor({ question: "7", chatId }));
      assert.match(waiting.text, /A person on the team has to allow it/, JSON.stringify(waiting));
      assert.deepEqual([waiting.action.elements, asked], [[], []]);
      for (const more of [{}, { executionId: waiting.executionId }, { action: { id: waiting.action.id } }]) {
        const refused = await visitor({ question: "", chatId, humanInput: { type: "proceed" }, ...more });
        assert.deepEqual([refused.status, (await jsonOf(refused)).code], [403, "approval-needs-account"]);
      }
      assert.deepEqual(asked, []);
      await platform.json("POST", `/executions/${waiting.executionId}/answer`, {
        type: "proceed",
        waitId: waiting.action.id,
      });
      await platform.until(async () => asked[0]);
      assert.deepEqual(asked, ["DELETE /7"]);
    }
  });

  test("a person who rejects it has nothing called", async (t) => {
    const { owner, asked, visitor } = await setUp(t, databases, toolStep("request-delete"));
    const chatId = randomUUID();
    await visitor({ question: "7", chatId });
    const rejected = await owner({ chatId, humanInput: { type: "reject" } });
    assert.equal(rejected.status, 500);
    assert.match((await jsonOf(rejected)).message, /did not allow/);
    assert.deepEqual(asked, []);
  });

  test("those who are known are not asked, and other writes go through unless the agent says otherwise", async (t) => {
    const destroying = await setUp(t, databases, toolStep("request-delete"));
    assert.equal((await jsonOf(await destroying.owner({ question: "7" }))).text, "done");
    assert.deepEqual(destroying.asked, ["DELETE /7"]);
    const writing = await setUp(t, databases, toolStep("request-post"));
    assert.equal((await jsonOf(await writing.visitor({ question: "7" }))).text, "done");
    assert.deepEqual(writing.asked, ["POST /"]);
    const fixed = await setUp(t, databases, httpStep("POST", "/cache"), policy({ write: "refuse" }));
    assert.equal((await jsonOf(await fixed.visitor({ question: "7" }))).text, "done");
    assert.deepEqual(fixed.asked, ["POST /cache"]);
  });

  test("a DELETE that an author wrote out follows the policy for deletions", async (t) => {
    const step = httpStep("DELETE", "/cache");
    const allowed = await setUp(t, databases, step, policy({ destructive: "allow" }));
    assert.equal((await jsonOf(await allowed.visitor({ question: "7" }))).text, "done");
    assert.equal((await jsonOf(await allowed.owner({ question: "7" }))).text, "done");
    assert.deepEqual(allowed.asked, ["DELETE /cache", "DELETE /cache"]);
    const refusing = await setUp(t, databases, step, policy({ destructive: "refuse" }));
    const refused = await refusing.visitor({ question: "7" });
    assert.deepEqual([refused.status, (await jsonOf(refused)).code], [500, "flow-call-refused"]);
    assert.deepEqual(refusing.asked, []);
  });

  test("an agent may allow, ask about or refuse both kinds", async (t) => {
    const allowed = await setUp(t, databases, toolStep("request-delete"), policy({ destructive: "allow" }));
    assert.equal((await jsonOf(await allowed.visitor({ question: "7" }))).text, "done");
    const asking = await setUp(t, databases, toolStep("request-post"), policy({ write: "ask" }));
    assert.match((await jsonOf(await asking.visitor({ question: "7" }))).text, /on the team/);
    for (const step of [toolStep("request-post"), httpStep("POST", "/{{ question }}")]) {
      const refusing = await setUp(t, databases, step, policy({ write: "refuse" }));
      const refused = await refusing.visitor({ question: "7" });
      assert.equal(refused.status, 500);
      assert.match((await jsonOf(refused)).message, /does not let visitors/);
      assert.deepEqual(refusing.asked, []);
    }
    const reading = await setUp(
      t,
      databases,
      toolStep("request-get"),
      policy({ write: "refuse", destructive: "refuse" }),
    );
    assert.equal((await jsonOf(await reading.visitor({ question: "7" }))).text, "done");
    for (const visitorWrites of [{ write: "perhaps" }, { read: "ask" }, "ask", null]) {
      const saved = await reading.platform.send("PUT", `/chatflows/${reading.id}`, {
        apiConfig: JSON.stringify({ visitorWrites }),
      });
      assert.equal(saved.status, 400, JSON.stringify(visitorWrites));
      assert.match((await jsonOf(saved)).message, /visitorWrites takes/);
    }
  });

  test("what a function would write for a visitor follows the policy, and says what to do", async (t) => {
    const functionStep = (code: string) => (url: string) => ({
      type: "custom-function",
      config: { code: code.replaceAll("URL", `${url}/7`) },
    });
    const sending = (method: string) => functionStep(`return (await fetch("URL", { method: "${method}" })).text()`);
    const destroying = await setUp(t, databases, sending("delete"));
    const refused = await destroying.visitor({ question: "Hi" });
    assert.equal(refused.status, 500);
    const said = await jsonOf(refused);
    assert.equal(said.code, "flow-call-refused");
    assert.match(said.message, /a person.*cannot wait for one: DELETE http.*HTTP step or a tool/);
    assert.deepEqual(destroying.asked, []);
    assert.equal((await jsonOf(await destroying.owner({ question: "Hi" }))).text, "done");
    assert.deepEqual(destroying.asked, ["DELETE /7"]);

    const writing = await setUp(t, databases, sending("POST"));
    assert.equal((await jsonOf(await writing.visitor({ question: "Hi" }))).text, "done");
    assert.deepEqual(writing.asked, ["POST /7"]);
    for (const write of ["ask", "refuse"]) {
      const strict = await setUp(t, databases, sending("PATCH"), policy({ write }));
      assert.equal((await jsonOf(await strict.visitor({ question: "Hi" }))).code, "flow-call-refused", write);
      assert.deepEqual(strict.asked, [], write);
    }
    const careful = functionStep(
      'await fetch("URL"); try { await fetch("URL", { method: "DELETE" }) } catch (error) { return error.message }',
    );
    const going = await setUp(t, databases, careful);
    assert.equal((await jsonOf(await going.visitor({ question: "Hi" }))).text, "done", "the code may go on without it");
    assert.deepEqual(going.asked, ["GET /7"]);
    const allowing = await setUp(t, databases, sending("DELETE"), policy({ destructive: "allow" }));
    assert.equal((await jsonOf(await allowing.visitor({ question: "Hi" }))).text, "done");
    assert.deepEqual(allowing.asked, ["DELETE /7"]);
  });

  test("an agent that a visitor's agent calls allows the visitor no more", async (t) => {
    const { platform, asked, id } = await setUp(
      t,
      databases,
      toolStep("request-delete"),
      policy({ destructive: "refuse" }),
    );
    const call = { id: "call_0", type: "execute-flow", config: { agentId: id, input: "{{ question }}" } };
    const nodes = [{ id: "start_0", type: "start" }, call];
    const edges = [{ id: "e", source: "start_0", target: "call_0" }];
    const flowData = JSON.stringify({ weft: 1, nodes, edges });
    const apiConfig = policy({ destructive: "allow" });
    const calling = await agentWith(platform, flowData, { isPublic: true, apiConfig });
    const refused = await visit(platform, calling, { question: "7" });
    assert.equal(refused.status, 500, await refused.text());
    assert.deepEqual(asked, []);
    assert.equal((await platform.send("POST", `/prediction/${calling}`, { question: "7" })).status, 200);
    assert.deepEqual(asked, ["DELETE /7"]);
  });
});
