import assert from "node:assert/strict";
import { defineAttack } from "../house/define-attack.ts";
import { llmFlow } from "../house/sketches.ts";

export const attack = defineAttack({
  name: "a key repeats the Idempotency-Key of another to read its answer",
  async run(house) {
    const agent = await house.agent(llmFlow(), { isPublic: false });
    const [mine, theirs] = [await house.keyHolder(), await house.keyHolder()];
    const headers = { "idempotency-key": "order-4711" };
    const body = { question: "Hi" };
    house.script(() => ({ text: "Your code is 8842." }));
    const first = await mine.send("POST", `/api/v1/prediction/${agent}`, body, { headers });
    assert.match(first.text, /8842/);
    house.script(() => ({ text: "Good day." }));
    const second = await theirs.send("POST", `/api/v1/prediction/${agent}`, body, { headers });
    assert.ok(!second.text.includes("8842"), "The other key got the stored answer.");
    return `The second key's request was answered on its own (${second.status}).`;
  },
});
