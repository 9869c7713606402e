import assert from "node:assert/strict";
import { defineAttack } from "../house/define-attack.ts";
import { httpFlow, llmFlow } from "../house/sketches.ts";

export const attack = defineAttack({
  name: "a flow uses the operator's model server as any other address",
  async run(house) {
    const agent = await house.agent(httpFlow({ url: "{{ question }}" }));
    const question = `${house.modelUrl.replace(/\/v1$/, "")}/admin/reset`;
    const { status } = await house.visitor().send("POST", `/api/v1/prediction/${agent}`, { question });
    assert.ok(status >= 400, `The model server was called: ${status}.`);
    const talk = await house.agent(llmFlow());
    assert.equal((await house.visitor().send("POST", `/api/v1/prediction/${talk}`, { question: "Hi" })).status, 200);
    return "The model server answers model calls, and an HTTP step does not reach it.";
  },
});
