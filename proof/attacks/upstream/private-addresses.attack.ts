import assert from "node:assert/strict";
import { defineAttack } from "../house/define-attack.ts";
import { httpFlow } from "../house/sketches.ts";

export const attack = defineAttack({
  name: "a visitor's question names addresses inside the network",
  async run(house) {
    const agent = await house.agent(httpFlow({ url: "{{ question }}" }));
    const port = house.platform.port;
    const visitor = house.visitor();
    const addresses = [
      `http://127.0.0.1:${port}/api/v1/version`,
      `http://localhost:${port}/api/v1/version`,
      `http://2130706433:${port}/api/v1/version`,
      `http://0x7f000001:${port}/api/v1/version`,
      `http://0177.0.0.1:${port}/api/v1/version`,
      `http://[::1]:${port}/api/v1/version`,
      `http://[::ffff:127.0.0.1]:${port}/api/v1/version`,
      `http://[::ffff:7f00:1]:${port}/api/v1/version`,
      `http://127.1:${port}/api/v1/version`,
      `http://0.0.0.0:${port}/api/v1/version`,
      `http://user@127.0.0.1:${port}/api/v1/version`,
      "http://169.254.169.254/latest/meta-data/",
      "http://10.0.0.1/",
      "http://192.168.0.1/",
      "http://[fd00::1]/",
      "file:///etc/passwd",
      "gopher://127.0.0.1:6379/_INFO",
    ];
    for (const question of addresses) {
      const { status, text } = await visitor.send("POST", `/api/v1/prediction/${agent}`, { question });
      assert.ok(status >= 400, `${question} was answered with ${status}.`);
      assert.ok(!/"version"|root:/.test(text), `${question} was read.`);
    }
    const shop = await house.shop();
    assert.equal((await visitor.send("POST", `/api/v1/prediction/${agent}`, { question: shop.url })).status, 200);
    return `${addresses.length} addresses were refused; one that the operator allows was called.`;
  },
});
