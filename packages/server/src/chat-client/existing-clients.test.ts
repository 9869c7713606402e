import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import flowiseSdk from "flowise-sdk";
import { onTestDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { startServed } from "../served-agents/testing/start-served.ts";
import { agentWith, llmFlow } from "../testing/test-platform.ts";

/**
 * What published clients of the Flowise API do, over a socket: the SDK for TypeScript itself; the SDK for Python, of its
 * first and its last version, and the chat widget that is embedded in pages, request by request.
 */
type Frame = { event: string; data: unknown };

const site = "https://shop.example";
const json = { "content-type": "application/json" };

async function serve(t: TestContext, databases: TestDatabases, more: object = {}) {
  const { platform, model, url } = await startServed(
    t,
    databases,
    ({ messages }) => ({ text: `Answer to: ${messages.at(-1)?.content}`, pieces: 4 }),
    { ALLOW_PUBLIC_FLOWS: "true" },
  );
  const id = await agentWith(platform, llmFlow(), { isPublic: true, ...more });
  return { platform, model, id, base: url };
}

/** Lines that begin with `data:`, each with its JSON, as both SDKs read them: piece by piece. */
async function* readDataLines(response: Response): AsyncGenerator<Frame> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of response.body ?? []) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line.startsWith("data:")) yield JSON.parse(line.replace("data:", ""));
  }
}

async function collect(frames: AsyncIterable<Frame>): Promise<Frame[]> {
  const collected: Frame[] = [];
  for await (const frame of frames) collected.push(frame);
  return collected;
}

const textOf = (frames: readonly Frame[]) =>
  frames
    .filter(({ event }) => event === "token")
    .map(({ data }) => data)
    .join("");

type Asked = { chatflowId: string; question: string; streaming?: boolean };

/** The published SDK for TypeScript itself: asks whether streaming is possible, then sends its argument as the body. */
async function typescriptSdk(base: string, data: Asked, apiKey?: string) {
  const client = new flowiseSdk.FlowiseClient({ baseUrl: base, ...(apiKey !== undefined && { apiKey }) });
  const answer: AsyncIterable<Frame> | Record<string, unknown> = await client.createPrediction(data);
  return Symbol.asyncIterator in answer ? collect(answer as AsyncIterable<Frame>) : answer;
}

/** The SDK for Python: sends every field, null where it was not given, and its key with the prediction alone. */
async function pythonSdk(base: string, data: { chatflowId: string; question: string } & Record<string, unknown>) {
  const { apiKey, ...given } = data;
  const info = await fetch(`${base}/api/v1/chatflows-streaming/${data.chatflowId}`);
  assert.ok(info.ok, `raise_for_status: ${info.status}`);
  const unset = { overrideConfig: null, chatId: null, history: [], uploads: [] };
  const response = await fetch(`${base}/api/v1/prediction/${data.chatflowId}`, {
    method: "POST",
    headers: { ...json, ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }) },
    body: JSON.stringify({ ...unset, ...given }),
  });
  assert.ok(response.ok, `raise_for_status: ${response.status}`);
  return data.streaming ? collect(readDataLines(response)) : response.json();
}

/** A browser's fetch from a page of another origin: the preflight where one is due, then the request. */
async function fromPage(url: string, init: RequestInit & { headers?: Record<string, string> } = {}) {
  const { method = "GET", headers = {} } = init;
  const isSimple = (method === "GET" || method === "POST") && headers["content-type"] === undefined;
  if (!isSimple) {
    const asked = { "access-control-request-method": method, "access-control-request-headers": "content-type" };
    const preflight = await fetch(url, { method: "OPTIONS", headers: { origin: site, ...asked } });
    const allowed = (name: string) => preflight.headers.get(`access-control-allow-${name}`) ?? "";
    assert.ok(preflight.ok && allowed("origin") === site && allowed("methods").includes(method), `preflight of ${url}`);
    assert.match(allowed("headers"), /content-type/i);
  }
  const response = await fetch(url, { ...init, headers: { ...headers, origin: site } });
  assert.equal(response.headers.get("access-control-allow-origin"), site, url);
  return response;
}

