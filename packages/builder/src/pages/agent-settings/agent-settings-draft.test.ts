import assert from "node:assert/strict";
import { test } from "node:test";
import type { Agent } from "@weft/client";
import { type AgentSettings, fromAgentSettings, toAgentSettings } from "./agent-settings-draft.ts";

const agent: Agent = {
  id: "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f",
  name: "Support",
  flowData: "{}",
  deployed: false,
  isPublic: true,
  apikeyid: "k",
  chatbotConfig: "{}",
  apiConfig: "{}",
  analytic: "{}",
  speechToText: "{}",
  category: "",
  type: "AGENTFLOW",
  createdDate: "2026-01-01T00:00:00.000Z",
  updatedDate: "2026-01-01T00:00:00.000Z",
};

const chatbotConfig = {
  title: "Shop",
  allowedOrigins: ["https://shop.example", " ", 7],
  allowedOriginsError: "Only in our shop.",
  starterPrompts: { "0": { prompt: "Hello" }, "1": { prompt: "" }, "2": { prompt: "Bye" } },
  chatFeedback: { status: true },
  followUpPrompts: { status: true, prompt: "Three questions on {history}" },
  textToSpeech: { openai: { status: true, voice: "nova" } },
  fullFileUpload: { status: true, allowedUploadFileTypes: "text/plain, text/x-odd", maxUploadSize: 3 },
  leads: { status: false, title: "Who are you?", name: true, email: true, phone: false },
};

test("settings are sent as they were read, with those of other clients", () => {
  const apiConfig = {
    overrideConfig: { status: true },
    rateLimit: { limitMax: "5", limitDuration: "60", limitMsg: "Slow." },
  };
  const speechToText = JSON.stringify({ openAIWhisper: { status: true, language: "" }, azureCognitive: 7 });
  const draft = toAgentSettings({
    ...agent,
    chatbotConfig: JSON.stringify(chatbotConfig),
    apiConfig: JSON.stringify(apiConfig),
    speechToText,
  });
  assert.deepEqual([draft.isLimited, draft.limitMax, draft.limitSeconds], [true, 5, 60]);
  assert.deepEqual([draft.takesLeads, draft.leadFields], [false, ["name", "email"]]);
  const sent = fromAgentSettings(draft);
  assert.deepEqual([sent.isPublic, sent.deployed, sent.apikeyid], [true, false, "k"]);
  assert.equal(sent.speechToText, speechToText);
  assert.deepEqual(JSON.parse(sent.chatbotConfig ?? ""), {
    ...chatbotConfig,
    allowedOrigins: ["https://shop.example", "7"],
    starterPrompts: { "0": { prompt: "Hello" }, "1": { prompt: "Bye" } },
    fullFileUpload: { status: true, allowedUploadFileTypes: "text/plain,text/x-odd", maxUploadSize: 3 },
    leads: { ...chatbotConfig.leads, successMessage: "" },
  });
  assert.deepEqual(JSON.parse(sent.apiConfig ?? ""), {
    overrideConfig: { status: true },
    rateLimit: { status: true, limitMax: 5, limitDuration: 60, limitMsg: "Slow." },
  });
});

test("what was never set stays absent, and no type of file means every type", () => {
  const draft = toAgentSettings(agent);
  const untouched = fromAgentSettings(draft);
  assert.deepEqual([untouched.chatbotConfig, untouched.apiConfig], ["{}", "{}"]);
  const suggesting = fromAgentSettings({ ...draft, suggestsFollowUps: true }).chatbotConfig;
  assert.deepEqual(JSON.parse(suggesting ?? ""), { followUpPrompts: { status: true } });
  const { chatbotConfig: text } = fromAgentSettings({ ...draft, takesFiles: true, fileTypes: [] });
  assert.deepEqual(JSON.parse(text ?? ""), { fullFileUpload: { status: true } });
});

