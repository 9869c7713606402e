import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compileFlow } from "@weft/engine";
import { nodeRegistry } from "./registry.ts";
import { scheduleOf, webhookOf } from "./start.ts";
import { runFlow } from "./testing/run-flow.ts";

const compile = (config: object) =>
  compileFlow(JSON.stringify({ weft: 1, nodes: [{ id: "start", type: "start", config }], edges: [] }), nodeRegistry);
const findings = (config: object) => compile(config).findings.map(({ level, code, path }) => [level, code, path]);

describe("a webhook as the input", () => {
  it("asks for a signature with the agent's own secret, and for a POST of any type", () => {
    const { auth, method, contentType, response, question } = webhookOf(compile({ input: "webhook" })) ?? {};
    assert.deepEqual(auth, { type: "standard-webhooks", acceptsOlderSignature: false });
    assert.deepEqual([method, contentType, response, question], ["POST", "any", "sync", ""]);
    assert.deepEqual(findings({ input: "webhook" }), []);
  });

  it("is none of a flow that begins otherwise", () => {
    assert.equal(webhookOf(compile({})), undefined);
    assert.equal(webhookOf(compile({ webhook: {} })), undefined);
    assert.equal(scheduleOf(compile({ schedule: { cron: "0 9 * * *" } })), undefined);
  });

  it("gives the request to the flow", async () => {
    const nodes = [
      { id: "start", type: "start", config: { input: "webhook" } },
      { id: "r", type: "direct-reply", config: { message: "{{ $webhook.body.a[0].b }} {{ start.webhook.method }}" } },
    ];
    const flow = JSON.stringify({ weft: 1, nodes, edges: [{ id: "e", source: "start", target: "r" }] });
    const webhook = { method: "PUT", headers: {}, query: {}, body: { a: [{ b: "x" }] } };
    const run = await runFlow(flow, { input: { question: "", webhook } });
    assert.equal(run.text, "x PUT");
    assert.deepEqual(run.outputOf("start"), { question: "", webhook });
  });

  it("warns of what is open, unsigned or never sent", () => {
    const open = { auth: { type: "none" } };
    const callbackUrl = "https://example.com/hook";
    const warnings = (webhook: object) =>
      findings({ input: "webhook", webhook }).map(([level, code]) => `${level} ${code}`);
    assert.deepEqual(warnings(open), ["warning webhook-open"]);
    assert.deepEqual(warnings({ auth: { type: "hmac-sha256" } }), ["warning webhook-replayable"]);
    const acceptsOlder = { type: "standard-webhooks", acceptsOlderSignature: true };
    assert.deepEqual(warnings({ auth: acceptsOlder }), ["warning webhook-replayable"]);
    assert.deepEqual(warnings({ ...open, response: "async", callbackUrl }), [
      "warning webhook-open",
      "warning callback-unsigned",
    ]);
    assert.deepEqual(warnings({ callbackUrl }), ["warning callback-unused"]);
    assert.deepEqual(warnings({ response: "async", callbackUrl }), []);
  });

  it("refuses settings that it does not know, and references to nothing", () => {
    for (const webhook of [
      { method: "HEAD" },
      { auth: { type: "basic" } },
      { auth: { type: "hmac-sha256", header: "a b" } },
      { response: "later" },
      { callbackUrl: "ftp://example.com" },
      { callbackUrl: "javascript:alert(1)" },
      { validation: { body: [{ name: "a", type: "date" }] } },
      { secret: "x" },
    ]) {
      assert.equal(findings({ input: "webhook", webhook })[0]?.[1], "node-config-invalid", JSON.stringify(webhook));
    }
    assert.deepEqual(findings({ input: "webhook", webhook: { question: "{{ nobody }}" } }), [
      ["error", "template-unknown", "webhook.question"],
    ]);
  });
});

describe("a schedule as the input", () => {
  it("needs a time", () => {
    assert.deepEqual(findings({ input: "schedule" }), [["error", "schedule-missing", "schedule"]]);
    const schedule = { cron: " 0 9 * * MON-FRI ", timeZone: "Europe/Berlin", endDate: "2027-12-31" };
    assert.deepEqual(findings({ input: "schedule", schedule }), []);
    assert.deepEqual(scheduleOf(compile({ input: "schedule", schedule })), {
      ...schedule,
      cron: "0 9 * * MON-FRI",
      question: "",
      catchUp: "skip",
    });
  });

  it("refuses what is no time", () => {
    for (const wrong of [
      { cron: "" },
      { cron: "0 9 * *" },
      { cron: "0 9 * * * * *" },
      { cron: "at nine in the morning !" },
      { timeZone: "Mars/Olympus" },
      { endDate: "someday" },
      { catchUp: "all" },
    ]) {
      const schedule = { cron: "0 9 * * *", ...wrong };
      assert.equal(findings({ input: "schedule", schedule })[0]?.[1], "node-config-invalid", JSON.stringify(wrong));
    }
  });
});
