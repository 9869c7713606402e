import assert from "node:assert/strict";
import { defineAttack } from "../house/define-attack.ts";
import { httpFlow } from "../house/sketches.ts";

export const attack = defineAttack({
  name: "a called service repeats the credential in its error",
  async run(house) {
    const secret = house.plant();
    const shop = await house.shop(({ headers }, response) => {
      response.writeHead(500, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: `No such customer: ${headers.authorization}` }));
    });
    const credential = await house.credential(secret);
    const agent = await house.agent(httpFlow({ url: `${shop.url}/orders`, credential }));
    const visitor = house.visitor();
    const body = { question: "Orders?" };
    await visitor.send("POST", `/api/v1/prediction/${agent}`, body);
    await visitor.send("POST", `/api/v1/prediction/${agent}`, { ...body, streaming: true });
    assert.ok(shop.hasSeen(secret), "The shop never got the credential, so the attack proves nothing.");
    const traces = JSON.stringify(await house.owner("GET", "/executions"));
    assert.ok(!traces.includes(secret), "The credential stands in a trace.");
    return "The shop's error held the credential; neither the answers, the traces nor the log do.";
  },
});
