import assert from "node:assert/strict";
import { defineAttack } from "../house/define-attack.ts";

export const attack = defineAttack({
  name: "one address guesses passwords",
  env: { ADMIN_EMAIL: "owner@example.com", ADMIN_PASSWORD: "correct horse battery" },
  async run(house) {
    const guesser = house.visitor();
    const statuses: number[] = [];
    for (let round = 0; round < 12; round += 1) {
      const body = { email: "owner@example.com", password: `guess ${round}` };
      statuses.push((await guesser.send("POST", "/api/v1/auth/login", body)).status);
    }
    assert.ok(statuses.filter((status) => status === 401).length <= 6, `Answered ${statuses.join(", ")}.`);
    assert.equal(statuses.at(-1), 429);
    const right = { email: "owner@example.com", password: "correct horse battery" };
    assert.equal((await guesser.send("POST", "/api/v1/auth/login", right)).status, 429);
    return `After ${statuses.indexOf(429)} guesses the address had to wait, with the right password as well.`;
  },
});