await onTestDatabase((databases) => {
  describe("existing clients work unchanged:", () => {
    it("the SDK for TypeScript, streaming and not", async (t) => {
      const { base, id } = await serve(t, databases);
      const frames = await typescriptSdk(base, { chatflowId: id, question: "Hi", streaming: true });
      assert.ok(Array.isArray(frames));
      assert.equal(textOf(frames), "Answer to: Hi");
      assert.ok(frames.filter(({ event }) => event === "token").length > 1);
      assert.deepEqual([frames[0]?.event, frames.at(-1)?.event], ["agentFlowEvent", "end"]);
      const answer = await typescriptSdk(base, { chatflowId: id, question: "Hi" });
      assert.equal("text" in answer && answer.text, "Answer to: Hi");
    });

    it("the SDKs, with a key for an agent that is not public", async (t) => {
      const { platform, base } = await serve(t, databases);
      const chatflowId = await agentWith(platform, llmFlow());
      const { apiKey } = await platform.json<{ apiKey: string }>("POST", "/apikey", { keyName: "sdk" });
      const data = { chatflowId, question: "Hi", streaming: true };
      assert.equal(textOf((await typescriptSdk(base, data, apiKey)) as Frame[]), "Answer to: Hi");
      assert.equal(textOf((await pythonSdk(base, { ...data, apiKey })) as Frame[]), "Answer to: Hi");
      await assert.rejects(typescriptSdk(base, data), /401/);
      const refused = await typescriptSdk(base, { chatflowId, question: "Hi" });
      assert.ok("statusCode" in refused);
      assert.deepEqual([refused.statusCode, refused.success], [401, false]);
      assert.match(String(refused.message), /Authorization: Bearer/);
    });

    it("the SDK for Python, with its nulls and empty lists", async (t) => {
      // Visitors may bring a history of their own only where the agent says so.
      const apiConfig = JSON.stringify({ overrideConfig: { status: true, history: true } });
      const { model, base, id } = await serve(t, databases, { apiConfig });
      const frames = await pythonSdk(base, { chatflowId: id, question: "Hi", streaming: true });
      assert.equal(textOf(frames as Frame[]), "Answer to: Hi");
      const chatId = crypto.randomUUID();
      const overrideConfig = { sessionId: chatId, temperature: 0.5 };
      for (const question of ["one", "two"])
        await pythonSdk(base, { chatflowId: id, question, chatId, overrideConfig });
      assert.equal(model.requests.at(-1)?.body.messages.length, 3, "an empty history leaves the memory in place");
      const history = [
        { message: "early", type: "userMessage", role: null, content: null },
        { message: "words", type: "apiMessage", role: null, content: null },
      ];
      await pythonSdk(base, { chatflowId: id, question: "now", history });
      assert.deepEqual(
        model.requests.at(-1)?.body.messages.map(({ role, content }) => [role, content]),
        [
          ["user", "early"],
          ["assistant", "words"],
          ["user", "now"],
        ],
      );
    });

    it("the SDK for Python, with an agent's key", async (t) => {
      const { platform, base } = await serve(t, databases);
      const key = await platform.json<{ id: string; apiKey: string }>("POST", "/apikey", { keyName: "python" });
      const id = await agentWith(platform, llmFlow(), { isPublic: true, apikeyid: key.id });
      const answer = await pythonSdk(base, { chatflowId: id, question: "Hi", apiKey: key.apiKey });
      assert.equal((answer as { text: string }).text, "Answer to: Hi");
      await assert.rejects(pythonSdk(base, { chatflowId: id, question: "Hi" }), /raise_for_status: 401/);
    });

    it("the widget, in a page of another origin", async (t) => {
      const chatbotConfig = JSON.stringify({
        starterPrompts: { "0": { prompt: "Hello" } },
        chatFeedback: { status: true },
        leads: { status: true, email: true },
        fullFileUpload: { status: true, allowedUploadFileTypes: "text/plain" },
      });
      const { platform, base, id } = await serve(t, databases, { chatbotConfig });
      const api = `${base}/api/v1`;
      const send = async <T>(method: string, path: string, body: unknown): Promise<T> => {
        const response = await fromPage(`${api}${path}`, { method, headers: json, body: JSON.stringify(body) });
        assert.equal(response.status, 200, path);
        return response.json() as Promise<T>;
      };
      const read = async (path: string) => (await (await fromPage(`${api}${path}`)).json()) as Record<string, never>;

      assert.equal((await read(`/chatflows-streaming/${id}`)).isStreaming, true);
      const config = await read(`/public-chatbotConfig/${id}`);
      assert.deepEqual(Object.values(config.starterPrompts ?? {}), [{ prompt: "Hello" }]);
      assert.equal(JSON.parse(config.flowData ?? "").nodes[0].data.inputs.startInputType, "chatInput");
      assert.deepEqual([config.leads, config.isTTSEnabled], [{ status: true, email: true }, false]);

      const chatId = `customer-7+${crypto.randomUUID()}`;
      const lead = { chatflowid: id, chatId, name: "", email: "ada@example.com", phone: "" };
      assert.equal((await send<typeof lead>("POST", "/leads/", lead)).email, lead.email);

      const form = new FormData();
      form.append("files", new File(["The sky is blue."], "sky.txt", { type: "text/plain" }));
      form.append("chatId", chatId);
      const place = `${id}/${encodeURIComponent(chatId)}`;
      const attached = await fromPage(`${api}/attachments/${place}`, { method: "POST", body: form });
      const [file] = (await attached.json()) as { name: string; content: string }[];
      assert.equal(file?.content, "The sky is blue.");

      const uploads = [{ data: file.content, type: "file:full", name: "sky.txt", mime: "text/plain" }];
      const question = { question: "Colour?", chatId, uploads, leadEmail: lead.email, streaming: true };
      const response = await fromPage(`${api}/prediction/${id}`, {
        method: "POST",
        headers: json,
        body: JSON.stringify(question),
      });
      assert.ok(response.headers.get("content-type")?.startsWith("text/event-stream"));
      const frames = await collect(readDataLines(response));
      assert.match(textOf(frames), /The sky is blue\.[\s\S]*Colour\?/);
      const metadata = frames.find(({ event }) => event === "metadata")?.data as {
        chatId: string;
        chatMessageId: string;
      };
      assert.equal(metadata.chatId, chatId);

      const rating = { chatId, messageId: metadata.chatMessageId, rating: "THUMBS_UP" };
      const feedback = await send<{ id: string }>("POST", `/feedback/${id}`, rating);
      const rated = await send<{ content: string }>("PUT", `/feedback/${feedback.id}`, { content: "Blue, indeed." });
      assert.equal(rated.content, "Blue, indeed.");
      await send("PUT", `/chatmessage/abort/${place}`, undefined);

      const [asked] = await platform.json<{ leadEmail: string; fileUploads: { name: string }[] }[]>(
        "GET",
        `/chatmessage/${id}?chatId=${encodeURIComponent(chatId)}`,
      );
      assert.equal(asked?.leadEmail, lead.email);
    });
  });
});
