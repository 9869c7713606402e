import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import type { Database } from "@weft/database";
import { WeftError } from "@weft/schema";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { createAgents, noon } from "../testing/bench.ts";

function isNotFound(error: unknown): boolean {
  return error instanceof WeftError && error.code === "not-found";
}

/** A run that began with the agent's present version. */
async function beginRun(database: Database, agentId: string, agentVersionId: string): Promise<void> {
  const run = {
    id: randomUUID(),
    agentId,
    agentVersionId,
    chatId: "c",
    sessionId: "s",
    chatType: "EXTERNAL",
    status: "running",
    lastSeq: 0,
    leaseEpoch: 1,
    leaseOwner: null,
    leaseUntil: 0,
    cancelRequested: 0,
    createdDate: "2026-01-01T12:00:00.000Z",
    updatedDate: "2026-01-01T12:00:00.000Z",
    stoppedDate: null,
    owner: "",
    takeOvers: 0,
    takeOverSeq: 0,
  };
  await database.write((tx) => tx.insertInto("runs").values(run).execute());
}

await forEachDatabase(({ openTestDatabase, createTestStorage }) => {
  test("updatedDate moves with every save, even when the clock stands still or goes back", async (t) => {
    const { clock, service } = createAgents(await openTestDatabase(t));
    const { id, createdDate } = await service.create({ name: "a", flowData: "{}" });
    assert.equal((await service.update(id, {})).updatedDate, "2026-01-01T12:00:00.001Z");
    clock.nowMs -= 60_000;
    assert.equal((await service.update(id, { name: "b" })).updatedDate, "2026-01-01T12:00:00.002Z");
    clock.nowMs = noon + 1_000;
    const { updatedDate, ...agent } = await service.update(id, {});
    assert.equal(updatedDate, "2026-01-01T12:00:01.000Z");
    assert.equal(agent.createdDate, createdDate);
  });

  test("concurrent saves of different fields lose nothing, and each flow is a version", async (t) => {
    const { service } = createAgents(await openTestDatabase(t));
    const { id } = await service.create({ name: "a", flowData: '{"n":0}' });
    const flows = Array.from({ length: 20 }, (_, index) => `{"n":${index + 1}}`);
    const saved = await Promise.all([
      ...flows.map((flowData) => service.update(id, { flowData })),
      service.update(id, { name: "renamed" }),
      service.update(id, { category: "x;y" }),
    ]);
    const agent = await service.get(id);
    assert.equal(agent.name, "renamed");
    assert.equal(agent.category, "x;y");
    assert.equal(new Set(saved.map((each) => each.updatedDate)).size, saved.length);
    const versions = await service.versions(id);
    assert.deepEqual(
      versions.map((version) => version.number),
      Array.from({ length: 21 }, (_, index) => 21 - index),
    );
    const texts = await Promise.all(versions.map(async ({ number }) => (await service.version(id, number)).flowData));
    assert.deepEqual(new Set(texts), new Set(['{"n":0}', ...flows]));
    assert.equal(texts[0], agent.flowData);
    assert.equal(
      versions.findIndex((version) => version.current),
      0,
    );
  });

  test("of concurrent creates with one id, one wins", async (t) => {
    const { service } = createAgents(await openTestDatabase(t));
    const id = randomUUID();
    const created = await Promise.allSettled(
      Array.from({ length: 5 }, () => service.create({ id, name: "a", flowData: "{}" })),
    );
    assert.equal(created.filter((each) => each.status === "fulfilled").length, 1);
    for (const each of created) {
      if (each.status === "rejected") assert.equal(each.reason.code, "conflict");
    }
    assert.equal((await service.versions(id)).length, 1);
  });

  test("a run starts from the saved flow and keeps its version while others save", async (t) => {
    const { service } = createAgents(await openTestDatabase(t));
    const { id } = await service.create({ name: "a", flowData: '{"n":1}' });
    const first = await service.getForRun(id);
    assert.equal(first.flowData, '{"n":1}');
    assert.deepEqual(await service.getForRun(id), first);
    await service.update(id, { flowData: '{"n":2}', apiConfig: '{"x":1}' });
    const second = await service.getForRun(id);
    assert.equal(second.flowData, '{"n":2}');
    assert.equal(second.agent.apiConfig, '{"x":1}');
    assert.notEqual(second.versionId, first.versionId);
    await service.restore(id, 1);
    const third = await service.getForRun(id);
    assert.equal(third.flowData, '{"n":1}');
    await service.remove(id);
    await assert.rejects(service.getForRun(id), isNotFound);
  });

  test("another process's save is seen by the next run", async (t) => {
    const storage = await createTestStorage(t);
    if (storage.databaseUrl === "") return t.skip("SQLite has one process");
    const [here, there] = [createAgents(await storage.open()).service, createAgents(await storage.open()).service];
    const { id } = await here.create({ name: "a", flowData: '{"n":1}' });
    assert.equal((await here.getForRun(id)).flowData, '{"n":1}');
    await there.update(id, { flowData: '{"n":2}' });
    assert.equal((await here.getForRun(id)).flowData, '{"n":2}');
  });

  test("deleting an agent keeps its runs and the versions they began with, and no other version", async (t) => {
    const database = await openTestDatabase(t);
    const { service } = createAgents(database);
    const { id } = await service.create({ name: "a", flowData: '{"n":1}' });
    await service.update(id, { flowData: '{"n":2}' });
    const { versionId } = await service.getForRun(id);
    await beginRun(database, id, versionId);
    await service.update(id, { flowData: '{"n":3}' });
    await service.remove(id);
    const versions = await database.read.selectFrom("agentVersions").select(["id", "flowData"]).execute();
    assert.deepEqual(versions, [{ id: versionId, flowData: '{"n":2}' }]);
    assert.equal((await database.read.selectFrom("runs").select("id").execute()).length, 1);
    assert.equal(await service.flowOfVersion(versionId), '{"n":2}');
    assert.equal(await service.flowOfVersion(randomUUID()), undefined);
  });

  test("a failing hook keeps the agent and everything that belongs to it", async (t) => {
    const database = await openTestDatabase(t);
    const removed: string[] = [];
    const { service } = createAgents(database, async (tx, agentId) => {
      removed.push(agentId);
      await tx.deleteFrom("agentVersions").where("agentId", "=", agentId).execute();
      throw new Error("cannot be removed");
    });
    const { id } = await service.create({ name: "a", flowData: "{}" });
    await assert.rejects(service.remove(id), /cannot be removed/);
    assert.deepEqual(removed, [id]);
    assert.equal((await service.versions(id)).length, 1);
  });
});
