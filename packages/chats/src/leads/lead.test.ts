import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import type { Lead } from "@weft/schema";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { openWithAgent } from "../testing/bench.ts";

const unknownId = "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f";

const idsOf = (leads: Lead[]) => leads.map(({ id }) => id);

await forEachDatabase(({ openTestDatabase }) => {
  test("a lead has every field, those that were not left are empty, and a chat of its own", async (t) => {
    const { call, clock, chatflowid, list } = await openWithAgent(await openTestDatabase(t));
    const id = randomUUID();
    const given = { chatflowid, chatId: "c1", name: "Ada", email: "ada@example.org", phone: "+49 30 1" };
    const full = await call("POST", "/leads", { ...given, id, createdDate: "2001-01-01T00:00:00Z", more: 1 });
    const createdDate = new Date(clock.nowMs).toISOString();
    assert.deepEqual([full.status, full.body], [200, { ...given, id, createdDate }]);
    clock.nowMs += 1;
    for (const unset of [{}, { name: null, email: null, phone: null, chatId: null }, { email: "", chatId: "" }]) {
      const { status, body } = await call("POST", "/leads", { chatflowid, ...unset });
      assert.deepEqual([status, body.name, body.email, body.phone], [200, "", "", ""]);
      assert.match(body.chatId, /^[0-9a-f-]{36}$/);
    }
    const { body } = await list();
    assert.deepEqual([body.length, body[0]], [4, full.body]);
  });

  test("leads are listed oldest first, those of the same moment by id, and in pages", async (t) => {
    const { call, clock, chatflowid, list } = await openWithAgent(await openTestDatabase(t));
    const [a, b, c] = [randomUUID(), randomUUID(), randomUUID()].toSorted().toReversed();
    for (const id of [a, b, c]) {
      await call("POST", "/leads", { id, chatflowid });
      if (id === a) clock.nowMs += 1;
    }
    assert.deepEqual(idsOf((await list()).body), [a, c, b]);
    const page = (await list("?page=2&limit=2")).body;
    assert.deepEqual([idsOf(page.data), page.total], [[b], 3]);
    assert.deepEqual((await list("?page=3&limit=2")).body, { data: [], total: 3 });
    const { headers } = await list();
    const again = await call("GET", `/leads/${chatflowid}`, undefined, { "If-None-Match": headers.get("etag") ?? "" });
    assert.equal(again.status, 304);
  });

  test("no leads and an unknown agent are 404, a malformed id is 400", async (t) => {
    const { call, list } = await openWithAgent(await openTestDatabase(t));
    for (const answer of [await list(), await list("?page=1&limit=5"), await call("GET", `/leads/${unknownId}`)]) {
      assert.deepEqual([answer.status, answer.body.code], [404, "leads-not-found"]);
    }
    assert.equal((await call("GET", "/leads/no-uuid")).body.code, "id-invalid");
    assert.equal((await list("?page=0")).body.code, "query-invalid");
    assert.equal((await call("GET", "/leads")).status, 405);
  });

  test("a lead that does not fit is refused", async (t) => {
    const { call, send, chatflowid, list } = await openWithAgent(await openTestDatabase(t));
    const broken: [object, RegExp][] = [
      [{}, /chatflowid: is required/],
      [{ chatflowid: "no-uuid" }, /chatflowid: must be a uuid/],
      [{ chatflowid, email: "not an address" }, /email: must be an e-mail address/],
      [{ chatflowid, email: "ada@" }, /email: must be an e-mail address/],
      [{ chatflowid, name: 7 }, /name/],
      [{ chatflowid, phone: "1".repeat(1_001) }, /phone/],
    ];
    for (const [lead, message] of broken) {
      const { status, body } = await call("POST", "/leads", lead);
      assert.deepEqual([status, body.code], [422, "validation-failed"], JSON.stringify(lead).slice(0, 100));
      assert.match(body.message, message);
    }
    const long = await call("POST", "/leads", { chatflowid, chatId: "c".repeat(201) });
    assert.deepEqual([long.status, long.body.code], [400, "parameters-invalid"]);
    const stranger = await call("POST", "/leads", { chatflowid: unknownId });
    assert.deepEqual([stranger.status, stranger.body.message], [400, `No agent with the id ${unknownId} exists.`]);
    assert.equal((await call("POST", "/leads")).body.code, "body-missing");
    assert.equal((await send("POST", "/leads", "{")).body.code, "body-unparsable");
    assert.equal((await list()).status, 404);
  });

  test("a lead is deleted once, with its address on the messages of its chat, by those who reach it", async (t) => {
    const { call, chatflowid, list, recordTurn, authorizationOf } = await openWithAgent(await openTestDatabase(t));
    await recordTurn({ agentId: chatflowid, chatId: "c1" });
    const lead = async (email: string, chatId: string) =>
      (await call("POST", "/leads", { chatflowid, chatId, name: "Ada", email })).body.id;
    const [id, other] = [await lead("ada@example.org", "c1"), await lead("bob@example.org", "c2")];
    const stranger = await authorizationOf(["leads:write"], [unknownId]);
    assert.equal((await call("DELETE", `/leads/${id}`, undefined, stranger)).status, 404);
    const reader = await authorizationOf(["leads:read"]);
    assert.equal((await call("DELETE", `/leads/${id}`, undefined, reader)).status, 403);
    const deleted = await call("DELETE", `/leads/${id}`);
    assert.deepEqual([deleted.status, deleted.text], [200, ""]);
    assert.deepEqual(idsOf((await list()).body), [other]);
    const messages = (await call("GET", `/chatmessage/${chatflowid}`)).body;
    assert.ok(messages.length > 0 && messages.every(({ leadEmail }: { leadEmail: string }) => leadEmail === ""));
    assert.deepEqual((await call("DELETE", `/leads/${id}`)).body.code, "not-found");
    assert.equal((await call("DELETE", `/leads/${chatflowid}`)).status, 404, "the id of an agent is that of no lead");
    assert.equal((await call("DELETE", "/leads/no-uuid")).body.code, "id-invalid");
  });

  test("a taken id is 409; a repeated request with an Idempotency-Key leaves one lead", async (t) => {
    const { call, chatflowid, list } = await openWithAgent(await openTestDatabase(t));
    const key = { "Idempotency-Key": "k1" };
    const [first, second] = [
      await call("POST", "/leads", { chatflowid, name: "Ada" }, key),
      await call("POST", "/leads", { chatflowid, name: "Ada" }, key),
    ];
    assert.deepEqual([second.status, second.body], [200, first.body]);
    assert.equal((await call("POST", "/leads", { chatflowid }, key)).body.code, "idempotency-key-reused");
    const taken = await call("POST", "/leads", { chatflowid, id: first.body.id });
    assert.deepEqual([taken.status, taken.body.code], [409, "conflict"]);
    assert.deepEqual((await list()).body, [first.body]);
  });

  test("a lead that is left while its agent is deleted goes, too", async (t) => {
    const { call } = await openWithAgent(await openTestDatabase(t));
    for (let index = 0; index < 10; index++) {
      const { body: agent } = await call("POST", "/chatflows", { name: "Agent", flowData: "{}" });
      const [left, deleted] = await Promise.all([
        call("POST", "/leads", { chatflowid: agent.id }),
        call("DELETE", `/chatflows/${agent.id}`),
      ]);
      assert.ok([200, 400].includes(left.status));
      assert.equal(deleted.status, 200);
      assert.equal((await call("GET", `/leads/${agent.id}`)).status, 404);
    }
  });

  test("reading needs leads:read, leaving a lead leads:write", async (t) => {
    const { callAs, chatflowid } = await openWithAgent(await openTestDatabase(t));
    for (const [method, path, grant] of [
      ["GET", `/leads/${chatflowid}`, "leads:write"],
      ["POST", "/leads", "leads:read"],
    ] as const) {
      assert.equal((await callAs(undefined, method, path, { chatflowid })).status, 401);
      assert.equal((await callAs([grant], method, path, { chatflowid })).body.code, "forbidden");
    }
    assert.equal((await callAs(["leads:write"], "POST", "/leads", { chatflowid })).status, 200);
    assert.equal((await callAs(["leads:read"], "GET", `/leads/${chatflowid}`)).status, 200);
  });
});
