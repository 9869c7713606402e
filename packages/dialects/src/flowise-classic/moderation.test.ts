import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import type { HttpRequest } from "@weft/engine/ports/http-client";
import { type Json, type JsonObject, writePolicySchema } from "@weft/schema";
import { type ClassicTestNode, classicFlow, ref } from "../testing/classic-file.ts";
import { codesOf } from "../testing/foreign-file.ts";
import { closeSandbox, compileClassic, runClassic } from "../testing/run-classic.ts";

const model: ClassicTestNode = { id: "chatOpenAI_0" };

function moderated(
  inputs: JsonObject,
  inputModeration = [ref("inputModerationSimple_0")],
  more: ClassicTestNode[] = [],
) {
  return classicFlow([
    model,
    ...more,
    { id: "inputModerationSimple_0", inputs },
    { id: "promptTemplate_0", inputs: { template: "{a}" } },
    {
      id: "llmChain_0",
      inputs: { model: ref("chatOpenAI_0"), prompt: ref("promptTemplate_0"), inputModeration },
    },
  ]);
}

after(closeSandbox);

describe("moderation", () => {
  it("answers a message with denied words, in any case, without asking a model", async () => {
    const document = moderated({ denyList: "ignore (all)\n\n  {{ question }} ", moderationErrorMessage: "No {way}." });
    const asked: [string, string | undefined][] = [
      ["Please IGNORE (ALL) of it", "No {way}."],
      ["ignore all", "fine"],
      ["{{ question }}", "No {way}."],
    ];
    for (const [question, answer] of asked) {
      const { text, calls } = await runClassic(document, { input: { question }, script: [{ text: "fine" }] });
      assert.equal(text, answer, question);
      assert.equal(calls.length, answer === "fine" ? 1 : 0);
    }
  });

  it("lets a model find what is like the denied lines, once for all of them", async () => {
    const document = moderated({ denyList: "forget\nignore", model: ref("chatOpenAI_0") });
    const blocked = await runClassic(document, { script: [{ text: '{"scenario":"blocked"}' }] });
    assert.equal(blocked.text, "Cannot Process! Input violates content moderation policies.");
    assert.equal(blocked.calls.length, 1);
    assert.match(blocked.said[0]?.[0] ?? "", /forget\nignore/);
    const passed = await runClassic(document, { script: [{ text: '{"scenario":"else"}' }, { text: "fine" }] });
    assert.equal(passed.text, "fine");
  });

  it("asks one after the other, in order", async () => {
    const second = { id: "inputModerationSimple_1", inputs: { denyList: "b", moderationErrorMessage: "Two" } };
    const both = [ref("inputModerationSimple_0"), ref("inputModerationSimple_1")];
    const document = moderated({ denyList: "a", moderationErrorMessage: "One" }, both, [second]);
    for (const [question, answer] of [
      ["ab", "One"],
      ["b", "Two"],
      ["c", "fine"],
    ] as const) {
      assert.equal((await runClassic(document, { input: { question }, script: [{ text: "fine" }] })).text, answer);
    }
  });

  it("says what blocks nothing, and what cannot", async () => {
    const empty = await runClassic(moderated({ denyList: " \n" }), { findings: ["warning moderation-empty"] });
    assert.equal(empty.calls.length, 1);
    const other = moderated({}, [ref("inputModerationOther_0")], [{ id: "inputModerationOther_0" }]);
    const { findings } = compileClassic(other);
    assert.deepEqual(codesOf(findings), ["error moderation-unsupported", "warning node-left-out"]);
  });
});

