import assert from "node:assert/strict";
import { defineAttack } from "../house/define-attack.ts";
import { llmFlow } from "../house/sketches.ts";

export const attack = defineAttack({
  name: "a million keys in overrideConfig",
  async run(house) {
    const agent = await house.agent(llmFlow());
    const visitor = house.visitor();
    const body = `{"question":"Hi","overrideConfig":{${Array.from({ length: 1_000_000 }, (_, index) => `"k${index}":1`).join()}}}`;
    const { status, text } = await visitor.send("POST", `/api/v1/prediction/${agent}`, body);
    assert.ok(status === 422 || status === 413, `It was answered with ${status}.`);
    assert.ok(text.length < 4_000, `The refusal is ${text.length} characters long.`);
    assert.equal(house.asked().length, 0, "The model was asked.");
    return `${(body.length / 1e6).toFixed(1)} MB were refused with ${status}: ${visitor.address} was told why.`;
  },
});
