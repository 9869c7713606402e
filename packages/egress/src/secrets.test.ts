import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { createEgressClient } from "./egress-client.ts";
import { createSecretVault } from "./secret-vault.ts";
import { echo, type Handler, startServer } from "./testing/test-server.ts";

const value = 'sk-"live"/0123456789';

async function setUp(t: TestContext, handler: Handler = echo) {
  const own = await startServer(t, handler);
  const other = await startServer(t, echo);
  const vault = createSecretVault();
  const client = createEgressClient({ allow: [own.host, other.host], vault });
  t.after(() => client.close());
  const key = vault.placeholderFor("one", { value, name: "GitHub", hosts: [own.url] });
  return { own, other, vault, client, key };
}

const read = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

test("a secret arrives at its host, escaped for its place, and does not come back", async (t) => {
  const { own, client, key } = await setUp(t, (request, response) => {
    const chunks: Uint8Array[] = [];
    request.on("data", (chunk: Uint8Array) => chunks.push(chunk));
    request.on("end", () => {
      Object.assign(request, { seenBody: Buffer.concat(chunks).toString() });
      const seen = JSON.stringify({ url: request.url, headers: request.headers });
      response.setHeader("x-echo", String(request.headers.authorization));
      response.write(seen.slice(0, 40));
      setTimeout(() => response.end(seen.slice(40) + Buffer.concat(chunks)), 5);
    });
  });
  const answer = await client.request({
    method: "POST",
    url: `${own.url}/a?key=${key}`,
    headers: {
      authorization: `Bearer ${key}`,
      "x-basic": `Basic ${btoa(`user:${key}`)}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({ key }),
  });
  const [request] = own.received as unknown as { url: string; headers: Record<string, string>; seenBody: string }[];
  assert.equal(request?.headers.authorization, `Bearer ${value}`);
  assert.equal(atob(String(request?.headers["x-basic"]).slice(6)), `user:${value}`);
  assert.equal(new URL(String(request?.url), own.url).searchParams.get("key"), value);
  assert.deepEqual(JSON.parse(String(request?.seenBody)), { key: value });
  const shown = JSON.stringify(answer.headers) + answer.url + read(answer.body);
  assert.doesNotMatch(shown, /0123456789|MDEyMzQ1Njc4|weft-secret/);
  assert.equal(answer.headers["x-echo"], "Bearer [secret]");
  const streamed = await client.fetch(`${own.url}/b`, { headers: { authorization: `Bearer ${key}` } });
  assert.doesNotMatch(await streamed.text(), /0123456789/);
});

test("another host receives nothing at all, wherever the secret is in the request", async (t) => {
  const { own, other, client, key } = await setUp(t);
  const placed = [
    { headers: { authorization: `Bearer ${key}` } },
    { headers: { authorization: `Basic ${btoa(`user:${key}`)}` } },
    { headers: { "x-anything": key } },
    { query: `?key=${key}` },
    { path: `/${key}` },
    { body: JSON.stringify({ key }) },
    { body: new TextEncoder().encode(key) },
  ];
  for (const { path = "/", query = "", ...part } of placed) {
    const url = other.url + path + query;
    const message =
      `Nothing was sent to ${other.url}: the credential GitHub may be sent to only ${own.url}. ` +
      "Correct the address.";
    const refused = { code: "credential-host", message, retryable: false };
    await assert.rejects(client.request({ method: "POST", url, ...part }), refused);
    await assert.rejects(client.fetch(url, { method: "POST", ...part }), refused);
  }
  assert.equal(other.received.length, 0);
});

test("a redirect takes no secret along, not even one that its address spells out", async (t) => {
  const places: Record<string, string> = {};
  const { own, other, client, key } = await setUp(t, (request, response) => {
    const location = places[request.url ?? ""];
    if (location === undefined) return echo(request, response);
    response.writeHead(307, { location }).end();
  });
  const headers = { authorization: `Bearer ${key}`, "x-key": key };
  places["/away"] = other.url;
  const answer = await client.request({ method: "GET", url: `${own.url}/away`, headers });
  assert.deepEqual([answer.status, other.received[0]?.headers.authorization], [200, undefined]);
  assert.equal(other.received[0]?.headers["x-key"], undefined);

  places["/leak"] = `${other.url}/?key=${encodeURIComponent(value)}`;
  await assert.rejects(client.request({ method: "GET", url: `${own.url}/leak`, headers }), { code: "credential-host" });
  const body = { method: "POST", url: `${own.url}/away`, body: key };
  await assert.rejects(client.request(body), { code: "credential-host" });
  assert.equal(other.received.length, 1);

  places["/home"] = `/stay?key=${encodeURIComponent(value)}`;
  const stayed = await client.request({ method: "GET", url: `${own.url}/home`, headers });
  assert.equal(new URL(own.received.at(-1)?.url ?? "", own.url).searchParams.get("key"), value);
  assert.doesNotMatch(stayed.url + read(stayed.body), /0123456789/);
  const manual = await client.request({ method: "GET", url: `${own.url}/leak`, headers, maxRedirects: 0 });
  assert.doesNotMatch(String(manual.headers.location), /0123456789/);
});

test("a secret that was used is taken out of every host's answers; one that was lent alone is not looked for", async (t) => {
  const { own, other, client, key } = await setUp(t);
  const ask = () => client.request({ method: "POST", url: other.url, body: `I know 0 ${value} 1` });
  assert.match(read((await ask()).body), /0123456789/);
  await client.request({ method: "GET", url: own.url, headers: { authorization: key } });
  assert.doesNotMatch(read((await ask()).body), /0123456789/);
});

test("what a flow wrote into a header by hand does not come back with the answer either", async (t) => {
  const { other, client } = await setUp(t);
  const headers = { authorization: "Bearer written-by-hand", "x-api-key": "another-by-hand", "x-page": "seventeen-12" };
  const seen = read((await client.request({ method: "GET", url: other.url, headers })).body);
  assert.doesNotMatch(seen, /by-hand/);
  assert.match(seen, /seventeen-12/);
});

test("the placeholder of a key stays the same and stands for the newest value and hosts", async (t) => {
  const { own, other, client, vault, key } = await setUp(t);
  const again = vault.placeholderFor("one", { value: "sk-rotated-key", name: "GitHub", hosts: [own.url, other.url] });
  assert.equal(again, key);
  await client.request({ method: "GET", url: other.url, headers: { authorization: key } });
  assert.equal(other.received[0]?.headers.authorization, "sk-rotated-key");
  assert.equal(vault.reveal(key, own.host), "sk-rotated-key");
  assert.throws(() => vault.reveal(key, "db.example.com:5432"), { code: "credential-host" });
});
