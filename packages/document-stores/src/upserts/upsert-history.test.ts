import assert from "node:assert/strict";
import { test } from "node:test";
import type { Database } from "@weft/database";
import type { UpsertHistoryRecord } from "@weft/schema";
import { createResourceApi } from "../../../agents/src/testing/bench.ts";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";

const agentId = "11111111-1111-4111-8111-111111111111";
const otherId = "22222222-2222-4222-8222-222222222222";
const unknownId = "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f";

/** The API with three upserts of one agent, a millisecond apart, and one of another. */
async function setUp(database: Database) {
  const clock = { nowMs: Date.parse("2026-01-01T12:00:00.000Z"), now: () => clock.nowMs };
  const api = createResourceApi(database, clock);
  for (const numAdded of [1, 2, 3]) {
    await api.recordUpsert({ chatflowid: agentId, result: { numAdded }, flowData: [{ label: "Store" }] });
    clock.nowMs += 1;
  }
  await api.recordUpsert({ chatflowid: otherId, result: {}, flowData: [] });
  const list = async (query = "", id = agentId): Promise<UpsertHistoryRecord[]> =>
    (await api.call("GET", `/upsert-history/${id}${query}`)).body;
  return { ...api, list, ids: (await list()).map(({ id }) => id) };
}

const added = (records: UpsertHistoryRecord[]) => records.map(({ result }) => JSON.parse(result).numAdded).join("");

await onTestDatabase(({ openTestDatabase }) => {
  test("a record is listed with its JSON as text", async (t) => {
    const { list, ids } = await setUp(await openTestDatabase(t));
    const [first] = await list();
    assert.deepEqual(first, {
      id: ids[0],
      chatflowid: agentId,
      result: '{"numAdded":1}',
      flowData: '[{"label":"Store"}]',
      date: "2026-01-01T12:00:00.000Z",
    });
  });

  test("the history is in order, filtered by dates to the millisecond, and paged", async (t) => {
    const { call, list } = await setUp(await openTestDatabase(t));
    const second = "2026-01-01T12:00:00.001Z";
    const expected: Record<string, string> = {
      "": "123",
      "?order=ASC": "123",
      "?order=DESC": "321",
      [`?startDate=${second}`]: "23",
      [`?endDate=${second}`]: "12",
      [`?startDate=${second}&endDate=${second}`]: "2",
      "?endDate=2025-12-31": "",
      "?endDate=2026-01-01": "123",
      "?endDate=2026-01-01T00:00:00Z": "",
    };
    for (const [query, found] of Object.entries(expected)) assert.equal(added(await list(query)), found, query);
    const { body, headers } = await call("GET", `/upsert-history/${agentId}?page=2&limit=2&order=DESC`);
    assert.deepEqual([added(body.data), body.total], ["1", 3]);
    assert.match(headers.get("etag") ?? "", /^"/);
    for (const query of ["?order=asc", "?startDate=yesterday", "?limit=0"]) {
      assert.equal((await call("GET", `/upsert-history/${agentId}${query}`)).body.code, "query-invalid", query);
    }
  });

  test("records of the same moment are in the order of their ids; unknown and malformed ids have none", async (t) => {
    const clock = { now: () => Date.parse("2026-01-01T12:00:00.000Z") };
    const { call, recordUpsert } = createResourceApi(await openTestDatabase(t), clock);
    for (let index = 0; index < 4; index++) await recordUpsert({ chatflowid: agentId, result: {}, flowData: {} });
    const idsOf = async (query: string) =>
      (await call("GET", `/upsert-history/${agentId}${query}`)).body.map(({ id }: UpsertHistoryRecord) => id);
    const ids = await idsOf("");
    assert.deepEqual([ids.length, ids], [4, ids.toSorted()]);
    assert.deepEqual(await idsOf("?order=DESC"), ids.toReversed());
    for (const id of [unknownId, "no-uuid"]) {
      const { status, body } = await call("GET", `/upsert-history/${id}`);
      assert.deepEqual([status, body], [200, []]);
    }
  });

  test("deleted records are listed no more and stay in the database", async (t) => {
    const database = await openTestDatabase(t);
    const { call, list, ids } = await setUp(database);
    const one = await call("PATCH", `/upsert-history/${agentId}`, { ids: [ids[1], unknownId] });
    assert.deepEqual([one.status, one.text], [200, ""]);
    assert.equal(added(await list()), "13");
    assert.equal(
      (await call("PATCH", "/upsert-history", { ids: [ids[0], ids[0]?.toUpperCase(), ids[1]] })).status,
      200,
    );
    const { body } = await call("GET", `/upsert-history/${agentId}?page=1&limit=5`);
    assert.deepEqual([added(body.data), body.total], ["3", 1]);
    const kept = await database.read.selectFrom("upsertHistory").select(["id", "deletedDate"]).execute();
    assert.equal(kept.filter(({ deletedDate }) => deletedDate !== null).length, 2);
    assert.equal(kept.length, 4);
  });

  test("what matches nothing is 404, what does not fit is 400, and nothing is deleted", async (t) => {
    const { call, send, list, ids } = await setUp(await openTestDatabase(t));
    await call("PATCH", "/upsert-history", { ids: [ids[0]] });
    const unmatched: [string, string | undefined][] = [
      ["/upsert-history", unknownId],
      ["/upsert-history", ids[0]],
      [`/upsert-history/${otherId}`, ids[1]],
      [`/upsert-history/${unknownId}`, ids[1]],
    ];
    for (const [path, id] of unmatched) {
      const { status, body } = await call("PATCH", path, { ids: [id] });
      assert.deepEqual([status, body.code], [404, "upsert-history-not-found"], path);
    }
    for (const body of [{}, { ids: [] }, { ids: ["no-uuid"] }, { ids: ids[1] }, [], Array(1_001).fill(unknownId)]) {
      const answer = await call("PATCH", `/upsert-history/${agentId}`, body);
      assert.deepEqual([answer.status, answer.body.code], [400, "body-invalid"]);
    }
    assert.equal((await call("PATCH", "/upsert-history")).body.code, "body-missing");
    assert.equal((await send("PATCH", "/upsert-history", "{")).body.code, "body-unparsable");
    assert.equal((await call("PATCH", "/upsert-history/no-uuid", { ids })).body.code, "id-invalid");
    assert.equal(added(await list()), "23");
  });

  test("reading needs agents:read, deleting agents:write", async (t) => {
    const { callAs, list, ids } = await setUp(await openTestDatabase(t));
    for (const [method, path, grant] of [
      ["GET", `/upsert-history/${agentId}`, "agents:write"],
      ["PATCH", `/upsert-history/${agentId}`, "agents:read"],
      ["PATCH", "/upsert-history", "agents:read"],
    ] as const) {
      assert.equal((await callAs(undefined, method, path, { ids })).status, 401);
      assert.equal((await callAs([grant], method, path, { ids })).body.code, "forbidden");
    }
    assert.equal((await list()).length, 3);
    assert.equal((await callAs(["agents:write"], "PATCH", "/upsert-history", { ids })).status, 200);
  });
});
