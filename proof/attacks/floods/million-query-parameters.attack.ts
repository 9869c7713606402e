import assert from "node:assert/strict";
import { defineAttack } from "../house/define-attack.ts";
import { llmFlow } from "../house/sketches.ts";

export const attack = defineAttack({
  name: "addresses and headers of megabytes",
  async run(house) {
    const agent = await house.agent(llmFlow());
    const visitor = house.visitor();
    const long = await visitor
      .send("GET", `/api/v1/public-chatbotConfig/${agent}?${"a=1&".repeat(500_000)}`)
      .catch(() => null);
    const wide = await visitor
      .send("GET", "/api/v1/ping", undefined, { headers: { "x-long": "y".repeat(2_000_000) } })
      .catch(() => null);
    for (const answer of [long, wide])
      assert.ok(answer === null || answer.status >= 400, `Answered ${answer?.status}.`);
    assert.equal((await visitor.send("GET", "/api/v1/ping")).status, 200);
    return `Refused with ${long?.status ?? "a closed connection"} and ${wide?.status ?? "a closed connection"}.`;
  },
});
