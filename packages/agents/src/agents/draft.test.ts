import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import type { Database } from "@weft/database";
import type { WallClock } from "@weft/engine/ports/clock";
import { longestPins } from "@weft/schema";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { createAgents, createResourceApi } from "../testing/bench.ts";
import { createDraftService } from "./draft.service.ts";
import { createDraftRuns } from "./draft-runs.ts";

const published = '{"weft":1,"nodes":[],"edges":[]}';
const edited = '{"weft":1,"nodes":[{"id":"start","type":"start"}],"edges":[]}';
const pins = { http_0: { output: { status: 200 }, ports: ["output"] } };

function openDrafts(database: Database, clock: WallClock) {
  const runs = createDraftRuns({ database, clock, ids: { uuid: () => randomUUID() } });
  return { ...createDraftService({ database, clock, checkFlow: async () => [] }), ...runs };
}

await forEachDatabase(({ openTestDatabase }) => {
  async function open(t: Parameters<typeof openTestDatabase>[0]) {
    const api = createResourceApi(await openTestDatabase(t));
    const { id } = (await api.call("POST", "/chatflows", { name: "A", flowData: published })).body;
    const path = `/chatflows/${id}/draft`;
    return { ...api, id, path, draft: async () => (await api.call("GET", path)).body };
  }

  test("without a draft the published flow is answered, and a save makes one beside it", async (t) => {
    const { call, id, path, draft } = await open(t);
    assert.deepEqual(
      { ...(await draft()), updatedDate: "" },
      {
        isDraft: false,
        flowData: published,
        pins: {},
        savedBy: "",
        updatedDate: "",
      },
    );
    const saved = await call("PUT", path, { flowData: edited });
    assert.equal(saved.status, 200);
    assert.equal(saved.body.isDraft, true);
    assert.equal(saved.body.savedBy, "operator");
    assert.deepEqual(await draft(), saved.body);
    assert.equal((await call("GET", `/chatflows/${id}`)).body.flowData, published);
    assert.equal((await call("GET", `/chatflows/${id}/versions`)).body.length, 1);
    assert.equal((await call("GET", `${path}/findings`)).body[0].message, edited);
  });

  test("a partial save keeps the rest: flow and pins are saved apart", async (t) => {
    const { call, path, draft } = await open(t);
    await call("PUT", path, { pins });
    await call("PUT", path, { flowData: edited });
    const { flowData, pins: kept } = await draft();
    assert.deepEqual([flowData, kept], [edited, pins]);
  });

  test("two tabs: the later one is told who saved, and nothing of the earlier one is lost", async (t) => {
    const { send, call, path, draft } = await open(t);
    const etag = (await call("GET", path)).headers.get("etag") ?? "";
    const first = await send("PUT", path, JSON.stringify({ flowData: edited }), { "If-Match": etag });
    assert.equal(first.status, 200);
    const second = await send("PUT", path, JSON.stringify({ flowData: '{"mine":1}' }), { "If-Match": etag });
    assert.equal(second.status, 412);
    assert.equal(second.body.code, "draft-changed");
    assert.match(second.body.message, /^operator saved this draft/);
    assert.equal((await draft()).flowData, edited);
    const again = { "If-Match": first.headers.get("etag") ?? "" };
    assert.equal((await send("PUT", path, '{"flowData":"{}"}', again)).status, 200);
  });

  test("a draft that was published meanwhile is a 412, too", async (t) => {
    const { send, call, id, path } = await open(t);
    const etag = (await call("GET", path)).headers.get("etag") ?? "";
    await call("PUT", `/chatflows/${id}`, { flowData: edited });
    const late = await send("PUT", path, JSON.stringify({ flowData: '{"mine":1}' }), { "If-Match": etag });
    assert.deepEqual([late.status, late.body.code], [412, "precondition-failed"]);
  });

  test("publishing its flow removes the draft; any other update of the agent keeps it", async (t) => {
    const { call, id, path, draft } = await open(t);
    await call("PUT", path, { flowData: edited, pins });
    await call("PUT", `/chatflows/${id}`, { name: "B" });
    await call("PUT", `/chatflows/${id}`, { flowData: '{"from":"a script"}' });
    assert.equal((await draft()).flowData, edited);
    await call("PUT", `/chatflows/${id}`, { flowData: edited });
    assert.equal((await draft()).isDraft, false);
  });

  test("a draft without a difference is none", async (t) => {
    const { call, path, draft } = await open(t);
    await call("PUT", path, { flowData: edited });
    assert.equal((await call("PUT", path, { flowData: published })).body.isDraft, false);
    assert.equal((await draft()).isDraft, false);
    assert.equal((await call("PUT", path, { flowData: published, pins })).body.isDraft, true);
  });

  test("a draft is discarded by DELETE, and goes with its agent", async (t) => {
    const { call, id, path, draft } = await open(t);
    await call("PUT", path, { flowData: edited });
    assert.equal((await call("DELETE", path)).status, 200);
    assert.equal((await call("DELETE", path)).status, 200);
    assert.equal((await draft()).isDraft, false);
    await call("PUT", path, { flowData: edited });
    await call("DELETE", `/chatflows/${id}`);
    assert.equal((await call("GET", path)).status, 404);
    await call("POST", "/chatflows", { id, name: "again", flowData: published });
    assert.equal((await draft()).isDraft, false);
  });

  test("what is no flow, too long, or of no agent is refused", async (t) => {
    const { call, path } = await open(t);
    assert.equal((await call("PUT", path, { flowData: "[]" })).status, 422);
    assert.equal((await call("PUT", path, { pins: { a: {} } })).status, 422);
    const long = await call("PUT", path, { pins: { a: { output: "x".repeat(longestPins) } } });
    assert.deepEqual([long.status, long.body.code], [422, "limit-exceeded"]);
    const nowhere = `/chatflows/${randomUUID()}/draft`;
    for (const method of ["GET", "PUT", "DELETE"] as const) {
      assert.equal((await call(method, nowhere, method === "PUT" ? { flowData: edited } : undefined)).status, 404);
    }
    assert.equal((await call("GET", "/chatflows/nothing/draft")).status, 400);
  });

  test("only those who may edit agents see and change drafts", async (t) => {
    const { callAs, path } = await open(t);
    assert.equal((await callAs(["agents:read", "predictions:run"], "GET", path)).status, 403);
    assert.equal((await callAs(["agents:read"], "PUT", path, { flowData: edited })).status, 403);
    assert.equal((await callAs(undefined, "GET", path)).status, 401);
    assert.equal((await callAs(["agents:write"], "PUT", path, { flowData: edited })).body.savedBy, "test");
  });

  test("test runs of one draft share an unlisted version, and numbers of saved flows go on as before", async (t) => {
    const database = await openTestDatabase(t);
    const { service, clock } = createAgents(database);
    const drafts = openDrafts(database, clock);
    const { id } = await service.create({ name: "A", flowData: published });
    assert.equal(await drafts.toRun(id), undefined);
    await drafts.save(id, { flowData: edited, pins }, { name: "ada" });
    const [one, two] = await Promise.all([drafts.toRun(id), drafts.toRun(id)]);
    assert.equal(one?.versionId, two?.versionId);
    assert.deepEqual([one?.flowData, one?.pins], [edited, pins]);
    assert.equal(await service.flowOfVersion(one?.versionId ?? ""), edited);
    await drafts.save(id, { flowData: '{"n":2}' }, { name: "ada" });
    assert.notEqual((await drafts.toRun(id))?.versionId, one?.versionId);
    assert.deepEqual(
      (await service.versions(id)).map(({ number }) => number),
      [1],
    );
    await service.update(id, { flowData: '{"n":3}' });
    assert.deepEqual(
      (await service.versions(id)).map(({ number }) => number),
      [2, 1],
    );
  });

  test("the flow of a draft goes with the last of its runs, once it is an hour old and not the draft's any more", async (t) => {
    const database = await openTestDatabase(t);
    const { service, clock } = createAgents(database);
    const drafts = openDrafts(database, clock);
    const agent = await service.create({ name: "A", flowData: published });
    const forget = (versionId: string) => database.write((tx) => drafts.forgetVersions(tx, [versionId]));
    const current = (await service.getForRun(agent.id)).versionId;
    await drafts.save(agent.id, { flowData: edited }, { name: "ada" });
    const version = (await drafts.toRun(agent.id))?.versionId ?? "";
    clock.nowMs += 2 * 60 * 60_000;
    await forget(version);
    assert.equal(await service.flowOfVersion(version), edited);
    await drafts.save(agent.id, { flowData: '{"n":2}' }, { name: "ada" });
    const young = (await drafts.toRun(agent.id))?.versionId ?? "";
    await drafts.discard(agent.id);
    for (const id of [version, young, current]) await forget(id);
    const left = await database.read.selectFrom("agentVersions").select("id").execute();
    assert.deepEqual(left.map(({ id }) => id).toSorted(), [young, current].toSorted());
  });
});
