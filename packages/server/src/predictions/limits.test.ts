import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { createScriptedOpenAiServer } from "@weft/providers/testing";
import { onTestDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { sendForm } from "../testing/send-form.ts";
import { agentWith, llmFlow, openTestPlatform } from "../testing/test-platform.ts";
import { webhookAgent } from "../webhooks/testing/webhook-agent.ts";

type Refusal = { code: string; message: string; errors: { path: string; message: string }[] };

const object = (keys: number) => Object.fromEntries(Array.from({ length: keys }, (_, index) => [`k${index}`, 1]));
const list = (length: number) => Array.from({ length }, () => 1);
const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);
const turns = (length: number) => Array.from({ length }, () => ({ role: "userMessage", content: "x" }));

async function open(t: TestContext, databases: TestDatabases) {
  const model = await createScriptedOpenAiServer({ script: () => ({ text: "Done." }) });
  t.after(() => model.close());
  const platform = await openTestPlatform(t, databases, {
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: "sk",
    DEFAULT_MODEL: "scripted",
    ALLOW_PUBLIC_FLOWS: "true",
  });
  const { apiKey } = await platform.json<{ apiKey: string }>("POST", "/apikey", { keyName: "k", permissions: ["*"] });
  const id = await agentWith(platform, llmFlow(), { isPublic: true });
  const callers = [{}, { authorization: `Bearer ${apiKey}` }, { authorization: `Bearer ${platform.token}` }];
  const post = async (path: string, body: string, headers: Record<string, string> = callers[2] ?? {}) => {
    const request = { method: "POST", headers: { "content-type": "application/json", ...headers }, body };
    const response = await platform.fetch(new Request(`http://platform${path}`, request));
    const text = await response.text();
    return { status: response.status, text };
  };
  return { platform, model, id, callers, post };
}

