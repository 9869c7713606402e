import assert from "node:assert/strict";
import { defineAttack } from "../house/define-attack.ts";
import { httpFlow } from "../house/sketches.ts";

export const attack = defineAttack({
  name: "a called service redirects into the network",
  async run(house) {
    const { port } = house.platform;
    const shop = await house.shop((_, response) => {
      response.writeHead(302, { location: `http://127.0.0.1:${port}/api/v1/version` }).end();
    });
    const agent = await house.agent(httpFlow({ url: shop.url }));
    const { status, text } = await house.visitor().send("POST", `/api/v1/prediction/${agent}`, { question: "Hi" });
    assert.equal(shop.received.length, 1);
    assert.ok(status >= 400 && !text.includes('"version"'), text);
    return `The redirect was followed nowhere (${status}).`;
  },
});
