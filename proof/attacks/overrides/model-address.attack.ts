import assert from "node:assert/strict";
import { defineAttack } from "../house/define-attack.ts";
import { llmFlow } from "../house/sketches.ts";

export const attack = defineAttack({
  name: "a visitor overrides the address of the model and receives the operator's key",
  async run(house) {
    const trap = await house.trap();
    const agent = await house.agent(llmFlow());
    const visitor = house.visitor();
    const path = `/api/v1/prediction/${agent}`;
    for (const overrideConfig of [
      { baseUrl: trap.url },
      { model: { baseUrl: trap.url } },
      { llm: { model: { provider: "openai-compatible", baseUrl: trap.url } } },
      { openAIApiKey: "x", basepath: trap.url, basePath: trap.url },
    ]) {
      await visitor.send("POST", path, { question: "Hello", overrideConfig });
    }
    assert.ok(house.asked().length > 0, "The model was never asked.");
    assert.equal(trap.received.length, 0, "The attacker's host was called.");
    return `The operator's model was asked ${house.asked().length} times, the attacker's host never.`;
  },
});
