import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import type { WebhookSecretState } from "@weft/schema";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { openTestPlatform } from "../testing/test-platform.ts";
import { startReceiver } from "./testing/receiver.ts";
import { older, open, type Sent, signatureOf, signed, webhookAgent } from "./testing/webhook-agent.ts";

// biome-ignore lint/suspicious/noExplicitAny: a test asserts on what came over the wire, which has no type
const jsonOf = async (response: Response): Promise<any> => response.json();
const unknownId = "00000000-0000-4000-8000-000000000000";

await onTestDatabase((databases) => {
  test("a signed request runs the flow with what it brings, and secrets are not kept", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const message =
      "{{ $webhook.body.city }} {{ $webhook.query.unit }} {{ $webhook.headers.x-from }} {{ $webhook.method }} {{ question }}";
    const agent = await webhookAgent(platform, { question: "Weather in {{ $webhook.body.city }}?" }, message);
    const secret = await agent.makeSecret();
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    const body = '{"city": "Ulm"}';
    const proof = signed(secret, body);
    const headers = { "x-from": "test", ...proof, cookie: "a=1" };
    const response = await agent.send({ query: "?unit=C", headers, body });
    const answer = await jsonOf(response);
    assert.equal(response.status, 200, JSON.stringify(answer));
    assert.equal(answer.text, "Ulm C test POST Weather in Ulm?");
    const execution = await platform.json<object>("GET", `/executions/${answer.executionId}`);
    const journal = JSON.stringify(execution);
    assert.ok(!journal.includes(proof["webhook-signature"]) && !journal.includes("a=1"));
    const messages = await platform.json<{ role: string; content: string; chatType: string }[]>(
      "GET",
      `/chatmessage/${agent.id}`,
    );
    assert.deepEqual(
      messages.map(({ role, content, chatType }) => [role, content, chatType]),
      [
        ["userMessage", "Weather in Ulm?", "EXTERNAL"],
        ["apiMessage", answer.text, "EXTERNAL"],
      ],
    );
  });

  test("whoever does not prove to be the sender is refused, whatever is wrong", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const agent = await webhookAgent(platform, older, "ran");
    const body = '{"a":1}';
    const without = await agent.send({ body });
    assert.deepEqual([without.status, (await jsonOf(without)).code], [500, "flow-invalid"]);
    const secret = await agent.makeSecret();
    const good = signatureOf(secret, body);
    const wrong: Record<string, string>[] = [
      {},
      { "x-webhook-signature": "" },
      { "x-webhook-signature": signatureOf("other", body) },
      { "x-webhook-signature": signatureOf(secret, `${body} `) },
      { "x-webhook-signature": good.slice(0, -1) },
      { "x-webhook-signature": `${good}00` },
      { "x-webhook-signature": secret },
      { authorization: `Bearer ${platform.token}` },
      { "idempotency-key": "a", "x-webhook-signature": "sha256=" },
    ];
    for (const headers of wrong) {
      const response = await agent.send({ headers, body });
      assert.deepEqual([response.status, (await jsonOf(response)).code], [401, "webhook-unauthenticated"]);
    }
    const upper = await agent.send({ headers: { "x-webhook-signature": `SHA256=${good.toUpperCase()}` }, body });
    assert.equal(upper.status, 200);
    const again = await agent.makeSecret();
    assert.equal((await agent.send({ headers: { "x-webhook-signature": good }, body })).status, 401);
    assert.equal(
      (await agent.send({ headers: { "x-webhook-signature": signatureOf(again, body) }, body })).status,
      200,
    );
    assert.equal((await platform.send("DELETE", `/chatflows/${agent.id}/webhook-secret`)).status, 200);
    assert.equal((await agent.send({ headers: { "x-webhook-signature": good }, body })).status, 500);
    assert.equal((await platform.send("DELETE", `/chatflows/${agent.id}/webhook-secret`)).status, 200);
    assert.equal((await platform.send("POST", `/chatflows/${unknownId}/webhook-secret`)).status, 404);
  });

  test("a signature counts the bytes as they were sent, and a token is compared as it is", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const { id: credential } = await platform.json<{ id: string }>("POST", "/credentials", {
      name: "shared",
      credentialName: "webhookSecret",
      plainDataObj: { secret: "s3cret" },
    });
    const signed = await webhookAgent(
      platform,
      { auth: { type: "hmac-sha256", header: "X-Hub-Signature-256", credential }, contentType: "text/plain" },
      "{{ $webhook.body }}",
    );
    const bytes = new Uint8Array(Buffer.from("a\r\n é 😀 "));
    const headers = { "content-type": "text/plain", "x-hub-signature-256": signatureOf("s3cret", bytes) };
    assert.equal((await jsonOf(await signed.send({ headers, body: bytes }))).text, "a\r\n é 😀 ");
    const auth = { type: "plain-token", header: "authorization", credential };
    const token = await webhookAgent(platform, { auth, method: "GET" }, "{{ $webhook.headers.authorization }}");
    const sent = (authorization: string) => token.send({ method: "GET", headers: { authorization } });
    assert.equal((await sent("Bearer s3cre")).status, 401);
    assert.equal((await sent("Bearer s3cret")).status, 200);
    assert.equal((await jsonOf(await sent("s3cret"))).text, "[redacted]");
    const noField = await platform.json<{ id: string }>("POST", "/credentials", {
      name: "other",
      credentialName: "x",
      plainDataObj: { token: "t" },
    });
    const broken = await webhookAgent(platform, { auth: { ...auth, credential: noField.id } }, "x");
    const refused = await broken.send({ headers: { authorization: "t" }, body: "{}" });
    assert.equal(refused.status, 500);
  });

  test("bodies are read by their type", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const agent = await webhookAgent(platform, { ...open, method: "any" }, "{{ $webhook.body }}");
    const form = { "content-type": "application/x-www-form-urlencoded" };
    const cases: [Sent, string][] = [
      [{ body: '{"a":[1,{"b":null}]}' }, '{"a":[1,{"b":null}]}'],
      [{ body: "[1]", headers: { "content-type": "application/vnd.x+json; charset=utf-8" } }, "[1]"],
      [{ body: "a=1&a=2&b=x+y%21", headers: form }, '{"a":["1","2"],"b":"x y!"}'],
      [{ body: `payload=${encodeURIComponent('{"ref":"main"}')}&x=1`, headers: form }, '{"ref":"main"}'],
      [{ body: "payload=none", headers: form }, '{"payload":"none"}'],
      [{ body: "plain {", headers: { "content-type": "text/plain" } }, "plain {"],
      [{ method: "GET" }, "{}"],
      [{ method: "DELETE" }, "{}"],
      [{ method: "PATCH", body: "{}" }, "{}"],
    ];
    for (const [sent, text] of cases) {
      const response = await agent.send(sent);
      const answer = await jsonOf(response);
      assert.deepEqual([response.status, answer.text], [200, text], JSON.stringify(answer));
    }
    const wrong: [Sent, number][] = [
      [{ body: "{" }, 400],
      [{ body: '"\\ud800' }, 400],
      [{ body: new Uint8Array([0xff, 0xfe]), headers: { "content-type": "text/plain" } }, 400],
      [{ body: `${"[".repeat(2_000)}${"]".repeat(2_000)}` }, 400],
      [{ body: "x", headers: { "content-type": "multipart/form-data; boundary=x" } }, 415],
      [{ body: "{}", headers: { "content-encoding": "gzip" } }, 415],
    ];
    for (const [sent, status] of wrong) assert.equal((await agent.send(sent)).status, status, JSON.stringify(sent));
  });

  test("what is no webhook, another method, type or parameter is refused with words", async (t) => {
    const platform = await openTestPlatform(t, databases, { BODY_LIMIT: "2kb" });
    const validation = {
      headers: [{ name: "X-Event" }],
      query: [{ name: "unit" }, { name: "lang", required: false }],
      body: [
        { name: "n", type: "number" },
        { name: "tags", type: "array[string]", required: false },
        { name: "o", type: "object", required: false },
      ],
    };
    const agent = await webhookAgent(platform, { ...open, contentType: "application/json", validation }, "ok");
    const send = (path: string, method = "POST") => platform.fetch(new Request(`http://platform${path}`, { method }));
    assert.equal((await send(`/webhook/${unknownId}`)).status, 404);
    assert.equal((await send("/webhook/no-uuid")).status, 400);
    const { id: chat } = await platform.json<{ id: string }>("POST", "/chatflows", {
      name: "c",
      flowData: '{"weft":1,"nodes":[{"id":"s","type":"start"}],"edges":[]}',
    });
    assert.equal((await send(`/webhook/${chat}`)).status, 404);
    for (const method of ["GET", "HEAD", "PUT"]) {
      const { status, headers } = await agent.send({ method });
      assert.deepEqual([status, headers.get("allow")], [405, "POST"], method);
    }
    const text = await agent.send({ body: "{}", headers: { "content-type": "text/plain" } });
    assert.equal(text.status, 415);
    assert.equal((await agent.send({ body: JSON.stringify({ n: 1, x: "y".repeat(3_000) }) })).status, 413);
    const missing = await agent.send({ body: '{"tags":[1],"o":[]}' });
    const { status, message, errors } = await jsonOf(missing);
    assert.equal(status, 400);
    assert.deepEqual(
      errors.map(({ path }: { path: string }) => path),
      ["headers.x-event", "query.unit", "body.n", "body.tags", "body.o"],
    );
    assert.match(message, /body\.tags must be a list of texts/);
    const whole = await agent.send({
      query: "?unit=C",
      headers: { "x-event": "push" },
      body: '{"n":1,"tags":["a"],"o":{}}',
    });
    assert.equal(whole.status, 200);
    const api = await platform.fetch(
      new Request(`http://platform/api/v1/webhook/${agent.id}?unit=C`, {
        method: "POST",
        headers: { "x-event": "push", "content-type": "application/json" },
        body: '{"n":1}',
      }),
    );
    assert.equal(api.status, 200);
  });

  test("a stream is answered as the flow says", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const agent = await webhookAgent(platform, { ...open, response: "stream" }, "streamed");
    const response = await agent.send({ body: "{}" });
    assert.equal(response.headers.get("content-type"), "text/event-stream");
    const text = await response.text();
    assert.match(text, /"event":"token","data":"streamed"/);
    assert.match(text, /"event":"end"/);
  });

  test("a run that answers later is told of at the callback address, with the secret of the callers", async (t) => {
    const receiver = await startReceiver(t);
    const platform = await openTestPlatform(t, databases, { EGRESS_ALLOW: receiver.host });
    const agent = await webhookAgent(platform, { response: "async", callbackUrl: receiver.url }, "later");
    const secret = await agent.makeSecret();
    const response = await agent.send({ headers: signed(secret, "{}"), body: "{}" });
    const accepted = await jsonOf(response);
    assert.deepEqual([response.status, accepted.status], [202, "PROCESSING"]);
    const sent = await platform.until(async () => receiver.received[0]);
    const { status, chatId, data } = JSON.parse(sent.body);
    assert.deepEqual([status, chatId], ["SUCCESS", accepted.chatId]);
    assert.deepEqual([data.text, data.executionId], ["later", accepted.executionId]);
    const at = Number(sent.headers["webhook-timestamp"]) * 1_000;
    const id = String(sent.headers["webhook-id"]);
    assert.equal(sent.headers["webhook-signature"], signed(secret, sent.body, { id, at })["webhook-signature"]);
    const path = `/chatflows/${agent.id}/deliveries`;
    const delivered = await platform.until(async () => {
      const { data } = await platform.json<{ data: { id: string; state: string }[] }>("GET", `${path}?state=DELIVERED`);
      return data[0];
    });
    assert.deepEqual([delivered.id, delivered.state], [id, "DELIVERED"]);
    assert.equal((await platform.send("POST", `${path}/${id}/resend`)).status, 200);
    const again = await platform.until(async () => receiver.received[1]);
    assert.deepEqual([again.headers["webhook-id"], again.body], [id, sent.body]);
    assert.equal((await platform.send("POST", `${path}/${unknownId}/resend`)).status, 404);
    assert.equal((await platform.send("POST", `/chatflows/${unknownId}/deliveries/${id}/resend`)).status, 404);
  });

  test("a person's answer in the body goes to the run that waits, and needs nothing else", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const validation = { body: [{ name: "n", type: "number" }] };
    const start = { id: "start_0", type: "start", config: { input: "webhook", webhook: { ...open, validation } } };
    const ask = { id: "ask_0", type: "human-input", config: { question: "Shall I?" } };
    const reply = { id: "reply_0", type: "direct-reply", config: { message: "went on with {{ $webhook.body.n }}" } };
    const edges = [
      { id: "a", source: "start_0", target: "ask_0" },
      { id: "b", source: "ask_0", sourcePort: "proceed", target: "reply_0" },
    ];
    const agent = await webhookAgent(platform, open, "");
    await platform.json("PUT", `/chatflows/${agent.id}`, {
      flowData: JSON.stringify({ weft: 1, nodes: [start, ask, reply], edges }),
    });
    const asked = await jsonOf(await agent.send({ body: '{"n":7}' }));
    assert.equal(asked.text, "Shall I?", JSON.stringify(asked));
    const body = JSON.stringify({ chatId: asked.chatId, humanInput: { type: "proceed" } });
    const answered = await jsonOf(await agent.send({ body }));
    assert.deepEqual(
      [answered.text, answered.executionId],
      ["went on with 7", asked.executionId],
      JSON.stringify(answered),
    );
    assert.equal((await agent.send({ body })).status, 409);
  });

  test("a failed run is the failure of its request", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const agent = await webhookAgent(platform, open, "x", {});
    const flow = JSON.stringify({
      weft: 1,
      nodes: [
        { id: "start_0", type: "start", config: { input: "webhook", webhook: open } },
        { id: "http_0", type: "http", config: { url: "http://127.0.0.1:9/" } },
      ],
      edges: [{ id: "e", source: "start_0", target: "http_0" }],
    });
    await platform.json("PUT", `/chatflows/${agent.id}`, { flowData: flow });
    const response = await agent.send({ body: "{}" });
    assert.equal(response.status, 500);
    assert.match((await jsonOf(response)).code, /^flow-/);
  });

  test("a delivery that its sender names runs once, however often and at once it comes", async (t) => {
    const platform = await openTestPlatform(t, databases);
    for (const response of ["sync", "async"] as const) {
      const agent = await webhookAgent(platform, { ...open, response }, "{{ $webhook.body.n }}");
      const send = (n: number, id: string, header = "x-github-delivery") =>
        agent.send({ headers: { [header]: id }, body: JSON.stringify({ n }) });
      const first = await Promise.all(Array.from({ length: 5 }, () => send(1, "d1")));
      const answers = await Promise.all([...first, await send(1, "d1")].map(jsonOf));
      assert.equal(new Set(answers.map(({ executionId, chatId }) => `${executionId} ${chatId}`)).size, 1);
      const reused = await send(2, "d1");
      assert.deepEqual([reused.status, (await jsonOf(reused)).code], [409, "idempotency-key-reused"]);
      const other = await jsonOf(await send(1, "d2"));
      assert.notEqual(other.executionId, answers[0].executionId);
      const otherHeader = await jsonOf(await send(1, "d1", "idempotency-key"));
      assert.notEqual(otherHeader.executionId, answers[0].executionId);
      await platform.until(async () => {
        const { length } = await platform.json<object[]>("GET", `/chatmessage/${agent.id}`);
        return length === 6 ? true : undefined;
      });
    }
  });

  test("a delivery that was refused may come again", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const agent = await webhookAgent(platform, open, "ok", { apikeyid: randomUUID() });
    const headers = { "webhook-id": "w1" };
    assert.equal((await agent.send({ headers, body: "{}" })).status, 401);
    await platform.json("PUT", `/chatflows/${agent.id}`, { apikeyid: "" });
    assert.equal((await agent.send({ headers, body: "{}" })).status, 200);
  });

  test("the agent's own limits hold: its key, its rate", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const key = await platform.json<{ id: string; apiKey: string }[] | { id: string; apiKey: string }>(
      "POST",
      "/apikey",
      {
        keyName: "k",
        permissions: ["predictions:run"],
      },
    );
    const { id, apiKey } = Array.isArray(key) ? (key.at(-1) ?? { id: "", apiKey: "" }) : key;
    const apiConfig = JSON.stringify({ rateLimit: { limitMax: 4, limitDuration: 60, limitMsg: "slowly" } });
    const agent = await webhookAgent(platform, open, "ok", { apikeyid: id, apiConfig });
    const without = await agent.send({ body: "{}" });
    assert.deepEqual([without.status, (await jsonOf(without)).code], [401, "api-key-wrong"]);
    assert.equal((await agent.send({ headers: { "x-api-key": apiKey }, body: "{}" })).status, 200);
    assert.equal((await agent.send({ headers: { "x-api-key": id }, body: "{}" })).status, 401);
    assert.equal((await agent.send({ headers: { authorization: `Bearer ${apiKey}` }, body: "{}" })).status, 200);
    const limited = await agent.send({ headers: { "x-api-key": apiKey }, body: "{}" });
    assert.deepEqual([limited.status, (await jsonOf(limited)).message], [429, "slowly"]);
  });

  test("a body continues a chat by its id; who need not prove anything only by one that nobody guesses", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const agent = await webhookAgent(platform, open, "ok");
    const chatId = randomUUID();
    const send = async (body: object) => jsonOf(await agent.send({ body: JSON.stringify(body) }));
    assert.equal((await send({ chatId })).chatId, chatId);
    assert.equal((await send({ chatId: "guessable" })).status, 400);
    assert.match((await send({ chatId: 17 })).chatId, /^[0-9a-f-]{36}$/);
  });

  test("clients cannot send messages to it, its author may try it out", async (t) => {
    const platform = await openTestPlatform(t, databases, { ALLOW_PUBLIC_FLOWS: "true" });
    const agent = await webhookAgent(platform, {}, "{{ question }}", { isPublic: true });
    const refused = await platform.send("POST", `/prediction/${agent.id}`, { question: "hi" });
    assert.equal(refused.status, 422);
    assert.match((await jsonOf(refused)).message, /\/webhook\//);
    const tried = await platform.json<{ text: string }>("POST", `/internal-prediction/${agent.id}`, { question: "hi" });
    assert.equal(tried.text, "hi");
  });

  test("a webhook without a question shows its body as the message; a lacking value is a warning", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const silent = await webhookAgent(platform, open, "ok");
    await silent.send({ body: '{"a":1}' });
    const [message] = await platform.json<{ content: string }[]>("GET", `/chatmessage/${silent.id}`);
    assert.equal(message?.content, '{"a":1}');
    const asking = await webhookAgent(platform, { ...open, question: "{{ $webhook.body.b }}!" }, "{{ question }}");
    const answer = await jsonOf(await asking.send({ body: '{"a":1}' }));
    assert.equal(answer.text, "!");
    assert.equal(answer.metadata.warnings[0].code, "template-unknown");
  });

  test("whether there is a secret can be asked, and until when the replaced one is accepted, but not the secret", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const agent = await webhookAgent(platform, {}, "ok");
    const path = `/chatflows/${agent.id}/webhook-secret`;
    assert.deepEqual(await platform.json("GET", path), { exists: false, previousValidUntil: null });
    await agent.makeSecret();
    assert.deepEqual(await platform.json("GET", path), { exists: true, previousValidUntil: null });
    await agent.makeSecret({ previousValidSeconds: 3_600 });
    const { exists, previousValidUntil } = await platform.json<WebhookSecretState>("GET", path);
    assert.equal(exists, true);
    assert.ok(Math.abs(Date.parse(previousValidUntil ?? "") - Date.now() - 3_600_000) < 60_000);
    await platform.send("DELETE", path);
    assert.deepEqual(await platform.json("GET", path), { exists: false, previousValidUntil: null });
    assert.equal((await platform.send("GET", `/chatflows/${unknownId}/webhook-secret`)).status, 404);
  });

  test("an agent's webhook secret goes with it", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const agent = await webhookAgent(platform, {}, "ok");
    await agent.makeSecret();
    const credentials = await platform.json<{ name: string; fields: string[] }[]>("GET", "/credentials");
    assert.deepEqual(
      credentials.map(({ name, fields }) => [name, fields]),
      [["Webhook of Agent", ["secret"]]],
    );
    await platform.send("DELETE", `/chatflows/${agent.id}`);
    assert.deepEqual(await platform.json("GET", "/credentials"), []);
  });
});
