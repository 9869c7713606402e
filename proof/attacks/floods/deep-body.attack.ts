import assert from "node:assert/strict";
import { defineAttack } from "../house/define-attack.ts";
import { llmFlow } from "../house/sketches.ts";

export const attack = defineAttack({
  name: "a body nested two million levels deep",
  async run(house) {
    const agent = await house.agent(llmFlow());
    const visitor = house.visitor();
    const depth = 2_000_000;
    const body = `{"question":"Hi","overrideConfig":{"vars":{"a":${"[".repeat(depth)}${"]".repeat(depth)}}}}`;
    const { status, text } = await visitor.send("POST", `/api/v1/prediction/${agent}`, body);
    assert.ok([400, 413, 422].includes(status), `It was answered with ${status}.`);
    assert.ok(text.length < 4_000, `The refusal is ${text.length} characters long.`);
    return `It was refused with ${status}.`;
  },
});
