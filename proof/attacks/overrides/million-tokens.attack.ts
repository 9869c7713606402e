import assert from "node:assert/strict";
import { defineAttack } from "../house/define-attack.ts";
import { llmFlow } from "../house/sketches.ts";

export const attack = defineAttack({
  name: "a visitor raises maxTokens to a million",
  async run(house) {
    const agent = await house.agent(llmFlow({ model: { maxTokens: 200 } }));
    const path = `/api/v1/prediction/${agent}`;
    await house.visitor().send("POST", path, { question: "Go on for ever", overrideConfig: { maxTokens: 1_000_000 } });
    const [asked] = house.asked();
    assert.ok(asked, "The model was never asked.");
    const limit = Number(asked.max_tokens ?? asked.max_completion_tokens);
    assert.ok(limit <= 200, `The model was asked for ${limit} tokens.`);
    return `The model was asked for ${limit} tokens, the owner's limit.`;
  },
});
