import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { defineAttack } from "../house/define-attack.ts";
import { assertQuick, timed } from "../house/hold-answers.ts";
import { callsOnce, orderTool } from "../house/sketches.ts";

export const attack = defineAttack({
  name: "a service answers with 300 MB in 300 kB",
  async run(house) {
    const once = gzipSync(Buffer.alloc(300_000_000));
    const bad = await house.shop((_, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end(once);
    });
    const before = house.platform.residentMb();
    const agent = await house.agent(orderTool(`${bad.url}/orders`, { timeoutMs: 2_000 }));
    house.script(callsOnce("get_order", { id: "1" }));
    const { value, tookMs } = await timed(() =>
      house.visitor().send("POST", `/api/v1/prediction/${agent}`, { question: "Order 1?" }),
    );
    const grown = house.platform.residentMb() - before;
    assert.ok(grown < 300, `The server grew by ${grown.toFixed(0)} MB.`);
    assert.ok(bad.received.length > 0, "The service was never called.");
    assertQuick(tookMs, 15_000);
    assert.ok(value.text.length < 300_000, `The answer has ${value.text.length} characters.`);
    return `The run ended with ${value.status} after ${tookMs.toFixed(0)} ms.`;
  },
});
