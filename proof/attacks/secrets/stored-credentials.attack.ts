import assert from "node:assert/strict";
import { defineAttack } from "../house/define-attack.ts";

export const attack = defineAttack({
  name: "a key that may read credentials reads their values",
  async run(house) {
    const secret = house.plant();
    const id = await house.credential(secret);
    const holder = await house.keyHolder({ permissions: ["credentials:read", "agents:read", "executions:read"] });
    const one = await holder.send("GET", `/api/v1/credentials/${id}`);
    const all = await holder.send("GET", "/api/v1/credentials");
    assert.equal(one.status, 200);
    assert.match(all.text, new RegExp(id));
    return "The credential was shown by name, without its value.";
  },
});
