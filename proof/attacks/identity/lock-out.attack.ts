import assert from "node:assert/strict";
import { defineAttack } from "../house/define-attack.ts";

export const attack = defineAttack({
  name: "wrong passwords from elsewhere lock the owner out",
  env: { ADMIN_EMAIL: "owner@example.com", ADMIN_PASSWORD: "correct horse battery" },
  async run(house) {
    const owner = house.visitor();
    const right = { email: "owner@example.com", password: "correct horse battery" };
    const before = await owner.send("POST", "/api/v1/auth/login", right);
    assert.equal(before.status, 200, before.text);
    let refused = 0;
    for (let round = 0; round < 12; round += 1) {
      const body = { email: "owner@example.com", password: `wrong ${round}` };
      const { status } = await house.visitor().send("POST", "/api/v1/auth/login", body);
      if (status >= 400) refused += 1;
    }
    const after = await owner.send("POST", "/api/v1/auth/login", right);
    assert.equal(after.status, 200, `The owner was answered with ${after.status}.`);
    return `${refused} wrong passwords from twelve addresses were refused; the owner logged in.`;
  },
});
