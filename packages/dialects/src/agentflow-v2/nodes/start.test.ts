import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonObject } from "@weft/schema";
import { codesOf, foreignFlow, nodeOf } from "../../testing/foreign-file.ts";
import { convertAgentFlowV2 } from "../convert-agentflow-v2.ts";

function convertStart(inputs: JsonObject) {
  const { flow, findings } = convertAgentFlowV2(foreignFlow([{ id: "startAgentflow_0", inputs }]));
  return { config: nodeOf(flow, "startAgentflow_0").config, codes: codesOf(findings) };
}

describe("a start node", () => {
  it("takes a chat message when nothing else is said", () => {
    for (const inputs of [{}, { startInputType: "chatInput", startState: "", startEphemeralMemory: "" }]) {
      assert.deepEqual(convertStart(inputs), { config: { input: "chat" }, codes: [] });
    }
  });

  it("declares the state as texts, and what is remembered", () => {
    const startState = [
      { key: "topic", value: "{{ question }}" },
      { key: "empty" },
      { key: "count", value: 3 },
      { value: "x" },
    ];
    assert.deepEqual(convertStart({ startState, startPersistState: true, startEphemeralMemory: "true" }).config, {
      input: "chat",
      state: { topic: "{{ question }}", empty: "", count: "3" },
      persistState: true,
      ephemeralMemory: true,
    });
    assert.deepEqual(convertStart({ startState: '[{"key":"a","value":"b"}]' }).config.state, { a: "b" });
  });

  it("takes a form", () => {
    const formInputTypes = [
      { type: "string", label: "Subject", name: "subject", addOptions: "" },
      { type: "options", label: "", name: "mood", addOptions: [{ option: "good" }, { option: "bad" }] },
      { type: "unheard", name: "note" },
      { type: "string", name: "" },
    ];
    assert.deepEqual(convertStart({ startInputType: "formInput", formTitle: "Mail", formInputTypes }).config, {
      input: "form",
      form: {
        title: "Mail",
        fields: [
          { name: "subject", label: "Subject", type: "string" },
          { name: "mood", label: "", type: "options", options: ["good", "bad"] },
          { name: "note", label: "", type: "string" },
        ],
      },
    });
  });

  it("takes a request from elsewhere, without its secrets", () => {
    const inputs = {
      startInputType: "webhookTrigger",
      webhookMethod: "PUT",
      webhookDefaultInput: "<p>{{ $webhook.body.text }}</p>",
      webhookEnableAuth: true,
      webhookSecret: "s3cret",
      webhookSignatureHeader: "x-hub",
      webhookSignatureType: "plain-token",
      webhookResponseMode: "async",
      callbackUrl: "https://caller.example/done",
      callbackSecret: "s4cret",
      webhookEnableValidation: "true",
      webhookQueryParams: [{ name: "page", required: true }, { name: "" }],
      webhookBodyParams: [
        { name: "text", type: "string", required: "" },
        { name: "tags", type: "array[string]" },
      ],
    };
    const { config, codes } = convertStart(inputs);
    assert.deepEqual(codes, ["warning webhook-secret", "warning webhook-secret"]);
    assert.doesNotMatch(JSON.stringify(config), /cret/);
    assert.deepEqual(config, {
      input: "webhook",
      webhook: {
        method: "PUT",
        contentType: "application/json",
        question: "{{ $webhook.body.text }}",
        auth: { type: "plain-token", header: "x-hub" },
        response: "async",
        callbackUrl: "https://caller.example/done",
        validation: {
          query: [{ name: "page", required: true }],
          headers: [],
          body: [
            { name: "text", required: false, type: "string" },
            { name: "tags", required: false, type: "array[string]" },
          ],
        },
      },
    });
  });

  it("takes a request of anybody where no proof was asked for", () => {
    const inputs = {
      startInputType: "webhookTrigger",
      webhookInputMode: "payload",
      callbackUrl: "https://stale.example",
    };
    assert.deepEqual(convertStart(inputs), {
      config: {
        input: "webhook",
        webhook: { method: "POST", contentType: "application/json", auth: { type: "none" }, response: "sync" },
      },
      codes: [],
    });
  });

  it("starts at a time", () => {
    const schedules: [JsonObject, string | undefined][] = [
      [{ scheduleType: "cronExpression", scheduleCronExpression: " 0 9 * * 1-5 " }, "0 9 * * 1-5"],
      [{ scheduleFrequency: "hourly", scheduleOnMinute: "15" }, "15 * * * *"],
      [{ scheduleFrequency: "daily", scheduleOnTime: "09:05" }, "5 9 * * *"],
      [{ scheduleFrequency: "weekly", scheduleOnTime: "18:30", scheduleOnDayOfWeek: '["1","5"]' }, "30 18 * * 1,5"],
      [{ scheduleFrequency: "weekly", scheduleOnTime: "18:30", scheduleOnDayOfWeek: "1, 5" }, "30 18 * * 1,5"],
      [{ scheduleFrequency: "monthly", scheduleOnTime: "00:00", scheduleOnDayOfMonth: [1, "L"] }, "0 0 1,L * *"],
      [{ scheduleFrequency: "weekly", scheduleOnTime: "18:30", scheduleOnDayOfWeek: "" }, undefined],
      [{ scheduleFrequency: "daily" }, undefined],
      [{}, undefined],
    ];
    for (const [inputs, cron] of schedules) {
      const { config } = convertStart({ startInputType: "scheduleInput", scheduleInputMode: "none", ...inputs });
      const schedule = cron === undefined ? {} : { schedule: { cron, timeZone: "UTC" } };
      assert.deepEqual(config, { input: "schedule", ...schedule }, JSON.stringify(inputs));
    }
  });

  it("asks the question of its schedule, or fills the form", () => {
    const hourly = { startInputType: "scheduleInput", scheduleFrequency: "hourly" };
    const asked = convertStart({ ...hourly, scheduleDefaultInput: "What is new?", scheduleTimezone: "Europe/Berlin" });
    const schedule = { cron: "0 * * * *", timeZone: "Europe/Berlin", question: "What is new?" };
    assert.deepEqual(asked.config.schedule, schedule);
    const fields = {
      scheduleInputMode: "form",
      scheduleFormInputTypes: [{ name: "a" }, { name: "b" }],
      scheduleFormDefaults: "{ b: 2 }",
    };
    const filled = convertStart({ ...hourly, ...fields });
    assert.deepEqual(filled.config.schedule, { cron: "0 * * * *", timeZone: "UTC", form: { a: "", b: 2 } });
  });
});