await onTestDatabase((databases) => {
  describe("a request that is larger than a prediction may be", () => {
    it("is refused with the name of the limit, no matter who sends it", async (t) => {
      const { id, callers, post, model } = await open(t, databases);
      const path = `/api/v1/prediction/${id}`;
      for (const headers of callers) {
        for (const [body, at, said] of [
          [{ question: "x".repeat(200_001) }, "question", /200000 characters/],
          [{ question: "Hi", history: turns(1_001) }, "history", /1000 entries/],
          [{ question: "Hi", overrideConfig: object(1_001) }, "overrideConfig", /1000 keys/],
          [{ question: "Hi", overrideConfig: { vars: object(1_001) } }, "overrideConfig.vars", /1000 keys/],
          [{ form: { rows: list(10_001) } }, "form.rows", /10000 elements/],
          [{ form: { rows: Array.from({ length: 11 }, () => list(9_999)) } }, "", /100000 values/],
          [{ form: { deep: nested(64) } }, undefined, /64 levels/],
          [{ form: { text: "x".repeat(1_000_001) } }, "form.text", /1000000 characters/],
        ] as const) {
          const { status, text } = await post(path, JSON.stringify(body), headers);
          const refusal = JSON.parse(text) as Refusal;
          assert.equal(status, 422, text.slice(0, 300));
          assert.match(refusal.message, said);
          assert.equal(refusal.errors[0]?.path, at);
          assert.ok(text.length < 2_000, "nothing of it is repeated");
        }
      }
      assert.equal(model.requests.length, 0);
      const most = { question: "x".repeat(200_000), history: turns(1_000), overrideConfig: object(1_000) };
      assert.equal((await post(path, JSON.stringify(most))).status, 200);
    });

    it("may have large uploads, and is refused with 413 beyond the limit of bodies", async (t) => {
      const { id, post } = await open(t, databases);
      const data = `data:text/plain;base64,${Buffer.from("long ".repeat(150_000)).toString("base64")}`;
      assert.ok(data.length > 1_000_000);
      const uploads = [{ type: "file", name: "a.txt", mime: "text/plain", data }];
      const taken = await post(`/api/v1/prediction/${id}`, JSON.stringify({ question: "Hi", uploads }));
      assert.equal(taken.status, 200, taken.text.slice(0, 300));
      const named = [{ ...uploads[0], name: "x".repeat(1_000_001) }];
      assert.equal(
        (await post(`/api/v1/prediction/${id}`, JSON.stringify({ question: "Hi", uploads: named }))).status,
        422,
      );
      const tooLarge = " ".repeat(50 * 1_024 ** 2 + 1);
      assert.equal((await post(`/api/v1/prediction/${id}`, tooLarge)).status, 413);
    });

    it("is refused as a form, too", async (t) => {
      const { platform, id } = await open(t, databases);
      for (const [field, value, said] of [
        ["question", "x".repeat(200_001), /200000 characters/],
        ["overrideConfig", JSON.stringify({ vars: object(1_001) }), /1000 keys/],
        ["form", `{"text":"${"x".repeat(1_000_000)}"}`, /1000000 characters/],
      ] as const) {
        const parts = field === "overrideConfig" ? ([["question", "Hi"]] as const) : [];
        const response = await sendForm(platform, `/prediction/${id}`, [...parts, [field, value]]);
        assert.equal(response.status, 422, field);
        assert.match(((await response.json()) as Refusal).message, said);
      }
    });

    it("is refused at every other door", async (t) => {
      const { platform, id, post, model } = await open(t, databases);
      const ask = (messages: object[]) => post("/v1/chat/completions", JSON.stringify({ model: id, messages }));
      const call = (params: object) =>
        post(`/api/v1/mcp/${id}`, JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }));
      const user = (content: unknown) => ({ role: "user", content });
      for (const [answer, said] of [
        [ask([user("x".repeat(200_001))]), /200000 characters/],
        [ask([...Array.from({ length: 1_001 }, () => user("x")), user("Hi")]), /1000 entries/],
        [ask([{ ...user("Hi"), extra: object(1_001) }]), /1000 keys/],
        [call({ name: "x", arguments: object(1_001) }), /1000 keys/],
      ] as const) {
        const { status, text } = await answer;
        assert.equal(status, 400, text.slice(0, 300));
        assert.match(text, said);
      }
      const hook = await webhookAgent(platform, { auth: { type: "none" } }, "ran");
      const form = { "content-type": "application/x-www-form-urlencoded" };
      for (const [body, headers, said] of [
        [JSON.stringify(object(1_001)), { "content-type": "application/json" }, /1000 keys/],
        [JSON.stringify(nested(65)), { "content-type": "application/json" }, /64 levels/],
        ["a=1&".repeat(100_000), form, /1000 keys/],
        [`payload=${encodeURIComponent(JSON.stringify(list(10_001)))}`, form, /10000 elements/],
        ["x".repeat(1_000_001), { "content-type": "text/plain" }, /1000000 characters/],
      ] as const) {
        const response = await hook.send({ headers, body });
        assert.equal(response.status, 400);
        assert.match(((await response.json()) as Refusal).message, said);
      }
      assert.equal(model.requests.length, 0);
    });
  });

  it("other operations take large texts, and say what is too much", async (t) => {
    const { platform, post } = await open(t, databases);
    const flowData = JSON.stringify({ weft: 1, nodes: [], edges: [], note: "x".repeat(2_000_000) });
    const { id } = await platform.json<{ id: string }>("POST", "/chatflows", { name: "Large", flowData });
    assert.equal((await platform.json<{ flowData: string }>("GET", `/chatflows/${id}`)).flowData, flowData);
    const wide = await post("/api/v1/chatflows", JSON.stringify({ name: "Wide", flowData: "{}", ...object(10_001) }));
    assert.match(wide.text, /10000 keys/);
    const name = "x".repeat(100_000);
    const unknown = await post("/api/v1/apikey", JSON.stringify({ keyName: name, permissions: [name] }));
    assert.ok(unknown.status >= 400 && unknown.text.length < 2_000, unknown.text.slice(0, 300));
  });
});
