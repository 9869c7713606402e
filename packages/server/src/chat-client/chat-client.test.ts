import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import type { Script } from "@weft/providers/testing";
import { onTestDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import type { Access } from "../../../http/src/route/define-route.ts";
import { describeRoutes } from "../describe-routes.ts";
import { openScriptedPlatform } from "../testing/scripted-model.ts";
import { agentWith, llmFlow } from "../testing/test-platform.ts";

type Body = Record<string, unknown>;
type Answer = { text: string; chatId: string; chatMessageId: string; executionId: string };

const chatId = "9b2f1c44-6d1e-4a55-8c1f-6f0e2d3c4b5a";
const otherChatId = "1d7a3f10-2b5c-4e8d-9a6b-7c8d9e0f1a2b";
const unknownId = "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f";

const echo: Script = ({ messages }) => ({ text: messages.map(({ content }) => String(content)).join(" | ") });

async function open(t: TestContext, databases: TestDatabases, env: Record<string, string> = {}) {
  const platform = await openScriptedPlatform(t, databases, echo, {
    env: { OPENAI_API_KEY: "sk-secret-of-the-operator", ALLOW_PUBLIC_FLOWS: "true", ...env },
  });
  /** A request without credentials. */
  const visit = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    platform.fetch(
      new Request(`http://platform/api/v1${path}`, {
        method,
        headers: { "content-type": "application/json", ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
  const status = async (...request: Parameters<typeof visit>) => {
    const response = await visit(...request);
    await response.body?.cancel();
    return response.status;
  };
  const publicAgent = (more: object = {}) => agentWith(platform, llmFlow(), { isPublic: true, ...more });
  const ask = async (agentId: string, body: object = {}) =>
    (await (await visit("POST", `/prediction/${agentId}`, { question: "Hi", chatId, ...body })).json()) as Answer;
  return { platform, visit, status, publicAgent, ask };
}

const routes = await describeRoutes();

describe("the closed table", () => {
  const isOpen = (access: Access) => access === "open" || (typeof access === "object" && access.permission === "open");
  const named = (test: (access: Access) => boolean) =>
    routes
      .filter(({ permission }) => test(permission))
      .map(({ method, path }) => `${method} ${path}`)
      .toSorted();

  it("of operations that need no credentials", () => {
    assert.deepEqual(named(isOpen), openOperations.toSorted());
  });

  it("of operations that need none where the agent is public", () => {
    assert.deepEqual(
      named((access) => typeof access === "object" && !access.needsBearer && !isOpen(access)),
      chatClientOperations.toSorted(),
    );
  });
});

const openOperations = [
  "GET /chat/{id}",
  "GET /chat-page.js",
  "GET /widget.js",
  "GET /api/v1/chatflows-streaming/{id}",
  "ANY /api/v1/webhook/{id}",
  "ANY /webhook/{id}",
  "GET /api/v1/ping",
  "GET /livez",
  "GET /readyz",
  "GET /openapi.json",
  "POST /api/v1/auth/login",
  "GET /api/v1/auth/oidc",
  "POST /api/v1/auth/oidc/finish",
  "POST /api/v1/auth/oidc/{slug}/start",
  "GET /api/v1/auth/setup",
  "POST /api/v1/auth/setup",
  "POST /api/v1/invitations/accept",
  "POST /api/v1/invitations/look",
];

const chatClientOperations = [
  "GET /api/v1/chatmessage/replies/{agentId}/{chatId}",
  "GET /api/v1/chatflows-uploads/{id}",
  "GET /api/v1/executions/{executionId}/events",
  "GET /api/v1/feedback",
  "GET /api/v1/feedback/{id}",
  "GET /api/v1/get-upload-file",
  "GET /api/v1/public-chatbotConfig/{id}",
  "GET /api/v1/public-chatflows/{id}",
  "POST /api/v1/attachments/{chatflowId}/{chatId}",
  "POST /api/v1/feedback",
  "POST /api/v1/text-to-speech/abort",
  "POST /api/v1/text-to-speech/generate",
  "POST /api/v1/feedback/{id}",
  "POST /api/v1/leads",
  "POST /api/v1/prediction/{id}",
  "PUT /api/v1/chatmessage/abort/{agentId}/{chatId}",
  "PUT /api/v1/feedback/{id}",
];

/** What existing clients read of a flow that takes messages. */
const messageStart =
  '{"nodes":[{"id":"startAgentflow_0","data":{"name":"startAgentflow","inputs":{"startInputType":"chatInput"}}}],"edges":[]}';

await onTestDatabase((databases) => {
  describe("what chat clients ask about an agent", () => {
    it("is answered for public agents to everybody, for others to whoever may run them", async (t) => {
      const { platform, status, publicAgent } = await open(t, databases);
      const open_ = await publicAgent();
      const closed = await agentWith(platform, llmFlow());
      for (const path of ["chatflows-uploads", "public-chatbotConfig", "public-chatflows"]) {
        assert.equal(await status("GET", `/${path}/${open_}`), 200, path);
        assert.equal(await status("GET", `/${path}/${open_.toUpperCase()}`), 200, path);
        for (const id of [closed, unknownId, "nonsense"])
          assert.equal(await status("GET", `/${path}/${id}`), 401, path);
        const known = async (id: string) => (await platform.send("GET", `/${path}/${id}`)).status;
        assert.deepEqual([await known(closed), await known(unknownId), await known("nonsense")], [200, 404, 400], path);
      }
    });

    it("says that answers are streamed, and nothing of whose they are", async (t) => {
      const { platform, visit, status } = await open(t, databases, { ALLOW_PUBLIC_FLOWS: "false" });
      for (const id of [await agentWith(platform, llmFlow()), unknownId])
        assert.deepEqual(await (await visit("GET", `/chatflows-streaming/${id}`)).json(), { isStreaming: true });
      assert.equal(await status("GET", "/chatflows-streaming/nonsense"), 400);
    });

    it("tells how the chat looks, and no secret", async (t) => {
      const { visit, publicAgent } = await open(t, databases);
      const chatbotConfig = JSON.stringify({
        title: "Shop",
        starterPrompts: { "0": { prompt: "Hello" } },
        allowedOrigins: ["https://shop.example"],
        followUpPrompts: { status: true, openAI: { credentialId: "credential-secret" } },
        fullFileUpload: { status: true, allowedUploadFileTypes: "text/plain,text/csv" },
      });
      const id = await publicAgent({
        chatbotConfig,
        apiConfig: '{"secret":"apiConfig-secret"}',
        analytic: '{"x":"analytic-secret"}',
      });
      const config = (await (await visit("GET", `/public-chatbotConfig/${id}`)).json()) as Body & { uploads: Body };
      assert.equal(config.title, "Shop");
      assert.deepEqual(config.starterPrompts, { "0": { prompt: "Hello" } });
      assert.deepEqual(config.followUpPrompts, { status: true });
      assert.deepEqual([config.flowData, config.isTTSEnabled], [messageStart, false]);
      assert.deepEqual(config.uploads, await (await visit("GET", `/chatflows-uploads/${id}`)).json());
      const agent = await (await visit("GET", `/public-chatflows/${id}`)).text();
      for (const text of [JSON.stringify(config), agent]) {
        for (const secret of ["shop.example", "credential-secret", "apiConfig-secret", "analytic-secret"])
          assert.ok(!text.includes(secret), secret);
      }
      const { name, isPublic, flowData } = JSON.parse(agent) as Body;
      assert.deepEqual([name, isPublic, flowData], ["Agent", true, messageStart]);
    });

    it("tells which files the flow and the settings take", async (t) => {
      const { platform, visit, publicAgent } = await open(t, databases);
      const uploads = async (id: string) => (await (await visit("GET", `/chatflows-uploads/${id}`)).json()) as Body;
      const id = await publicAgent({
        speechToText: JSON.stringify({ openAIWhisper: { status: true } }),
        chatbotConfig: JSON.stringify({
          fullFileUpload: { status: true, allowedUploadFileTypes: "text/plain, text/csv" },
        }),
      });
      assert.deepEqual(await uploads(id), {
        isSpeechToTextEnabled: true,
        isImageUploadAllowed: true,
        isRAGFileUploadAllowed: false,
        imgUploadSizeAndTypes: [
          { fileTypes: ["image/gif", "image/jpeg", "image/png", "image/webp"], maxUploadSize: 5 },
        ],
        fileUploadSizeAndTypes: [{ fileTypes: ["text/plain", "text/csv"], maxUploadSize: 50 }],
      });
      const blind = await agentWith(platform, llmFlow({ model: { provider: "rehearsal" } }), { isPublic: true });
      assert.deepEqual(await uploads(blind), {
        isSpeechToTextEnabled: false,
        isImageUploadAllowed: false,
        isRAGFileUploadAllowed: false,
        imgUploadSizeAndTypes: [],
        fileUploadSizeAndTypes: [],
      });
      const draft = await agentWith(platform, '{"nodes":"broken"}', { isPublic: true });
      assert.equal((await uploads(draft)).isImageUploadAllowed, false);
    });
  });

  describe("an agent that was never published", () => {
    it("answers nobody, and says why", async (t) => {
      const { platform, publicAgent } = await open(t, databases);
      const id = await publicAgent({ flowData: JSON.stringify({ weft: 1, nodes: [], edges: [] }) });
      const answer = await platform.send("POST", `/prediction/${id}`, { question: "Hi" });
      const { code, message } = (await answer.json()) as Body;
      // The reference has no 422 for predictions.
      assert.deepEqual([answer.status, code], [500, "flow-invalid"]);
      assert.match(String(message), /has no start node/);
    });
  });

  describe("how a chat with the draft of an agent begins", () => {
    it("is with the draft's form, for those who may edit agents and nobody else", async (t) => {
      const { platform, status, publicAgent } = await open(t, databases);
      const formFlow = (title: string) => {
        const config = { input: "form", form: { title, description: "", fields: [] } };
        return JSON.stringify({ weft: 1, nodes: [{ id: "start_0", type: "start", config }], edges: [] });
      };
      const id = await publicAgent({ flowData: JSON.stringify({ weft: 1, nodes: [], edges: [] }) });
      const config = (query: string) =>
        platform.json<{ form?: { title: string } }>("GET", `/public-chatbotConfig/${id}${query}`);
      assert.equal("form" in (await config("?draft=true")), false, "without a draft, it is what is published");
      for (const title of ["First", "Second"]) {
        await platform.json("PUT", `/chatflows/${id}/draft`, { flowData: formFlow(title) });
        assert.equal((await config("?draft=true")).form?.title, title);
      }
      assert.equal("form" in (await config("")), false);
      assert.equal("form" in (await config("?draft=false")), false);
      assert.equal((await platform.send("GET", `/public-chatbotConfig/${id}?draft=perhaps`)).status, 400);
      assert.equal((await platform.send("GET", `/public-chatbotConfig/${unknownId}?draft=true`)).status, 404);
      assert.equal(await status("GET", `/public-chatbotConfig/${id}?draft=true`), 403);
      const key = { keyName: "runs only", permissions: ["predictions:run"] };
      const { apiKey } = await platform.json<{ apiKey: string }>("POST", "/apikey", key);
      const headers = { authorization: `Bearer ${apiKey}` };
      const refused = await platform.send("GET", `/public-chatbotConfig/${id}?draft=true`, undefined, headers);
      assert.equal(refused.status, 403);
      assert.equal(((await refused.json()) as Body).code, "draft-for-editors");
    });
  });

  describe("how a chat with an agent begins", () => {
    const config = async (visit: (method: string, path: string) => Promise<Response>, id: string) =>
      (await (await visit("GET", `/public-chatbotConfig/${id}`)).json()) as Body;

    it("is with its form, where it asks for one, in whichever format the flow is stored", async (t) => {
      const { visit, publicAgent } = await open(t, databases);
      const fields = [{ name: "guests", label: "Guests", type: "number", options: [], required: true, default: 2 }];
      const form = { title: "Book", description: "A table", fields };
      const start = { id: "start_0", type: "start", config: { input: "form", form } };
      const flowData = JSON.stringify({ weft: 1, nodes: [start], edges: [] });
      const native = await config(visit, await publicAgent({ flowData }));
      assert.deepEqual(native.form, form);
      const asked = { type: "number", label: "Guests", name: "guests", addOptions: [] };
      const { nodes } = JSON.parse(String(native.flowData)) as { nodes: { data: { name: string; inputs: Body } }[] };
      assert.deepEqual(
        nodes.map(({ data }) => [data.name, data.inputs.startInputType, data.inputs.formInputTypes]),
        [["startAgentflow", "formInput", [asked]]],
        "existing clients see it, too",
      );
      assert.equal("form" in (await config(visit, await publicAgent())), false);
      const inputs = {
        startInputType: "formInput",
        formTitle: "Book",
        formDescription: "",
        formInputTypes: [{ type: "options", label: "Meal", name: "meal", addOptions: [{ option: "Soup" }] }],
      };
      const foreign = {
        id: "s",
        type: "agentFlow",
        position: { x: 0, y: 0 },
        data: { name: "startAgentflow", inputs },
      };
      const imported = await publicAgent({ flowData: JSON.stringify({ nodes: [foreign], edges: [] }) });
      const { fields: read } = (await config(visit, imported)).form as { fields: Body[] };
      assert.deepEqual(
        read.map(({ name, label, type, options }) => ({ name, label, type, options })),
        [{ name: "meal", label: "Meal", type: "options", options: ["Soup"] }],
      );
    });

    it("says where the rehearsal model answers", async (t) => {
      const { visit, publicAgent } = await open(t, databases);
      const rehearsal = await publicAgent({ flowData: llmFlow({ model: { provider: "rehearsal" } }) });
      assert.equal((await config(visit, rehearsal)).isRehearsal, true);
      assert.equal((await config(visit, await publicAgent())).isRehearsal, false);
    });
  });

  describe("visitors of a public agent", () => {
    it("ask it, rate its answers and leave an address, and read what is theirs alone", async (t) => {
      const { platform, visit, status, publicAgent, ask } = await open(t, databases);
      const id = await publicAgent();
      const answer = await ask(id);
      assert.equal(answer.text, "Hi");
      const { chatMessageId: messageId } = answer;
      const feedback = await visit("POST", `/feedback/${id}`, { chatId, messageId, rating: "THUMBS_UP" });
      const { id: feedbackId } = (await feedback.json()) as { id: string };
      assert.equal(await status("PUT", `/feedback/${feedbackId}`, { content: "Good." }), 200);
      const byGet = new URLSearchParams({ chatflowid: id, chatId, messageId, rating: "THUMBS_DOWN" });
      assert.equal(await status("GET", `/feedback?${byGet}`), 200);
      assert.equal(await status("POST", "/leads/", { chatflowid: id, chatId, email: "ada@example.com" }), 200);
      assert.equal(await status("PUT", `/chatmessage/abort/${id}/${chatId}`), 200);
      assert.equal(await status("GET", `/executions/${answer.executionId}/events`), 200);
      const [stored] = await platform.json<Body[]>("GET", `/feedback/${id}`);
      assert.deepEqual([stored?.rating, stored?.content], ["THUMBS_DOWN", "Good."]);
      const lists = [`/feedback/${id}`, `/leads/${id}`, `/chatmessage/${id}`, `/executions/${answer.executionId}`];
      for (const path of [...lists, `/chatflows/${id}`, "/chatflows", `/stats/${id}`]) {
        assert.equal(await status("GET", path), 401, path);
      }
      assert.equal(await status("HEAD", `/feedback/${id}?messageId=${messageId}`), 401);
      assert.equal(await status("DELETE", `/chatmessage/${id}`), 401);
    });

    it("get nothing without the operator's leave", async (t) => {
      const { platform, status, publicAgent } = await open(t, databases, { ALLOW_PUBLIC_FLOWS: "false" });
      const id = await publicAgent();
      const { chatMessageId: messageId } = await platform.json<Answer>("POST", `/prediction/${id}`, { question: "Hi" });
      assert.equal(await status("POST", `/prediction/${id}`, { question: "Hi" }), 401);
      assert.equal(await status("POST", "/leads", { chatflowid: id }), 401);
      assert.equal(await status("POST", "/feedback", { messageId, rating: "THUMBS_UP" }), 401);
      assert.equal(await status("GET", `/chatflows-uploads/${id}`), 401);
      assert.equal(await status("GET", `/get-upload-file?chatflowId=${id}&chatId=${chatId}&fileName=x`), 401);
    });

    it("reach no other agent by naming a public one beside it", async (t) => {
      const { platform, status, publicAgent, ask } = await open(t, databases);
      const id = await publicAgent();
      const closed = await agentWith(platform, llmFlow());
      const { chatMessageId: open_ } = await ask(id);
      const own = await platform.json<Answer>("POST", `/prediction/${closed}`, { question: "Hi", chatId: otherChatId });
      const messageId = own.chatMessageId;
      const rating = "THUMBS_DOWN";
      assert.equal(await status("POST", `/feedback?messageId=${open_}`, { messageId, rating }), 401);
      assert.equal(await status("POST", `/feedback/${id}`, { messageId, rating, chatflowid: id }), 401);
      const both = `messageId=${messageId}&messageId=${open_}&rating=${rating}`;
      assert.equal(await status("GET", `/feedback/${id}?${both}`), 401);
      const left = await platform.json<{ id: string }>("POST", "/feedback", { messageId, rating });
      assert.equal(await status("PUT", `/feedback/${left.id}`, { rating: "THUMBS_UP" }), 401);
      assert.equal(await status("POST", `/leads?chatflowid=${id}`, { chatflowid: closed }), 401);
      assert.equal(await status("GET", `/executions/${own.executionId}/events`), 401);
      assert.equal(await status("PUT", `/chatmessage/abort/${closed}/${otherChatId}`), 401);
      assert.equal(await status("POST", `/internal-prediction/${id}`, { question: "Hi" }), 401);
    });

    it("share no memory by an id that others could guess", async (t) => {
      const { platform, visit, status, publicAgent, ask } = await open(t, databases);
      const id = await publicAgent();
      await platform.json("POST", `/prediction/${id}`, { question: "The code is 7.", chatId: "1" });
      const question = "What is the code?";
      assert.equal(await status("POST", `/prediction/${id}`, { question, chatId: "1" }), 422);
      const session = await visit("POST", `/prediction/${id}`, { question, overrideConfig: { sessionId: "1" } });
      assert.equal(session.status, 422);
      assert.match(await session.text(), /overrideConfig\.sessionId must be a uuid/);
      assert.equal(await status("PUT", `/chatmessage/abort/${id}/1`), 400);
      assert.equal(await status("GET", `/get-upload-file?chatflowId=${id}&chatId=1&fileName=x`), 400);
      const fresh = await ask(id, { question, chatId: null });
      assert.equal(fresh.text, question);
      assert.match(fresh.chatId, /^[0-9a-f-]{36}$/);
      assert.equal(
        (await ask(id, { question: "again", chatId: fresh.chatId })).text,
        `${question} | ${question} | again`,
      );
      assert.equal((await ask(id, { question: "customer", chatId: `customer-7+${chatId}` })).text, "customer");
    });

    it("get no answer that another visitor's Idempotency-Key made", async (t) => {
      const { platform, publicAgent } = await open(t, databases);
      const id = await publicAgent();
      const send = async (remoteAddress: string) => {
        const request = new Request(`http://platform/api/v1/prediction/${id}`, {
          method: "POST",
          headers: { "content-type": "application/json", "idempotency-key": "1" },
          body: JSON.stringify({ question: "Hi" }),
        });
        return ((await (await platform.fetch(request, { remoteAddress })).json()) as Answer).chatId;
      };
      const first = await send("192.0.2.1");
      assert.equal(await send("192.0.2.1"), first);
      assert.notEqual(await send("192.0.2.2"), first);
    });

    it("need the agent's key for predictions where one is bound to it", async (t) => {
      const { platform, status, publicAgent } = await open(t, databases);
      const key = await platform.json<{ id: string; apiKey: string }>("POST", "/apikey", { keyName: "site" });
      const other = await platform.json<{ apiKey: string }>("POST", "/apikey", { keyName: "other" });
      const id = await publicAgent({ apikeyid: key.id });
      const ask = (headers: Record<string, string>) =>
        status("POST", `/prediction/${id}`, { question: "Hi", chatId }, headers);
      assert.equal(await ask({}), 401);
      assert.equal(await ask({ "x-api-key": other.apiKey }), 401);
      assert.equal(await ask({ authorization: `Bearer ${other.apiKey}` }), 401);
      assert.equal(await ask({ "x-api-key": key.apiKey }), 200);
      assert.equal(await ask({ authorization: `Bearer ${key.apiKey}` }), 200);
      assert.equal(await status("GET", `/chatflows-uploads/${id}`), 200);
    });
  });

  describe("an agent that is bound to an API key that does not exist", () => {
    it("answers no client, and its findings name the key", async (t) => {
      const { platform, status, publicAgent } = await open(t, databases);
      const key = await platform.json<{ id: string; apiKey: string }>("POST", "/apikey", { keyName: "site" });
      const other = await platform.json<{ apiKey: string }>("POST", "/apikey", { keyName: "other" });
      const id = await publicAgent({ apikeyid: key.id });
      const found = async (path: string) => {
        const findings = await platform.json<{ code: string; level: string; message: string }[]>("GET", path);
        return findings.filter(({ code }) => code === "api-key-missing");
      };
      const paths = [`/chatflows/${id}/findings`, `/chatflows/${id}/draft/findings`];
      for (const path of paths) assert.deepEqual(await found(path), [], path);
      await platform.json("DELETE", `/apikey/${key.id}`);
      const never = crypto.randomUUID();
      for (const apikeyid of [key.id, never, "site"]) {
        await platform.json("PUT", `/chatflows/${id}`, { apikeyid });
        for (const path of paths) {
          const [finding] = await found(path);
          assert.equal(finding?.level, "error");
          assert.ok(finding.message.includes(`the API key ${apikeyid}, which does not exist`), finding.message);
        }
        const sent = [{}, { "x-api-key": key.apiKey }, { "x-api-key": other.apiKey }, { "x-api-key": apikeyid }];
        for (const headers of [...sent, { authorization: `Bearer ${other.apiKey}` }]) {
          const asked = await status("POST", `/prediction/${id}`, { question: "Hi", chatId }, headers);
          assert.equal(asked, 401, JSON.stringify(headers));
        }
      }
      await platform.json("PUT", `/chatflows/${id}`, { apikeyid: "" });
      assert.deepEqual(await found(paths[0] ?? ""), []);
      assert.equal(await status("POST", `/prediction/${id}`, { question: "Hi", chatId }), 200);
    });
  });

  describe("an agent's settings for chat clients", () => {
    it("hold from the moment in which they are saved", async (t) => {
      const { platform, visit, publicAgent } = await open(t, databases);
      const id = await publicAgent();
      const from = (origin: string) => visit("POST", `/prediction/${id}`, { question: "Hi", chatId }, { origin });
      const before = await from("https://other.example");
      assert.deepEqual(
        [before.status, before.headers.get("access-control-allow-origin")],
        [200, "https://other.example"],
      );
      const chatbotConfig = JSON.stringify({
        allowedOrigins: ["https://shop.example"],
        allowedOriginsError: "Only in our shop.",
      });
      await platform.json("PUT", `/chatflows/${id}`, { chatbotConfig });
      const refused = await from("https://other.example");
      const { code, message } = (await refused.json()) as Body;
      assert.deepEqual([refused.status, code, message], [403, "forbidden-origin", "Only in our shop."]);
      assert.equal(refused.headers.get("access-control-allow-origin"), null);
      assert.equal((await from("https://shop.example")).status, 200);
      await platform.json("PUT", `/chatflows/${id}`, { isPublic: false });
      assert.equal((await from("https://shop.example")).status, 401);
    });

    it("limit how often one client asks", async (t) => {
      const { visit, publicAgent } = await open(t, databases);
      const rateLimit = { limitMax: 1, limitDuration: 3_600, limitMsg: "One question an hour." };
      const id = await publicAgent({ apiConfig: JSON.stringify({ rateLimit }) });
      const ask = () => visit("POST", `/prediction/${id}`, { question: "Hi", chatId, streaming: true });
      const askedAt = performance.now();
      const streamed = await ask();
      assert.deepEqual([streamed.status, streamed.headers.get("x-ratelimit-remaining")], [200, "0"]);
      await streamed.text();
      const refused = await ask();
      const { statusCode, message } = (await refused.json()) as Body;
      assert.deepEqual([refused.status, statusCode, message], [429, 429, "One question an hour."]);
      // What has passed of the hour is not waited for again.
      const passedSeconds = Math.floor((performance.now() - askedAt) / 1_000);
      const waited = Number(refused.headers.get("retry-after"));
      assert.ok(waited <= 3_600 && waited >= 3_600 - passedSeconds, `${waited} s, ${passedSeconds} s after the first`);
    });

    it("leave the operator's limit on every operation that needs no credentials", async (t) => {
      const { platform, status, publicAgent } = await open(t, databases, { PUBLIC_RATE_LIMIT: "1" });
      const id = await publicAgent();
      const spoken = { chatflowId: id, chatId: crypto.randomUUID(), chatMessageId: crypto.randomUUID() };
      const file = `/get-upload-file?chatflowId=${id}&chatId=${spoken.chatId}&fileName=a.txt`;
      const reads = ["public-chatbotConfig", "chatflows-uploads", "public-chatflows"].map((path) => `/${path}/${id}`);
      for (let count = 0; count < 10; count++) assert.equal(await status("GET", `/public-chatbotConfig/${id}`), 200);
      for (const path of [...reads, file]) assert.equal(await status("GET", path), 429, path);
      assert.equal((await platform.send("GET", `/public-chatbotConfig/${id}`)).status, 200);
      const stop = () => status("POST", "/text-to-speech/abort", spoken);
      assert.deepEqual([await stop(), await stop()], [200, 429]);
    });

    it("leave the operator's limit on what comes without credentials", async (t) => {
      const { platform, status, publicAgent } = await open(t, databases, { PUBLIC_RATE_LIMIT: "2" });
      const id = await publicAgent();
      const leave = () => status("POST", "/leads", { chatflowid: id, email: "ada@example.com" });
      assert.deepEqual([await leave(), await leave(), await leave()], [200, 200, 429]);
      assert.equal((await platform.send("POST", "/leads", { chatflowid: id })).status, 200);
      assert.equal(await status("GET", `/chatflows-uploads/${id}`), 200);
    });
  });
});
