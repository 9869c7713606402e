import assert from "node:assert/strict";
import { describe, it, test } from "node:test";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { openTestPlatform, type TestPlatform } from "../testing/test-platform.ts";
import { isSigned, toSignatureHeader } from "./standard-webhooks.ts";
import { signatureOf, signed, webhookAgent } from "./testing/webhook-agent.ts";

// biome-ignore lint/suspicious/noExplicitAny: a test asserts on what came over the wire, which has no type
const jsonOf = async (response: Response): Promise<any> => response.json();
const body = '{"n":1}';

async function runsOf(platform: TestPlatform, agentId: string): Promise<number> {
  const { total } = await platform.json<{ total: number }>("GET", `/executions?page=1&limit=1&agentflowId=${agentId}`);
  return total;
}

describe("signatures of Standard Webhooks", () => {
  const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  const message = { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: 1_614_265_330, body: '{"test": 2432232314}' };

  it("are those of the specification's example", () => {
    assert.equal(toSignatureHeader([secret], message), "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
  });

  it("are right by any of the secrets, and by nothing else in the header", () => {
    const other = `whsec_${Buffer.alloc(24, 1).toString("base64")}`;
    const right = toSignatureHeader([secret], message);
    assert.ok(isSigned(`v1a,AAAA v1,AAAA ${right}`, [other, secret], message));
    for (const header of ["", "v1,", "v1", right.slice(3), `v2${right.slice(2)}`, right.replace("g0", "g1")]) {
      assert.ok(!isSigned(header, [secret, other], message), header);
    }
    assert.ok(!isSigned(right, [other], message));
    assert.ok(!isSigned(right, [secret], { ...message, timestamp: message.timestamp + 1 }));
    assert.ok(!isSigned(right, [], message));
  });

  it("are not made with a secret that anybody could guess", () => {
    assert.throws(() => toSignatureHeader(["whsec_"], message), /base64 of at least 16 bytes/);
  });
});

await onTestDatabase((databases) => {
  test("a captured request never runs again; its sender's repetition has the same answer", async (t) => {
    const platform = await openTestPlatform(t, databases);
    for (const response of ["sync", "async"] as const) {
      const agent = await webhookAgent(platform, { response }, "ran");
      const secret = await agent.makeSecret();
      const captured = signed(secret, body, { id: "msg_1" });
      const first = await jsonOf(await agent.send({ headers: captured, body }));
      const attempts = [
        captured,
        { ...captured, "idempotency-key": "another" },
        { ...captured, "x-github-delivery": "another" },
        {
          "svix-id": "msg_1",
          "svix-timestamp": captured["webhook-timestamp"],
          "svix-signature": captured["webhook-signature"],
        },
        signed(secret, body, { id: "msg_1", at: Date.now() + 60_000 }),
      ];
      for (const headers of attempts) {
        const again = await agent.send({ headers, body });
        const { executionId } = await jsonOf(again);
        assert.deepEqual([again.status, executionId], [response === "sync" ? 200 : 202, first.executionId]);
      }
      const changed = await agent.send({ headers: captured, body, query: "?a=1" });
      assert.deepEqual([changed.status, (await jsonOf(changed)).code], [409, "idempotency-key-reused"]);
      const other = await agent.send({ headers: signed(secret, '{"n":2}', { id: "msg_1" }), body: '{"n":2}' });
      assert.equal(other.status, 409);
      assert.equal(await runsOf(platform, agent.id), 1);
      const next = await jsonOf(await agent.send({ headers: signed(secret, body), body }));
      assert.notEqual(next.executionId, first.executionId);
    }
  });

  test("a captured answer of a person answers no later question", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const agent = await webhookAgent(platform, {}, "");
    const secret = await agent.makeSecret();
    const nodes = [
      { id: "start_0", type: "start", config: { input: "webhook" } },
      { id: "ask_0", type: "human-input", config: { question: "Send it?" } },
      { id: "ask_1", type: "human-input", config: { question: "Really?" } },
      { id: "reply_0", type: "direct-reply", config: { message: "sent" } },
    ];
    const edges = [
      { id: "a", source: "start_0", target: "ask_0" },
      { id: "b", source: "ask_0", sourcePort: "proceed", target: "ask_1" },
      { id: "c", source: "ask_1", sourcePort: "proceed", target: "reply_0" },
    ];
    await platform.json("PUT", `/chatflows/${agent.id}`, { flowData: JSON.stringify({ weft: 1, nodes, edges }) });
    const send = (text: string) => {
      const headers = signed(secret, text);
      return { headers, answer: agent.send({ headers, body: text }) };
    };
    const asked = await jsonOf(await send("{}").answer);
    assert.equal(asked.text, "Send it?");
    const proceed = JSON.stringify({ chatId: asked.chatId, humanInput: { type: "proceed" } });
    const yes = send(proceed);
    const second = await jsonOf(await yes.answer);
    assert.equal(second.text, "Really?");
    const replayed = await agent.send({ headers: yes.headers, body: proceed });
    assert.deepEqual([replayed.status, (await jsonOf(replayed)).text], [200, "Really?"]);
    assert.equal((await jsonOf(await send(proceed).answer)).text, "sent");
  });

  test("what is old, unsigned or ambiguous is refused with words, and runs nothing", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const agent = await webhookAgent(platform, {}, "ran");
    const secret = await agent.makeSecret();
    const good = signed(secret, body);
    const { "webhook-id": _id, ...withoutId } = good;
    const { "webhook-timestamp": _timestamp, ...withoutTimestamp } = good;
    const cases: [Record<string, string>, RegExp][] = [
      [signed(secret, body, { at: Date.now() - 310_000 }), /off by \d+ seconds; at most 300 are allowed/],
      [signed(secret, body, { at: Date.now() + 310_000 }), /off by \d+ seconds; at most 300 are allowed/],
      [signed(`whsec_${Buffer.alloc(32).toString("base64")}`, body), /signature in the header webhook-signature/],
      [{ ...good, "webhook-id": "msg_other" }, /signature in the header/],
      [withoutId, /webhook-id is missing/],
      [withoutTimestamp, /webhook-timestamp is missing/],
      [{ ...good, "webhook-timestamp": `${good["webhook-timestamp"]}.5` }, /whole seconds/],
      [signed(secret, body, { id: "a.b" }), /without a full stop/],
      [{}, /webhook-id, webhook-timestamp and webhook-signature are missing/],
      [{ "x-webhook-signature": signatureOf(secret, body) }, /no longer accepts/],
    ];
    for (const [headers, reason] of cases) {
      const refused = await agent.send({ headers, body });
      const { code, message } = await jsonOf(refused);
      assert.deepEqual([refused.status, code], [401, "webhook-unauthenticated"]);
      assert.match(message, reason);
    }
    const altered = await agent.send({ headers: good, body: '{"n":2}' });
    assert.equal(altered.status, 401);
    assert.equal(await runsOf(platform, agent.id), 0);
    assert.equal((await agent.send({ headers: good, body })).status, 200);
  });

  test("while a secret is changed both are good, in requests with one signature or several", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const agent = await webhookAgent(platform, {}, "ran");
    const before = await agent.makeSecret();
    const now = await agent.makeSecret({ previousValidSeconds: 3_600 });
    const status = async (headers: Record<string, string>) => (await agent.send({ headers, body })).status;
    assert.equal(await status(signed(before, body)), 200);
    assert.equal(await status(signed(now, body)), 200);
    const next = await agent.makeSecret({ previousValidSeconds: 3_600 });
    assert.equal(await status(signed(before, body)), 401);
    assert.equal(await status(signed(next, body, { secrets: [before, next] })), 200);
    const last = await agent.makeSecret();
    assert.equal(await status(signed(next, body)), 401);
    assert.equal(await status(signed(last, body)), 200);
    assert.equal(
      (await platform.send("POST", `/chatflows/${agent.id}/webhook-secret`, { previousValidSeconds: -1 })).status,
      400,
    );
  });

  test("a webhook whose settings say so takes the older signature, too", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const auth = { type: "standard-webhooks", acceptsOlderSignature: true };
    const agent = await webhookAgent(platform, { auth }, "ran");
    const secret = await agent.makeSecret();
    const olderSignature = { "x-webhook-signature": `sha256=${signatureOf(secret, body)}` };
    const status = async (headers: Record<string, string>) => (await agent.send({ headers, body })).status;
    assert.equal(await status(olderSignature), 200);
    assert.equal(await status(signed(secret, body)), 200);
    assert.equal(await status({ ...olderSignature, ...signed(secret, "other") }), 401);
    assert.equal(await status({}), 401);
  });
});
