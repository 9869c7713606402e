import assert from "node:assert/strict";
import { defineAttack } from "../house/define-attack.ts";

export const attack = defineAttack({
  name: "a key that may save agents sends 45 MB of nodes and of keys",
  async run(house) {
    const holder = await house.keyHolder({ permissions: ["agents:write", "tools:write", "variables:write"] });
    const keys = `{${Array.from({ length: 2_000_000 }, (_, index) => `"k${index}":1`).join()}}`;
    const first = await holder.send("POST", "/api/v1/chatflows", `{"name":"Big","flowData":"{}","extra":${keys}}`);
    const second = await holder.send("POST", "/api/v1/variables", `{"name":"big","value":"x","extra":${keys}}`);
    const flow = JSON.stringify({
      nodes: Array.from({ length: 900_000 }, (_, index) => ({ id: `${index}`, type: "llm" })),
    });
    const third = await holder.send("POST", "/api/v1/chatflows", { name: "Flow", flowData: flow });
    assert.equal(third.status, 422, third.text.slice(0, 200));
    for (const { text } of [first, second]) assert.ok(text.length < 10_000, `An answer has ${text.length} characters.`);
    return `Two bodies of ${(keys.length / 1e6).toFixed(0)} MB were answered with ${first.status} and ${second.status}.`;
  },
});
