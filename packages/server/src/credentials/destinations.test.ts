import assert from "node:assert/strict";
import { test } from "node:test";
import type { Credential, Finding } from "@weft/schema";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { flowOf, openTestPlatform, type TestPlatform } from "../testing/test-platform.ts";

const bearer = { name: "Orders", credentialName: "httpBearerToken", plainDataObj: { token: "tk-4711" } };
const flowWith = (credential: string, url = "https://orders.example.com/v1") =>
  flowOf("http", "Orders", { url, credential });

async function keyOf(platform: TestPlatform, permissions: readonly string[]) {
  const { apiKey } = await platform.json<{ apiKey: string }>("POST", "/apikey", { keyName: "program", permissions });
  return { authorization: `Bearer ${apiKey}` };
}

await forEachDatabase((databases) => {
  test("a destination is allowed by name, says who allowed it and when, and is taken away", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const { id } = await platform.json<Credential>("POST", "/credentials", bearer);
    const path = `/credentials/${id}/destinations`;
    const allowed = await platform.json<Credential>("POST", path, { destination: "https://Orders.example.com/v1?x=1" });
    assert.deepEqual(allowed.hosts, ["orders.example.com"]);
    const [destination] = allowed.destinations;
    assert.equal(destination?.destination, "https://orders.example.com");
    assert.equal(destination?.confirmedBy, "operator");
    assert.ok(Math.abs(Date.parse(destination?.confirmedDate ?? "") - Date.now()) < 60_000);
    const again = await platform.json<Credential>("POST", path, { destination: "orders.example.com" });
    assert.deepEqual(again.destinations, allowed.destinations, "who allowed it first stays");

    const plain = await platform.json<Credential>("POST", path, { destination: "http://orders.example.com" });
    assert.deepEqual(plain.hosts, ["orders.example.com", "http://orders.example.com"]);
    for (const wrong of ["*", "ftp://x.example", "https://user:word@x.example", "two hosts", "", 7])
      assert.equal((await platform.send("POST", path, { destination: wrong })).status, 400, String(wrong));

    const remove = (destination: string) =>
      platform.send("DELETE", `${path}?destination=${encodeURIComponent(destination)}`);
    assert.equal((await remove("http://orders.example.com")).status, 200);
    assert.equal((await remove("http://orders.example.com")).status, 404);
    const left = await platform.json<Credential>("GET", `/credentials/${id}`);
    assert.deepEqual(left.destinations, allowed.destinations);
  });

  test("an API key allows destinations of credentials that it made, and of no others", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const headers = await keyOf(platform, ["credentials:write", "agents:write", "agents:read", "credentials:read"]);
    const { id: others } = await platform.json<Credential>("POST", "/credentials", bearer);
    const made = await platform.send("POST", "/credentials", bearer, headers);
    const { id: own } = (await made.json()) as Credential;
    const allow = async (id: string) =>
      (await platform.send("POST", `/credentials/${id}/destinations`, { destination: "https://a.example" }, headers))
        .status;
    assert.deepEqual([await allow(own), await allow(others)], [200, 403]);
    const hosts = { hosts: ["b.example"] };
    assert.equal((await platform.send("PUT", `/credentials/${others}`, hosts, headers)).status, 403);
    assert.equal((await platform.send("PUT", `/credentials/${own}`, hosts, headers)).status, 200);
    const save = async (credential: string) => {
      const body = { name: "Agent", flowData: flowWith(credential) };
      const saved = await platform.send("POST", "/chatflows?confirmDestinations=true", body, headers);
      assert.equal(saved.status, 200);
      const { id } = (await saved.json()) as { id: string };
      return (await platform.json<Finding[]>("GET", `/chatflows/${id}/findings`)).map(({ code }) => code);
    };
    assert.deepEqual(await save(own), []);
    assert.deepEqual(await save(others), ["credential-destination-unconfirmed"]);
    const { hosts: untouched } = await platform.json<Credential>("GET", `/credentials/${others}`);
    assert.deepEqual(untouched, []);
  });

  test("who may not change credentials cannot confirm, and nothing is saved", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const headers = await keyOf(platform, ["agents:write", "agents:read", "credentials:read"]);
    const { id: credential } = await platform.json<Credential>("POST", "/credentials", bearer);
    const body = { name: "Agent", flowData: flowWith(credential) };
    const refused = await platform.send("POST", "/chatflows?confirmDestinations=true", body, headers);
    assert.equal(refused.status, 403);
    assert.match(await refused.text(), /credentials:write/);
    assert.deepEqual(await platform.json("GET", "/chatflows"), []);
    assert.equal((await platform.send("POST", "/chatflows?confirmDestinations=perhaps", body, headers)).status, 400);
    assert.equal((await platform.send("POST", "/chatflows", body, headers)).status, 200);
  });

  test("a save that fails confirms nothing", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const { id: credential } = await platform.json<Credential>("POST", "/credentials", bearer);
    const body = { id: "not-a-uuid", name: "Agent", flowData: flowWith(credential) };
    assert.equal((await platform.send("POST", "/chatflows?confirmDestinations=true", body)).status, 422);
    assert.deepEqual((await platform.json<Credential>("GET", `/credentials/${credential}`)).hosts, []);
  });
});
