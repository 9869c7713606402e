import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type ChatClientAccess, createMemoryLimits, defineRoute } from "@weft/http";
import { z } from "zod";
import { createTestApp } from "../../../http/src/testing/test-app.ts";
import { type AgentPolicies, type AgentPolicy, createChatClientGate } from "./chat-client-gate.ts";

const site = "https://shop.example";
const chatId = "0198a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b";

/** A platform with one operation of each kind, and the agents `public`, `private` and `listed` (for one site). */
function createChatApp({ openLimit, corsOrigins = [] }: { openLimit?: number; corsOrigins?: string[] } = {}) {
  const time = { nowMs: 1_000_000 };
  const agents: Record<string, Partial<AgentPolicy>> = {
    public: { isOpen: true },
    private: {},
    listed: { isOpen: true, allowedHosts: ["shop.example"], originMessage: "Only in our shop." },
    "private-listed": { allowedHosts: ["shop.example"] },
    limited: { isOpen: true, predictionLimit: { requests: 2, windowMs: 60_000, message: "Slowly, please." } },
  };
  const read: string[] = [];
  const clock = { now: () => time.nowMs };
  const policies: AgentPolicies = {
    allowOpenAgents: async () => true,
    openLimit: openLimit === undefined ? undefined : { requests: openLimit, windowMs: 60_000 },
    async find(agentId) {
      const policy = agents[agentId];
      return policy && { agentId, isOpen: false, allowedHosts: [], ...policy };
    },
  };
  const gate = createChatClientGate({ limits: createMemoryLimits(clock), policies, corsOrigins });
  const app = createTestApp(routes(read), { clock, gate });
  type Init = { headers?: Record<string, string>; body?: unknown; from?: string };
  const ask = (method: string, path: string, { headers = {}, body, from = "192.0.2.1" }: Init = {}) =>
    app.fetch(
      new Request(`http://test/api/v1${path}`, {
        method,
        headers: { "content-type": "application/json", ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
      { remoteAddress: from },
    );
  return { ask, time, read };
}

function routes(read: string[]) {
  const base = { summary: "", tag: "Chats", errors: [400, 404, 422], returns: { schema: z.string() } } as const;
  const ofPath = (counts: ChatClientAccess["counts"]): ChatClientAccess => ({
    permission: "predictions:run",
    agentOf: ({ params }) => params.agent,
    counts,
  });
  return [
    defineRoute({
      ...base,
      method: "GET",
      path: "/api/v1/config/{agent}",
      operationId: "config",
      permission: ofPath("read"),
      handle: ({ identity }) => identity?.kind ?? "nobody",
    }),
    defineRoute({
      ...base,
      method: "POST",
      path: "/api/v1/ask/{agent}",
      operationId: "ask",
      permission: ofPath("prediction"),
      body: z.object({ question: z.string(), chatId: z.string().optional() }),
      bodyErrorStatus: 422,
      handle: ({ body }) => body.question,
    }),
    defineRoute({
      ...base,
      method: "PUT",
      path: "/api/v1/stop/{agent}/{chatId}",
      operationId: "stop",
      permission: ofPath("write"),
      handle: () => "stopped",
    }),
    defineRoute({
      ...base,
      method: "POST",
      path: "/api/v1/leads",
      operationId: "leave",
      permission: {
        permission: "leads:write",
        async agentOf({ body }) {
          read.push("body");
          return ((await body()) as { agent?: string } | undefined)?.agent;
        },
        counts: "write",
      },
      body: z.object({ agent: z.string(), email: z.string() }),
      bodyErrorStatus: 422,
      handle: ({ body }) => body.email,
    }),
    defineRoute({
      ...base,
      method: "GET",
      path: "/api/v1/messages",
      operationId: "messages",
      permission: "messages:read",
      handle: () => "all",
    }),
  ];
}

const bearer = { authorization: "Bearer all" };
const codeOf = async (response: Response) => ((await response.json()) as { code?: string }).code;

describe("open agents", () => {
  test("need no credentials, but those that are sent must be right", async () => {
    const { ask } = createChatApp();
    const status = async (agent: string, headers = {}) => (await ask("GET", `/config/${agent}`, { headers })).status;
    assert.equal(await (await ask("GET", "/config/public")).json(), "nobody");
    assert.equal(await (await ask("GET", "/config/public", { headers: bearer })).json(), "api-key");
    assert.equal(await status("public", { authorization: "Bearer wrong" }), 401);
    assert.equal(await status("public", { authorization: "Bearer none" }), 403);
    assert.equal(await status("public", { authorization: "" }), 401);
    for (const agent of ["private", "unknown"]) {
      assert.equal(await status(agent), 401);
      assert.equal(await status(agent, bearer), 200);
    }
    assert.equal((await ask("GET", "/messages")).status, 401);
  });

  test("are found by what the body says, where the path does not name them", async () => {
    const { ask } = createChatApp();
    const leave = async (body: unknown) => (await ask("POST", "/leads", { body })).status;
    assert.equal(await leave({ agent: "public", email: "a@b.c" }), 200);
    assert.equal(await leave({ agent: "public" }), 422);
    assert.equal(await leave({ agent: "private", email: "a@b.c" }), 401);
    assert.equal(await leave({ email: "a@b.c" }), 401);
    assert.equal(await leave(undefined), 401);
  });

  test("do not exist where the operator did not say so: no body is read then", async () => {
    const read: string[] = [];
    const app = createTestApp(routes(read));
    const send = (path: string) =>
      app.fetch(new Request(`http://test/api/v1${path}`, { method: "POST", body: '{"agent":"public"' }));
    assert.equal((await send("/leads")).status, 401);
    assert.equal((await send("/ask/public")).status, 401);
    assert.deepEqual(read, []);
  });

  test("take only chats whose ids cannot be guessed from those who send no credentials", async () => {
    const { ask } = createChatApp();
    const send = (id: string, headers = {}) =>
      ask("POST", "/ask/public", { body: { question: "q", chatId: id }, headers });
    for (const id of [chatId, chatId.toUpperCase(), `customer 7+${chatId}`]) assert.equal((await send(id)).status, 200);
    for (const id of ["1", "chat", `${chatId}0`, `a${chatId}`, `${chatId} `, chatId.slice(1)]) {
      const response = await send(id);
      assert.equal(response.status, 422, id);
      assert.match(await response.text(), /must be a uuid/);
      assert.equal((await send(id, bearer)).status, 200);
      assert.equal((await ask("PUT", `/stop/public/${encodeURIComponent(id)}`)).status, 422, id);
    }
    assert.equal((await ask("PUT", `/stop/public/${chatId}`)).status, 200);
  });
});

describe("allowed origins", () => {
  test("hold for everybody whose request comes from a page", async () => {
    const { ask } = createChatApp();
    const status = async (origin: string | undefined, headers = {}) =>
      (await ask("GET", "/config/listed", { headers: { ...headers, ...(origin && { origin }) } })).status;
    assert.equal(await status(undefined), 200);
    for (const origin of [site, "http://shop.example"]) assert.equal(await status(origin), 200);
    for (const origin of ["https://shop.example:8443", "https://evil.example", "https://xshop.example", "null", "x"]) {
      assert.equal(await status(origin), 403, origin);
      assert.equal(await status(origin, bearer), 403, origin);
    }
  });

  test("are explained in the agent's words, before anything else is looked at", async () => {
    const { ask } = createChatApp({ corsOrigins: ["https://evil.example"] });
    const headers = { origin: "https://evil.example" };
    const response = await ask("POST", "/ask/listed", { headers, body: { broken: true } });
    const body = (await response.json()) as Record<string, unknown>;
    assert.deepEqual([response.status, body.code, body.message], [403, "forbidden-origin", "Only in our shop."]);
    const other = await ask("GET", "/config/private-listed", { headers: { ...bearer, ...headers } });
    assert.match(await other.text(), /Requests from https:\/\/evil\.example are not allowed/);
  });
});

describe("answers to pages of other origins", () => {
  const shared = async (response: Response) => {
    await response.body?.cancel();
    assert.equal(response.headers.get("vary"), "Origin");
    assert.equal(response.headers.get("access-control-allow-credentials"), null);
    return response.headers.get("access-control-allow-origin");
  };

  test("are shared by open agents, and by agents that name the origin", async () => {
    const { ask } = createChatApp();
    const share = async (agent: string, headers = {}) =>
      shared(await ask("GET", `/config/${agent}`, { headers: { origin: site, ...headers } }));
    assert.equal(await share("public"), site);
    assert.equal(await share("listed"), site);
    assert.equal(await share("private-listed", bearer), site);
    assert.equal(await share("private", bearer), null);
    assert.equal(await share("unknown", bearer), site, "there is nothing to keep from the page");
    assert.equal(await shared(await ask("GET", "/messages", { headers: { origin: site, ...bearer } })), null);
  });

  test("are shared for the whole API with the origins of the operator", async () => {
    for (const corsOrigins of [[site], ["*"]]) {
      const { ask } = createChatApp({ corsOrigins });
      const headers = { origin: site };
      for (const path of ["/messages", "/config/private", "/config/listed"]) {
        assert.equal(await shared(await ask("GET", path, { headers: { ...headers, ...bearer } })), site, path);
      }
      for (const path of ["/messages", "/nothing"])
        assert.equal(await shared(await ask("GET", path, { headers })), site);
      const other = await ask("GET", "/messages", { headers: { origin: "https://other.example", ...bearer } });
      assert.equal(await shared(other), corsOrigins.includes("*") ? "https://other.example" : null);
    }
  });

  test("are shared when they are refusals, too, and show their headers", async () => {
    const { ask } = createChatApp({ openLimit: 1 });
    const headers = { origin: site };
    const wrong = await ask("GET", "/config/public", { headers: { ...headers, authorization: "Bearer wrong" } });
    assert.deepEqual([wrong.status, await shared(wrong)], [401, site]);
    const invalid = await ask("POST", "/ask/public", { headers, body: {} });
    assert.deepEqual([invalid.status, await shared(invalid)], [422, site]);
    const limited = await ask("POST", "/ask/public", { headers, body: { question: "q" } });
    assert.deepEqual([limited.status, await shared(limited)], [429, site]);
    const exposed = limited.headers.get("access-control-expose-headers")?.split(", ") ?? [];
    for (const name of ["Retry-After", "X-Request-Id", "ETag", "Idempotent-Replayed", "X-RateLimit-Remaining"]) {
      assert.ok(exposed.includes(name), name);
    }
  });

  test("are announced by preflights, with what the path takes", async () => {
    const { ask } = createChatApp();
    const preflight = (method: string, path: string, origin = site) =>
      ask("OPTIONS", path, { headers: { origin, "access-control-request-method": method } });
    const response = await preflight("POST", "/ask/public");
    assert.equal(response.status, 204);
    assert.equal(await response.text(), "");
    assert.equal(response.headers.get("access-control-allow-origin"), site);
    assert.equal(response.headers.get("access-control-allow-methods"), "POST");
    assert.equal(response.headers.get("access-control-max-age"), "600");
    const allowed = response.headers.get("access-control-allow-headers")?.split(", ") ?? [];
    for (const name of ["Authorization", "Content-Type", "Idempotency-Key", "If-Match", "Last-Event-ID", "X-API-Key"]) {
      assert.ok(allowed.includes(name), name);
    }
    assert.equal((await preflight("PUT", `/stop/listed/${chatId}`)).status, 204);
    assert.equal((await preflight("POST", "/nothing")).status, 404);
    assert.equal((await preflight("POST", "/ask/unknown")).status, 204, "so that the page reads the answer");
    for (const [authorization, status] of [
      ["Bearer all", 200],
      ["", 401],
    ] as const) {
      const headers = { origin: site, ...(authorization && { authorization }) };
      const answer = await ask("POST", "/ask/unknown", { headers, body: { question: "Hi" } });
      assert.deepEqual([answer.status, answer.headers.get("access-control-allow-origin")], [status, site]);
    }
  });

  test("are refused by preflights of other pages, in words", async () => {
    const { ask } = createChatApp();
    const denied = [
      ["POST", "/ask/private", site],
      ["POST", "/ask/listed", "https://evil.example"],
      ["GET", "/messages", site],
      ["DELETE", "/ask/public", site],
    ] as const;
    for (const [method, path, origin] of denied) {
      const response = await ask("OPTIONS", path, { headers: { origin, "access-control-request-method": method } });
      assert.deepEqual([response.status, response.headers.get("access-control-allow-origin")], [403, null], path);
      assert.equal(await codeOf(response), "forbidden-origin");
    }
    assert.equal((await ask("OPTIONS", "/ask/public")).status, 405);
  });

  test("whose agent the body names are decided when the request comes", async () => {
    const { ask } = createChatApp();
    const headers = { origin: "https://evil.example" };
    const preflight = await ask("OPTIONS", "/leads", {
      headers: { ...headers, "access-control-request-method": "POST" },
    });
    assert.deepEqual([preflight.status, await shared(preflight)], [204, "https://evil.example"]);
    const refused = await ask("POST", "/leads", { headers, body: { agent: "listed", email: "a@b.c" } });
    assert.deepEqual([refused.status, await shared(refused)], [403, null]);
    const allowed = await ask("POST", "/leads", { headers, body: { agent: "public", email: "a@b.c" } });
    assert.deepEqual([allowed.status, await shared(allowed)], [200, "https://evil.example"]);
  });
});

describe("rate limits", () => {
  const question = { question: "q" };

  test("of an agent count the predictions of each client, whoever it is", async () => {
    const { ask, time } = createChatApp();
    const send = (init = {}) => ask("POST", "/ask/limited", { body: question, ...init });
    const first = await send();
    assert.equal(first.status, 200);
    assert.equal(first.headers.get("x-ratelimit-limit"), "2");
    assert.equal(first.headers.get("x-ratelimit-remaining"), "1");
    assert.equal((await send({ headers: bearer })).status, 200);
    const refused = await send({ headers: bearer });
    const body = (await refused.json()) as Record<string, unknown>;
    assert.deepEqual([refused.status, body.code, body.message], [429, "rate-limited", "Slowly, please."]);
    assert.equal(refused.headers.get("retry-after"), "30");
    assert.equal(refused.headers.get("x-ratelimit-remaining"), "0");
    assert.equal(refused.headers.get("x-ratelimit-reset"), String((time.nowMs + 60_000) / 1_000));
    assert.equal((await send({ from: "192.0.2.2" })).status, 200);
    assert.equal((await ask("POST", "/ask/public", { body: question })).status, 200);
    time.nowMs += 30_000;
    assert.equal((await send()).status, 200);
  });

  test("take the addresses that one client can have many of as one", async () => {
    const { ask } = createChatApp();
    const send = async (from: string) => (await ask("POST", "/ask/limited", { body: question, from })).status;
    assert.deepEqual(
      [await send("2001:db8::1"), await send("2001:db8::2"), await send("2001:db8::3"), await send("2001:db8:1::1")],
      [200, 200, 429, 200],
    );
  });

  test("of the operator count what comes without credentials", async () => {
    const { ask } = createChatApp({ openLimit: 2 });
    assert.equal((await ask("POST", "/ask/public", { body: question })).status, 200);
    assert.equal((await ask("PUT", `/stop/public/${chatId}`)).status, 200);
    const refused = await ask("POST", "/leads", { body: { agent: "public", email: "a@b.c" } });
    assert.deepEqual([refused.status, await codeOf(refused)], [429, "rate-limited"]);
    assert.equal(
      (await ask("POST", "/leads", { body: { agent: "public", email: "a@b.c" }, headers: bearer })).status,
      200,
    );
    assert.equal(
      (await ask("POST", "/leads", { body: { agent: "public", email: "" }, from: "192.0.2.9" })).status,
      200,
    );
  });

  test("of the operator count reads apart from writes, ten for each", async () => {
    const { ask, time } = createChatApp({ openLimit: 2 });
    const read = (init = {}) => ask("GET", "/config/public", init);
    for (const remaining of Array.from({ length: 20 }, (_, index) => 19 - index)) {
      const answer = await read();
      assert.deepEqual([answer.status, answer.headers.get("x-ratelimit-remaining")], [200, String(remaining)]);
    }
    const refused = await read();
    assert.deepEqual([refused.status, await codeOf(refused)], [429, "rate-limited"]);
    assert.equal(refused.headers.get("retry-after"), "3");
    assert.equal((await read({ headers: bearer })).status, 200);
    assert.equal((await read({ from: "192.0.2.9" })).status, 200);
    assert.equal((await ask("POST", "/ask/public", { body: question })).status, 200);
    time.nowMs += 3_000;
    assert.equal((await read()).status, 200);
  });
});
