import assert from "node:assert/strict";
import { defineAttack } from "../house/define-attack.ts";
import { llmFlow } from "../house/sketches.ts";

export const attack = defineAttack({
  name: "a megabyte of names is repeated in an error",
  async run(house) {
    const agent = await house.agent(llmFlow(), {
      apiConfig: JSON.stringify({ overrideConfig: { status: true, nodes: {} } }),
    });
    const visitor = house.visitor();
    const long = "n".repeat(900_000);
    const sent: [string, string, unknown][] = [
      ["POST", `/api/v1/prediction/${agent}`, { question: "Hi", overrideConfig: { [long]: 1 } }],
      ["POST", `/api/v1/prediction/${agent}`, { question: "Hi", chatId: long }],
      ["POST", `/api/v1/prediction/${agent}`, { question: "Hi", overrideConfig: { sessionId: long } }],
      ["POST", "/api/v1/leads", { chatflowid: long, chatId: long, name: "A" }],
      ["POST", "/api/v1/feedback", { chatflowid: long, chatId: long, messageId: long, rating: long }],
      ["POST", "/api/v1/auth/login", { email: `${long}@example.com`, password: "x" }],
    ];
    for (const [method, path, body] of sent) {
      const { text } = await visitor.send(method, path, body);
      assert.ok(text.length < 20_000, `${path} answered ${text.length} characters.`);
    }
    return `${sent.length} requests with names of 900,000 characters had short answers.`;
  },
});
