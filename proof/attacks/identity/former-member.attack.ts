import assert from "node:assert/strict";
import { defineAttack } from "../house/define-attack.ts";
import { joinTeam } from "../house/join-team.ts";

export const attack = defineAttack({
  name: "someone who was removed goes on with a session, a key and a link made before",
  async run(house) {
    const former = await joinTeam(house, "admin");
    const body = { keyName: "left behind", permissions: ["*"] };
    const { apiKey } = (await former.caller.send("POST", "/api/v1/apikey", body)).json<{ apiKey: string }>();
    const invitation = { email: "back-door@example.com", role: "admin" };
    const { token } = (await former.caller.send("POST", "/api/v1/invitations", invitation)).json<{ token: string }>();
    const key = house.visitor({ authorization: `Bearer ${apiKey}` });
    assert.equal((await key.send("GET", "/api/v1/chatflows")).status, 200, "The key did not work before.");

    await former.remove();
    assert.equal((await former.caller.send("GET", "/api/v1/accounts")).status, 401, "The session goes on.");
    assert.equal((await key.send("GET", "/api/v1/chatflows")).status, 401, "The key still works.");
    const use = { token, password: "a good long password" };
    const { status } = await house.visitor().send("POST", "/api/v1/invitations/accept", use);
    assert.equal(status, 404, "The link still lets someone in.");
    return "Session, key and link ended with the account.";
  },
});
