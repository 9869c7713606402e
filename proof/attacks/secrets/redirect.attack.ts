import assert from "node:assert/strict";
import { defineAttack } from "../house/define-attack.ts";
import { httpFlow } from "../house/sketches.ts";

export const attack = defineAttack({
  name: "a called service redirects to the attacker, who waits for the credential",
  async run(house) {
    const secret = house.plant();
    const trap = await house.trap();
    const shop = await house.shop((_, response) => {
      response.writeHead(307, { location: `${trap.url}/orders` }).end();
    });
    const credential = await house.credential(secret);
    const agent = await house.agent(httpFlow({ url: `${shop.url}/orders`, credential }));
    await house.visitor().send("POST", `/api/v1/prediction/${agent}`, { question: "Orders?" });
    assert.ok(shop.hasSeen(secret), "The shop never got the credential, so the attack proves nothing.");
    return `The shop got the credential; the attacker's host got ${trap.received.length} requests without it.`;
  },
});
