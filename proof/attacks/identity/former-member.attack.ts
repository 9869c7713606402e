import assert from "node:assert/strict";
import type { Caller } from "../house/caller.ts";
import { defineAttack } from "../house/define-attack.ts";
import { assertQuick, holdAnswers, pause, timed } from "../house/hold-answers.ts";
import { joinTeam } from "../house/join-team.ts";
import { httpFlow } from "../house/sketches.ts";

export const attack = defineAttack({
  name: "someone who was removed goes on with a session, a key, a link and streams from before",
  async run(house) {
    const former = await joinTeam(house, "admin");
    const body = { keyName: "left behind", permissions: ["*"] };
    const { apiKey } = (await former.caller.send("POST", "/api/v1/apikey", body)).json<{ apiKey: string }>();
    const invitation = { email: "back-door@example.com", role: "admin" };
    const { token } = (await former.caller.send("POST", "/api/v1/invitations", invitation)).json<{ token: string }>();
    const key = house.visitor({ authorization: `Bearer ${apiKey}` });
    assert.equal((await key.send("GET", "/api/v1/chatflows")).status, 200, "The key did not work before.");

    const holding = holdAnswers();
    const slow = await house.shop(holding.reply);
    const agent = await house.agent(httpFlow({ url: slow.url }));
    const read = async (caller: Caller) => {
      const question = { question: "Go", streaming: true };
      const { end } = await caller.open("POST", `/api/v1/prediction/${agent}`, question);
      return end.then(
        () => "ended",
        () => "broken off",
      );
    };
    const streams = [read(former.caller), read(key)];
    while (holding.count() < 2) await pause(10);

    await former.remove();
    const { value, tookMs } = await timed(() => Promise.all(streams));
    holding.letGo();
    assert.deepEqual(value, ["broken off", "broken off"]);
    assertQuick(tookMs, 1_000);
    assert.equal((await former.caller.send("GET", "/api/v1/accounts")).status, 401, "The session goes on.");
    assert.equal((await key.send("GET", "/api/v1/chatflows")).status, 401, "The key still works.");
    const use = { token, password: "a good long password" };
    const { status } = await house.visitor().send("POST", "/api/v1/invitations/accept", use);
    assert.equal(status, 404, "The link still lets someone in.");
    return `Session, key and link ended with the account, and two open streams after ${tookMs.toFixed(0)} ms.`;
  },
});