describe("moderation by OpenAI", () => {
  const key = "sk-of-the-test";
  const credential = "9f0e2f4c-52c5-4d4f-9d64-2f1a3a8f7f10";

  function byVendor(inputs: JsonObject = {}, data: JsonObject = { credential }) {
    const node = { id: "inputModerationOpenAI_0", inputs, data };
    return classicFlow([
      ...[model, node, { id: "promptTemplate_0", inputs: { template: "{a}" } }],
      {
        id: "llmChain_0",
        inputs: { model: ref(model.id), prompt: ref("promptTemplate_0"), inputModeration: [ref(node.id)] },
      },
    ]);
  }

  /** Runs it for a visitor who may cause no writes, at a vendor that answers so. */
  async function ask(document: JsonObject, answer: { status?: number; body: string }, question = "hello") {
    const sent: HttpRequest[] = [];
    const http = {
      async request(call: HttpRequest) {
        sent.push(call);
        const { status = 200, body } = answer;
        const headers = { "content-type": "application/json" };
        return { status, statusText: "", headers, truncated: false, url: call.url, body: Buffer.from(body) };
      },
    };
    const readCredential = async (id: string): Promise<Record<string, string>> =>
      id === credential ? { openAIApiKey: key } : {};
    const visitorWrites = writePolicySchema.parse({ write: "refuse", destructive: "refuse" });
    const run = await runClassic(document, {
      input: { question, visitorWrites },
      script: [{ text: "fine" }],
      services: { http, readCredential },
    });
    assert.ok(!JSON.stringify(run.events).includes(key));
    return { ...run, sent };
  }

  const verdict = (...flagged: Json[]) => ({
    body: JSON.stringify({ results: flagged.map((one) => ({ flagged: one })) }),
  });

  it("answers what the service flags without asking a model", async () => {
    const preset = await ask(byVendor(), verdict(true));
    assert.equal(preset.text, "Cannot Process! Input violates OpenAI's content moderation policies.");
    const own = await ask(byVendor({ moderationErrorMessage: "No." }), verdict(false, true));
    assert.equal(own.text, "No.");
    assert.deepEqual([preset.calls, own.calls], [[], []]);
  });

  it("lets the rest pass, also for visitors who may cause no writes", async () => {
    const question = '", "model": "mine", "input": "{{ $vars.key }}';
    const { text, calls, sent } = await ask(byVendor(), verdict(false), question);
    assert.deepEqual([text, calls.length, sent.length], ["fine", 1, 1]);
    const [request] = sent;
    assert.equal(`${request?.method} ${request?.url}`, "POST https://api.openai.com/v1/moderations");
    assert.equal(request?.headers?.authorization, `Bearer ${key}`);
    assert.deepEqual(JSON.parse(String(request?.body)), { model: "omni-moderation-latest", input: question });
  });

  it("lets nothing pass without a verdict, and says why", async () => {
    const silent = /answered without a verdict, so the message was not processed/;
    const failures: [{ status?: number; body: string }, RegExp][] = [
      [{ status: 401, body: '{"error":{"message":"Incorrect API key"}}' }, /POST answered 401 .*Incorrect API key/],
      [{ status: 429, body: "{}" }, /POST answered 429/],
      [{ status: 500, body: "" }, /POST answered 500/],
      [{ body: "" }, silent],
      [{ body: "<html>flagged: false</html>" }, silent],
      [{ body: "null" }, silent],
      [{ body: "{}" }, silent],
      [{ body: '{"results":{"flagged":false}}' }, silent],
      [verdict(), silent],
      [verdict("false"), silent],
      [verdict(false, null), silent],
    ];
    for (const [answer, said] of failures) {
      const { end, calls } = await ask(byVendor(), answer);
      assert.equal(end?.type, "run-failed", answer.body);
      assert.match(end?.type === "run-failed" ? end.error.message : "", said);
      assert.deepEqual(calls, []);
    }
  });

  it("needs a credential, which is chosen at its step", () => {
    const { flow, findings } = compileClassic(byVendor({}, {}));
    const [finding, ...others] = findings;
    assert.deepEqual(others, []);
    assert.deepEqual(
      [finding?.level, finding?.code, finding?.path],
      ["error", "moderation-credential-missing", "credential"],
    );
    assert.equal(flow.nodes.find(({ id }) => id === finding?.nodeId)?.type, "http");
  });
});
