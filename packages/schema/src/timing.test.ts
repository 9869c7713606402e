import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { findTimingProblem, latestMoment, nextMoment, nextMoments, type Timing } from "./timing.ts";

const iso = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms).toISOString());
const next = (timing: Timing, after: string) => iso(nextMoment(timing, Date.parse(after)));
const latest = (timing: Timing, until: string) => iso(latestMoment(timing, Date.parse(until)));

describe("moments of a schedule", () => {
  const berlin = { cron: "30 2 * * *", timeZone: "Europe/Berlin" };

  it("come after one moment, and up to another", () => {
    const hourly = { cron: "0 * * * *", timeZone: "UTC" };
    assert.equal(next(hourly, "2026-01-01T00:00:00Z"), "2026-01-01T01:00:00.000Z");
    assert.equal(next(hourly, "2025-12-31T23:59:59.999Z"), "2026-01-01T00:00:00.000Z");
    assert.equal(latest(hourly, "2026-01-01T01:00:00Z"), "2026-01-01T01:00:00.000Z");
    assert.equal(latest(hourly, "2026-01-01T00:59:59.999Z"), "2026-01-01T00:00:00.000Z");
  });

  it("are those of the time zone: what spring leaves out comes an hour later, what autumn repeats comes once", () => {
    assert.equal(next(berlin, "2026-03-28T12:00:00Z"), "2026-03-29T01:00:00.000Z");
    assert.equal(next(berlin, "2026-03-29T01:00:00Z"), "2026-03-30T00:30:00.000Z");
    assert.equal(next(berlin, "2026-10-24T12:00:00Z"), "2026-10-25T00:30:00.000Z");
    assert.equal(next(berlin, "2026-10-25T00:30:00Z"), "2026-10-26T01:30:00.000Z");
  });

  it("are listed as far as there are any, and not at all for a schedule that is invalid", () => {
    const list = (timing: Timing) => nextMoments(timing, Date.parse("2026-03-27T12:00:00Z"), 3).map(iso);
    const mornings = { cron: "0 9 * * 1-5", timeZone: "Europe/Berlin" };
    const [monday, tuesday, wednesday] = ["2026-03-30", "2026-03-31", "2026-04-01"].map(
      (day) => `${day}T07:00:00.000Z`,
    );
    assert.deepEqual(list(mornings), [monday, tuesday, wednesday]);
    assert.deepEqual(list({ ...mornings, endDate: "2026-03-31" }), [monday, tuesday]);
    assert.deepEqual(list({ ...mornings, endDate: "2026-01-01" }), []);
    for (const cron of ["", "soon", "61 * * * *", "0 9 31 2 *"])
      assert.deepEqual(list({ ...mornings, cron }), [], cron);
    for (const odd of [{ timeZone: "Mars/Base" }, { endDate: "never" }]) {
      assert.deepEqual(list({ ...mornings, ...odd }), []);
    }
  });

  it("end with a day, or at a moment", () => {
    const daily = { cron: "0 9 * * *", timeZone: "Europe/Berlin" };
    const day = { ...daily, endDate: "2026-02-01" };
    assert.equal(next(day, "2026-02-01T07:00:00Z"), "2026-02-01T08:00:00.000Z");
    assert.equal(next(day, "2026-02-01T08:00:00Z"), undefined);
    assert.equal(latest(day, "2026-05-01T00:00:00Z"), "2026-02-01T08:00:00.000Z");
    const moment = { ...daily, endDate: "2026-02-01T07:30:00.000Z" };
    assert.equal(next(moment, "2026-02-01T07:00:00Z"), undefined);
  });
});

describe("a schedule", () => {
  const now = Date.parse("2026-01-01T00:00:00Z");
  const problem = (cron: string, endDate?: string) =>
    findTimingProblem({ cron, timeZone: "UTC", endDate }, 60_000, now);

  it("can be kept when it names moments, not too often", () => {
    for (const cron of ["* * * * *", "0 9 L * *", "0 0 12 * * MON-FRI", "*/5 8-18 * JAN,feb 1-5"]) {
      assert.equal(problem(cron), undefined, cron);
    }
    assert.equal(problem("0 9 * * *", "2026-01-02"), undefined);
  });

  it("says what is wrong with it", () => {
    assert.match(problem("99 * * * *") ?? "", /cannot be read/);
    assert.match(problem("* * * *") ?? "", /cannot be read/);
    assert.match(problem("0 0 30 2 *") ?? "", /no moment that ever comes/);
    assert.match(problem("*/30 * * * * *") ?? "", /more often than every 60 seconds/);
    assert.match(problem("0,30 0 9 * * *") ?? "", /more often/);
    assert.match(problem("0 9 * * *", "2025-12-31") ?? "", /has ended/);
  });
});
