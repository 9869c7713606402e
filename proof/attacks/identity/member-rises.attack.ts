import assert from "node:assert/strict";
import { defineAttack } from "../house/define-attack.ts";
import { joinTeam } from "../house/join-team.ts";
import { llmFlow } from "../house/sketches.ts";

export const attack = defineAttack({
  name: "members give themselves rights, or take over an account that has more",
  async run(house) {
    const owner = await joinTeam(house, "owner");
    const others = await Promise.all(
      (["editor", "operator", "analyst", "viewer"] as const).map((role) => joinTeam(house, role)),
    );
    const admin = await joinTeam(house, "admin");
    const rise = { role: "owner" };
    const invitation = { email: "accomplice@example.com", role: "owner" };
    let tried = 0;
    for (const { id, caller } of [...others, admin]) {
      const ways: [method: string, path: string, body?: object][] = [
        ["PUT", `/accounts/${id}`, rise],
        ["PUT", `/accounts/${owner.id}`, { role: "viewer" }],
        ["DELETE", `/accounts/${owner.id}?keys=keep`],
        ["POST", `/accounts/${owner.id}/password-reset`],
        ["POST", `/accounts/${owner.id}/sign-out`],
        ["POST", "/invitations", invitation],
      ];
      for (const [method, path, body] of ways) {
        const { status } = await caller.send(method, `/api/v1${path}`, body);
        assert.equal(status, 403, `${method} ${path} answered ${status}.`);
        tried += 1;
      }
    }
    for (const { caller } of others) {
      const ways: [method: string, path: string, body?: object][] = [
        ["GET", "/accounts"],
        ["POST", "/apikey", { keyName: "mine", permissions: ["*"] }],
        ["PUT", "/public-access", { isAllowed: true }],
        ["GET", "/export"],
        ["POST", "/privacy/export", { email: "ada@example.com" }],
      ];
      for (const [method, path, body] of ways) {
        const { status } = await caller.send(method, `/api/v1${path}`, body);
        assert.equal(status, 403, `${method} ${path} answered ${status}.`);
        tried += 1;
      }
    }
    // What a viewer sends is not saved, and what others said is not shown.
    const agent = await house.agent(llmFlow(), { isPublic: false });
    const word = house.plant();
    await house.owner("POST", `/prediction/${agent}`, { question: word });
    const [, , , viewer] = others;
    assert.equal((await viewer?.caller.send("PUT", `/api/v1/chatflows/${agent}`, { name: "Mine" }))?.status, 403);
    assert.equal((await viewer?.caller.send("GET", `/api/v1/chatmessage/${agent}`))?.text, "[]");
    return `${tried} requests of five members were refused.`;
  },
});
