import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { defineAttack } from "../house/define-attack.ts";
import { llmFlow } from "../house/sketches.ts";

export const attack = defineAttack({
  name: "a visitor chooses the id of a lead",
  async run(house) {
    const agent = await house.agent(llmFlow());
    const id = randomUUID();
    const body = { id, chatflowid: agent, chatId: randomUUID(), name: "A", email: "a@example.com", phone: "1" };
    const first = await house.visitor().send("POST", "/api/v1/leads", body);
    const second = await house.visitor().send("POST", "/api/v1/leads", { ...body, name: "B" });
    assert.ok(!first.text.includes(id), "The lead has the visitor's id.");
    return `The server made the ids itself (${first.status}, ${second.status}).`;
  },
});
