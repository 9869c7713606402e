import assert from "node:assert/strict";
import { test } from "node:test";
import { isQuiet } from "./quiet-hours.ts";

const at = (moment: string) => Date.parse(moment);

test("hours of one day begin with their first minute and end before their last", () => {
  const lunch = { from: "12:00", to: "13:30", timeZone: "UTC" };
  const quiet = ["11:59:59", "12:00:00", "13:29:59", "13:30:00"].map((time) =>
    isQuiet(lunch, at(`2026-01-01T${time}Z`)),
  );
  assert.deepEqual(quiet, [false, true, true, false]);
});

test("hours over midnight are of both days, by the wall clock of the zone", () => {
  const night = { from: "22:00", to: "07:00", timeZone: "Asia/Tokyo" };
  const quiet = ["12:59", "13:00", "15:00", "21:59", "22:00"].map((time) =>
    isQuiet(night, at(`2026-01-01T${time}:00Z`)),
  );
  assert.deepEqual(quiet, [false, true, true, true, false]);
});

test("a change to summer time moves them with the clock on the wall, and so does the change back", () => {
  const night = { from: "22:00", to: "07:00", timeZone: "Europe/Berlin" };
  // On 29 March 2026 at 01:00 UTC it becomes 03:00 in Berlin, on 25 October at 01:00 UTC 02:00.
  const ends = ["2026-03-28T05:59", "2026-03-28T06:00", "2026-03-29T04:59", "2026-03-29T05:00"];
  assert.deepEqual(
    ends.map((end) => isQuiet(night, at(`${end}:00Z`))),
    [true, false, true, false],
  );
  const back = ["2026-10-25T00:30", "2026-10-25T01:30", "2026-10-25T05:59", "2026-10-25T06:00"];
  assert.deepEqual(
    back.map((end) => isQuiet(night, at(`${end}:00Z`))),
    [true, true, true, false],
  );
  // An hour that the change leaves out: nothing is quiet that day, and it does not stay quiet.
  const gap = { from: "02:00", to: "03:00", timeZone: "Europe/Berlin" };
  const around = ["2026-03-29T00:59", "2026-03-29T01:00", "2026-03-30T00:00", "2026-03-30T01:00"];
  assert.deepEqual(
    around.map((moment) => isQuiet(gap, at(`${moment}:00Z`))),
    [false, false, true, false],
  );
});
