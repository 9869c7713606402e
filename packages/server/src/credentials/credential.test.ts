import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import type { Credential } from "@weft/schema";
import { createResourceApi } from "../../../agents/src/testing/bench.ts";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";

const unknownId = "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f";
const secret = "sk-plaintext-that-must-never-show";
const openAi = { name: "mine", credentialName: "openAIApi", plainDataObj: { openAIApiKey: secret } };

await forEachDatabase(({ openTestDatabase }) => {
  test("a credential is created, read, listed, changed and deleted, and its value is never answered", async (t) => {
    const { call } = createResourceApi(await openTestDatabase(t));
    const created = await call("POST", "/credentials", openAi);
    const { id } = created.body;
    const path = `/credentials/${id}`;
    const read = await call("GET", path);
    const renamed = await call("PUT", path, { name: "renamed", plainDataObj: { openAIApiKey: "" } });
    const answers = [
      created,
      read,
      renamed,
      await call("GET", "/credentials"),
      await call("GET", "/credentials?page=1&limit=5"),
      await call("PUT", path, { plainDataObj: { openAIApiKey: { nested: secret } } }),
      await call("POST", "/credentials", { ...openAi, id }),
    ];
    assert.deepEqual(
      answers.map((answer) => answer.status),
      [200, 200, 200, 200, 200, 400, 409],
    );
    for (const { text, headers } of answers) {
      assert.ok(!text.includes(secret) && !text.includes("encryptedData") && !text.includes('plainDataObj":'));
      assert.ok(![...headers.values()].some((value) => value.includes(secret)));
    }
    const { createdDate, updatedDate, ...shown } = read.body as Credential;
    assert.deepEqual(shown, {
      id,
      name: "mine",
      credentialName: "openAIApi",
      fields: ["openAIApiKey"],
      readable: true,
      hosts: [],
      destinations: [],
      impliedHosts: ["api.openai.com"],
    });
    assert.equal(createdDate, updatedDate);
    assert.equal(renamed.body.name, "renamed");
    const deleted = await call("DELETE", path);
    assert.deepEqual([deleted.status, deleted.text], [200, ""]);
    assert.equal((await call("GET", path)).status, 404);
  });

  test("the list can be restricted to types, and any type is accepted", async (t) => {
    const { call } = createResourceApi(await openTestDatabase(t));
    for (const credentialName of ["openAIApi", "httpBearerToken", "somethingElse"]) {
      await call("POST", "/credentials", { name: credentialName, credentialName, plainDataObj: {} });
    }
    const names = async (query: string) =>
      (await call("GET", `/credentials${query}`)).body.map((each: Credential) => each.name).sort();
    assert.deepEqual(await names(""), ["httpBearerToken", "openAIApi", "somethingElse"]);
    assert.deepEqual(await names("?credentialName=openAIApi"), ["openAIApi"]);
    assert.deepEqual(await names("?credentialName=openAIApi&credentialName=somethingElse"), [
      "openAIApi",
      "somethingElse",
    ]);
    assert.deepEqual(await names("?credentialName=none"), []);
  });

  test("bodies that do not fit are 422 on create and 400 on update", async (t) => {
    const { call } = createResourceApi(await openTestDatabase(t));
    const { body: credential } = await call("POST", "/credentials", openAi);
    for (const body of [
      {},
      { ...openAi, name: "" },
      { ...openAi, credentialName: undefined },
      { ...openAi, id: "x" },
    ]) {
      assert.equal((await call("POST", "/credentials", body)).status, 422);
    }
    const noObject = await call("POST", "/credentials", { ...openAi, plainDataObj: secret });
    assert.equal(noObject.status, 422);
    assert.ok(!noObject.text.includes(secret));
    assert.equal((await call("PUT", `/credentials/${credential.id}`, { name: "" })).status, 400);
  });

  test("hosts are shown and taken in one form, and what is not a host is refused with a sentence", async (t) => {
    const { call } = createResourceApi(await openTestDatabase(t));
    const hosts = ["https://API.example.com/v1", "api.example.com", "10.0.0.7:8443", "*.example.org"];
    const { body: created } = await call("POST", "/credentials", { ...openAi, hosts });
    assert.deepEqual(created.hosts, ["api.example.com", "10.0.0.7:8443", "*.example.org"]);
    const path = `/credentials/${created.id}`;
    assert.deepEqual((await call("PUT", path, { name: "other" })).body.hosts, created.hosts);
    assert.deepEqual((await call("PUT", path, { hosts: ["one.example.com"] })).body.hosts, ["one.example.com"]);
    for (const host of ["*", "*.com", "a b", ""]) {
      const refused = await call("PUT", path, { hosts: [host] });
      assert.equal(refused.status, 400, host);
      assert.match(refused.text, /must be an address such as https:/);
    }
    assert.equal((await call("POST", "/credentials", { ...openAi, hosts: ["*"] })).status, 422);
    const own = {
      name: "own",
      credentialName: "openai",
      plainDataObj: { apiKey: "k", baseUrl: "https://p.example/v1" },
    };
    assert.deepEqual((await call("POST", "/credentials", own)).body.impliedHosts, ["api.openai.com", "p.example"]);
  });

  test("an update with If-Match is refused when somebody else saved meanwhile", async (t) => {
    const { call } = createResourceApi(await openTestDatabase(t));
    const { body } = await call("POST", "/credentials", openAi);
    const path = `/credentials/${body.id}`;
    const etag = (await call("GET", path)).headers.get("etag") ?? "";
    assert.equal((await call("PUT", path, { name: "mine" }, { "If-Match": etag })).status, 200);
    assert.equal((await call("PUT", path, { name: "theirs" }, { "If-Match": etag })).status, 412);
  });

  test("malformed ids are 400, unknown ones 404", async (t) => {
    const { call } = createResourceApi(await openTestDatabase(t));
    for (const method of ["GET", "PUT", "DELETE"] as const) {
      const body = method === "PUT" ? {} : undefined;
      assert.equal((await call(method, "/credentials/no-uuid", body)).status, 400);
      assert.equal((await call(method, `/credentials/${unknownId}`, body)).status, 404);
    }
  });

  test("without credentials, or with a key that may not, nothing is shown", async (t) => {
    const { callAs } = createResourceApi(await openTestDatabase(t));
    const path = `/credentials/${randomUUID()}`;
    for (const method of ["GET", "PUT", "DELETE"] as const) {
      assert.equal((await callAs(undefined, method, path)).status, 401);
      assert.equal((await callAs(["agents:read"], method, path)).status, 403);
    }
    assert.equal((await callAs(["credentials:read"], "POST", "/credentials", openAi)).status, 403);
  });
});
