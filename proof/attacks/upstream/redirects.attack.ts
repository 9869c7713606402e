import assert from "node:assert/strict";
import { assertRunEnded, callService } from "../house/call-service.ts";
import { defineAttack } from "../house/define-attack.ts";

export const attack = defineAttack({
  name: "a service redirects in a circle",
  async run(house) {
    const call = await callService(house, ({ path }, response) => {
      response.writeHead(302, { location: `${path}x` }).end();
    });
    const { received } = call.service;
    assert.ok(received.length < 20, `${received.length} redirects were followed.`);
    return assertRunEnded(call);
  },
});
