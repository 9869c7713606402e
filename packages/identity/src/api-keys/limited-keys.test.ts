import assert from "node:assert/strict";
import { describe, it, type TestContext, test } from "node:test";
import type { NewApiKey } from "@weft/schema";
import { onTestDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { describeRoutes } from "../../../server/src/describe-routes.ts";
import { say, toFlowData } from "../../../server/src/testing/flow-table/flow-case.ts";
import { agentWith, openTestPlatform } from "../../../server/src/testing/test-platform.ts";

const flow = toFlowData({ start: {}, nodes: { end: say("Hello.") }, edges: "start>end" });
const none = "01890000-0000-7000-8000-000000000000";

const listTools = { jsonrpc: "2.0", id: 1, method: "tools/list" };

async function open(t: TestContext, databases: TestDatabases) {
  const platform = await openTestPlatform(t, databases);
  const more = { deployed: true, isPublic: true };
  const own = await agentWith(platform, flow, { name: "Own", ...more });
  const foreign = await agentWith(platform, flow, { name: "Foreign", ...more });
  const body = { keyName: "Limited", permissions: ["*", "chats:write"], agents: [own] };
  const { apiKey, id: keyId } = await platform.json<NewApiKey>("POST", "/apikey", body);

  async function send(
    method: string,
    path: string,
    content?: unknown,
    { bearer = apiKey, ...more }: Record<string, string> = {},
  ) {
    const url = /^\/(v1|webhook)\//.test(path) ? `http://platform${path}` : `http://platform/api/v1${path}`;
    const isForm = content instanceof FormData;
    const headers = {
      ...(bearer !== "" && { authorization: `Bearer ${bearer}` }),
      ...(content !== undefined && !isForm && { "content-type": "application/json" }),
      ...more,
    };
    const body = isForm ? content : JSON.stringify(content);
    const init = { method, headers, ...(content !== undefined && { body }) };
    const response = await platform.fetch(new Request(url, init));
    return { status: response.status, text: await response.text() };
  }
  return { platform, own, foreign, apiKey, keyId, send };
}

function aFile(): FormData {
  const form = new FormData();
  form.set("files", new File(["Good day."], "a.txt", { type: "text/plain" }));
  return form;
}

/** The id of the conversation that the operator has with an agent. */
const conversationOf = (agent: string) =>
  Buffer.from(JSON.stringify([agent, "chat", "account:operator"])).toString("base64url");

/** Every operation that takes an agent's id in its path, and those that take it elsewhere. */
const doors = (agent: string): [string, string, unknown?][] => [
  ["POST", `/prediction/${agent}`, { question: "Hi" }],
  ["POST", `/internal-prediction/${agent}`, { question: "Hi" }],
  ["PUT", `/chatmessage/abort/${agent}/chat`],
  ["GET", `/chatmessage/replies/${agent}/chat`],
  ["GET", `/conversations?agentId=${agent}`],
  ["GET", `/conversations/${conversationOf(agent)}`],
  ["PATCH", `/conversations/${conversationOf(agent)}`, { note: "Mine" }],
  ["PUT", `/conversations/${conversationOf(agent)}/take-over`, {}],
  ["DELETE", `/conversations/${conversationOf(agent)}/take-over`],
  ["DELETE", `/conversations/${conversationOf(agent)}/hand-over`],
  ["POST", `/conversations/${conversationOf(agent)}/replies`, { text: "Hi" }],
  ["GET", `/chatflows/${agent}`],
  ["GET", `/chatflows/${agent}/findings`],
  ["GET", `/chatflows/${agent}/draft`],
  ["GET", `/chatflows/${agent}/draft/findings`],
  ["PUT", `/chatflows/${agent}/draft`, { pins: {} }],
  ["DELETE", `/chatflows/${agent}/draft`],
  ["GET", `/chatflows/${agent}/versions`],
  ["GET", `/chatflows/${agent}/versions/1`],
  ["PATCH", `/chatflows/${agent}/versions/1`, { note: "Mine" }],
  ["POST", `/chatflows/${agent}/versions/1/restore`],
  ["PUT", `/chatflows/${agent}`, { name: "Mine" }],
  ["DELETE", `/chatflows/${agent}`],
  ["GET", `/chatflows/${agent}/schedule/status`],
  ["GET", `/chatflows/${agent}/schedule/trigger-logs`],
  ["PATCH", `/chatflows/${agent}/schedule/enabled`, { enabled: false }],
  ["GET", `/chatflows/${agent}/webhook-secret`],
  ["POST", `/chatflows/${agent}/webhook-secret`],
  ["DELETE", `/chatflows/${agent}/webhook-secret`],
  ["GET", `/chatflows/${agent}/deliveries`],
  ["POST", `/chatflows/${agent}/deliveries/${none}/resend`],
  ["GET", `/public-chatflows/${agent}`],
  ["GET", `/public-chatbotConfig/${agent}`],
  ["GET", `/chatflows-uploads/${agent}`],
  ["GET", `/chatflows-streaming/${agent}`],
  ["GET", `/chatmessage/${agent}`],
  ["GET", `/internal-chatmessage/${agent}?page=1&limit=2`],
  ["GET", `/stats/${agent}`],
  ["DELETE", `/chatmessage/${agent}`],
  ["GET", `/feedback/${agent}`],
  ["GET", `/leads/${agent}`],
  ["POST", "/leads", { chatflowid: agent, email: "b@example.org" }],
  ["POST", `/attachments/${agent}/chat`, aFile()],
  ["GET", `/get-upload-file?chatflowId=${agent}&chatId=chat&fileName=a.txt`],
  ["GET", `/executions?agentflowId=${agent}`],
  ["GET", `/upsert-history/${agent}`],
  ["PATCH", `/upsert-history/${agent}`, { ids: [none] }],
  ["POST", `/vector/upsert/${agent}`, {}],
  ["GET", `/assistants/${agent}`],
  ["PUT", `/assistants/${agent}`, {}],
  ["DELETE", `/assistants/${agent}`],
  ["GET", `/v1/models/${agent}`],
  ["POST", "/v1/chat/completions", { model: agent, messages: [{ role: "user", content: "Hi" }] }],
  ["POST", `/mcp/${agent}`, listTools],
];

await onTestDatabase((databases) => {
  describe("an API key that is limited to agents", () => {
    it("gets for every other agent, at every door, what it gets for one that does not exist", async (t) => {
      const { platform, own, foreign, send } = await open(t, databases);
      const { executionId } = await platform.json<{ executionId: string }>("POST", `/prediction/${foreign}`, {
        question: "Hi",
        chatId: "chat",
      });
      const [message] = await platform.json<{ id: string }[]>("GET", `/chatmessage/${foreign}`);
      const messageId = message?.id ?? "";
      await platform.json("POST", "/leads", { chatflowid: foreign, chatId: "chat", email: "a@example.org" });
      const unknown = doors(none);
      const shape = (text: string) =>
        text
          .replaceAll(foreign, none)
          .replaceAll(conversationOf(foreign), conversationOf(none))
          .replace(/"requestId":"[^"]+"|req_[\w-]+/g, "");
      for (const [index, door] of doors(foreign).entries()) {
        const [method, path, content] = unknown[index] ?? ["", ""];
        const absent = await send(method, path, content);
        const answer = await send(...door);
        assert.deepEqual(
          [answer.status, shape(answer.text)],
          [absent.status, shape(absent.text)],
          `${door[0]} ${door[1]}`,
        );
      }
      const rating = { chatflowid: foreign, chatId: "chat", messageId, rating: "THUMBS_UP" };
      assert.equal((await send("POST", "/feedback", rating)).status, 404);
      assert.equal((await send("GET", `/executions/${executionId}`)).status, 404);
      assert.equal((await send("GET", `/executions/${executionId}/events`)).status, 404);
      assert.equal((await send("DELETE", `/executions/${executionId}`)).status, 404);

      assert.equal((await send("POST", `/prediction/${own}`, { question: "Hi" })).status, 200);
      assert.equal((await send("GET", `/chatflows/${own}`)).status, 200);
      assert.equal((await send("GET", `/v1/models/${own}`)).status, 200);
    });

    it("lists what is its own, and refuses what is about no single agent", async (t) => {
      const { platform, own, foreign, send } = await open(t, databases);
      for (const agent of [own, foreign]) await platform.json("POST", `/prediction/${agent}`, { question: "Hi" });
      const agents = JSON.parse((await send("GET", "/chatflows")).text) as { id: string }[];
      assert.deepEqual(
        agents.map(({ id }) => id),
        [own],
      );
      assert.equal(JSON.parse((await send("GET", "/chatflows?page=1&limit=5")).text).total, 1);
      const runs = JSON.parse((await send("GET", "/executions")).text) as {
        total: number;
        data: { agentflowId: string }[];
      };
      assert.deepEqual([runs.total, runs.data.map(({ agentflowId }) => agentflowId)], [1, [own]]);
      const models = JSON.parse((await send("GET", "/v1/models")).text) as { data: { id: string }[] };
      assert.deepEqual(
        models.data.map(({ id }) => id),
        ["own"],
      );
      const tools = await send("POST", "/mcp", listTools);
      assert.deepEqual(
        JSON.parse(tools.text).result.tools.map(({ name }: { name: string }) => name),
        ["own"],
      );
      const named = { model: "foreign", messages: [{ role: "user", content: "Hi" }] };
      assert.equal((await send("POST", "/v1/chat/completions", named)).status, 404);
      const create = await send("POST", "/chatflows", { name: "New", flowData: flow });
      assert.deepEqual([create.status, /limited to agents/.test(create.text)], [403, true]);
      assert.equal((await send("POST", "/assistants", { details: { name: "New" } })).status, 403);
      assert.equal((await send("PATCH", "/upsert-history", { ids: [none] })).status, 403);
      assert.equal((await send("GET", "/nodes")).status, 200);
    });

    it("opens no other agent that is bound to it, neither as the bearer nor as X-API-Key", async (t) => {
      const { platform, own, foreign, apiKey, keyId, send } = await open(t, databases);
      const hook = toFlowData({
        start: { input: "webhook", webhook: { auth: { type: "none" } } },
        nodes: { end: say("Hello.") },
        edges: "start>end",
      });
      const bound = { apikeyid: keyId, isPublic: false };
      for (const id of [own, foreign]) await platform.json("PUT", `/chatflows/${id}`, bound);
      const question = { question: "Hi" };
      const completion = (model: string) => ({ model, messages: [{ role: "user", content: "Hi" }] });
      const call = { ...listTools, method: "tools/call", params: { name: "foreign", arguments: question } };
      const beside = { bearer: platform.token, "x-api-key": apiKey };
      const begun = await send("POST", `/internal-prediction/${foreign}`, question, beside);
      const run = (JSON.parse(begun.text) as { executionId: string }).executionId;
      const asked = (agent: string): [string, string, unknown, Record<string, string>][] => [
        ["POST", `/prediction/${agent}`, question, beside],
        ["POST", "/v1/chat/completions", completion(agent), beside],
        ["GET", `/v1/models/${agent}`, undefined, beside],
        ["POST", `/mcp/${agent}`, listTools, beside],
      ];
      const called = (agent: string): [string, string, unknown, Record<string, string>][] => [
        ["POST", `/webhook/${agent}`, {}, { bearer: "", "x-api-key": apiKey }],
        ["POST", `/webhook/${agent}`, {}, { bearer: apiKey }],
        ["POST", `/webhook/${agent}`, {}, beside],
      ];
      async function check(requests: typeof asked): Promise<void> {
        for (const request of requests(foreign)) {
          const { status, text } = await send(...request);
          assert.deepEqual([status, /key/i.test(text)], [401, true], `${request[1]} ${text}`);
        }
        for (const request of requests(own)) {
          const { status, text } = await send(...request);
          assert.equal(status, 200, `${request[1]} ${text}`);
        }
      }
      await check(asked);
      assert.equal((await send("GET", `/executions/${run}/events`, undefined, { bearer: apiKey })).status, 404);
      assert.doesNotMatch((await send("GET", "/v1/models", undefined, beside)).text, /foreign/i);
      assert.doesNotMatch((await send("POST", "/mcp", listTools, beside)).text, /foreign/i);
      assert.match((await send("POST", "/mcp", call, beside)).text, /error/);
      for (const id of [own, foreign]) await platform.json("PUT", `/chatflows/${id}`, { flowData: hook });
      await check(called);
    });

    it("is limited to agents that exist, and stays limited when they are deleted", async (t) => {
      const { platform, own, foreign, keyId, send } = await open(t, databases);
      const assistant = await platform.json<{ id: string }>("POST", "/assistants", { details: { name: "A" } });
      const create = (agents: string[]) => platform.send("POST", "/apikey", { keyName: "k", agents });
      const refused = await create([own, none]);
      assert.equal(refused.status, 422);
      const { message, errors } = (await refused.json()) as { message: string; errors: { path: string }[] };
      assert.match(message, new RegExp(`no agent or assistant with the id ${none}`));
      assert.equal(errors[0]?.path, "agents.1");
      assert.equal((await platform.send("PUT", `/apikey/${keyId}`, { agents: [none] })).status, 422);
      assert.equal((await create([assistant.id])).status, 200);

      await platform.json("DELETE", `/chatflows/${own}`);
      const key = await platform.json<{ agents: string[] }>("GET", `/apikey/${keyId}`);
      assert.deepEqual(key.agents, [own]);
      assert.equal((await send("POST", `/prediction/${foreign}`, { question: "Hi" })).status, 404);
      assert.equal((await send("GET", "/chatflows")).text, "[]");
      const renamed = await platform.send("PUT", `/apikey/${keyId}`, { keyName: "Other", agents: key.agents });
      assert.equal(renamed.status, 200);
    });

    it("makes no key that reaches further", async (t) => {
      const { own, foreign, send } = await open(t, databases);
      const make = async (body: object) =>
        (await send("POST", "/apikey", { keyName: "k", permissions: ["agents:read"], ...body })).status;
      assert.deepEqual(
        [
          await make({}),
          await make({ agents: [foreign] }),
          await make({ agents: [own, foreign] }),
          await make({ agents: [own] }),
        ],
        [403, 403, 403, 200],
      );
    });
  });
});

test("every operation that names an agent in its path is one of the doors", async () => {
  const others =
    /^\/api\/v1\/(accounts?|auth|identity-providers|invitations|apikey|verify|tools|variables|credentials|document-store|executions|notice-channels|users)\b/;
  const tried = doors("{}").map(
    ([method, path]) => `${method} ${path.replace(/^(?!\/v1\/)/, "/api/v1").replace(/\?.*/, "")}`,
  );
  const shape = (path: string) => new RegExp(`^${path.replace(/\{[^}]+\}/g, "[^/]+")}$`);
  const untried = (await describeRoutes())
    .filter(({ path }) => path.includes("{") && !others.test(path))
    .filter(({ method, path }) => !tried.some((door) => shape(`${method} ${path}`).test(door)))
    .map(({ method, path }) => `${method} ${path}`);
  // Webhooks know no API keys but the one that an agent is bound to, and the chat page none; the ids of feedback, leads and
  // templates are not those of agents.
  assert.deepEqual(untried.toSorted(), [
    "ANY /api/v1/webhook/{id}",
    "ANY /webhook/{id}",
    "DELETE /api/v1/leads/{id}",
    "GET /api/v1/chatflows/apikey/{apikey}",
    "GET /api/v1/templates/{id}",
    "GET /chat/{id}",
    "POST /api/v1/feedback/{id}",
    "PUT /api/v1/feedback/{id}",
  ]);
});
