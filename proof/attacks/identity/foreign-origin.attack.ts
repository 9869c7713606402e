import assert from "node:assert/strict";
import { defineAttack } from "../house/define-attack.ts";
import { llmFlow } from "../house/sketches.ts";

export const attack = defineAttack({
  name: "a page of another site uses an agent that is kept to its own",
  async run(house) {
    const agent = await house.agent(llmFlow(), {
      chatbotConfig: JSON.stringify({ allowedOrigins: ["https://shop.example"] }),
    });
    const visitor = house.visitor();
    const path = `/api/v1/prediction/${agent}`;
    const ask = (origin: string) => visitor.send("POST", path, { question: "Hi" }, { headers: { origin } });
    assert.equal((await ask("https://shop.example")).status, 200);
    for (const origin of [
      "https://evil.example",
      "https://shop.example.evil.example",
      "https://shop.example:8443",
      "null",
      "https://shop.example@evil.example",
    ]) {
      const { status, headers } = await ask(origin);
      assert.equal(status, 403, origin);
      assert.notEqual(headers["access-control-allow-origin"], "*");
    }
    return "The agent's own site was answered, five others with 403.";
  },
});
