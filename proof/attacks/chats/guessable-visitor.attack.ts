import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { defineAttack } from "../house/define-attack.ts";
import { llmFlow } from "../house/sketches.ts";

export const attack = defineAttack({
  name: "a visitor guesses the chat of another visitor",
  async run(house) {
    const agent = await house.agent(llmFlow());
    const visitor = house.visitor();
    for (const body of [
      { question: "Hi", chatId: "1" },
      { question: "Hi", chatId: "customer-1" },
      { question: "Hi", overrideConfig: { sessionId: "+49 731 555 0142" } },
    ]) {
      const { status } = await visitor.send("POST", `/api/v1/prediction/${agent}`, body);
      assert.equal(status, 422, JSON.stringify(body));
    }
    const { status } = await visitor.send("POST", `/api/v1/prediction/${agent}`, {
      question: "Hi",
      chatId: randomUUID(),
    });
    assert.equal(status, 200);
    return "Three guessable ids were refused, a uuid was taken.";
  },
});
