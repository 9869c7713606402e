import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import type { Agent } from "@weft/schema";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { createResourceApi } from "../testing/bench.ts";

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const unknownId = "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f";
const draft = { name: "Draft", flowData: "{}" };

/** Texts that a store must not touch: every one is the JSON text of an object. */
const flowTexts = [
  "{}",
  ' \r\n\t{ "nodes" : [ ] , "edges":[]}\n\n',
  '{"nul":"\\u0000","escaped":"\\u00e9\\/","raw":"é 🧶 \u2028 \u007f"}',
  '{"a":1,"a":2,"big":123456789012345678901234567890,"e":1E400,"minus":-0}',
  '{"__proto__":{"polluted":true},"constructor":1}',
  `{"long":"${"x".repeat(300_000)}"}`,
  `{"deep":${"[".repeat(5_000)}${"]".repeat(5_000)}}`,
];

await forEachDatabase(({ openTestDatabase }) => {
  test("an agent that is created with the least has every field", async (t) => {
    const { call } = createResourceApi(await openTestDatabase(t));
    const created = await call("POST", "/chatflows", draft);
    assert.equal(created.status, 200);
    const { id, createdDate, updatedDate, ...rest } = created.body;
    assert.match(id, uuid);
    assert.equal(createdDate, new Date(createdDate).toISOString());
    assert.equal(updatedDate, createdDate);
    assert.deepEqual(rest, {
      ...draft,
      deployed: false,
      isPublic: false,
      apikeyid: "",
      chatbotConfig: "{}",
      apiConfig: "{}",
      analytic: "{}",
      speechToText: "{}",
      category: "",
      type: "AGENTFLOW",
    });
    assert.deepEqual((await call("GET", `/chatflows/${id}`)).body, created.body);
  });

  test("an appearance is refused with what it takes, and other clients' settings are kept as they are", async (t) => {
    const { call } = createResourceApi(await openTestDatabase(t));
    const { body: created } = await call("POST", "/chatflows", draft);
    for (const appearance of [{ avatarEmoji: "AB" }, { description: "x".repeat(501) }, { colour: "red" }, []]) {
      const refused = await call("PUT", `/chatflows/${created.id}`, { chatbotConfig: JSON.stringify({ appearance }) });
      assert.equal(refused.status, 400);
      assert.match(refused.body.message, /appearance takes "description" of at most 500 characters/);
    }
    const chatbotConfig = JSON.stringify({
      appearance: { avatarEmoji: "🌱" },
      titleTextColor: "red;x",
      title: "t".repeat(5_000),
    });
    const kept = await call("PUT", `/chatflows/${created.id}`, { chatbotConfig });
    assert.deepEqual([kept.status, kept.body.chatbotConfig], [200, chatbotConfig]);
  });

  test("every field of the reference is kept, unknown and server-owned ones are ignored", async (t) => {
    const { call } = createResourceApi(await openTestDatabase(t));
    const own = {
      id: randomUUID(),
      name: "Kept",
      flowData: '{"nodes":[]}',
      deployed: true,
      isPublic: true,
      apikeyid: "some-key",
      chatbotConfig: '{"starterPrompts": {}}',
      apiConfig: '{"overrideConfig":{"status":true}}',
      analytic: '{"a":1}',
      speechToText: '{"b":2}',
      category: "one;two",
      type: "CHATFLOW",
    };
    const past = "2001-01-01T00:00:00.000Z";
    const body = { ...own, createdDate: past, updatedDate: past, workspaceId: "w", versionId: "v", extra: { a: 1 } };
    const { status, body: created } = await call("POST", "/chatflows", body);
    assert.equal(status, 200);
    const { createdDate, updatedDate, ...kept } = created;
    assert.deepEqual(kept, own);
    assert.ok(createdDate > past && updatedDate > past);
  });

  test("flowData comes back byte for byte", async (t) => {
    const { call } = createResourceApi(await openTestDatabase(t));
    for (const flowData of flowTexts) {
      const { status, body } = await call("POST", "/chatflows", { name: "Bytes", flowData });
      assert.equal(status, 200);
      assert.equal(body.flowData, flowData);
      assert.equal((await call("GET", `/chatflows/${body.id}`)).body.flowData, flowData);
    }
    const { body } = await call("GET", "/chatflows");
    assert.deepEqual(new Set(body.map((agent: Agent) => agent.flowData)), new Set(flowTexts));
  });

  test("a create that does not fit is 422 and says where; nothing is stored", async (t) => {
    const { call } = createResourceApi(await openTestDatabase(t));
    const wrong: [string, unknown][] = [
      ["name", { flowData: "{}" }],
      ["name", { ...draft, name: "" }],
      ["name", { ...draft, name: null }],
      ["flowData", { name: "a" }],
      ["flowData", { ...draft, flowData: "" }],
      ["flowData", { ...draft, flowData: "[]" }],
      ["flowData", { ...draft, flowData: "null" }],
      ["flowData", { ...draft, flowData: "{" }],
      ["flowData", { ...draft, flowData: { nodes: [] } }],
      ["type", { ...draft, type: "OTHER" }],
      ["deployed", { ...draft, deployed: "yes" }],
      ["chatbotConfig", { ...draft, chatbotConfig: "{" }],
      ["apiConfig", { ...draft, apiConfig: {} }],
      ["id", { ...draft, id: "no-uuid" }],
    ];
    for (const [path, body] of wrong) {
      const answer = await call("POST", "/chatflows", body);
      assert.equal(answer.status, 422, JSON.stringify(body));
      assert.ok(answer.body.errors.some((error: { path: string }) => error.path === path));
    }
    assert.deepEqual((await call("GET", "/chatflows")).body, []);
  });

  test("a flow that is larger than any that people draw is 422, and nothing is stored", async (t) => {
    const { call } = createResourceApi(await openTestDatabase(t));
    for (const flowData of [JSON.stringify({ note: "x".repeat(4_000_000) }), `{"nodes":[${"1,".repeat(200_001)}1]}`]) {
      const { status, text } = await call("POST", "/chatflows", { name: "Large", flowData });
      assert.equal(status, 422, text.slice(0, 500));
      assert.match(text, /4000000|200000/);
      assert.ok(text.length < 2_000, "the answer does not repeat it");
    }
    const beyond = await call("POST", "/chatflows", { name: "Large", flowData: "x".repeat(12_000_001) });
    assert.deepEqual([beyond.status, beyond.body.code], [422, "limit-exceeded"], "refused while it is read");
    assert.deepEqual((await call("GET", "/chatflows")).body, []);
  });

  test("unset fields may be null or empty, as other clients send them", async (t) => {
    const { call } = createResourceApi(await openTestDatabase(t));
    const unset = { deployed: null, isPublic: null, apikeyid: null, category: null };
    const { status, body } = await call("POST", "/chatflows", {
      ...draft,
      ...unset,
      chatbotConfig: null,
      analytic: "",
    });
    assert.equal(status, 200);
    assert.deepEqual([body.deployed, body.apikeyid, body.chatbotConfig, body.analytic], [false, "", "{}", "{}"]);
  });

  test("bodies that cannot be read are 400", async (t) => {
    const { call, send } = createResourceApi(await openTestDatabase(t));
    const { body: agent } = await call("POST", "/chatflows", draft);
    for (const [method, path] of [
      ["POST", "/chatflows"],
      ["PUT", `/chatflows/${agent.id}`],
    ] as const) {
      for (const text of ["{", "", '"text"']) {
        const { status } = await send(method, path, text);
        assert.ok(status === 400 || (status === 422 && method === "POST" && text === '"text"'), `${method} ${text}`);
      }
    }
  });

  test("an id that is taken is 409, in any case of letters", async (t) => {
    const { call } = createResourceApi(await openTestDatabase(t));
    const id = randomUUID();
    assert.equal((await call("POST", "/chatflows", { ...draft, id })).body.id, id);
    const again = await call("POST", "/chatflows", { ...draft, id: id.toUpperCase() });
    assert.deepEqual([again.status, again.body.code], [409, "conflict"]);
    assert.equal((await call("GET", `/chatflows/${id.toUpperCase()}`)).body.id, id);
  });

  test("an update changes what it names, and nothing else", async (t) => {
    const { call } = createResourceApi(await openTestDatabase(t));
    const { body: before } = await call("POST", "/chatflows", { ...draft, category: "c", isPublic: true });
    const past = "2001-01-01T00:00:00.000Z";
    const body = { name: "New", id: unknownId, createdDate: past, updatedDate: past, extra: 1 };
    const { status, body: after } = await call("PUT", `/chatflows/${before.id}`, body);
    assert.equal(status, 200);
    assert.deepEqual(after, { ...before, name: "New", updatedDate: after.updatedDate });
    assert.ok(after.updatedDate > before.updatedDate);
    assert.deepEqual((await call("GET", `/chatflows/${before.id}`)).body, after);
    assert.equal((await call("PUT", `/chatflows/${before.id}`, {})).status, 200);
  });

  test("an update that does not fit is 400 and changes nothing", async (t) => {
    const { call } = createResourceApi(await openTestDatabase(t));
    const { body: before } = await call("POST", "/chatflows", draft);
    for (const body of [{ flowData: "[]" }, { type: "" }, { name: "" }, { name: "x", analytic: "{" }]) {
      assert.equal((await call("PUT", `/chatflows/${before.id}`, body)).status, 400);
    }
    assert.deepEqual((await call("GET", `/chatflows/${before.id}`)).body, before);
  });

  test("an update with If-Match is refused when somebody else saved meanwhile", async (t) => {
    const { call } = createResourceApi(await openTestDatabase(t));
    const { body: agent } = await call("POST", "/chatflows", draft);
    const path = `/chatflows/${agent.id}`;
    const etag = (await call("GET", path)).headers.get("etag") ?? "";
    assert.equal((await call("PUT", path, { name: "mine" }, { "If-Match": etag })).status, 200);
    const stale = await call("PUT", path, { name: "theirs" }, { "If-Match": etag });
    assert.deepEqual([stale.status, stale.body.code], [412, "precondition-failed"]);
    assert.equal((await call("GET", path)).body.name, "mine");
  });

  test("malformed ids are 400, unknown ones 404, in every operation on one agent", async (t) => {
    const { call } = createResourceApi(await openTestDatabase(t));
    const operations: ["GET" | "PUT" | "DELETE" | "POST", string, unknown?][] = [
      ["GET", ""],
      ["PUT", "", {}],
      ["DELETE", ""],
      ["GET", "/findings"],
      ["GET", "/versions"],
      ["GET", "/versions/1"],
      ["POST", "/versions/1/restore"],
    ];
    for (const [method, suffix, body] of operations) {
      const malformed = await call(method, `/chatflows/no-uuid${suffix}`, body);
      assert.deepEqual([malformed.status, malformed.body.code], [400, "id-invalid"], `${method} ${suffix}`);
      const unknown = await call(method, `/chatflows/${unknownId}${suffix}`, body);
      assert.deepEqual([unknown.status, unknown.body.code], [404, "not-found"], `${method} ${suffix}`);
    }
  });

  test("without credentials every operation is 401", async (t) => {
    const { callAs } = createResourceApi(await openTestDatabase(t));
    for (const [method, path] of [
      ["GET", "/chatflows"],
      ["POST", "/chatflows"],
      ["GET", `/chatflows/${unknownId}`],
      ["PUT", "/chatflows/no-uuid"],
      ["DELETE", `/chatflows/${unknownId}`],
      ["GET", "/chatflows/apikey/k"],
    ] as const) {
      assert.equal((await callAs(undefined, method, path, {})).status, 401, `${method} ${path}`);
    }
  });

  test("the list is complete and ordered by the last save; page and limit give one page and the total", async (t) => {
    const { call } = createResourceApi(await openTestDatabase(t));
    const ids: string[] = [];
    for (const name of ["a", "b", "c"]) ids.push((await call("POST", "/chatflows", { ...draft, name })).body.id);
    await call("POST", "/chatflows", { ...draft, name: "chat", type: "CHATFLOW" });
    await call("PUT", `/chatflows/${ids[0]}`, { category: "moved" });
    const names = async (query: string) => {
      const { body } = await call("GET", `/chatflows${query}`);
      const page = (list: Agent[]) => list.map((agent) => agent.name).join("");
      return Array.isArray(body) ? page(body) : `${page(body.data)}/${body.total}`;
    };
    const all = await names("");
    assert.equal(all.length, "abcchat".length);
    assert.equal(all[0], "a");
    assert.equal(await names("?type=CHATFLOW"), "chat");
    assert.equal(await names("?page=1&limit=1"), "a/4");
    assert.equal(await names("?page=9&limit=3"), "/4");
    assert.equal(await names("?page=2"), all);
    const pages = [await names("?page=1&limit=2&type=AGENTFLOW"), await names("?page=2&limit=2&type=AGENTFLOW")];
    assert.equal(pages.map((page) => page.replace("/3", "")).join("").length, 3);
    for (const query of ["?page=-1&limit=1", "?page=x&limit=1", "?page=1&limit=0", "?type=OTHER"]) {
      assert.equal((await call("GET", `/chatflows${query}`)).status, 400, query);
    }
  });

  test("an API key, or its id, leads to the agent that was bound to it and saved last", async (t) => {
    // Two saves may share a millisecond of the wall clock.
    let now = Date.now();
    const { call, apiKeys } = createResourceApi(await openTestDatabase(t), { now: () => now++ });
    const [key, unbound] = [await apiKeys.create("bound"), await apiKeys.create("unbound")];
    const [first, second] = [
      await call("POST", "/chatflows", { ...draft, name: "first", apikeyid: key.id }),
      await call("POST", "/chatflows", { ...draft, name: "second", apikeyid: key.id }),
    ];
    await call("PUT", `/chatflows/${second.body.id}`, {});
    await call("PUT", `/chatflows/${first.body.id}`, {});
    for (const keyOrId of [key.apiKey, key.id]) {
      assert.deepEqual((await call("GET", `/chatflows/apikey/${keyOrId}`)).body.name, "first");
    }
    for (const keyOrId of [unbound.apiKey, unbound.id, unknownId, "wk_other", "anything"]) {
      const unknown = await call("GET", `/chatflows/apikey/${keyOrId}`);
      assert.deepEqual([unknown.status, unknown.body.code], [404, "agent-of-key-not-found"]);
      assert.ok(!unknown.body.message.includes(keyOrId));
    }
    assert.equal((await call("GET", "/chatflows/apikey/with%20space")).status, 400);
  });

  test("saves of another flow are versions; restoring one makes it the newest", async (t) => {
    const { call } = createResourceApi(await openTestDatabase(t));
    const { body: agent } = await call("POST", "/chatflows", { name: "v", flowData: '{"n":1}' });
    const path = `/chatflows/${agent.id}`;
    await call("PUT", path, { name: "renamed" });
    await call("PUT", path, { flowData: '{"n":1}' });
    await call("PUT", path, { flowData: '{"n":2}' });
    const numbers = async () => {
      const { body } = await call("GET", `${path}/versions`);
      return body.map((version: { number: number; current: boolean }) => [version.number, version.current]);
    };
    assert.deepEqual(await numbers(), [
      [2, true],
      [1, false],
    ]);
    const restored = await call("POST", `${path}/versions/1/restore`);
    assert.deepEqual([restored.status, restored.body.flowData, restored.body.name], [200, '{"n":1}', "renamed"]);
    assert.deepEqual(await numbers(), [
      [3, true],
      [2, false],
      [1, false],
    ]);
    const version = await call("GET", `${path}/versions/2`);
    assert.deepEqual([version.body.flowData, version.body.agentId], ['{"n":2}', agent.id]);
    assert.equal((await call("GET", `${path}/versions/9`)).status, 404);
    assert.equal((await call("POST", `${path}/versions/0/restore`)).status, 400);
  });

  test("a version names who saved it", async (t) => {
    const { call, callAs } = createResourceApi(await openTestDatabase(t));
    const { body: agent } = await call("POST", "/chatflows", { name: "v", flowData: '{"n":1}' });
    const path = `/chatflows/${agent.id}`;
    await callAs(["agents:write"], "PUT", path, { flowData: '{"n":2}' });
    await call("POST", `${path}/versions/1/restore`);
    const { body } = await call("GET", `${path}/versions`);
    const authors = body.map(({ createdBy }: { createdBy: string | null }) => createdBy);
    assert.deepEqual(authors, ["operator", "test", "operator"]);
    assert.equal((await call("GET", `${path}/versions/2`)).body.createdBy, "test");
  });

  test("a version has the note that people write about it, and a restored one none", async (t) => {
    const { call, callAs } = createResourceApi(await openTestDatabase(t));
    const { body: agent } = await call("POST", "/chatflows", { name: "v", flowData: '{"n":1}' });
    const path = `/chatflows/${agent.id}/versions`;
    const { status, body } = await call("PATCH", `${path}/1`, { note: "  Asks before refunds  " });
    assert.deepEqual([status, body.note, body.number, body.current], [200, "Asks before refunds", 1, true]);
    assert.equal((await call("GET", `${path}/1`)).body.note, "Asks before refunds");
    await call("PUT", `/chatflows/${agent.id}`, { flowData: '{"n":2}' });
    await call("POST", `${path}/1/restore`);
    const notes = async () => (await call("GET", path)).body.map(({ note }: { note: string }) => note);
    assert.deepEqual(await notes(), ["", "", "Asks before refunds"]);
    await call("PATCH", `${path}/1`, { note: "" });
    assert.deepEqual(await notes(), ["", "", ""]);
    for (const [number, sent, expected] of [
      [9, { note: "x" }, 404],
      [1, { note: "x".repeat(1_001) }, 400],
      [1, { name: "x".repeat(81) }, 400],
      [1, { name: 1 }, 400],
      [1, {}, 400],
      [0, { note: "x" }, 400],
    ] as const) {
      assert.equal((await call("PATCH", `${path}/${number}`, sent)).status, expected);
    }
    assert.equal((await callAs(["agents:read"], "PATCH", `${path}/1`, { note: "x" })).status, 403);
  });

  test("publishing says what to call the version and what to note, and a repeated request changes nothing", async (t) => {
    const { call } = createResourceApi(await openTestDatabase(t));
    const first = { name: "v", flowData: '{"n":1}', version: { name: " First ", note: "As agreed" } };
    const { body: agent } = await call("POST", "/chatflows", first);
    const path = `/chatflows/${agent.id}`;
    const texts = async () => {
      const { body } = await call("GET", `${path}/versions`);
      return body.map(({ number, name, note }: { number: number; name: string; note: string }) => [number, name, note]);
    };
    assert.deepEqual(await texts(), [[1, "First", "As agreed"]]);
    const second = { flowData: '{"n":2}', version: { name: "Careful refunds", note: "Asks\nbefore refunds" } };
    for (const _ of [1, 2]) assert.equal((await call("PUT", path, second)).status, 200);
    await call("PUT", path, { flowData: '{"n":3}' });
    await call("PUT", path, { name: "renamed", version: { note: "Without a name" } });
    const all = [
      [3, "", "Without a name"],
      [2, "Careful refunds", "Asks\nbefore refunds"],
      [1, "First", "As agreed"],
    ];
    assert.deepEqual(await texts(), all);
    for (const version of [{ name: "x".repeat(81) }, { note: "x".repeat(1_001) }, "x", { name: null }]) {
      assert.equal((await call("PUT", path, { flowData: '{"n":4}', version })).status, 400);
      assert.equal((await call("POST", "/chatflows", { ...first, version })).status, 422);
    }
    assert.deepEqual(await texts(), all);
    const renamed = await call("PATCH", `${path}/versions/2`, { name: "Refunds" });
    assert.deepEqual([renamed.body.name, renamed.body.note], ["Refunds", "Asks\nbefore refunds"]);
  });

  test("findings tell what is wrong with the saved flow", async (t) => {
    const { call } = createResourceApi(await openTestDatabase(t));
    const { body: agent } = await call("POST", "/chatflows", { name: "f", flowData: '{"weft":1}' });
    const { status, body } = await call("GET", `/chatflows/${agent.id}/findings`);
    assert.equal(status, 200);
    assert.deepEqual(body, [{ level: "error", code: "checked", nodeId: null, message: '{"weft":1}' }]);
  });

  test("a deleted agent is gone with its messages, and answers with an empty body", async (t) => {
    const { call, recordTurn } = createResourceApi(await openTestDatabase(t));
    const [{ body: agent }, { body: other }] = [
      await call("POST", "/chatflows", draft),
      await call("POST", "/chatflows", draft),
    ];
    await recordTurn({ agentId: agent.id });
    await recordTurn({ agentId: other.id });
    const deleted = await call("DELETE", `/chatflows/${agent.id}`);
    assert.deepEqual([deleted.status, deleted.text], [200, ""]);
    assert.equal((await call("GET", `/chatflows/${agent.id}`)).status, 404);
    assert.equal((await call("DELETE", `/chatflows/${agent.id}`)).status, 404);
    assert.deepEqual((await call("GET", `/chatmessage/${agent.id}`)).body, []);
    assert.equal((await call("GET", `/chatmessage/${other.id}`)).body.length, 2);
    assert.equal((await call("POST", "/chatflows", { ...draft, id: agent.id })).status, 200);
  });
});
