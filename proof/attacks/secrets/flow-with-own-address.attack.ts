import assert from "node:assert/strict";
import { defineAttack } from "../house/define-attack.ts";
import { llmFlow } from "../house/sketches.ts";

export const attack = defineAttack({
  name: "an editor's flow names an own model address and receives the operator's key",
  env: { OPENAI_API_KEY: "operator-key-22d1bb7c90" },
  async run(house) {
    const trap = await house.trap();
    const providers = ["openai", "openai-compatible", "anthropic", "google"];
    for (const provider of providers) {
      const model = { provider, model: "any", baseUrl: `${trap.url}/v1` };
      const agent = await house.agent(llmFlow({ model }));
      await house.visitor().send("POST", `/api/v1/prediction/${agent}`, { question: "Hello" });
    }
    const seen = trap.hasSeen("operator-key-22d1bb7c90");
    assert.ok(!seen, "The operator's key reached another host.");
    return `${providers.length} flows named the attacker's address; it got ${trap.received.length} requests, none with the key.`;
  },
});