test("saving makes nothing wider or narrower that was not changed", () => {
  const chat = { allowedOrigins: [7], fullFileUpload: { status: true, allowedUploadFileTypes: "" } };
  const draft = toAgentSettings({ ...agent, chatbotConfig: JSON.stringify(chat) });
  assert.deepEqual(JSON.parse(fromAgentSettings(draft).chatbotConfig ?? ""), { ...chat, allowedOrigins: ["7"] });
  for (const lacking of [
    { limitMax: 5, limitDuration: 60 },
    { limitMax: 5, limitMsg: "Slow." },
    { limitMsg: "Slow." },
  ]) {
    const { isLimited } = toAgentSettings({ ...agent, apiConfig: JSON.stringify({ rateLimit: lacking }) });
    assert.equal(isLimited, false, JSON.stringify(lacking));
  }
});

test("settings of any shape are read, and a limit always says something", () => {
  for (const text of [
    "",
    "[]",
    "7",
    '{"leads":7,"starterPrompts":[null],"allowedOrigins":"x","rateLimit":{"limitMax":{}}}',
  ]) {
    const draft = toAgentSettings({ ...agent, chatbotConfig: text, apiConfig: text });
    assert.deepEqual([draft.isLimited, draft.prompts, draft.origins, draft.leadFields], [false, [], [], []], text);
    const { rateLimit } = JSON.parse(
      fromAgentSettings({ ...draft, isLimited: true, limitMessage: " " }).apiConfig ?? "",
    );
    assert.match(rateLimit.limitMsg, /\w/, text);
  }
});

test("what visitors may have it do is sent once it differs from the default, or was set before", () => {
  const sent = (apiConfig: string, visitorWrites?: AgentSettings["visitorWrites"]) => {
    const draft = toAgentSettings({ ...agent, apiConfig });
    return JSON.parse(fromAgentSettings(visitorWrites ? { ...draft, visitorWrites } : draft).apiConfig ?? "");
  };
  const strict = { write: "ask", destructive: "refuse" } as const;
  assert.deepEqual(sent("{}"), {});
  assert.deepEqual(sent("{}", strict), { visitorWrites: strict });
  assert.deepEqual(sent(JSON.stringify({ visitorWrites: strict })), { visitorWrites: strict });
  const byDefault = { write: "allow", destructive: "ask" } as const;
  assert.deepEqual(sent(JSON.stringify({ visitorWrites: strict }), byDefault), { visitorWrites: byDefault });
});

test("a budget of visitors is sent where it was changed, with what else the budget holds", () => {
  const sent = (apiConfig: string, address: { runs: number; dollars: number }) => {
    const draft = toAgentSettings({ ...agent, apiConfig });
    const { apiConfig: text } = fromAgentSettings({ ...draft, budget: { ...draft.budget, address } });
    return JSON.parse(text ?? "");
  };
  const { address } = toAgentSettings(agent).budget;
  assert.deepEqual(address, { runs: 2_000, dollars: 10 });
  assert.deepEqual(sent("{}", address), {});
  assert.deepEqual(sent("{}", { ...address, runs: 5 }), { budget: { visitors: { address: { runs: 5 } } } });
  const budget = { run: { tokens: 7 }, visitors: { address: { bytes: 1, dollars: 3 }, chat: { runs: 2 } } };
  assert.deepEqual(sent(JSON.stringify({ budget }), { runs: 2_000, dollars: 4 }), {
    budget: { ...budget, visitors: { ...budget.visitors, address: { bytes: 1, dollars: 4 } } },
  });
});

test("days that chats and leads are kept are sent where they are set, and leave with the last of them", () => {
  const sent = (apiConfig: string, retention: AgentSettings["retention"]) =>
    JSON.parse(fromAgentSettings({ ...toAgentSettings({ ...agent, apiConfig }), retention }).apiConfig ?? "");
  const none = { visitorDays: 0, leadDays: 0 };
  assert.deepEqual(toAgentSettings(agent).retention, none);
  assert.deepEqual(sent("{}", { ...none, leadDays: 90 }), { retention: { leadDays: 90 } });
  const stored = JSON.stringify({ retention: { visitorDays: 30 } });
  assert.deepEqual(toAgentSettings({ ...agent, apiConfig: stored }).retention, { visitorDays: 30, leadDays: 0 });
  assert.deepEqual(sent(stored, none), {});
});
