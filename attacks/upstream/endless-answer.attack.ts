import assert from "node:assert/strict";
import { defineAttack } from "../house/define-attack.ts";
import { assertQuick, timed } from "../house/hold-answers.ts";
import { callsOnce, orderTool } from "../house/sketches.ts";

export const attack = defineAttack({
  name: "a service answers without end",
  async run(house) {
    const timers: NodeJS.Timeout[] = [];
    const bad = await house.shop((_, response) => {
      response.writeHead(200, { "content-type": "text/plain" });
      timers.push(setInterval(() => response.write("x".repeat(100_000)), 5));
    });
    const agent = await house.agent(orderTool(`${bad.url}/orders`, { timeoutMs: 2_000 }));
    house.script(callsOnce("get_order", { id: "1" }));
    const { value, tookMs } = await timed(() =>
      house.visitor().send("POST", `/api/v1/prediction/${agent}`, { question: "Order 1?" }),
    );
    for (const timer of timers) clearInterval(timer);
    assert.ok(bad.received.length > 0, "The service was never called.");
    assertQuick(tookMs, 15_000);
    assert.ok(value.text.length < 300_000, `The answer has ${value.text.length} characters.`);
    return `The run ended with ${value.status} after ${tookMs.toFixed(0)} ms.`;
  },
});
