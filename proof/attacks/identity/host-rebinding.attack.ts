import assert from "node:assert/strict";
import { defineAttack } from "../house/define-attack.ts";
import { llmFlow } from "../house/sketches.ts";

export const attack = defineAttack({
  name: "a page of the attacker's reaches the server under the attacker's host name",
  async run(house) {
    const agent = await house.agent(llmFlow());
    const visitor = house.visitor();
    const port = house.platform.port;
    const headers = { host: `evil.example:${port}` };
    const rebound = await visitor.send("POST", `/api/v1/prediction/${agent}`, { question: "Hi" }, { headers });
    const own = await visitor.send(
      "POST",
      `/api/v1/prediction/${agent}`,
      { question: "Hi" },
      {
        headers: { host: `localhost:${port}` },
      },
    );
    assert.equal(own.status, 200, own.text);
    assert.equal(rebound.status, 421, rebound.text);
    return "localhost was answered, the foreign host name with 421.";
  },
});
