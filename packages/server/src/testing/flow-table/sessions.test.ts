import assert from "node:assert/strict";
import { it } from "node:test";
import type { ChatMessage, PredictionResult } from "@weft/schema";
import { onTestDatabase } from "../../../../database/src/testing/test-databases.ts";
import { agentWith, openTestPlatform } from "../test-platform.ts";
import { code, say, toFlowData } from "./flow-case.ts";

const count = 100;

await onTestDatabase((databases) => {
  it("a hundred messages to one session at once keep their order and lose no state", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const flowData = toFlowData({
      start: { state: { n: 0 }, persistState: true },
      nodes: {
        add: code("return Number($flow.state.n) + 1", { n: "{{ output.data }}" }),
        end: say("{{ question }} is number {{ $flow.state.n }}"),
      },
      edges: "start>add add>end",
    });
    const agentId = await agentWith(platform, flowData);
    const questions = Array.from({ length: count }, (_, index) => `Message ${index + 1}`);
    const ask = (question: string) =>
      platform.json<PredictionResult>("POST", `/prediction/${agentId}`, { question, chatId: "chat" });
    await Promise.all(questions.map(ask));
    const messages = await platform.json<ChatMessage[]>("GET", `/chatmessage/${agentId}?chatId=chat`);
    const asked = messages.filter(({ role }) => role === "userMessage").map(({ content }) => content);
    assert.deepEqual(asked.toSorted(), questions.toSorted());
    assert.deepEqual(
      messages.map(({ content }) => content),
      asked.flatMap((question, index) => [question, `${question} is number ${index + 1}`]),
    );
  });
});
