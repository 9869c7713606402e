import assert from "node:assert/strict";
import { defineAttack } from "../house/define-attack.ts";
import { httpFlow } from "../house/sketches.ts";

export const attack = defineAttack({
  name: "a visitor's question is the address that a credential is sent to",
  async run(house) {
    const secret = house.plant();
    const trap = await house.trap();
    const credential = await house.credential(secret);
    const bare = await house.agent(httpFlow({ url: "{{ question }}" }));
    const visitor = house.visitor();
    await visitor.send("POST", `/api/v1/prediction/${bare}`, { question: trap.url });
    assert.equal(trap.received.length, 1, "Without a credential the address should have been called.");
    const agent = await house.agent(httpFlow({ url: "{{ question }}", credential }));
    const { status } = await visitor.send("POST", `/api/v1/prediction/${agent}`, { question: trap.url });
    assert.ok(status >= 400, `The run answered ${status} although its credential could not be sent.`);
    assert.equal(trap.received.length, 1, "The request went out without its credential.");
    return `The address was called without a credential only; with one the run ended with ${status}.`;
  },
});
