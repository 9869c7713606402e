import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { hasFilters, readExecutionsSearch, toExecutionQuery } from "./executions-search.ts";

describe("the address of the list of runs", () => {
  it("keeps what it knows and leaves out the rest", () => {
    const search = { q: 4711, agent: "Shop", state: "ERROR", session: 42, from: "2026-01-02", page: "3", other: "x" };
    assert.deepEqual(readExecutionsSearch({ ...search, origin: "webhook" }), {
      q: "4711",
      agent: "Shop",
      state: "ERROR",
      origin: "webhook",
      session: "42",
      from: "2026-01-02",
      page: 3,
    });
    assert.equal(readExecutionsSearch({ q: "x".repeat(999) }).q?.length, 200);
    const strange = {
      q: [],
      agent: "",
      state: "toString",
      origin: ["api"],
      session: {},
      from: "soon",
      until: 7,
      page: "0.5",
    };
    assert.deepEqual(readExecutionsSearch(strange), {});
    assert.deepEqual(readExecutionsSearch({ size: "50" }), { size: 50 });
    for (const size of [25, 26, 1_000, -1, "many"]) assert.deepEqual(readExecutionsSearch({ size }), {});
  });

  it("is a question to the API, with whole days", () => {
    const { startDate, endDate, ...query } = toExecutionQuery({
      agentId: "a",
      from: "2026-01-02",
      until: "2026-01-02",
    });
    assert.deepEqual(query, { page: 1, limit: 25, agentflowId: "a" });
    assert.equal(Date.parse(endDate ?? "") - Date.parse(startDate ?? ""), 86_400_000 - 1);
    assert.deepEqual(
      toExecutionQuery({ page: 2, q: "refund", session: "s", agent: "n", state: "STOPPED", origin: "api" }),
      {
        page: 2,
        limit: 25,
        search: "refund",
        sessionId: "s",
        agentflowName: "n",
        state: "STOPPED",
        origin: "api",
      },
    );
  });

  it("asks for what started lately, up to the later of two beginnings", () => {
    const now = Date.parse("2026-03-10T12:30:45.678Z");
    assert.deepEqual(readExecutionsSearch({ range: "7d" }), { range: "7d" });
    assert.deepEqual(readExecutionsSearch({ range: "toString" }), {});
    assert.equal(toExecutionQuery({ range: "24h" }, now).startDate, "2026-03-09T12:30:00.000Z");
    assert.equal(toExecutionQuery({ range: "24h", from: "2026-01-01" }, now).startDate, "2026-03-09T12:30:00.000Z");
    const { startDate } = toExecutionQuery({ range: "30d", from: "2026-03-01" }, now);
    assert.equal(startDate, new Date("2026-03-01T00:00:00").toISOString());
  });

  it("has filters where it leaves runs out", () => {
    assert.deepEqual([hasFilters({}), hasFilters({ page: 2 }), hasFilters({ agent: "a" })], [false, false, true]);
  });
});
